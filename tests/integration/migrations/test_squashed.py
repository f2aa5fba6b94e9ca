"""A new database is made by one migration an app, which says what all those before it led to."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader

from config.serving import fault_of_the_database
from tests.integration.migrations import old_databases
from tests.integration.migrations.schemas import Schema, elements
from tests.integration.migrations.squashed import SQUASHED, assert_as_new, originals, recorded

pytestmark = pytest.mark.both


def test_squashed_migrations_replace_every_original() -> None:
    last = {app: name.rpartition("_")[2] for app, name in SQUASHED}
    ours = {key for key in MigrationLoader(None).disk_migrations if key[0] in last}
    assert originals() == {(app, name) for app, name in ours - SQUASHED if name[:4] <= last[app]}
    assert len(originals()) == 36


@pytest.mark.django_db(transaction=True)
def test_new_database_is_ready_and_knows_the_originals_as_applied() -> None:
    assert recorded(connection) >= SQUASHED | originals()
    assert fault_of_the_database() is None


def test_database_migrated_by_the_originals_has_the_schema_of_a_new_one(
    migrated: BaseDatabaseWrapper, new_schema: Schema
) -> None:
    """Its rows are counted in test_schema_can_change.py."""
    assert_as_new(migrated, new_schema)


def test_database_that_stopped_among_the_originals_goes_on(left: BaseDatabaseWrapper, new_schema: Schema) -> None:
    """The last of one app, the other's third; test_members_moved.py stops in the midst of the first."""
    call_command("migrate", "annotation", "0020_limits_of_numbers", database=left.alias, verbosity=0)
    assert recorded(left) & SQUASHED == {("annotation", "0001_squashed_0020")}
    call_command("migrate", database=left.alias, verbosity=0)
    assert_as_new(left, new_schema)


def test_database_with_a_few_originals_of_one_app_alone_goes_on(
    new_schema: Schema, django_db_blocker: Any, tmp_path: Path
) -> None:
    with django_db_blocker.unblock(), old_databases.second_database(tmp_path) as database:
        old_databases.migrate_by_the_originals({"annotation": "0004_set_aside"})
        call_command("migrate", database=database.alias, verbosity=0)
        assert_as_new(database, new_schema)


def test_elements_of_a_table_are_its_columns_and_constraints() -> None:
    text = """CREATE TABLE "a" ("id" integer NOT NULL, "n" varchar(3) DEFAULT ',(', CHECK ("n" IN ('x', ')')))"""
    assert elements(text) == ['"id" integer NOT NULL', "\"n\" varchar(3) DEFAULT ',('", "CHECK (\"n\" IN ('x', ')'))"]
