"""The site with a limit on its SQLite database, read from a file at each connection: a disk that fills and clears."""

import os
from pathlib import Path
from typing import Any

from django.db.backends.signals import connection_created

from config.wsgi import application

__all__ = ["application"]


def limit(connection: Any, **_: Any) -> None:
    file = Path(os.environ["TOUCHSTONE_VAR"]) / "max_page_count"
    if connection.vendor == "sqlite" and file.exists():
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA max_page_count = {int(file.read_text())}")


connection_created.connect(limit)
