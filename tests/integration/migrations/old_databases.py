"""Databases as earlier versions left them: the schema by their own migrations, the rows from tests/cases/databases/."""

import gzip
import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from django.apps import apps
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader

CASES = Path(__file__).parents[2] / "cases" / "databases"
ALIAS = "old"
# What is kept, and the newest migrations of the version that left it. Both have studies with simulated people, analysed,
# with one person withdrawn.
LEFT_AT = {
    # By commit 43375f6: a small study of each of seven kinds, two with models, one with two releases.
    "annotation-0004": {"annotation": "0004_set_aside", "agreement": "0002_append_only"},
    # A demo and three more studies, one probe scored, by the last version with these migrations.
    "annotation-0005": {"annotation": "0005_payments_and_devices", "agreement": "0002_append_only"},
}
CASE = "annotation-0005"


@contextmanager
def second_database(folder: Path, begun_from: str = "") -> Iterator[BaseDatabaseWrapper]:
    """A second database beside the tests' own, under the alias `old`: a copy of one that was kept, or without tables."""
    settings = {**connection.settings_dict, "TEST": {**connection.settings_dict["TEST"]}}
    is_file = connection.vendor == "sqlite"
    settings["NAME"] = str(folder / "old.sqlite3") if is_file else f"{connection.settings_dict['NAME']}_old"
    if is_file and begun_from:
        shutil.copy(begun_from, settings["NAME"])
    if not is_file:
        _create(settings["NAME"], begun_from)
    connections.settings[ALIAS] = settings
    try:
        yield connections[ALIAS]
    finally:
        connections[ALIAS].close()
        del connections[ALIAS]
        del connections.settings[ALIAS]
        if not is_file:
            drop(settings["NAME"])


@contextmanager
def served_by_the_site(old: BaseDatabaseWrapper) -> Iterator[None]:
    """The second database in the place of the tests' own: commands and pages read and write it."""
    own = connections[DEFAULT_DB_ALIAS]
    connections[DEFAULT_DB_ALIAS] = old
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = own


def keep(old: BaseDatabaseWrapper, folder: Path) -> str:
    """Puts a copy of the second database aside: what other tests name to begin from it."""
    old.close()
    if old.vendor == "sqlite":
        return shutil.copy(old.settings_dict["NAME"], str(folder / "kept.sqlite3"))
    kept = f"{connection.settings_dict['NAME']}_{folder.name}"
    _create(kept, old.settings_dict["NAME"])
    return kept


def drop(kept: str) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{kept}"')


def _create(name: str, begun_from: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
        cursor.execute(f'CREATE DATABASE "{name}"' + (f' TEMPLATE "{begun_from}"' if begun_from else ""))


def tables_left(case: str = CASE) -> dict[str, Any]:
    """The columns and rows of each table."""
    content: dict[str, Any] = json.loads(gzip.decompress((CASES / f"{case}.json.gz").read_bytes()))
    return content


def migrate_by_the_originals(last: Mapping[str, str]) -> None:
    """Up to the last one of each app, in a database without tables, as if nothing had been squashed yet."""
    load = MigrationLoader.load_disk

    def load_originals(loader: MigrationLoader) -> None:
        load(loader)
        loader.disk_migrations = {
            key: migration for key, migration in loader.disk_migrations.items() if not migration.replaces
        }

    with mock.patch.object(MigrationLoader, "load_disk", load_originals):
        for app, name in last.items():
            call_command("migrate", app, name, database=ALIAS, verbosity=0)


def fill(old: BaseDatabaseWrapper, case: str = CASE) -> None:
    """Migrates to where the earlier version stood and puts its rows in."""
    migrate_by_the_originals(LEFT_AT[case])
    tables = tables_left(case)
    # Foreign keys are looked at when the transaction ends: the tables come in the order of their names.
    with transaction.atomic(using=ALIAS), old.cursor() as cursor:
        for table, content in tables.items():
            columns = ", ".join(f'"{column}"' for column in content["columns"])
            marks = ", ".join(["%s"] * len(content["columns"]))
            rows = [[_value(old, value) for value in row] for row in content["rows"]]
            cursor.executemany(f'INSERT INTO "{table}" ({columns}) VALUES ({marks})', rows)  # noqa: S608
        numbered = [model for model in apps.get_models() if model._meta.db_table in tables]
        for reset in old.ops.sequence_reset_sql(no_style(), numbered):
            cursor.execute(reset)


def _value(old: BaseDatabaseWrapper, value: Any) -> Any:
    """The cases were read from SQLite. PostgreSQL is given text, which it casts to the column's own type."""
    if isinstance(value, dict):
        return bytes.fromhex(value["hex"])
    if old.vendor == "postgresql" and value is not None:
        return str(value)
    return value


def counts(old: BaseDatabaseWrapper, tables: Iterator[str] | list[str]) -> dict[str, int]:
    with old.cursor() as cursor:
        found = {}
        for table in tables:
            cursor.execute(f'SELECT count(*) FROM "{table}"')  # noqa: S608
            found[table] = cursor.fetchone()[0]
        return found
