"""What `make run` does before it serves, in one process so that Django starts once: the tables and the demo study.

With the word `collectstatic` the static files first, hashed and compressed, which is what config/settings.py looks for.
"""

import os
import sys

import django
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection

from annotation.web import broker


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    if settings.COLLECTS_STATIC:
        call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    broker.make_folders(settings.CELERY_BROKER_TRANSPORT_OPTIONS)
    try:
        call_command("migrate", interactive=False, verbosity=0)
        call_command("demo")
    except DatabaseError as error:
        sys.exit(_what_to_do(error))


def _what_to_do(error: DatabaseError) -> str:
    """Damaged files and databases that don't answer are no fault of the code: a traceback would say that they were."""
    where = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite" and "locked" not in str(error):
        return (
            f"The database {where} can't be used ({error}). If it is damaged, put your backup in its place, or try"
            f" `sqlite3 {where} .recover`; to begin anew, move it away or name another folder with TOUCHSTONE_VAR=…"
        )
    return f"The database {where} can't be used ({error}). See that it runs and that TOUCHSTONE_DATABASE_URL names it."


if __name__ == "__main__":
    main()
