"""The worker who moves a figure most, against figures of the crowd without each worker."""

from dataclasses import replace

import numpy as np
import pytest

from agreement.analysis.run_statistics import parts_of
from agreement.estimation.estimate import Estimate, MostInfluential
from agreement.estimation.two_way_jackknife import limit, most_influential, said_of
from agreement.people.label_reports import label_report
from tests.reports import as_dict
from tools.benchmarks.influence_points import of_agreement, point


def crowd(careless: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ten workers of 60 items; one of them answers anything."""
    rng = np.random.default_rng(4)
    item, worker = (place.ravel() for place in np.indices((60, 10)))
    code = np.where(rng.random(600) < 0.9, (item % 3), rng.integers(0, 3, 600))
    return item, worker, np.where(worker == careless, rng.integers(0, 3, 600), code)


def test_figure_without_the_most_influential_worker_is_that_of_the_others() -> None:
    item, worker, code = crowd(careless=7)
    labels = ["a", "b", "c"]
    report = parts_of("choice", label_report, item, worker, code, labels=labels, replicates=0).report()
    others = worker != 7
    alone = parts_of(
        "choice", label_report, item[others], worker[others], code[others], labels=labels, replicates=0
    ).report()
    found, without = report.fleiss_kappa.statistic, alone.fleiss_kappa.statistic.headline

    assert isinstance(found.headline, Estimate)
    assert isinstance(without, Estimate)
    one = found.headline.most_influential_worker
    assert one is not None
    assert one.worker == 7
    assert one.estimate == pytest.approx(without.estimate, rel=1e-12)
    assert one.is_unusual
    assert any("one worker makes up" in note for note in found.notes)
    assert as_dict(found.headline)["most_influential_worker"]["worker"] == 7


def test_workers_who_are_alike_are_not_warned_of() -> None:
    rng = np.random.default_rng(1)
    found = [most_influential(rng.normal(size=12), np.arange(12)) for _ in range(1_000)]
    unusual = [one.is_unusual for one in found if one is not None]

    assert 0 < np.mean(unusual) < 0.02
    usual = next(one for one in found if one is not None and not one.is_unusual)
    assert said_of(usual, usual.estimate + 1, 0.1) == ""


@pytest.mark.parametrize("workers", [5, 8, 12])
def test_stored_points_are_those_of_a_new_simulation(workers: int) -> None:
    assert limit(workers) == pytest.approx(point(workers, np.random.default_rng(9), 1_000_000), abs=0.02)


def test_points_between_two_numbers_of_workers_lie_between_theirs() -> None:
    assert limit(50) > limit(70) > limit(100)


def test_deletions_of_agreement_have_about_the_same_points() -> None:
    assert of_agreement(8, np.random.default_rng(3), 300) == pytest.approx((limit(8), limit(8)), abs=0.1)


@pytest.mark.parametrize(
    "by_worker", [[0.5, 0.4], [0.5, 0.5, 0.5], [0.5, np.nan, 0.4]], ids=["two", "nobody", "undefined"]
)
def test_nobody_is_named_where_nobody_can_be(by_worker: list[float]) -> None:
    assert most_influential(np.array(by_worker), np.arange(len(by_worker))) is None


def test_groups_of_workers_name_nobody() -> None:
    assert most_influential(np.array([0.5, 0.6, 0.7]), None) is None


def test_a_worker_whose_leaving_changes_nothing_is_not_told_of() -> None:
    """Of 2,972 raters one had 2 % of the workers' variance, and the figure was 0.160 with them and without."""
    one = MostInfluential("w1", 0.1604, 0.02, 0.01)
    assert one.is_unusual
    assert said_of(one, 0.1601, 0.012) == ""
    assert said_of(replace(one, estimate=0.1611), 0.1601, 0.012) == ""
    assert "without that worker it is 0.210" in said_of(replace(one, estimate=0.21), 0.1601, 0.012)
