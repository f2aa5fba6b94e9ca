"""Annotation: collects judgments."""

from pathlib import Path

from django.apps import AppConfig
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, pre_migrate

OF_STRANGERS = 0o007
OWNERS_ALONE = 0o600


def keep_private(*, connection: BaseDatabaseWrapper, **_: object) -> None:
    """`connection_created`: the file of SQLite is its owner's alone, whoever makes it. Answers of people are in it, and
    in the two beside it that SQLite makes as it is.
    """
    name = str(connection.settings_dict["NAME"])
    if connection.vendor != "sqlite" or name.startswith((":memory:", "file:")):
        return
    for file in (Path(name), Path(f"{name}-wal"), Path(f"{name}-shm")):
        try:
            if file.stat().st_mode & OF_STRANGERS:
                file.chmod(OWNERS_ALONE)
        except (FileNotFoundError, PermissionError):  # not there at this moment, or somebody else's to protect
            continue


class AnnotationConfig(AppConfig):
    name = "annotation"
    verbose_name = "Collecting"

    def ready(self) -> None:
        from annotation.database import triggers

        connection_created.connect(keep_private, dispatch_uid="private file")
        pre_migrate.connect(triggers.before_migrating, sender=self)
        post_migrate.connect(triggers.after_migrating, sender=self)
