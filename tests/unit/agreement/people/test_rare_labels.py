"""Labels of which one is nearly everything: what kappa's interval holds, and what leads in its place."""

import numpy as np
import pytest

from agreement.estimation.design import design_of
from agreement.estimation.estimate import Estimate, Undefined
from agreement.estimation.intervals import two_way
from agreement.estimation.simulated_coverage import careless_note, coverage_note
from agreement.people.chance_corrected import Tally
from agreement.people.label_statistics import RARE, label_statistics, own_agreement
from agreement.people.numeric_statistics import numeric_statistics
from agreement.people.raw_statistic import RawStatistic, report_statistic
from agreement.report.figure_rows import agreement_rows
from tests.by_kind import agreement_of
from tests.reports import FIGURE, with_agreement
from tests.unit.agreement.people.test_edge_cases import said


def positives(
    rng: np.random.Generator, *, items: int, workers: int, share: float, kappa: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Item, worker and answer; an item's chance of a positive is from a beta, so that kappa is what it is."""
    c = np.inf if kappa == 0 else 1 / kappa - 1
    chance = np.full(items, share) if np.isinf(c) else rng.beta(c * share, c * (1 - share), items)
    item, worker = np.repeat(np.arange(items), workers), np.tile(np.arange(workers), items)
    return item, worker, (rng.random(len(item)) < chance[item]).astype(np.int64)


def jackknife_holds(made: RawStatistic | Undefined, truth: float) -> bool:
    """Whether the interval holds it that isn't widened."""
    assert isinstance(made, RawStatistic)
    plain = two_way(made.theta, made.deletions, within=made.within, n_items=made.n)
    return plain.low is not None and plain.high is not None and plain.low <= truth <= plain.high


@pytest.mark.parametrize("studies", [60, pytest.param(300, marks=pytest.mark.prove)])
@pytest.mark.parametrize(
    ("items", "workers", "kappa"), [(200, 3, 0.0), (200, 5, 0.0), (60, 3, 0.0), (200, 3, 0.5)], ids=str
)
def test_intervals_of_rare_labels_hold_the_truth(items: int, workers: int, kappa: float, studies: int) -> None:
    """With 3 % positives, 200 items and three workers the jackknife alone held it in 49 % of studies."""
    rng = np.random.default_rng(3)
    holds: dict[str, list[bool]] = {"kappa": [], "alpha": []}
    is_called_unreliable, by_jackknife = [], []
    for _ in range(studies):
        item, worker, answer = positives(rng, items=items, workers=workers, share=0.03, kappa=kappa)
        one = label_statistics(design_of(item, worker), {"": answer}, 2, replicates=0, rng=rng)[""]
        for name, made in (("kappa", one.kappa), ("alpha", one.alpha)):
            figure = report_statistic(made)
            if isinstance(figure.headline, Estimate) and figure.headline.low is not None:
                assert figure.headline.high is not None
                holds[name].append(figure.headline.low <= kappa <= figure.headline.high)
                is_called_unreliable.append(RARE in figure.notes)
                by_jackknife.append(name == "kappa" and jackknife_holds(made, kappa))
                assert not any("intervals like this one held" in note for note in figure.notes)
    plain = sum(by_jackknife) / len(holds["kappa"])
    print(f"kappa's interval holds the truth in {np.mean(holds['kappa']):.1%}, by the jackknife alone in {plain:.1%}")
    assert np.mean(holds["kappa"]) >= 0.9
    assert np.mean(holds["alpha"]) >= 0.9
    assert np.mean(is_called_unreliable) > 0.9


def test_own_agreement_is_the_specific_agreement_of_pairs() -> None:
    """Two workers: 2a / (2a + b + c) (Cicchetti and Feinstein 1990)."""
    a, b, c, d = 3, 2, 4, 91
    first = np.repeat([1, 1, 0, 0], [a, b, c, d])
    second = np.repeat([1, 0, 1, 0], [a, b, c, d])
    item, worker = np.tile(np.arange(100), 2), np.repeat([0, 1], 100)
    one = label_statistics(
        design_of(item, worker), {"": np.r_[first, second]}, 2, replicates=0, rng=np.random.default_rng(0)
    )[""]
    assert isinstance(one.tally, Tally)
    share, items = own_agreement(one.tally, 1)
    assert share == pytest.approx(2 * a / (2 * a + b + c))
    assert items == a + b + c


def test_ac1_and_the_rare_labels_own_agreement_lead_where_kappa_is_unreliable() -> None:
    rng = np.random.default_rng(5)
    item, worker, answer = positives(rng, items=200, workers=3, share=0.03, kappa=0.0)
    report = said(agreement_of("choice", item, worker, answer, labels=["no", "yes"]))
    assert report["first"] == "fleiss_kappa"
    assert report["gwet_ac1"]["estimate"] > 0.9
    assert report["own_agreement"]["yes"]["estimate"] < 0.1
    assert report["own_agreement"]["yes"]["high"] > 0.1
    rows = agreement_rows(with_agreement({"first": "fleiss_kappa", "fleiss_kappa": FIGURE, "gwet_ac1": FIGURE}))
    assert [(row.name, row.is_first) for row in rows][:2] == [("Gwet's AC1", True), ("Fleiss' kappa", False)]


def test_labels_that_are_all_common_have_neither() -> None:
    rng = np.random.default_rng(6)
    item, worker, answer = positives(rng, items=100, workers=4, share=0.5, kappa=0.5)
    report = said(agreement_of("choice", item, worker, answer, labels=["no", "yes"]))
    assert "gwet_ac1" not in report
    assert "own_agreement" not in report


def test_the_sentence_on_coverage_is_of_a_world_that_is_near() -> None:
    assert "held the truth in" in coverage_note("fleiss_kappa", 3, 60, 0.5)
    assert coverage_note("fleiss_kappa", 3, 60, 0.97) == ""
    assert coverage_note("fleiss_kappa", 40, 60, 0.5) == ""


def test_few_people_who_may_be_careless_are_warned_of() -> None:
    """tests/unit/tools/benchmarks/test_coverage.py has how often intervals over 3 to 12 people hold the truth."""
    rng = np.random.default_rng(7)
    for workers in (3, 5, 8):
        item, worker = (place.ravel() for place in np.indices((30, workers)))
        value = rng.normal(0, 1, 30)[item] + rng.normal(0, 1, len(item))
        made = numeric_statistics(design_of(item, worker), value, ("interval",), seed=1, replicates=0).by_name[
            "interval"
        ]
        assert isinstance(made, RawStatistic)
        assert (careless_note(workers) in report_statistic(made).notes) == (workers < 8)
