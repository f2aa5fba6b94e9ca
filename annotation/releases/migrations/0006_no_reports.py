"""Drops the table of reports, which nothing has ever written, and the functions that its triggers called."""

from typing import Any

from django.db import migrations

FUNCTIONS = ("agreement_report_no_update", "agreement_report_no_delete")


def drop_functions(apps: Any, schema_editor: Any) -> None:
    """The triggers go with their table; on PostgreSQL their functions stay behind."""
    if schema_editor.connection.vendor == "postgresql":
        for function in FUNCTIONS:
            schema_editor.execute(f"DROP FUNCTION IF EXISTS {function}()")


class Migration(migrations.Migration):
    dependencies = [("agreement", "0005_quotes_moved")]

    operations = [
        migrations.DeleteModel(name="Report"),
        migrations.RunPython(drop_functions, migrations.RunPython.noop),
    ]
