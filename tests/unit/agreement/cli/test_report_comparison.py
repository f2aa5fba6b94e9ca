"""A published report of an earlier version beside the same computed now: what came since is left out, and said."""

from typing import Any

from agreement.cli.report_comparison import compare_reports

FITTED = {"probe": "a", "metric": "rmse_calibrated", "estimate": 30.0, "low": None, "high": None, "method": "too few"}
NOW = FITTED | {"low": 2.0, "high": 100.0, "method": "jackknife over 3 items, logarithm, cut at 100 above"}
PRECISION = {"probe": "a", "metric": "average_precision_at_2", "estimate": 0.5, "low": 0.3, "high": 0.7}
TIERS = {"analysis": "many-models", "says": ["The tables have 2 more metrics."]}


def reports(published: Any, computed: Any, version: int = 3) -> tuple[list[str], list[str]]:
    compared = compare_reports({"version": version, **published}, {"version": 4, **computed})
    return compared.differences, compared.notes


def test_metrics_that_came_later_are_left_out_and_named() -> None:
    plain = {"probe": "a", "metric": "rmse", "estimate": 35.0}
    published = {"scores": [FITTED], "further": [TIERS]}
    computed = {"scores": [plain, FITTED], "further": [TIERS | {"says": ["The tables have 4 more metrics."]}]}

    assert reports(published, computed) == ([], ["Not compared, for it came in a later version: rmse."])
    assert reports({"scores": [FITTED | {"estimate": 31.0}]}, {"scores": [plain, FITTED]})[0] == [
        "report.json, scores[0].estimate: 31.0, and computed again 30.0"
    ]
    assert len(reports(published, computed, version=4)[0]) == 2


def test_limits_that_are_of_something_else_now_are_left_out_and_the_figures_are_not() -> None:
    assert reports({"scores": [FITTED]}, {"scores": [NOW]}) == (
        [],
        ["Not compared, for it came in a later version: limits of errors that end at the width of the scale."],
    )
    then, now = PRECISION | {"over": "items and workers"}, PRECISION | {"over": "items", "low": 0.4}
    differences, [note] = reports({"scores": [then]}, {"scores": [now]})
    assert (differences, note.endswith("average precision's intervals and tests for these workers.")) == ([], True)
    assert reports({"scores": [then]}, {"scores": [now | {"estimate": 0.6}]})[0] != []
    assert reports({"scores": [then]}, {"scores": [now]}, version=4)[0] != []
