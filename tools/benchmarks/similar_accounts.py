"""How often accounts are called alike that aren't, and second accounts found: the table in docs/cleaning.md.

Studies are drawn in the worlds of docs/coverage.md; then every person has a second account, whose answers are the
first's with some noise.
"""

import argparse

import numpy as np

from agreement.people.similar_workers import similar_pairs
from tools.benchmarks.coverage_worlds import HARD, WORLDS, World, study

DESIGNS = ((5, 60), (10, 60), (10, 200))
NOISE = (0.0, 0.2, 0.4, 0.6)  # sd, where a worker's own is 0.8
PEOPLE = 5


def false_alarms(world: World, workers: int, items: int, studies: int, rng: np.random.Generator) -> tuple[float, float]:
    """Per cent of studies with a pair, of numbers and of five steps, in which everybody answers for themselves."""
    found = np.zeros(2)
    for _ in range(studies):
        given = study(world, workers, items, rng)
        for at, answers in enumerate((given.number, given.step.astype(np.float64))):
            found[at] += bool(similar_pairs(given.item, given.worker, answers[:, None]))
    of_numbers, of_steps = (100 * found / studies).tolist()
    return of_numbers, of_steps


def second_accounts(noise: float, items: int, studies: int, rng: np.random.Generator) -> float:
    """Per cent of the pairs of accounts that are found."""
    right, found = {(person, person + PEOPLE) for person in range(PEOPLE)}, 0
    for _ in range(studies):
        given = study("crossed", PEOPLE, items, rng)
        again = given.number + noise * rng.normal(size=len(given.number))
        item, worker = np.tile(given.item, 2), np.concatenate([given.worker, given.worker + PEOPLE])
        pairs = similar_pairs(item, worker, np.concatenate([given.number, again])[:, None])
        found += len({(one.first, one.second) for one in pairs} & right)
    return 100 * found / (studies * PEOPLE)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=1_000, help="per condition")
    parser.add_argument("--seed", type=int, default=2026)
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    for world in WORLDS:
        rates = [false_alarms(world, *design, given.studies, rng) for design in DESIGNS]
        said = "hard" if world in HARD else "calm"
        cells = " | ".join(f"{numbers:.1f}, {steps:.1f}" for numbers, steps in rates)
        print(f"| {world} ({said}) | {cells} |", flush=True)
    for noise in NOISE:
        shares = " | ".join(f"{second_accounts(noise, items, given.studies, rng):.0f}" for items in (60, 200))
        print(f"| noise {noise} | {shares} |", flush=True)


if __name__ == "__main__":
    main()
