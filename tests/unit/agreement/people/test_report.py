import json
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from agreement.estimation.estimate import Estimate, Undefined
from agreement.files.numbers import Scale
from agreement.kinds.answers import Properties
from agreement.people.agreement_report import Statistic
from agreement.people.numeric_reports import bin_edges, bins, bins_of
from tests.by_kind import agreement_of
from tests.reports import as_dict


def crossed(items: int, workers: int) -> tuple[np.ndarray, np.ndarray]:
    item, worker = (place.ravel() for place in np.indices((items, workers)))
    return item.astype(np.int32), worker.astype(np.int32)


def estimate(statistic: Statistic) -> float:
    assert isinstance(statistic.headline, Estimate)
    return statistic.headline.estimate


def noisy(items: int, workers: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    item, _ = crossed(items, workers)
    return np.asarray(np.clip(np.round(rng.uniform(0, 100, items)[item] + rng.normal(0, 15, len(item))), 0, 100))


def test_slider_has_interval_alpha_first_and_kappa_over_bins_with_its_edges() -> None:
    report = agreement_of("slider", *crossed(40, 6), noisy(40, 6), seed=3, replicates=200)

    assert report.first.endswith(".interval")
    assert " ".join(report.krippendorff_alpha) == "interval ordinal ratio nominal"
    assert list(report.fleiss_kappa.edges) == [0, 20, 40, 60, 80, 100]
    assert list(report.fleiss_kappa.p) == ["[0, 20)", "[20, 40)", "[40, 60)", "[60, 80)", "[80, 100]"]
    assert sum(report.fleiss_kappa.p.values()) == pytest.approx(1)


def test_every_headline_has_its_interval_its_item_intervals_and_what_stands_beside_it() -> None:
    report = agreement_of("slider", *crossed(40, 6), noisy(40, 6), seed=3, replicates=200)

    statistics = [*report.krippendorff_alpha.values(), report.icc1, report.icc1k, report.split_half]
    for statistic in (*statistics, report.fleiss_kappa.statistic):
        headline = statistic.headline
        assert isinstance(headline, Estimate)
        assert headline.low is not None
        assert headline.low < headline.estimate < (headline.high or 0)
        assert "two-way jackknife" in headline.method
        assert statistic.item_percentile is not None
        assert "for these workers" in statistic.item_percentile.method
        assert statistic.item_bca is not None
        assert statistic.without_busiest is not None
        assert statistic.nu_w is not None


def test_figure_without_the_busiest_worker_is_that_of_the_crowd_without_it() -> None:
    item, worker = crossed(40, 6)
    kept = (worker == 2) | (np.random.default_rng(0).random(len(item)) < 0.7)
    value = noisy(40, 6)

    report = agreement_of("slider", item[kept], worker[kept], value[kept], replicates=0)

    others = kept & (worker != 2)
    again = agreement_of("slider", item[others], worker[others], value[others], replicates=0)
    assert report.counts.busiest_worker == 2
    for level, statistic in report.krippendorff_alpha.items():
        assert isinstance(statistic.without_busiest, Estimate)
        assert statistic.without_busiest.estimate == pytest.approx(estimate(again.krippendorff_alpha[level]), abs=1e-9)
    assert isinstance(report.icc1.without_busiest, Estimate)
    assert report.icc1.without_busiest.estimate == pytest.approx(estimate(again.icc1), abs=1e-9)


def test_same_seed_gives_the_same_report_and_rows_in_another_order_do_too() -> None:
    item, worker = crossed(30, 5)
    value = noisy(30, 5)
    order = np.random.default_rng(9).permutation(len(item))

    one = as_dict(agreement_of("slider", item, worker, value, seed=5, replicates=50))

    assert as_dict(agreement_of("slider", item, worker, value, seed=5, replicates=50)) == one
    other = as_dict(agreement_of("slider", item[order], worker[order], value[order], seed=5, replicates=50))
    assert other["krippendorff_alpha"]["interval"]["estimate"] == pytest.approx(
        one["krippendorff_alpha"]["interval"]["estimate"], abs=1e-12
    )
    assert as_dict(agreement_of("slider", item, worker, value, seed=6, replicates=50)) != one


def test_mean_over_labels_is_the_mean_of_each_and_so_are_its_deletions() -> None:
    item, worker = crossed(40, 5)
    rng = np.random.default_rng(1)
    chosen = rng.random((len(item), 3)) < rng.random((40, 3))[item]

    report = agreement_of("choices", item, worker, chosen, labels=["x", "y", "z"], seed=1, replicates=100)

    each = [label.fleiss_kappa for label in report.labels]
    assert all(kappa is not None for kappa in each)
    mean = np.mean([estimate(kappa.statistic) for kappa in each if kappa is not None])
    assert estimate(report.fleiss_kappa.statistic) == pytest.approx(mean)
    assert set(report.fleiss_kappa.by_label) == {"x", "y", "z"}
    widths = [width(kappa.statistic) for kappa in each if kappa is not None]
    assert width(report.fleiss_kappa.statistic) < np.mean(widths)


def width(statistic: Statistic) -> float:
    headline = statistic.headline
    assert isinstance(headline, Estimate)
    assert headline.low is not None
    assert headline.high is not None
    return headline.high - headline.low


def test_sliders_have_each_label_and_the_mean() -> None:
    item, worker = crossed(30, 5)
    values = np.column_stack([noisy(30, 5, seed) for seed in range(3)])

    report = agreement_of("sliders", item, worker, values, labels=["red", "green", "blue"], seed=1, replicates=50)

    each = [estimate(label.krippendorff_alpha["interval"]) for label in report.labels]
    alone = agreement_of("slider", item, worker, values[:, 1], seed=1, replicates=50)
    assert estimate(report.krippendorff_alpha["interval"]) == pytest.approx(np.mean(each))
    assert each[1] == pytest.approx(estimate(alone.krippendorff_alpha["interval"]))
    assert [label.label for label in report.labels] == ["red", "green", "blue"]


def test_verify_is_a_choice_of_two() -> None:
    item, worker = crossed(30, 5)
    code = (noisy(30, 5) > 50).astype(np.int32)

    verify, choice = (agreement_of(kind, item, worker, code, labels=["false", "true"]) for kind in ("verify", "choice"))

    assert verify.fleiss_kappa == choice.fleiss_kappa
    assert set(verify.krippendorff_alpha) == {"nominal"}
    assert verify.icc1.headline == Undefined("answers of kind verify are not numbers on a scale")


def test_list_has_kappa_of_the_properties_named_often() -> None:
    item, worker = crossed(10, 6)
    named = [[0] * int(i % 2 == 0) + [1] * int(w < 5) + [2 + i * 6 + w] for i, w in zip(item, worker, strict=True)]
    offsets = np.cumsum([0, *map(len, named)])
    names = ("is green", "has leaves", *(f"rare {number}" for number in range(60)))
    answers = Properties(offsets.astype(np.int64), np.concatenate(named).astype(np.int32), names)

    report = agreement_of("list", item, worker, answers, seed=1, replicates=50)

    assert {label.label for label in report.labels} == {"is green", "has leaves"}
    assert report.fleiss_kappa.by_label["is green"].estimate == pytest.approx(1)  # type: ignore[union-attr]
    assert any("60 rarer properties have no figure" in note for note in report.fleiss_kappa.statistic.notes)


def test_text_is_undefined_in_words() -> None:
    report = agreement_of("text", *crossed(3, 2), np.array(["a"] * 6, dtype=object))

    assert "free texts" in as_dict(report)["fleiss_kappa"]["undefined"]


def test_report_names_its_double_entry() -> None:
    report = agreement_of("slider", *crossed(40, 6), noisy(40, 6), replicates=0)

    compared = {entry.statistic for entry in report.double_entry.comparisons}
    assert compared == {"fleiss_kappa", *(f"krippendorff_alpha.{level}" for level in report.krippendorff_alpha)}
    assert report.double_entry.largest_difference is not None
    assert report.double_entry.largest_difference < 1e-12
    assert all(entry.version and entry.on == "all 40 items" for entry in report.double_entry.comparisons)


def test_more_judgments_where_people_disagree_is_said() -> None:
    rng = np.random.default_rng(0)
    doubtful = rng.random(200) < 0.5
    item = np.repeat(np.arange(200), np.where(doubtful, 6, 3))
    worker = np.concatenate([np.arange(n) for n in np.where(doubtful, 6, 3)])
    code = np.where(doubtful[item], rng.integers(0, 2, len(item)), item % 2)

    notes = agreement_of("choice", item, worker, code, labels=["a", "b"]).notes

    assert any("items with more judgments show more disagreement" in note for note in notes)


@pytest.mark.parametrize(
    ("low", "high", "value", "expected"),
    [
        ("0", "100", [0, 19.999, 20, 79.999, 80, 100], [0, 0, 1, 3, 4, 4]),
        ("0", "1", [0.2, 0.4, 0.6, 0.8, 1.0], [1, 2, 3, 4, 4]),
        ("1", "5", [1.8, 2.6, 3.4, 4.2], [1, 2, 3, 4]),
    ],
)
def test_bins_take_their_lower_edge(low: str, high: str, value: list[float], expected: list[int]) -> None:
    edges = bin_edges(Scale(Decimal(low), Decimal(high)))

    assert bins(np.array(value), edges).tolist() == expected


@pytest.mark.parametrize(("low", "high"), [(1, 5), (1, 6), (1, 7), (0, 6), (0, 10)])
@pytest.mark.parametrize("scale", ["own", "0:100"])
def test_kappa_of_few_steps_is_that_of_the_answers_as_they_are(low: int, high: int, scale: str) -> None:
    """Five equal bins put 5 and 6 of 1-6 into one bin, and 0 and 1 of 0-6."""
    item, worker = crossed(40, 6)
    rng = np.random.default_rng(5)
    value = np.clip(rng.integers(low, high + 1, 40)[item] + rng.integers(-1, 2, len(item)), low, high).astype(float)
    ends = Scale(Decimal(low), Decimal(high)) if scale == "own" else Scale(Decimal(0), Decimal(100))

    report = agreement_of("slider", item, worker, value, scale=ends, seed=3, replicates=0)

    table, _ = aggregate_raters(value.reshape(40, 6))
    assert estimate(report.fleiss_kappa.statistic) == pytest.approx(fleiss_kappa(table), abs=1e-12)
    assert list(report.fleiss_kappa.p) == [str(step) for step in range(low, high + 1)]
    said = as_dict(report.fleiss_kappa)
    assert said["steps"] == list(range(low, high + 1))
    assert said["edges"] == [low - 0.5 + k for k in range(high - low + 2)]
    assert f"of its steps ({', '.join(report.fleiss_kappa.p)})" in said["method"]


@pytest.mark.parametrize(
    ("value", "steps"),
    [
        ([1.0, 2.0, 6.0], [1, 2, 3, 4, 5, 6]),
        ([0.1, 0.2, 0.3], [0.1, 0.2, 0.3]),
        ([10.0, 20.0, 30.0], [10, 20, 30]),
        ([0.0, 100.0], [0, 100]),
        ([3.0, 50.0], []),  # of the scale's own steps, 0 to 100, these are two of 48
        ([5.0, 5.0], []),
        ([0.0, 101.0], []),
        ([0.0, 1 / 3, 1.0], []),
        (list(range(12)), []),
    ],
)
def test_steps_lie_on_one_grid_with_the_ends_of_the_scale(value: list[float], steps: list[float]) -> None:
    found = bins_of(Scale(Decimal(0), Decimal(100)), np.array(value))

    assert list(found.steps) == steps
    assert len(found.edges) == len(found.names) + 1
    assert len(found.names) == (len(steps) or 5)


def test_report_is_json_for_every_kind() -> None:
    item, worker = crossed(12, 4)
    rng = np.random.default_rng(0)
    answers: dict[Any, Any] = {
        "slider": noisy(12, 4),
        "sliders": np.column_stack([noisy(12, 4, 1), noisy(12, 4, 2)]),
        "choice": rng.integers(0, 2, 48),
        "verify": rng.integers(0, 2, 48),
        "choices": rng.random((48, 2)) < 0.5,
        "list": Properties(np.arange(49), rng.integers(0, 2, 48).astype(np.int32), ("p", "q")),
        "text": np.array(["t"] * 48, dtype=object),
    }
    for kind, given in answers.items():
        report = agreement_of(kind, item, worker, given, labels=["a", "b"], replicates=20)

        assert json.loads(json.dumps(as_dict(report), allow_nan=False))["counts"]["judgments"] == 48


@pytest.mark.parametrize(("workers", "over"), [(2, "items"), (3, "items and workers")])
def test_two_workers_have_intervals_over_items_and_three_over_both(workers: int, over: str) -> None:
    item, worker = crossed(40, workers)
    report = as_dict(agreement_of("slider", item, worker, noisy(40, workers), replicates=0))

    for figure in (*report["krippendorff_alpha"].values(), report["icc1"], report["icc1k"], report["split_half"]):
        assert figure["low"] < figure["estimate"] < figure["high"] <= 1
        assert list(figure)[-1] == "over"
        assert figure["over"] == over
        assert ("for these workers" in figure["method"]) == (workers == 2)
    assert list(report["fleiss_kappa"])[-1] == "over"
