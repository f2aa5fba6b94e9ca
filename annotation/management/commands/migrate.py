"""`manage.py migrate`, which leaves the triggers in place whatever happens (annotation/database/triggers.py)."""

from django.core.management.commands.migrate import Command as DjangosMigrate
from django.db import connections

from annotation.database import triggers


class Command(DjangosMigrate):
    def handle(self, *args: str, **options: object) -> None:
        only_looks = options["plan"] or options["check_unapplied"]
        try:
            super().handle(*args, **options)
        except BaseException:
            if not only_looks:
                triggers.install_triggers(connections[str(options["database"])])
            raise
