"""What earlier versions stored as `rmse`, the error after a fitted line, has its name of today; `rmse` is plain."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db.backends.base.base import BaseDatabaseWrapper

from annotation.database.triggers import lacking_triggers
from annotation.models import Study
from annotation.releases.models import GoldRelease, Leaderboard, Score
from tests.integration.migrations import old_databases

pytestmark = pytest.mark.both

PAIR: dict[str, Any] = {
    "metric": "rmse", "first": "m0", "second": "rmse", "estimate": 3.0, "low": 1.0, "high": 5.0, "n": 5,
    "method": "difference; paired jackknife over 5 items, t with 4 df", "p": 0.01, "p_holm_all_pairs": 0.01,
    "p_holm_with_the_best": 0.01, "in_words": "m0 is above rmse",
}  # fmt: skip
REFERENCE = {
    "source": "items.csv", "items": 5, "groups": {}, "probes": [], "comparisons": [PAIR],
    "scores": [{"kind": "model", "name": "m0", "metric": "rmse", "breakdown": "", "group": "", "undefined": "rmse: few",
                "chance": None}],
}  # fmt: skip


@pytest.fixture
def old(django_db_setup: None, django_db_blocker: Any, tmp_path: Path) -> Iterator[BaseDatabaseWrapper]:
    """A kept database before the renaming, with a study, a leaderboard and spreads that have the old name."""
    with django_db_blocker.unblock(), old_databases.second_database(tmp_path) as database:
        old_databases.fill(database, "annotation-0004")
        for app, name in (("annotation", "0023_ordered_labels"), ("agreement", "0017_several_questions")):
            call_command("migrate", app, name, database=database.alias, verbosity=0)
        with database.cursor() as cursor:
            for name in ("no_update", "no_delete"):
                on = " ON agreement_score" if database.vendor == "postgresql" else ""
                cursor.execute(f"DROP TRIGGER agreement_score_{name}{on}")
            cursor.execute("UPDATE annotation_study SET metrics = %s", [json.dumps(["pearson", "rmse", "rmse_sd"])])
            cursor.execute(
                "UPDATE agreement_leaderboard SET metric = 'rmse', comparisons = %s, against_reference = %s",
                [json.dumps([PAIR]), json.dumps(REFERENCE)],
            )
            cursor.execute(
                "UPDATE agreement_score SET metric = 'rmse_sd', method = 'sd (n - 1) of rmse over 2 templates or runs' "
                "WHERE id = (SELECT max(id) FROM agreement_score WHERE metric = 'kendall')"
            )
        yield database


def test_stored_scores_leaderboards_and_studies_have_the_new_name(old: BaseDatabaseWrapper) -> None:
    with old.cursor() as cursor:
        cursor.execute("SELECT id, estimate FROM agreement_score WHERE metric = 'rmse'")
        before = dict(cursor.fetchall())
        cursor.execute("SELECT count(*) FROM agreement_score")
        [(size,)] = cursor.fetchall()
    reports = {release.pk: release.report for release in GoldRelease.objects.using(old.alias)}
    assert before

    call_command("migrate", database=old.alias, verbosity=0)

    scores = Score.objects.using(old.alias)
    fitted = scores.filter(metric="rmse_calibrated")
    assert scores.count() == size
    assert dict(fitted.values_list("pk", "estimate")) == before
    assert {score.method.partition(";")[0] for score in fitted} == {"rmse_calibrated"}
    [spread] = scores.filter(metric="rmse_calibrated_sd")
    assert spread.method == "sd (n - 1) of rmse_calibrated over 2 templates or runs"
    assert not scores.filter(metric__in=["rmse", "rmse_sd", "rmse_max"]).exists()
    for study in Study.objects.using(old.alias):
        assert study.metrics == ["pearson", "rmse_calibrated", "rmse_calibrated_sd"]
    boards = list(Leaderboard.objects.using(old.alias))
    assert boards
    for board in boards:
        assert (board.metric, board.comparisons) == ("rmse_calibrated", [{**PAIR, "metric": "rmse_calibrated"}])
        [row] = board.against_reference["scores"]
        assert (row["metric"], row["undefined"]) == ("rmse_calibrated", "rmse_calibrated: few")
    assert lacking_triggers(old) == []
    for release in GoldRelease.objects.using(old.alias):  # as it was published; whoever reads it has the new name
        assert release.report == reports[release.pk]
        assert "rmse" not in {score.metric for score in release.published.results.scores}
