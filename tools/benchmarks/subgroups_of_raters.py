"""How often tests reject two models that are equally good for the population: the table in docs/scoring.md.

Two subgroups of raters value different things; either model is near one of them, both equally near to people in
general. A crowd draws its raters from both. The tests are those of a report: over items alone, gold as released, and
over items and workers with gold made again as workers are left out.
"""

import argparse
from dataclasses import dataclass

import numpy as np

from agreement.arrays import Floats
from agreement.estimation.estimate import Estimate
from agreement.estimation.intervals import CORRELATION
from agreement.scoring.jackknifed_metric import units_of
from agreement.scoring.metric import Outputs
from agreement.scoring.metrics import measured_parts
from agreement.scoring.other_workers import figure_over_workers, gap_over_workers, gold_of_numbers, scores_again
from agreement.scoring.paired_tests import paired
from agreement.scoring.probe import Probe, Run, StudyItems
from agreement.scoring.score_gold import Gold

METRIC = "pearson"
SD_NOISE = 0.8
CONDITIONS = (
    (300, 7, 0.0),
    (300, 7, 0.3),
    (300, 7, 0.6),
    (300, 15, 0.6),
    (1_000, 7, 0.3),
    (300, 5, 0.6),
    (300, 30, 0.6),
    (300, 3, 0.6),
)


@dataclass(frozen=True, slots=True)
class StudyResult:
    """One study: p over items alone and over items and workers, and the first model's score with both intervals."""

    released: float
    again: float
    score: float
    limits: tuple[float, float]
    limits_again: tuple[float, float]


def study(items: int, raters: int, apart: float, rng: np.random.Generator) -> StudyResult:
    """`apart` is the sd of what either subgroup values by itself, beside 1 of what all value."""
    shared, first, second = rng.normal(size=(3, items))
    models = [shared + apart * own + SD_NOISE * rng.normal(size=items) for own in (first, second)]
    is_first = rng.random(raters) < 0.5
    values = np.where(is_first[:, None], shared + apart * first, shared + apart * second)
    answers: Floats = values + SD_NOISE * rng.normal(size=(raters, items))
    worker, item = (place.ravel() for place in np.indices(answers.shape))
    ids = np.array([f"i{at}" for at in range(items)], dtype=object)
    gold, of_items = Gold("slider", ids, numbers=answers.mean(axis=0)), StudyItems("slider", ids)
    probes = [Probe(name, "numbers", (Run({}, values),)) for name, values in zip("ab", models, strict=True)]
    everything, covered = np.arange(items), np.ones(items, dtype=np.bool_)
    measured = [
        measured_parts(Outputs(one, one.runs[0], gold, everything, covered, units_of(gold)), [everything])[0][METRIC]
        for one in probes
    ]
    made = gold_of_numbers(gold, item, answers.ravel())
    again = scores_again(probes, of_items, worker, made, rng, processes=1)
    a, b = (again[name][METRIC] for name in "ab")
    gap = paired(measured[0], measured[1])
    released = measured[0].figure(items, METRIC, CORRELATION)
    over_workers = figure_over_workers(measured[0], a, released, CORRELATION)
    tested = gap_over_workers(gap, a, b)
    is_tested = bool(tested.workers)
    return StudyResult(
        gap.p, tested.p if is_tested else float("nan"), measured[0].theta, _of(released), _of(over_workers)
    )


def _of(figure: object) -> tuple[float, float]:
    if not isinstance(figure, Estimate) or figure.low is None or figure.high is None:
        return float("nan"), float("nan")
    return figure.low, figure.high


def main() -> None:
    """Print a row of the table for each condition."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=1_000, help="per condition")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--begin", type=int, default=0, help="the condition to begin with, counted from 0")
    given = parser.parse_args()
    print("| items | raters | subgroups differ by | over items alone | over items and workers | score: items | both |")
    for items, raters, apart in CONDITIONS[given.begin :]:
        rng = np.random.default_rng([given.seed, items, raters, round(100 * apart)])
        found = [study(items, raters, apart, rng) for _ in range(given.studies)]
        mean = float(np.mean([one.score for one in found]))
        held = [np.mean([low <= mean <= high for low, high in limits]) for limits in _limits(found)]
        rejected = [100 * np.mean([one.released < 0.05 for one in found])]
        again = [one.again for one in found]
        said = "no test" if np.isnan(again).all() else f"{100 * np.mean(np.array(again) < 0.05):.1f}"
        shares = " | ".join(f"{100 * share:.1f}" for share in held)
        print(f"| {items:,} | {raters} | {apart} | {rejected[0]:.1f} | {said} | {shares} |", flush=True)


def _limits(found: list[StudyResult]) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    return [one.limits for one in found], [one.limits_again for one in found]


if __name__ == "__main__":
    main()
