"""What `make run` does before it serves, in one process so that Django starts once: the tables and the demo study."""

import os

import django
from django.conf import settings
from django.core.management import call_command

from config import broker


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    settings.STATIC_ROOT.mkdir(exist_ok=True)  # empty: without `collectstatic` files are served where they lie
    broker.make_folders(settings.CELERY_BROKER_TRANSPORT_OPTIONS)
    call_command("migrate", interactive=False, verbosity=0)
    call_command("demo")


if __name__ == "__main__":
    main()
