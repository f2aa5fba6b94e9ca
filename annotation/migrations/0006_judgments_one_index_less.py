"""Drops the index that the unique constraint on (assigned item, revision) makes needless.

By name and not by AlterField, which on SQLite builds the table anew and loses the triggers that keep it append-only.
"""

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def single_column_indexes(schema_editor: BaseDatabaseSchemaEditor, table: str, column: str) -> list[str]:
    with schema_editor.connection.cursor() as cursor:
        constraints = schema_editor.connection.introspection.get_constraints(cursor, table)
    return [
        name
        for name, found in constraints.items()
        if found["index"] and not found["unique"] and not found["primary_key"] and found["columns"] == [column]
    ]


def drop_index(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    table = apps.get_model("annotation", "Judgment")._meta.db_table
    for name in single_column_indexes(schema_editor, table, "assigned_item_id"):
        schema_editor.execute(f'DROP INDEX "{name}"')


def make_index(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    table = apps.get_model("annotation", "Judgment")._meta.db_table
    schema_editor.execute(f'CREATE INDEX "{table}_assigned_item" ON "{table}" ("assigned_item_id")')


class Migration(migrations.Migration):
    dependencies = [("annotation", "0005_claims_and_networks")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(drop_index, make_index)],
            state_operations=[
                migrations.AlterField(
                    model_name="judgment",
                    name="assigned_item",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judgments",
                        to="annotation.assigneditem",
                    ),
                ),
            ],
        ),
    ]
