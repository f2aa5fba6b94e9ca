"""Studies and questions that report `rmse` first meant the error after a fitted line, called `rmse_calibrated` from now on."""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

ENDS = ("", "_sd", "_max")
NAMES = {f"rmse{end}": f"rmse_calibrated{end}" for end in ENDS}


def rename_metrics(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for model in ("Study", "Question"):
        rows = apps.get_model("annotation", model).objects.using(schema_editor.connection.alias)
        for row in rows.exclude(metrics=[]).only("pk", "metrics").iterator():
            metrics = [NAMES.get(name, name) for name in row.metrics]
            if metrics != row.metrics:
                rows.filter(pk=row.pk).update(metrics=metrics)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0023_ordered_labels")]
    operations = [migrations.RunPython(rename_metrics)]
