"""How often tests of labels reject two models that people like equally: the table of labels in docs/scoring.md.

150 items with a true label of three. Raters come half and half from two groups, each of which labels a part of the
items otherwise, alike for all its members, and each rater errs on a tenth. Two models follow one group each: other
raters would agree with either as much. Answers are one label, sets or orders of labels, or lists of what comes to mind,
or a model gives probabilities.
"""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from agreement.arrays import Bools, Floats, Ints, sum_by
from agreement.estimation.estimate import Estimate, Figure
from agreement.gold.label_gold import label_gold
from agreement.scoring.answers_of_people import AnswersOfPeople, means_of_answers
from agreement.scoring.jackknifed_metric import JackknifedMetric
from agreement.scoring.metric import Outputs
from agreement.scoring.metrics import METRICS, measured_parts
from agreement.scoring.other_workers import LeaveOutScores, figure_over_workers, gap_over_workers, scores_again
from agreement.scoring.paired_tests import paired
from agreement.scoring.probe import Probe, Run, StudyItems
from agreement.scoring.score_gold import Gold, LabelGold

ITEMS, LABELS = 150, ("a", "b", "c")
IDS = np.array([f"i{at}" for at in range(ITEMS)], dtype=object)
ERRS = 0.1
NOISE = 0.7  # of orders, whose labels are 1 apart
LISTED, NAMEABLE, SALIENT = 6, 30, 1.5  # of lists: how many properties a rater names, of how many, and their sd
LISTS = 40  # items, of lists
SURE = 0.7  # a model's probability of the label that it follows, on average


@dataclass(frozen=True, slots=True)
class World:
    """`of_each` of the raters judge an item, all where it is 0; a group labels the part `apart` of the items otherwise.

    `right` are the shares of items that the models have right where there are no groups to follow; of lists, the
    correlations of their scores with how salient a property is.
    """

    raters: int
    of_each: int = 0
    apart: float = 0.25
    kind: str = "labels"  # or sets, probabilities, orders, lists
    right: tuple[float, float] | None = None

    @property
    def metric(self) -> str:
        """The tested figure."""
        of_kind = {
            "probabilities": "brier_of_shares",
            "orders": "rho_with_people",
            "lists": "reciprocal_rank_of_named",
        }
        return of_kind.get(self.kind, "people_who_agree")

    @property
    def beside(self) -> str:
        """What stands beside it."""
        return {"orders": "kendall_of_orders", "lists": "average_precision_at_2"}.get(self.kind, "accuracy")

    @property
    def words(self) -> str:
        each = f", {self.of_each} per item" if self.of_each else ""
        return f"{self.kind}, {self.raters} raters{each}"


WORLDS = (
    *(World(raters) for raters in (5, 8, 12, 15)),
    *(World(raters, apart=0.1) for raters in (5, 8)),
    World(10, 5),
    World(20, 5),
    *(World(8, kind=kind) for kind in ("sets", "probabilities", "orders")),
    World(5, kind="orders"),
    *(World(raters, kind="lists") for raters in (5, 8)),
    World(10, 5, kind="lists"),
    *(World(raters, apart=0.0, right=(0.85, 0.85)) for raters in (5, 15)),
)
POWER = (
    *(World(raters, apart=0.0, right=(0.9, 0.8)) for raters in (5, 8, 12, 15)),
    World(10, 5, 0.0, right=(0.9, 0.8)),
    World(8, 0, 0.0, "lists", right=(0.9, 0.87)),
)


@dataclass(frozen=True, slots=True)
class StudyResult:
    """One study: p of the tested figure, of what stands beside it over items alone, and the first model's figure with
    its limits.
    """

    tested: float
    items_alone: float
    score: float
    limits: tuple[float, float]


def simulated_study(world: World, rng: np.random.Generator) -> StudyResult:
    """Two models scored and compared as a report does it."""
    if world.kind == "lists":
        return _of_lists(world, rng)
    gold, probes, people = (_of_orders if world.kind == "orders" else _of_labels)(world, rng)
    return _compared(
        world, gold, probes, means_of_answers(probes, gold, StudyItems(gold.kind, IDS, gold.labels), people)
    )


