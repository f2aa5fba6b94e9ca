"""How often an interval over items alone holds the truth, in the worlds of docs/coverage.md: for docs/statistics.md."""

import argparse
import math

import numpy as np

from agreement.estimation.design import Design, design_of
from agreement.estimation.estimate import Undefined
from agreement.estimation.intervals import Deletions, t_quantile, variance
from agreement.people import alpha
from agreement.people import chance_corrected as kappa
from agreement.people.alpha import Interval, Pairable
from tools.benchmarks.coverage_worlds import SHARES, WORLDS, Study, World, study, truth

JUDGMENTS_PER_ITEM, ITEMS = (3, 7, 10), (30, 100, 500)


def of_kappa(design: Design, given: Study) -> tuple[float, Deletions] | None:
    found = kappa.tally(design, given.label, len(SHARES))
    return None if isinstance(found, Undefined) else (kappa.kappa(found), kappa.deletions(found))


def of_alpha(design: Design, given: Study) -> tuple[float, Deletions] | None:
    data: Pairable | Undefined = alpha.pairable(design, given.number)
    if isinstance(data, Undefined):
        return None
    delta = Interval(data.value)
    return alpha.alpha_of(data, delta), alpha.deletions(data, delta)


def coverage(world: World, n: int, items: int, studies: int, rng: np.random.Generator) -> tuple[float, float]:
    """Per cent of the intervals of kappa and of interval alpha that hold the truth."""
    held = [0, 0]
    for _ in range(studies):
        given = study(world, n, items, rng)
        design = design_of(given.item, given.worker)
        of_both = (of_kappa(design, given), of_alpha(design, given))
        for at, (found, true) in enumerate(
            zip(of_both, (truth(world, "labels"), truth(world, "numbers")), strict=True)
        ):
            if found is not None:
                theta, without = found
                half = t_quantile(0.975, items - 1) * math.sqrt(variance(without.item))
                held[at] += abs(theta - true) <= half
    return 100 * held[0] / studies, 100 * held[1] / studies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=200, help="per condition")
    parser.add_argument("--seed", type=int, default=2026)
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    print("world         judgments per item  items  kappa, %  interval alpha, %")
    for world in WORLDS:
        for n in JUDGMENTS_PER_ITEM:
            for items in ITEMS:
                of_labels, of_numbers = coverage(world, n, items, given.studies, rng)
                print(f"{world:<13} {n:>18} {items:>6} {of_labels:>9.1f} {of_numbers:>18.1f}", flush=True)


if __name__ == "__main__":
    main()
