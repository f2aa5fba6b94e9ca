"""What the command `touchstone` hands on to a site: Django's commands, with the secret of the site in a data folder."""

import os
from collections.abc import Sequence
from pathlib import Path

from django.core.management import execute_from_command_line


def run(arguments: Sequence[str], *, data: Path) -> None:
    """`arguments` are the command and its options; `data` is the folder that `touchstone run` serves from."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    if (key := data / "secret-key").exists():
        os.environ.setdefault("TOUCHSTONE_SECRET_KEY", key.read_text().strip())
    execute_from_command_line(["touchstone", *arguments])
