"""The commands of a site, as `manage.py` and `touchstone` run them."""

import os
from collections.abc import Sequence


def main(arguments: Sequence[str]) -> None:
    from django.core.management import execute_from_command_line

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    execute_from_command_line(list(arguments))
