"""Crowds from which little or nothing can be said: each gives words, and never a silent NaN."""

import json
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from agreement.files.numbers import Scale
from agreement.kinds.answers import Properties
from agreement.people.agreement_report import AgreementReport
from tests.by_kind import agreement_of
from tests.reports import as_dict

NOBODY = np.array([], dtype=np.int32)


def slider(item: Any, worker: Any, value: Any, **given: Any) -> AgreementReport:
    return agreement_of("slider", np.array(item), np.array(worker), np.array(value, dtype=float), **given)


def said(report: AgreementReport) -> dict[str, Any]:
    """The report as JSON, which refuses NaN and infinities."""
    text = json.dumps(as_dict(report), allow_nan=False)
    read: dict[str, Any] = json.loads(text)
    return read


@pytest.mark.parametrize(
    ("kind", "answers"),
    [
        ("slider", np.array([])),
        ("sliders", np.zeros((0, 2))),
        ("choice", NOBODY),
        ("verify", NOBODY),
        ("choices", np.zeros((0, 2), dtype=bool)),
        ("list", Properties(np.array([0]), NOBODY, ())),
        ("text", np.array([], dtype=object)),
    ],
)
def test_all_workers_removed(kind: Any, answers: Any) -> None:
    report = said(agreement_of(kind, NOBODY, NOBODY, answers, labels=["a", "b"]))

    assert report["counts"]["judgments"] == 0
    assert report["fleiss_kappa"]["undefined"]
    assert report["split_half"]["undefined"]


def test_one_judgment_an_item() -> None:
    report = said(slider([0, 1, 2, 3], [0, 1, 2, 3], [1, 2, 3, 4]))

    assert "no item has two or more judgments" in report["fleiss_kappa"]["undefined"]
    assert "no item has two or more judgments" in report["krippendorff_alpha"]["interval"]["undefined"]
    assert "no item has two or more judgments" in report["icc1"]["undefined"]
    assert "4 of 4 items have one judgment, which" in report["notes"][0]


def test_one_item() -> None:
    report = said(slider([0] * 4, [0, 1, 2, 3], [10, 20, 30, 90]))

    assert report["krippendorff_alpha"]["interval"]["estimate"] == pytest.approx(0)
    assert report["krippendorff_alpha"]["interval"]["low"] is None
    assert "only one item" in report["krippendorff_alpha"]["interval"]["method"]
    assert "only one item" in report["icc1"]["undefined"]


def test_one_worker_who_answers_twice() -> None:
    report = said(slider([0, 0, 1, 1, 2, 2], [5] * 6, [1, 2, 8, 9, 40, 41]))

    assert "only one worker" in report["krippendorff_alpha"]["interval"]["method"]
    assert report["counts"]["repeated"] == 3
    assert any("compare a worker with itself" in note for note in report["notes"])


@pytest.mark.parametrize("value", [0.0, 0.1, 100.0, 1e-300])
def test_every_judgment_the_same(value: float) -> None:
    report = said(slider([0, 0, 1, 1, 2, 2], [0, 1] * 3, [value] * 6))

    assert report["fleiss_kappa"] == {"undefined": "every judgment is the same label"}
    assert "every judgment is the same" in report["krippendorff_alpha"]["ordinal"]["undefined"]
    assert "every judgment is the same" in report["icc1k"]["undefined"]
    assert report["split_half"]["undefined"]


def test_perfect_agreement_has_a_figure_and_says_why_it_has_no_interval() -> None:
    report = said(slider(np.repeat(np.arange(6), 3), np.tile([0, 1, 2], 6), np.repeat([1, 20, 41, 62, 88, 99], 3)))

    for statistic in (report["krippendorff_alpha"]["interval"], report["icc1"], report["fleiss_kappa"]):
        assert statistic["estimate"] == pytest.approx(1)
        assert statistic["low"] is None
        assert "leaving out any item or worker gives the same figure" in statistic["method"]


def test_constant_worker_counts_like_any_other() -> None:
    rng = np.random.default_rng(0)
    item, worker = (place.ravel() for place in np.indices((20, 4)))
    value = np.where(worker == 0, 50, np.clip(item * 5 + rng.integers(-5, 5, len(item)), 0, 100))

    report = said(slider(item, worker, value))

    assert report["krippendorff_alpha"]["interval"]["estimate"] < 0.8
    assert report["krippendorff_alpha"]["interval"]["without_busiest_worker"]["estimate"] > 0.95


