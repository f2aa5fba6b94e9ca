"""Migrations run on databases with data in them, and leave every row, constraint and trigger in place."""

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import IntegrityError, connection, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import Migration

from annotation.database import triggers
from annotation.models import Judgment
from tests.integration.migrations import old_databases
from tests.integration.migrations.schemas import Schema, schema_of

pytestmark = pytest.mark.both

OURS = ("annotation", "agreement")


def our_tables() -> list[str]:
    return [
        model._meta.db_table for app in OURS for model in apps.get_app_config(app).get_models(include_auto_created=True)
    ]


def our_schema(database: BaseDatabaseWrapper) -> Schema:
    tables = set(our_tables())
    return {element for element in schema_of(database) if element[0] in tables}


@pytest.mark.django_db(transaction=True)
def test_every_trigger_that_a_model_declares_is_there() -> None:
    assert len(list(triggers.declared_triggers())) == 32
    assert triggers.lacking_triggers(connection) == []


def test_database_left_by_an_earlier_version_is_migrated_with_its_rows_and_still_refuses_changes(
    migrated: BaseDatabaseWrapper, new_schema: Schema
) -> None:
    rows = {table: len(content["rows"]) for table, content in old_databases.tables_left().items()}
    assert rows["annotation_judgment"] == 179

    kept = [table for table in rows if table in set(our_tables())]
    assert old_databases.counts(migrated, kept) == {table: rows[table] for table in kept}
    assert triggers.lacking_triggers(migrated) == []
    assert sorted(schema_of(migrated) ^ new_schema) == []
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic(using=migrated.alias):
        Judgment.objects.using(migrated.alias).update(number=1.0)


def test_rebuilding_every_table_keeps_rows_constraints_and_triggers(migrated: BaseDatabaseWrapper) -> None:
    rows, before = old_databases.counts(migrated, our_tables()), our_schema(migrated)

    triggers.before_migrating(using=migrated.alias, plan=[(Migration("any", "annotation"), False)])
    assert triggers.installed_triggers(migrated) == {}
    for app in OURS:
        for model in apps.get_app_config(app).get_models():
            rebuild(migrated, model)
    triggers.after_migrating(using=migrated.alias)

    assert triggers.lacking_triggers(migrated) == []
    assert our_schema(migrated) == before
    assert old_databases.counts(migrated, our_tables()) == rows
    migrated.check_constraints()


def rebuild(migrated: BaseDatabaseWrapper, model: type[models.Model]) -> None:
    """Adds a column that may not be empty, with a default, and takes it away again: on SQLite each builds anew."""
    field = models.IntegerField(default=7)
    field.set_attributes_from_name("rebuilt")
    field.model = model
    with migrated.schema_editor() as editor:
        editor.add_field(model, field)
    with migrated.schema_editor() as editor:
        editor.remove_field(model, field)


@pytest.mark.django_db(transaction=True)
def test_migrating_without_anything_to_migrate_never_takes_a_trigger_away() -> None:
    triggers.before_migrating(plan=[])

    assert triggers.lacking_triggers(connection) == []


@pytest.mark.django_db(transaction=True)
def test_a_trigger_that_was_lost_or_reworded_is_made_again_by_the_next_migrate() -> None:
    lost, reworded = "annotation_tombstone_no_delete", "annotation_judgment_no_update"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"DROP TRIGGER {lost} ON annotation_tombstone")
            cursor.execute(f"COMMENT ON TRIGGER {reworded} ON annotation_judgment IS 'of another version'")
        else:
            cursor.execute(f"DROP TRIGGER {lost}")
            cursor.execute(f"DROP TRIGGER {reworded}")
            cursor.execute(f"CREATE TRIGGER {reworded} BEFORE UPDATE ON annotation_judgment BEGIN SELECT 1; END")
    assert sorted(triggers.lacking_triggers(connection)) == sorted([lost, reworded])

    call_command("migrate", verbosity=0)

    assert triggers.lacking_triggers(connection) == []


def test_somebody_elses_trigger_on_our_table_is_left_alone(migrated: BaseDatabaseWrapper) -> None:
    with migrated.cursor() as cursor:
        if migrated.vendor == "postgresql":
            cursor.execute("CREATE FUNCTION theirs() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'")
            cursor.execute(
                "CREATE TRIGGER theirs BEFORE INSERT ON annotation_judgment FOR EACH ROW EXECUTE FUNCTION theirs()"
            )
            query = "SELECT count(*) FROM pg_trigger WHERE tgname = 'theirs'"
        else:
            cursor.execute("CREATE TRIGGER theirs BEFORE INSERT ON annotation_judgment BEGIN SELECT 1; END")
            query = "SELECT count(*) FROM sqlite_master WHERE name = 'theirs'"

        triggers.remove_triggers(migrated)
        triggers.install_triggers(migrated)

        cursor.execute(query)
        assert cursor.fetchone() == (1,)
