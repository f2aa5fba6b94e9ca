"""The file of SQLite is its owner's alone, whoever makes it: the service, a command, a server started by hand."""

from pathlib import Path

from django.db.backends.base.base import BaseDatabaseWrapper

OF_STRANGERS = 0o007
OWNERS_ALONE = 0o600


def keep_private(*, connection: BaseDatabaseWrapper, **_: object) -> None:
    """`connection_created`: answers of people are in the file, and in the two beside it that SQLite makes as it is."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor != "sqlite" or name.startswith((":memory:", "file:")):
        return
    for file in (Path(name), Path(f"{name}-wal"), Path(f"{name}-shm")):
        try:
            if file.stat().st_mode & OF_STRANGERS:
                file.chmod(OWNERS_ALONE)
        except (FileNotFoundError, PermissionError):  # not there at this moment, or somebody else's to protect
            continue