def test_minus_zero_is_zero() -> None:
    item, worker = [0, 0, 1, 1, 2, 2], [0, 1] * 3
    plus, minus = slider(item, worker, [0.0, 0.0, 0.0, 5, 5, 7]), slider(item, worker, [-0.0, 0.0, -0.0, 5, 5, 7])

    assert as_dict(plus) == as_dict(minus)


def test_negative_values_have_no_ratio() -> None:
    report = said(slider([0, 0, 1, 1], [0, 1] * 2, [-3, 0, 4, 5], scale=Scale(Decimal(-5), Decimal(5))))

    assert "values of 0 or more; the smallest is -3" in report["krippendorff_alpha"]["ratio"]["undefined"]


def test_too_many_distinct_values_have_no_ratio() -> None:
    item, worker = (place.ravel() for place in np.indices((1001, 2)))
    value = np.random.default_rng(0).permutation(len(item)) / 21

    report = said(slider(item, worker, value, replicates=0))

    assert report["krippendorff_alpha"]["ratio"]["undefined"] == (
        "ratio alpha is given for at most 2,000 distinct values; there are 2,002"
    )


@pytest.mark.parametrize("unit", [1e-250, 1e-9, 1e250])
def test_units_of_any_size(unit: float) -> None:
    item, worker = (place.ravel() for place in np.indices((8, 3)))
    value = np.random.default_rng(1).integers(0, 20, len(item)) * 1.0
    scale = Scale(Decimal(0), Decimal(20) * Decimal(unit))

    report = said(slider(item, worker, value * unit, scale=scale))

    plain = said(slider(item, worker, value, scale=Scale(Decimal(0), Decimal(20))))
    for level, statistic in plain["krippendorff_alpha"].items():
        assert report["krippendorff_alpha"][level]["estimate"] == pytest.approx(statistic["estimate"], abs=1e-9)
    assert report["icc1"]["low"] == pytest.approx(plain["icc1"]["low"], abs=1e-9)


def test_huge_codes_of_items_and_workers() -> None:
    item = np.repeat(np.array([0, 7, 2**31 - 2], dtype=np.int32), 3)
    worker = np.tile(np.array([2**31 - 1, 5, 9], dtype=np.int32), 3)
    code = np.array([0, 0, 1, 1, 1, 1, 0, 0, 0])

    report = agreement_of("choice", item, worker, code, labels=["a", "b", "unused"])

    assert report.counts.busiest_worker == 5
    assert report.counts.busiest_tied == 3
    assert said(report)["fleiss_kappa"]["p"]["unused"] == 0


def test_exactly_opposed_halves_have_no_reliability() -> None:
    report = said(slider([0, 0, 1, 1, 2, 2], [0, 1] * 3, [1, 3, 3, 1, 1, 3]))

    assert "exactly opposed" in report["split_half"]["undefined"]
    assert "have no" in report["icc1k"]["undefined"] or "has no" in report["icc1k"]["undefined"]


def test_label_that_nobody_chose_is_left_out_of_the_mean_by_name() -> None:
    chosen = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0], [1, 1, 0], [0, 1, 0]], dtype=bool)

    report = said(agreement_of("choices", np.repeat([0, 1, 2], 2), np.tile([0, 1], 3), chosen, labels=["a", "b", "c"]))

    assert "every judgment is the same label" in report["fleiss_kappa"]["by_label"]["c"]["undefined"]
    assert "mean over 2 labels" in report["fleiss_kappa"]["method"]
    assert any("undefined and left out: c" in note for note in report["fleiss_kappa"]["notes"])


def test_few_minority_items_make_the_interval_unreliable() -> None:
    rng = np.random.default_rng(0)
    item, worker = (place.ravel() for place in np.indices((60, 5)))
    rare = (rng.random(len(item)) < np.where(item < 6, 0.9, 0.05)).astype(int)
    even = (rng.random(len(item)) < np.where(item < 30, 0.9, 0.05)).astype(int)

    few = said(agreement_of("verify", item, worker, rare, labels=["false", "true"]))
    many = said(agreement_of("verify", item, worker, even, labels=["false", "true"]))

    assert any("intervals over items are unreliable" in note for note in few["fleiss_kappa"]["notes"])
    assert not any("intervals over items are unreliable" in note for note in many["fleiss_kappa"].get("notes", []))
