"""A database as an earlier version left it, and the same after `migrate`: each is made once, and every test has a copy."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db.backends.base.base import BaseDatabaseWrapper

from tests.integration.migrations import old_databases
from tests.integration.migrations.schemas import Schema, schema_of


@pytest.fixture(scope="session")
def kept_as_left(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("left")
    with django_db_blocker.unblock(), old_databases.second_database(folder) as database:
        old_databases.fill(database)
        kept = old_databases.keep(database, folder)
    yield kept
    with django_db_blocker.unblock():
        old_databases.drop(kept)


@pytest.fixture(scope="session")
def kept_as_migrated(
    kept_as_left: str, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("migrated")
    with django_db_blocker.unblock(), old_databases.second_database(folder, kept_as_left) as database:
        call_command("migrate", database=old_databases.ALIAS, verbosity=0)
        kept = old_databases.keep(database, folder)
    yield kept
    with django_db_blocker.unblock():
        old_databases.drop(kept)


@pytest.fixture(scope="session")
def new_schema(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Schema:
    """What `migrate` makes of an empty database. The tests' own is only made where one of a run's tests asks for it."""
    folder = tmp_path_factory.mktemp("new")
    with django_db_blocker.unblock(), old_databases.second_database(folder) as database:
        call_command("migrate", database=old_databases.ALIAS, verbosity=0)
        return schema_of(database)


@pytest.fixture
def left(kept_as_left: str, django_db_blocker: Any, tmp_path: Path) -> Iterator[BaseDatabaseWrapper]:
    """A second database, which Django's test cases would not let a test reach."""
    with django_db_blocker.unblock(), old_databases.second_database(tmp_path, kept_as_left) as database:
        yield database


@pytest.fixture
def migrated(kept_as_migrated: str, django_db_blocker: Any, tmp_path: Path) -> Iterator[BaseDatabaseWrapper]:
    """The same with the schema of today."""
    with django_db_blocker.unblock(), old_databases.second_database(tmp_path, kept_as_migrated) as database:
        yield database
