import numpy as np
import pytest

from agreement.errors import TouchstoneError
from agreement.estimation.design import design_of
from agreement.people import chance_corrected as kappa
from agreement.people.agreement_report import Comparison
from agreement.people.cross_checks import DoubleEntryDiffers, compare_alpha, compare_kappa

RNG = np.random.default_rng


def crowd(items: int, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    item, worker = (place.ravel() for place in np.indices((items, n)))
    return item, worker, RNG(0).integers(0, 4, len(item))


def test_small_crowd_is_compared_on_all_its_items() -> None:
    item, worker, code = crowd(50, 4)

    found = compare_kappa("fleiss_kappa", design_of(item, worker), code, 4, RNG(1))

    assert isinstance(found, Comparison)
    assert found.on == "all 50 items"
    assert found.difference <= found.tolerance == 1e-12


def test_large_crowd_is_compared_on_a_sample_that_is_stated() -> None:
    item, worker, _ = crowd(3000, 4)
    value = RNG(2).integers(0, 101, len(item)).astype(float)

    found = compare_alpha("alpha", design_of(item, worker), value, "interval", RNG(1), distinct=101)

    assert isinstance(found, Comparison)
    assert found.on.startswith("a seeded sample of ")
    assert found.on.endswith(" of the 3,000 items with two or more judgments")


def test_unequal_numbers_of_judgments_are_compared_on_the_commonest() -> None:
    item, worker, code = crowd(40, 5)
    kept = (item >= 12) | (worker < 3)

    found = compare_kappa("fleiss_kappa", design_of(item[kept], worker[kept]), code[kept], 4, RNG(1))

    assert isinstance(found, Comparison)
    assert found.on == "the 28 items with 5 judgments, of 40"


def test_what_cannot_be_compared_says_why() -> None:
    item, worker = np.arange(4), np.arange(4)

    assert compare_kappa("kappa", design_of(item, worker), item, 4, RNG(1)) == "kappa: no item has two judgments"
    said = compare_alpha("alpha", design_of(item, worker), item.astype(np.float64), "nominal", RNG(1), distinct=4)
    assert said == "alpha: no item has two judgments"


def test_figure_that_differs_is_not_published(monkeypatch: pytest.MonkeyPatch) -> None:
    item, worker, code = crowd(30, 4)
    true_kappa = kappa.kappa
    monkeypatch.setattr(kappa, "kappa", lambda tally: true_kappa(tally) + 1e-10)

    with pytest.raises(
        DoubleEntryDiffers, match=r"fleiss_kappa: Touchstone makes .* statsmodels .* Nothing is published"
    ):
        compare_kappa("fleiss_kappa", design_of(item, worker), code, 4, RNG(1))
    assert issubclass(DoubleEntryDiffers, TouchstoneError)
