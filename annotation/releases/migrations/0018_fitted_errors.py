"""Scores called `rmse` were the error after a fitted line: they are `rmse_calibrated` from now on, and `rmse` is plain.

Reports of releases stay as they were published; whoever reads them has the new name (agreement/report/earlier_reports.py).
"""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F, Value
from django.db.models.functions import Replace

from agreement.report.earlier_reports import rename_fitted_errors

ENDS = ("", "_sd", "_max")
NAMES = {f"rmse{end}": f"rmse_calibrated{end}" for end in ENDS}
STORED = ("comparisons", "groups", "against_reference")


def rename_metrics(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    using = schema_editor.connection.alias
    scores = apps.get_model("agreement", "Score").objects.using(using)
    for before, now in NAMES.items():
        texts = {name: Replace(F(name), Value("rmse"), Value("rmse_calibrated")) for name in ("method", "undefined")}
        scores.filter(metric=before).update(metric=now, **texts)
    boards = apps.get_model("agreement", "Leaderboard").objects.using(using)
    for board in boards.only("pk", "metric", *STORED).iterator(chunk_size=50):
        renamed = {name: rename_fitted_errors(getattr(board, name)) for name in STORED}
        # No `save`: it would say that the leaderboard was made today.
        boards.filter(pk=board.pk).update(metric=NAMES.get(board.metric, board.metric), **renamed)


class Migration(migrations.Migration):
    dependencies = [("agreement", "0017_several_questions")]
    operations = [migrations.RunPython(rename_metrics)]