def _of_labels(world: World, rng: np.random.Generator) -> tuple[Gold, list[Probe], AnswersOfPeople]:
    models, answers, judged = _answers(world, rng)
    worker, item = (place.astype(np.int64) for place in np.nonzero(judged))
    code = answers[worker, item]
    given = _sets(code, rng) if world.kind == "sets" else np.eye(len(LABELS))[code]
    sums = np.stack([sum_by(item, column, ITEMS) for column in given.T], axis=1)
    n = np.bincount(item, minlength=ITEMS)
    made = label_gold(n.astype(np.int64), sums)
    has_sets = world.kind == "sets"
    by_label = LabelGold(made.p, made.typical, made.majority, not has_sets, sums / n[:, None] if has_sets else None)
    probes = [Probe(name, "labels", (_outputs(world, model, rng),)) for name, model in zip("ab", models, strict=True)]
    people = AnswersOfPeople.of(item, worker, given if has_sets else code, ITEMS, rng, has_sets=has_sets)
    return Gold("choice", IDS, LABELS, by_label=by_label), probes, people


def _of_orders(world: World, rng: np.random.Generator) -> tuple[Gold, list[Probe], AnswersOfPeople]:
    """Orders of four labels: a rater's is the group's with noise."""
    size = (ITEMS, 4)
    truth, *others = rng.random((3, *size)).argsort(axis=2).argsort(axis=2).astype(np.float64)
    groups = [np.where(rng.random((ITEMS, 1)) < world.apart, other, truth) for other in others]
    values = np.where((rng.random(world.raters) < 0.5)[:, None, None], *groups)
    noisy = values + NOISE * rng.normal(size=values.shape)
    places = (-noisy).argsort(axis=2).argsort(axis=2).astype(np.float64) + 1
    worker, item = (place.ravel() for place in np.indices((world.raters, ITEMS)))
    probes = [Probe(name, "labels", (Run({}, group),)) for name, group in zip("ab", groups, strict=True)]
    people = AnswersOfPeople.of(item, worker, places.reshape(-1, 4), ITEMS, rng, has_sets=True)
    return Gold("ranking", IDS, tuple("abcd"), order=-places.mean(axis=0)), probes, people


def _of_lists(world: World, rng: np.random.Generator) -> StudyResult:
    """Raters name what is most salient to their group at the moment; models score every property."""
    size = (LISTS, NAMEABLE)
    truth, *others = SALIENT * rng.normal(size=(3, *size))
    groups = [np.where(rng.random((LISTS, 1)) < world.apart, other, truth) for other in others]
    comes = np.where((rng.random(world.raters) < 0.5)[:, None, None], *groups) + rng.gumbel(size=(world.raters, *size))
    named = (-comes).argsort(axis=2).argsort(axis=2) < LISTED
    worker, item = np.nonzero(_judged(world, LISTS, rng))
    names, ids = tuple(f"p{at:02d}" for at in range(NAMEABLE)), IDS[:LISTS]
    if world.right is not None:
        noise = SALIENT * rng.normal(size=(2, *size))
        groups = [each * truth + np.sqrt(1 - each**2) * own for each, own in zip(world.right, noise, strict=True)]

    def made(keep: Bools) -> Gold:
        counts = np.zeros(size, dtype=np.int64)
        np.add.at(counts, item[keep], named[worker[keep], item[keep]])
        properties = tuple({names[at]: int(row[at]) for at in np.flatnonzero(row)} for row in counts)
        return Gold("list", ids, properties=properties)

    probes = [
        Probe(name, "ranking", (Run({}, each),), vocabulary=names) for name, each in zip("ab", groups, strict=True)
    ]
    again = scores_again(probes, StudyItems("list", ids), worker, made, rng, processes=1)
    return _compared(world, made(np.ones(len(item), dtype=np.bool_)), probes, again)


