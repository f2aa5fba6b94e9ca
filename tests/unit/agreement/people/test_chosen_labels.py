"""Labels that are chosen or not, by kinds of items and judgments, against the way that takes any number of labels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.estimation.design import design_of
from agreement.estimation.estimate import Undefined
from agreement.estimation.intervals import Deletions, two_way
from agreement.people import alpha, chosen_labels
from agreement.people import chance_corrected as kappa
from agreement.people.alpha import Nominal
from agreement.people.label_statistics import label_statistics
from agreement.people.raw_statistic import RawStatistic, mean_of
from tests.unit.agreement.people.crowds import crowds, defined, design

Crowd = tuple[np.ndarray, np.ndarray, np.ndarray]
NEAR = pytest.approx


def each(found: Deletions) -> np.ndarray:
    return found.judgment if found.which is None else found.judgment[found.which()]


def assert_same(found: Deletions, wanted: Deletions) -> None:
    for ours, theirs in ((found.item, wanted.item), (found.worker, wanted.worker), (each(found), each(wanted))):
        assert ours == NEAR(theirs, abs=1e-12, nan_ok=True)


@given(crowd=crowds(), in_order=st.booleans())
def test_kappa_without_each_is_that_of_any_number_of_labels(crowd: Crowd, *, in_order: bool) -> None:
    rows = np.argsort(crowd[0], kind="stable") if in_order else slice(None)
    of, code = design_of(crowd[0][rows], crowd[1][rows]), (crowd[2][rows] > 2).astype(np.int8)
    column = chosen_labels.chosen(of, code)

    found, wanted = chosen_labels.tally(column), kappa.tally(of, code, 2)

    assert isinstance(found, Undefined) == isinstance(wanted, Undefined)
    found, wanted = defined(found), defined(wanted)
    assert kappa.kappa(found) == NEAR(kappa.kappa(wanted), abs=1e-14)
    assert found.P_i == NEAR(wanted.P_i, abs=0)
    assert_same(chosen_labels.kappa_deletions(column, found), kappa.deletions(wanted))


@given(crowds())
def test_alpha_without_each_is_that_of_any_number_of_labels(crowd: Crowd) -> None:
    code = (crowd[2] > 2).astype(np.int8)
    data = defined(alpha.pairable(design(crowd), code.astype(np.float64)))
    column = chosen_labels.chosen(data.design, data.code)

    assert chosen_labels.alpha(column) == NEAR(alpha.alpha(data, "nominal"), abs=1e-12)
    assert_same(chosen_labels.alpha_deletions(column), alpha.deletions(data, Nominal(data.code, 2)))


@given(crowds())
def test_interval_of_kinds_is_that_of_judgments_one_by_one(crowd: Crowd) -> None:
    column = chosen_labels.chosen(design(crowd), (crowd[2] > 2).astype(np.int8))
    left = chosen_labels.kappa_deletions(column, defined(chosen_labels.tally(column)))

    found = two_way(0.1, left)

    wanted = two_way(0.1, Deletions(left.item, left.worker, each(left)))
    assert found.why == wanted.why
    if wanted.low is not None:
        assert (found.low, found.high, found.df) == NEAR((wanted.low, wanted.high, wanted.df), rel=1e-6)


def test_mean_over_labels_takes_each_judgment_by_itself() -> None:
    rng = np.random.default_rng(3)
    item, worker = (place.ravel() for place in np.indices((20, 6)))
    columns = {name: (rng.random(120) < share).astype(np.int8) for name, share in (("a", 0.2), ("b", 0.6))}
    found = label_statistics(design_of(item, worker), columns, 2, replicates=0, rng=rng)
    made = {name: one.kappa for name, one in found.items()}

    mean = mean_of(made, "labels")

    assert isinstance(mean, RawStatistic)
    by_label = [each(one.deletions) for one in made.values() if isinstance(one, RawStatistic)]
    assert mean.deletions.judgment == NEAR(np.mean(by_label, axis=0), abs=1e-15)
    for j in (0, 17, 119):
        without = design_of(np.delete(item, j), np.delete(worker, j))
        left = [kappa.kappa(defined(kappa.tally(without, np.delete(code, j), 2))) for code in columns.values()]
        assert mean.deletions.judgment[j] == NEAR(np.mean(left), abs=1e-12)
