"""How often the paired tests reject: under no difference, and against what theory says under one.

    python -m tools.benchmarks.paired_tests [--studies 5000]

Gold and two probes are normal; the probes share part of their noise. Without a difference 5 % should be rejected; with
one, the share that Dunn and Clark's (1969) standard error of two correlations that share a variable predicts. Pairs of
terms carry an effect of each term, so that leaving out pairs instead of terms rejects too often.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy import stats

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from agreement.scoring.groups import Groups
from agreement.scoring.jackknifed_metric import JackknifedMetric, Units
from agreement.scoring.metrics.of_numbers import number_measures, number_measures_by_units
from agreement.scoring.paired_tests import differences

ITEMS, TERMS, GAP = 120, 16, 0.35
Study = Callable[[np.random.Generator], tuple[JackknifedMetric, JackknifedMetric]]


def numbers(metric: str, gap: float) -> Study:
    """Two probes of 120 items."""

    def study(rng: np.random.Generator) -> tuple[JackknifedMetric, JackknifedMetric]:
        gold = rng.normal(size=ITEMS)
        noise = rng.normal(size=(2, ITEMS)) + 0.5 * rng.normal(size=ITEMS)
        one = Groups.one(ITEMS)
        first, second = (
            number_measures(one, x, gold)[metric][0] for x in (gold + noise[0], (1 - gap) * gold + noise[1])
        )
        return first, second

    return study


def accuracies(rng: np.random.Generator) -> tuple[JackknifedMetric, JackknifedMetric]:
    """Two probes that are right on an item with the same chance."""
    chance = rng.random(ITEMS)
    first, second = (JackknifedMetric.of_mean((rng.random(ITEMS) < chance).astype(float), "") for _ in range(2))
    return first, second


def pairs_of_terms(*, by_terms: bool) -> Study:
    """Two probes of the 120 pairs of 16 terms, each with an effect of each term."""
    left, right = np.triu_indices(TERMS, 1)
    units, one = Units("terms", np.stack([left, right])), Groups.one(ITEMS)

    def study(rng: np.random.Generator) -> tuple[JackknifedMetric, JackknifedMetric]:
        gold = rng.normal(size=ITEMS)
        of_term = rng.normal(size=(2, TERMS))
        probes = [gold + rng.normal(size=ITEMS) + of_term[k][left] + of_term[k][right] for k in range(2)]
        if by_terms:
            first, second = (number_measures_by_units(x, gold, units)["spearman"] for x in probes)
        else:
            first, second = (number_measures(one, x, gold)["spearman"][0] for x in probes)
        return first, second

    return study


def rejected(study: Study, studies: int) -> float:
    """The share of studies with p < .05."""
    rng = np.random.default_rng(1)
    count = 0
    for _ in range(studies):
        first, second = study(rng)
        p = differences("", {"a": first, "b": second})[0].p
        count += p is not None and p < 0.05
    return count / studies


def power_in_theory() -> float:
    """Of Pearson's r at the gap that is simulated."""
    rng, n = np.random.default_rng(2), 1_000_000
    gold, shared = rng.normal(size=n), 0.5 * rng.normal(size=n)
    a, b = gold + rng.normal(size=n) + shared, (1 - GAP) * gold + rng.normal(size=n) + shared
    ra, rb, rab = (float(np.corrcoef(*pair)[0, 1]) for pair in ((a, gold), (b, gold), (a, b)))
    c = (rab - ra * rb / 2) * (1 - ra**2 - rb**2 - rab**2) + rab**3
    se = float(np.sqrt(((1 - ra**2) ** 2 + (1 - rb**2) ** 2 - 2 * c) / ITEMS))
    z = float(stats.norm.ppf(0.975))
    return float(stats.norm.sf(z - (ra - rb) / se) + stats.norm.cdf(-z - (ra - rb) / se))


def main() -> None:
    """Print a row a condition."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=5_000)
    studies = parser.parse_args().studies
    print(f"{studies:,} studies a row, standard error of 5 % {100 * (0.05 * 0.95 / studies) ** 0.5:.1f} points")
    for metric in ("spearman", "pearson", "kendall"):
        print(f"no difference, {metric:10} {100 * rejected(numbers(metric, 0.0), studies):6.1f} %", flush=True)
    print(f"no difference, accuracy   {100 * rejected(accuracies, studies):6.1f} %", flush=True)
    for by_terms in (True, False):
        how = "terms" if by_terms else "pairs"
        print(
            f"no difference, {how} left out {100 * rejected(pairs_of_terms(by_terms=by_terms), studies):4.1f} %",
            flush=True,
        )
    found = 100 * rejected(numbers("pearson", GAP), studies)
    print(f"a difference, pearson     {found:6.1f} %, in theory {100 * power_in_theory():.1f} %")


if __name__ == "__main__":
    main()