def _compared(
    world: World, gold: Gold, probes: list[Probe], again: Mapping[str, Mapping[str, LeaveOutScores]]
) -> StudyResult:
    a, b = (_measured(probe, gold) for probe in probes)
    name = world.metric
    first, second = (again[model][name] for model in "ab")
    gap = gap_over_workers(paired(a[name], b[name]), first, second)
    within = METRICS[name].within
    figure = figure_over_workers(a[name], first, a[name].figure(len(gold), name, within), within)
    return StudyResult(gap.p, paired(a[world.beside], b[world.beside]).p, a[name].theta, _limits(figure))


def _answers(world: World, rng: np.random.Generator) -> tuple[tuple[Ints, Ints], Ints, Bools]:
    """The labels of the two models [N], what each rater would answer [W, N], and which of them do."""
    size, L = (world.raters, ITEMS), len(LABELS)
    truth = rng.integers(0, L, ITEMS)
    first, second = (np.where(rng.random(ITEMS) < world.apart, rng.integers(0, L, ITEMS), truth) for _ in range(2))
    answers = np.where((rng.random(world.raters) < 0.5)[:, None], first, second)
    answers = np.where(rng.random(size) < ERRS, rng.integers(0, L, size), answers)
    judged = _judged(world, ITEMS, rng)
    if world.right is None:
        return (first, second), answers, judged
    models = (
        np.where(rng.random(ITEMS) < each, truth, (truth + rng.integers(1, L, ITEMS)) % L) for each in world.right
    )
    return (next(models), next(models)), answers, judged


def _judged(world: World, items: int, rng: np.random.Generator) -> Bools:
    """[W, N] who judges which item."""
    size = (world.raters, items)
    if not world.of_each:
        return np.ones(size, dtype=np.bool_)
    return np.asarray(rng.random(size).argsort(axis=0).argsort(axis=0) < world.of_each)


def _sets(code: Ints, rng: np.random.Generator) -> Floats:
    """[J, L] the label, and every other one now and then."""
    return np.asarray((np.eye(len(LABELS))[code] > 0) | (rng.random((len(code), len(LABELS))) < ERRS), dtype=np.float64)


def _outputs(world: World, model: Ints, rng: np.random.Generator) -> Run:
    named = np.eye(len(LABELS))[model]
    if world.kind != "probabilities":
        return Run({}, named, has_probabilities=False)
    p = np.where(named > 0, SURE, (1 - SURE) / (len(LABELS) - 1)) * rng.gamma(5.0, 1.0, named.shape)
    return Run({}, p / p.sum(axis=1, keepdims=True))


def _measured(probe: Probe, gold: Gold) -> dict[str, JackknifedMetric]:
    everything, covered = np.arange(len(gold)), np.ones(len(gold), dtype=np.bool_)
    return measured_parts(Outputs(probe, probe.runs[0], gold, everything, covered, None), [everything])[0]


def _limits(figure: Figure) -> tuple[float, float]:
    if not isinstance(figure, Estimate) or figure.low is None or figure.high is None:
        return float("nan"), float("nan")
    return figure.low, figure.high


@dataclass(frozen=True, slots=True)
class Shares:
    """Of many studies: how many were rejected at 5 %, and how many intervals of a score hold its mean."""

    tested: float
    items_alone: float
    held: float


def shares_of(world: World, studies: int, seed: int) -> Shares:
    """`studies` of one world."""
    found = [simulated_study(world, np.random.default_rng([seed, number])) for number in range(studies)]
    mean = float(np.mean([one.score for one in found]))
    return Shares(
        tested=float(np.mean([one.tested < 0.05 for one in found])),
        items_alone=float(np.mean([one.items_alone < 0.05 for one in found])),
        held=float(np.mean([one.limits[0] <= mean <= one.limits[1] for one in found])),
    )


def main() -> None:
    """Print a row of the table for each world."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=1_000, help="per world")
    parser.add_argument("--seed", type=int, default=2026)
    given = parser.parse_args()
    for title, worlds in (("equal models", WORLDS), ("90 % and 80 % right", POWER)):
        print(f"| {title} | groups differ on | accuracy, items alone | tested figure | its intervals hold |")
        for world in worlds:
            found = shares_of(world, given.studies, given.seed)
            cells = (f"{100 * share:.1f}" for share in (found.items_alone, found.tested, found.held))
            print(f"| {world.words} | {world.apart:.0%} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
