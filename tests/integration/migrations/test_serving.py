"""The web process and the worker refuse a database that isn't as this code needs it, and say what to do."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from annotation.database import triggers
from config.serving import fault_of_the_database
from tests.services.fixtures import database_url
from tools import place

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]
OURS = ("annotation", "agreement")
WEB = [sys.executable, "-c", "import config.wsgi"]
SERVED_WEB = [sys.executable, "-c", "import config.rsgi"]
ASYNCHRONOUS_WEB = [sys.executable, "-c", "import config.asgi"]
WORKER = [sys.executable, "-m", "celery", "--quiet", "--app", "config", "worker", "--pool", "solo"]


def test_database_as_it_should_be_has_no_fault() -> None:
    assert fault_of_the_database() is None


@pytest.fixture
def _without_triggers() -> Iterator[None]:
    triggers.remove_triggers(connection)
    yield
    triggers.install_triggers(connection)


@pytest.mark.usefixtures("_without_triggers")
@pytest.mark.parametrize("command", [WEB, ASYNCHRONOUS_WEB, SERVED_WEB, WORKER], ids=["wsgi", "asgi", "rsgi", "worker"])
def test_nothing_starts_without_the_triggers(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "broker" / "queue").mkdir(parents=True)
    (tmp_path / "broker" / "control").mkdir()
    env = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "TOUCHSTONE_VAR": str(tmp_path),
        "TOUCHSTONE_DATABASE_URL": database_url(),
        "TOUCHSTONE_BROKER_URL": "filesystem://localhost",
    }

    ended = subprocess.run(command, env=env, cwd=place.ROOT, capture_output=True, text=True, timeout=60, check=False)

    assert ended.returncode == 1
    lacks = f"the database lacks {len(list(triggers.declared_triggers()))} of the triggers that keep answers as they"
    assert f"Touchstone does not start: {lacks}" in ended.stderr
    assert "run `manage.py migrate`" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.sqlite
@pytest.mark.parametrize("command", [SERVED_WEB, WORKER], ids=["rsgi", "worker"])
@pytest.mark.parametrize("content", [b"garbage" * 3_000, b"SQLite format 3\x00" + b"garbage" * 3_000])
def test_nothing_starts_on_a_damaged_file(content: bytes, command: list[str], tmp_path: Path) -> None:
    file = tmp_path / "touchstone.sqlite3"
    file.write_bytes(content)
    settings = {"VAR": str(tmp_path), "DATABASE_URL": f"sqlite:///{file}", "BROKER_URL": "filesystem://localhost"}
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    env |= {f"TOUCHSTONE_{name}": value for name, value in settings.items()}

    ended = subprocess.run(command, env=env, cwd=place.ROOT, capture_output=True, text=True, timeout=60, check=False)

    assert ended.returncode == 1
    assert f"Touchstone does not start: the database {file} is damaged" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_database_of_a_newer_version_is_refused_by_its_migrations_name() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('agreement', '0999_later', '2030-01-01')"
        )
    try:
        assert fault_of_the_database() == (
            "a newer version has changed the database (agreement 0999_later): run that version, or restore a backup"
        )
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_migrations WHERE name = '0999_later'")


def test_database_that_was_not_migrated_is_refused() -> None:
    with connection.cursor() as cursor:
        for app in OURS:
            cursor.execute("UPDATE django_migrations SET app = %s WHERE app = %s", [f"no {app}", app])
    try:
        fault = fault_of_the_database() or ""
        assert re.match(r"the database lacks \d+ migrations \(annotation 0001_squashed_0020, ", fault)
    finally:
        with connection.cursor() as cursor:
            for app in OURS:
                cursor.execute("UPDATE django_migrations SET app = %s WHERE app = %s", [app, f"no {app}"])
