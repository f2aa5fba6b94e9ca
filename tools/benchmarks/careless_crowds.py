"""Where intervals miss in careless worlds: crowds that happen to have no careless worker, and those that have one.

The figures in docs/coverage.md. A tenth of the workers are careless, so that of five workers none is in 59 % of crowds.
"""

import argparse

import numpy as np

from agreement.estimation.design import design_of
from agreement.estimation.estimate import stream
from tools.benchmarks.coverage_statistics import STATISTICS
from tools.benchmarks.coverage_worlds import World, study, truth

ITEMS = 60
CELLS: tuple[tuple[World, int], ...] = (("careless", 5), ("careless", 8), ("heavy", 5))
NAMES = ("alpha, ordinal", "alpha, interval", "split-half", "upper bound")


def rows(world: World, raters: int, studies: int, seed: int) -> list[str]:
    """One of the table for each statistic."""
    rng = stream(seed, f"careless crowds {world} {raters}")
    statistics = [statistic for statistic in STATISTICS if statistic.name in NAMES]
    found = np.full((len(statistics), studies, 3), np.nan)  # theta, low, high
    careless = np.zeros(studies, dtype=np.int64)
    for at in range(studies):
        given = study(world, raters, ITEMS, rng)
        design, careless[at] = design_of(given.item, given.worker), given.careless
        for which, statistic in enumerate(statistics):
            interval = statistic.made(design, given)
            if interval is not None:
                found[which, at] = interval[:3]
    some = careless > 0
    said = []
    for statistic, (theta, low, high) in zip(statistics, found.transpose(0, 2, 1), strict=True):
        true = truth(world, "numbers") if statistic.name == "alpha, interval" else float(np.nanmean(theta))
        there = np.isfinite(low)
        held = (low <= true) & (true <= high)
        sides = [there, there & ~some, there & some]
        cells = [f"{100 * np.mean(held[side]):.1f}" for side in sides]
        cells += [f"{np.mean(theta[side]):.3f} ± {np.median(high[side] - low[side]) / 2:.2f}" for side in sides[1:]]
        said.append(
            f"| {world} {raters} | {100 * np.mean(~some):.0f} % | {statistic.name} | {true:.3f} | {' | '.join(cells)} |"
        )
    return said


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=2_000, help="per cell")
    parser.add_argument("--seed", type=int, default=2026)
    given = parser.parse_args()
    head = (
        "world",
        "none careless",
        "statistic",
        "truth",
        "held",
        "none careless: held",
        "some: held",
        "none: mean and half-width",
        "some",
    )
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    for world, raters in CELLS:
        print("\n".join(rows(world, raters, given.studies, given.seed)), flush=True)


if __name__ == "__main__":
    main()
