"""Stored reports of earlier versions, in today's shape: what they lack is filled in, and nothing else is changed."""

import gzip
import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from agreement.errors import Refused
from agreement.report.earlier_reports import STEPS, current_report, with_current_names
from agreement.report.methods import methods_text
from agreement.report.report import read_report
from tools import place

KEPT = sorted((place.ROOT / "tests" / "cases" / "databases").glob("*.json.gz"))
# They send the published report on, as it was stored; the model itself has both.
SENDERS = {"annotation/releases/exports/bundle_contents.py", "annotation/api/resources/releases.py"}
STORED = re.compile(r"\brelease(?:_or_404\(.*\))?\.report\b")


def stored_reports() -> list[dict[str, Any]]:
    found = []
    for path in KEPT:
        table = json.loads(gzip.decompress(path.read_bytes()))["agreement_goldrelease"]
        at = table["columns"].index("report")
        found += [json.loads(row[at]) for row in table["rows"]]
    return found


@pytest.mark.parametrize("stored", stored_reports(), ids=lambda stored: f"{stored['study']}-{stored['kind']}")
def test_earlier_report_has_what_todays_words_need_and_keeps_its_figures(stored: dict[str, Any]) -> None:
    before = deepcopy(stored)
    report = current_report(stored)
    assert stored == before
    assert methods_text(read_report(stored)).startswith(f"# Methods: {stored['study']}")
    assert read_report(stored).verdict.next_step.sentence
    assert report["by_hand"]["by_earlier_runs"] == 0
    assert set(stored["counts"].items()) <= set(report["counts"].items())
    for part in ("agreement", "release", "versions"):
        assert report[part] == stored[part]
    assert [before["metric"].replace("rmse", "rmse_calibrated") for before in stored["scores"]] == [
        score["metric"] for score in report["scores"]
    ]
    figures = [
        [{key: score[key] for key in score.keys() - {"metric", "method"}} for score in scores]
        for scores in (stored["scores"], report["scores"])
    ]
    assert figures[0] == figures[1]


@pytest.mark.parametrize("stored", stored_reports(), ids=lambda stored: f"{stored['study']}-{stored['kind']}")
def test_a_report_in_todays_shape_is_left_as_it_is(stored: dict[str, Any]) -> None:
    report = current_report(stored)
    assert current_report(report) == with_current_names(report) == report


def test_what_the_stored_report_says_stands_above_the_defaults() -> None:
    stored = {"by_hand": {"by_earlier_runs": 3}, "counts": {"check_items": 4}, "warnings": [{"text": "few"}]}
    report = current_report(stored)
    assert {name: report[name] for name in stored} == stored


def test_renamed_figures_have_one_name() -> None:
    sizes = {"median": 10.0}
    stored = {"ceiling": {"leave_one_out": {"metric": "spearman", "items_a_worker": sizes}}}
    assert current_report(stored)["ceiling"] == with_current_names(stored)["ceiling"]
    assert with_current_names(stored) == {
        "ceiling": {"leave_one_out": {"metric": "spearman", "items_per_worker": sizes}}
    }


def test_the_error_after_a_fitted_line_has_its_name_of_today() -> None:
    row = {"probe": "rmse", "metric": "rmse", "method": "rmse; jackknife over 5 items", "in_words": "rmse is above b"}
    again = {"probe": "rmse", "metric": "rmse_calibrated", "method": "rmse_calibrated; jackknife over 5 items"}
    stored = {"version": 3, "scores": [row], "further": [{"tables": [{"rows": [{"metric": "RMSE", "model": "RMSE"}]}]}]}
    report = current_report(stored)
    assert report["scores"] == [again | {"in_words": "rmse is above b"}]
    assert report["further"] == [{"tables": [{"rows": [{"metric": "RMSE after a fitted line", "model": "RMSE"}]}]}]
    plain = {"version": len(STEPS) + 1, "scores": [row]}
    assert current_report(plain) == plain


def test_report_of_a_newer_version_is_refused() -> None:
    with pytest.raises(Refused, match="newer version of Touchstone"):
        current_report({"version": len(STEPS) + 2})


def test_stored_reports_are_read_through_the_steps_alone() -> None:
    folders = [place.ROOT / name for name in ("agreement", "annotation", "templates")]
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in {".py", ".html"}]
    reading = {str(path.relative_to(place.ROOT)) for path in files if STORED.search(Path(path).read_text("utf-8"))}
    assert reading == SENDERS
