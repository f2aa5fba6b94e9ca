"""The squashed migrations, what they stand for, and whether a database is as a new one."""

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from annotation.database import triggers
from tests.integration.migrations.schemas import Schema, schema_of

SQUASHED = {("annotation", "0001_squashed_0020"), ("agreement", "0001_squashed_0016")}


def recorded(database: BaseDatabaseWrapper) -> set[tuple[str, str]]:
    return set(MigrationRecorder(database).applied_migrations())


def originals() -> set[tuple[str, str]]:
    migrations = MigrationLoader(None).disk_migrations
    return {key for squashed in SQUASHED for key in migrations[squashed].replaces}


def assert_as_new(database: BaseDatabaseWrapper, new_schema: Schema) -> None:
    assert recorded(database) >= SQUASHED | originals()
    assert triggers.lacking_triggers(database) == []
    assert sorted(schema_of(database) ^ new_schema) == []
