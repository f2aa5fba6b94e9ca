"""The site with a limit on its SQLite database, read from a file at each request: a disk that fills and clears."""

import os
from pathlib import Path
from typing import Any

from django.core.signals import request_started
from django.db import DatabaseError, connection

from config.rsgi import application

__all__ = ["application"]
MOST = 1_073_741_823  # SQLite's own limit


def limit(**_: Any) -> None:
    if connection.vendor != "sqlite":
        return
    file = Path(os.environ["TOUCHSTONE_VAR"]) / "max_page_count"
    pages = int(file.read_text()) if file.exists() else MOST
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA max_page_count = {pages}")
    except DatabaseError:
        return  # the database is gone just now: that is for the page to say


request_started.connect(limit)
