"""How many more judgments and items a claim needs, against intervals and tests computed with so many."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.inter_rater import fleiss_kappa

from agreement.people.people_distributions import leader_is_commonest
from agreement.planning.further_data import (
    MOST_COLLECTED,
    Further,
    further_for_lead,
    further_for_mean,
    further_for_width,
    items_for_share,
)
from agreement.planning.precision import Components, Z, judged_studies, places, standard_studies


def test_an_interval_is_narrow_enough_with_what_is_said_and_not_with_one_less() -> None:
    half, over_items = 0.22, 0.06
    found = further_for_width(half, 0.1, over_items=over_items, items=200, judgments_per_item=5)
    assert found.judgments_per_item is not None
    assert found.items is not None

    def with_judgments(more: int) -> float:
        return float(np.sqrt(over_items**2 + (half**2 - over_items**2) * 5 / (5 + more)))

    def with_items(more: int) -> float:
        return float(half * np.sqrt(200 / (200 + more)))

    assert with_judgments(found.judgments_per_item) <= 0.1 < with_judgments(found.judgments_per_item - 1)
    assert with_items(found.items) <= 0.1 < with_items(found.items - 1)


def test_alpha_of_a_larger_study_is_as_precise_as_is_said() -> None:
    """Of simulated studies: their spread over studies as large as is said is that which was asked for."""
    components = Components(item=4.0, worker=0.5, residual=2.0, items=30, workers=8, judgments=240)

    def half(items: int) -> float:
        rng = np.random.default_rng(7)
        worker = places(items, 8, 30, rng)
        _, y = judged_studies(components, standard_studies(400, worker, rng), worker)
        alphas = 1 - y.var(axis=2, ddof=1).mean(axis=1) / y.reshape(len(y), -1).var(axis=1, ddof=1)
        return float(Z * np.std(alphas, ddof=1))

    now = half(30)
    further = further_for_width(now, now / 2, over_items=None, items=30, judgments_per_item=8)
    assert further.items == 90
    assert half(30 + further.items) == pytest.approx(now / 2, rel=0.15)


def test_no_number_of_workers_narrows_what_items_alone_make_wide() -> None:
    found = further_for_width(0.3, 0.1, over_items=0.12, items=50, judgments_per_item=5)
    assert found.judgments_per_item is None
    assert found.items is not None


def test_without_an_interval_over_items_only_a_larger_study_is_said() -> None:
    assert further_for_width(0.2, 0.1, over_items=None, items=10, judgments_per_item=3) == Further(None, 30)


def chance_that_the_first_leads(counts: np.ndarray, others: np.ndarray) -> float:
    """Two labels: beta, with what all items say by Fleiss' kappa, by statsmodels."""
    c = 1 / fleiss_kappa(others.astype(int), method="fleiss") - 1
    p = others.sum(axis=0) / others.sum()
    return float(stats.beta.sf(0.5, counts[0] + c * p[0], counts[1] + c * p[1]))


def test_lead_is_sure_with_what_is_said_and_not_with_one_less() -> None:
    counts = np.array([[6.0, 0], [0, 6], [4, 2], [2, 4], [3, 3], [5, 1], [6, 0], [0, 6]])
    further = further_for_lead(counts, are_labels=True)

    assert further[[0, 1, 5, 6, 7]].tolist() == [0] * 5
    assert np.isnan(further[4])
    for at in (2, 3):
        for more, is_sure in ((further[at], True), (further[at] - 1, False)):
            leading = chance_that_the_first_leads(counts[at] * (1 + more / 6), counts)
            assert (max(leading, 1 - leading) >= 0.9) == is_sure


def test_three_of_three_are_no_toss_of_a_coin() -> None:
    """One of a hundred answers differs: its label is no surer for two who gave it, nor less for one who didn't."""
    counts = np.tile([3.0, 0], (279, 1))
    counts[:15] = [2.0, 1]
    counts[15:20] = [0.0, 3]

    further = further_for_lead(counts, are_labels=True)

    assert (further[20:] == 0).all()


def test_what_nobody_would_collect_is_not_asked_for() -> None:
    counts = np.array([[50.0, 49], [50, 50], [3, 2], [0, 0], [9, 1]])
    further = further_for_lead(counts, are_labels=True)

    assert np.isnan(further[[0, 1, 3]]).all()
    assert 0 < further[2] <= MOST_COLLECTED


def test_many_labels_are_as_sure_as_the_few_that_were_given() -> None:
    few = np.array([[4.0, 1, 0], [2, 2, 1], [5, 0, 0], [3, 2, 0]])
    many = np.concatenate([few, np.zeros((4, 60))], axis=1)

    sure = [further_for_lead(counts, are_labels=False) == 0 for counts in (few, many)]

    assert sure[0].tolist() == sure[1].tolist() == [True, False, True, False]


def test_tied_labels_and_items_that_nobody_judged_have_no_number() -> None:
    assert np.isnan(further_for_lead(np.array([[2.0, 2], [0, 0]]), are_labels=True)).all()


def test_means_need_what_the_root_of_n_says() -> None:
    assert further_for_mean(np.array([4.0]), np.array([20.0]), 10.0, float("nan")).tolist() == [12.0]
    assert np.isnan(further_for_mean(np.array([2.0]), np.array([np.nan]), 10.0, float("nan"))).all()


def test_share_of_so_many_items_is_known_at_its_worst() -> None:
    n = items_for_share(0.2)
    assert 1.96 * np.sqrt(0.25 / n) <= 0.2 < 1.96 * np.sqrt(0.25 / (n - 1))


@pytest.mark.parametrize("alpha", [(1.0, 0.2, 0.01), (4.0, 2.0, 1.0), (10.0, 9.5, 3.0), (80.0, 70.0, 0.1)])
def test_chance_to_lead_is_that_of_draws_and_of_two_labels_that_of_beta(alpha: tuple[float, ...]) -> None:
    drawn = np.random.default_rng(1).dirichlet(alpha, 200_000)
    [found] = leader_is_commonest(np.array([alpha]), np.array([[True, False, False]]))
    [of_two] = leader_is_commonest(np.array([alpha[:2]]), np.array([[True, False]]))

    assert found == pytest.approx(np.mean(drawn.argmax(axis=1) == 0), abs=0.005)
    assert of_two == pytest.approx(stats.beta.sf(0.5, *alpha[:2]), abs=1e-3)
