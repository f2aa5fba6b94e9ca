"""Studies that report `rmse` first meant the error after a fitted line, which is called `rmse_calibrated` from now on."""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

ENDS = ("", "_sd", "_max")
NAMES = {f"rmse{end}": f"rmse_calibrated{end}" for end in ENDS}


def rename_metrics(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    studies = apps.get_model("annotation", "Study").objects.using(schema_editor.connection.alias)
    for study in studies.exclude(metrics=[]).only("pk", "metrics").iterator():
        metrics = [NAMES.get(name, name) for name in study.metrics]
        if metrics != study.metrics:
            studies.filter(pk=study.pk).update(metrics=metrics)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0021_payments_that_lapse")]
    operations = [migrations.RunPython(rename_metrics)]
