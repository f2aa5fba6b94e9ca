"""`influence` of report.json: each figure without the worker who moves it furthest, against a crowd without them."""

import json
from typing import Any

import numpy as np
import pytest

from agreement.analysis import run_statistics as without_one_worker
from agreement.analysis.analysis import analyse
from agreement.cleaning.rule_set import load_rules
from agreement.files.numbers import PER_CENT
from agreement.judgments.crowd import Crowd
from agreement.report.paper_tables import tables_of
from agreement.report.report import read_report, report_as_json
from tests.unit.agreement.analysis.test_every_further_analysis import crowd

CARELESS = 3
OF_LABELS = ["fleiss_kappa", "krippendorff_alpha.nominal", "krippendorff_alpha.ordinal"]
OF_PEOPLE = [f"leave_one_out.{form}" for form in ("mean", "weighted", "pooled")]


def one_careless(kind: str, workers: int = 12) -> Crowd:
    """Everybody answers alike but for a slip now and then, and one of them answers anything."""
    rng = np.random.default_rng(5)
    given = crowd(kind, workers=workers, ordered=kind == "choice", scale=None if kind == "choice" else PER_CENT)
    truth = rng.integers(0, 3, given.n_items)[given.item]
    anything = rng.integers(0, 3, given.n_judgments)
    code = np.where((given.worker == CARELESS) | (rng.random(given.n_judgments) < 0.1), anything, truth)
    answers: Any = code.astype(np.int32) if kind == "choice" else 50.0 * code + rng.integers(-5, 6, len(code))
    return crowd(
        kind,
        workers=workers,
        ordered=kind == "choice",
        scale=None if kind == "choice" else PER_CENT,
        answers=answers,
    )


def report_of(given: Crowd) -> dict[str, Any]:
    return report_as_json(analyse(given, load_rules("own-bounds"), study_name="s", replicates=0).report)


def at(report: dict[str, Any], name: str) -> dict[str, Any]:
    found: Any = {**report["agreement"]["cleaned"], **report["ceiling"]}
    for key in name.split("."):
        found = found[key]
    return dict(found)


@pytest.mark.parametrize("kind", ["choice", "slider"])
def test_each_figure_is_that_of_the_others_alone(kind: str) -> None:
    given = one_careless(kind)
    report = report_of(given)
    assert [row["statistic"] for row in report["influence"]][-3:] == OF_PEOPLE or kind == "slider"
    assert {row["statistic"] for row in report["influence"]} >= {*OF_PEOPLE, "krippendorff_alpha.ordinal"}
    for row in report["influence"]:
        assert list(row) == ["statistic", "worker", "share_of_variance", "warned", "without"]
        moved = at(report, row["statistic"])["most_influential_worker"]
        assert (row["worker"], row["share_of_variance"]) == (moved["worker"], moved["share"])
        assert row["warned"] == (moved["share"] > moved["limit"])
        code = list(given.workers).index(row["worker"])
        alone = at(report_of(given.take(given.worker != code)), row["statistic"])
        for key, value in row["without"].items():
            assert value == (pytest.approx(alone[key], abs=1e-12) if isinstance(value, float) else alone[key]), key
    first = next(row for row in report["influence"] if row["statistic"] == report["agreement"]["cleaned"]["first"])
    assert (first["worker"], first["warned"]) == ("w3", True)
    assert first["without"]["low"] > at(report, first["statistic"])["estimate"]


def test_numbers_have_their_upper_bound_and_pairs_without_the_worker_too() -> None:
    report = report_of(one_careless("slider"))
    rows = {row["statistic"]: row for row in report["influence"]}
    assert {"upper_bound", "pairwise", "icc1", "icc1k", "split_half"} <= rows.keys()
    assert rows["upper_bound"]["without"]["estimate"] > report["ceiling"]["upper_bound"]["estimate"]


def test_of_many_judgments_there_is_the_figure_without_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    given = one_careless("slider", workers=6)
    usual = report_of(given)["influence"]
    monkeypatch.setattr(without_one_worker, "LIMITS_UP_TO", 100)
    rows = report_of(given)["influence"]
    for row, with_limits in zip(rows, usual, strict=True):
        assert row | {"without": None} == with_limits | {"without": None}
        assert (row["without"]["low"], row["without"]["high"]) == (None, None)
        assert row["without"]["estimate"] == pytest.approx(with_limits["without"]["estimate"], abs=0.02)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_few_workers_give_words_or_nothing(workers: int) -> None:
    given = one_careless("choice", workers=workers)
    report = report_of(given)
    json.dumps(report["influence"], allow_nan=False)
    assert bool(report["influence"]) == (workers == 3)
    assert all(row["without"].get("over") == "items" or "undefined" in row["without"] for row in report["influence"])


def test_fixed_workers_are_no_sample_of_whom_one_could_be_missing() -> None:
    given = one_careless("choice")
    report = analyse(given, load_rules("own-bounds"), study_name="s", replicates=0, fixed_workers=True).report
    assert report.results.influence == ()


def test_there_is_a_table_of_them_for_a_paper() -> None:
    report = report_of(one_careless("choice"))
    [table] = [table for table in tables_of(read_report(report)) if table.name == "without-one-worker"]
    assert len(table.rows) == len(report["influence"])
    assert table.rows[0][:2] == ("Fleiss' kappa", "w3")
    assert table.rows[0][2].endswith("(unusual)")
