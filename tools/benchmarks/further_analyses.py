"""What the intervals and tests of the further analyses hold, in simulated studies (docs/further-analyses.md).

    python -m tools.benchmarks.further_analyses [PART ...] [--studies 600]

Each line is a share of studies in per cent, or a ratio; the truth of an interval is what the world was made with, or
the estimator's mean over studies where that has no simple form.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from agreement.estimation.design import design_of
from agreement.estimation.estimate import Estimate
from agreement.gold.annotator_models import MODELS, dawid_skene
from agreement.gold.hierarchical_annotators import hierarchical_model
from agreement.gold.rating_scale_model import rating_scale_model
from agreement.gold.worker_accuracies import worker_accuracies
from agreement.people.chance_corrected import chance_corrected
from agreement.people.people_distributions import agreement_of_items, people_of_counts, reachable_scores
from agreement.people.subgroups import GroupedJudgments, subgroups
from agreement.scoring.alternative_annotator import Annotators, alternative_annotator_tests
from agreement.scoring.comparison import tiers_of
from agreement.scoring.distribution_metrics import brier, cross_entropy, total_variation
from agreement.scoring.jackknifed_metric import JackknifedMetric
from agreement.scoring.label_metrics import jensen_shannon
from agreement.scoring.paired_tests import ProbeCovariances

Rng = np.random.Generator
Ints = npt.NDArray[np.int64]
Line = tuple[str, str]


def crossed(rng: Rng, items: int, workers: int, per_item: int) -> tuple[Ints, Ints]:
    """Each item's own draw of workers."""
    who = np.argsort(rng.random((items, workers)), axis=1)[:, :per_item]
    return np.repeat(np.arange(items), per_item), who.reshape(-1).astype(np.int64)


def know_or_guess(rng: Rng, item: Ints, worker: Ints, items: int, knows: npt.NDArray[np.float64]) -> tuple[Ints, Ints]:
    """Labels of three: a worker knows the item's own, else guesses."""
    truth = rng.choice(3, items, p=[0.5, 0.3, 0.2])
    guess = rng.choice(3, len(item), p=[0.5, 0.3, 0.2])
    return truth, np.where(rng.random(len(item)) < knows[worker], truth[item], guess)


def held(found: list[tuple[float, float, float]], truth: float | None = None) -> str:
    """Per cent of intervals that hold the truth, or the estimates' mean, and the median width."""
    table = np.array(found)
    true = table[:, 0].mean() if truth is None else truth
    inside = np.mean((table[:, 1] <= true) & (true <= table[:, 2]))
    return f"{100 * inside:.1f} % held, median width {np.median(table[:, 2] - table[:, 1]):.3f}"


def ends(figure: Estimate) -> tuple[float, float, float]:
    low, high = figure.low, figure.high
    return figure.estimate, -np.inf if low is None else low, np.inf if high is None else high


def alt_test(rng: Rng, studies: int) -> Iterator[Line]:
    for workers, items in ((6, 60), (12, 120)):
        found = []
        for _ in range(studies):
            item, worker = crossed(rng, items, workers, workers)
            truth, label = know_or_guess(rng, item, worker, items, rng.beta(6, 3, workers))
            model = np.eye(3)[np.where(rng.random(items) < 0.8, truth, rng.integers(0, 3, items))]
            made = alternative_annotator_tests(
                Annotators(item, worker, label.astype(float), items, 3), [model], rng=rng, processes=1
            )[0]
            assert made is not None  # noqa: S101 - everybody has enough items
            found.append(ends(made.advantage))
        yield f"advantage probability, {workers} annotators, {items} items", held(found)


def coefficients(rng: Rng, studies: int) -> Iterator[Line]:
    for workers, items, per_item in ((6, 60, 6), (12, 100, 5)):
        found: dict[str, list[tuple[float, float, float]]] = {}
        for _ in range(studies):
            item, worker = crossed(rng, items, workers, per_item)
            _, label = know_or_guess(rng, item, worker, items, rng.beta(6, 3, workers))
            for name, figure in chance_corrected(design_of(item, worker), label, 3).items():
                if isinstance(figure, Estimate):
                    found.setdefault(name, []).append(ends(figure))
        for name, each in found.items():
            yield f"{name}, {workers} workers, {items} items of {per_item}", held(each)


def disagreement(rng: Rng, studies: int) -> Iterator[Line]:
    scores: list[Callable[..., float]] = [
        lambda p, q, of=of: float(np.mean(of(p, q))) for of in (jensen_shannon, total_variation, brier, cross_entropy)
    ]
    names = ("Jensen-Shannon", "total variation", "Brier", "cross entropy")
    for n, c in ((5, 1.0), (5, 4.0), (12, 2.0)):
        true, claimed, inside = [], [], []
        for _ in range(studies // 4):
            q = rng.dirichlet(c * np.array([0.5, 0.3, 0.2]), 100)
            counts = rng.multinomial(n, q).astype(float)
            true.append([score(q, counts / n) for score in scores])
            people = people_of_counts(counts)
            claimed.append([one.mean for one in reachable_scores(people, None, scores, rng)])
            items = agreement_of_items(people, rng)
            actual = np.sum(q * q, axis=1)
            inside.append(np.mean((items.low <= actual) & (actual <= items.high)))
        ratio = np.array(claimed).mean(axis=0) / np.array(true).mean(axis=0)
        said = ", ".join(f"{name} {one:.3f}" for name, one in zip(names, ratio, strict=True))
        world = f"{n} judgments, concentration {c:g}"
        yield f"ceiling over that of the true distributions, {world}", said
        yield f"agreement of an item, {world}", f"{100 * np.mean(inside):.1f} % held"


def tiers(rng: Rng, studies: int) -> Iterator[Line]:
    wrong = lost = same = 0
    for _ in range(studies):
        difficulty = rng.random(150)
        for gaps in ((0.0,) * 6, (0.0, 0.0, 0.0, -0.15, -0.15, -0.15)):
            right = [(rng.random(150) < np.clip(difficulty + gap, 0, 1)).astype(float) for gap in gaps]
            measured = {f"m{at}": JackknifedMetric.of_mean(one, "") for at, one in enumerate(right)}
            together = ProbeCovariances.of(measured)
            keys = [(a, b) for at, a in enumerate(measured) for b in list(measured)[at + 1 :]]
            pairs = {(a, b): together.gap(measured[a], measured[b], a, b) for a, b in keys}
            made = tiers_of({name: one.theta for name, one in measured.items()}, pairs)
            if not any(gaps):
                wrong += any(pair.is_different for pair in made.pairs)
            else:
                lost += not {"m0", "m1", "m2"} <= set(made.first)
        a = rng.normal(0.05, 0.3, 150)
        both = {"a": JackknifedMetric.of_mean(a + 0.5, ""), "b": JackknifedMetric.of_mean(np.full(150, 0.5), "")}
        gap = {("a", "b"): ProbeCovariances.of(both).gap(both["a"], both["b"], "a", "b")}
        same += tiers_of({name: one.theta for name, one in both.items()}, gap, margin=0.05).pairs[0].is_equivalent
    yield "any of six equal models said to be worse", f"{100 * wrong / studies:.1f} %"
    yield "one of three best models not in the first tier", f"{100 * lost / studies:.1f} %"
    yield "models said to be equivalent that differ by the margin", f"{100 * same / studies:.1f} %"


def groups_of_workers(rng: Rng, studies: int) -> Iterator[Line]:
    for workers, items in ((12, 60), (24, 100)):
        gaps, found = [], []
        within: list[tuple[float, float, float]] = []
        for _ in range(studies):
            item, worker = crossed(rng, items, workers, min(workers, 10))
            _, label = know_or_guess(rng, item, worker, items, rng.beta(6, 3, workers))
            data = GroupedJudgments(item, worker, worker % 2, label.astype(float), items, 2, 3)
            made = subgroups(data, rng=rng, processes=1)
            if isinstance(gap := made.pairs[0].lower_by, Estimate) and isinstance(made.within[0], Estimate):
                gaps.append(ends(gap))
                within.append(ends(made.within[0]))
                found.append(made.pairs[0].p or 1.0)
        said = held(gaps, 0.0)
        below = 100 * np.mean(np.array(found) < 0.05)
        yield f"within less between, two groups alike, {workers} workers", f"{said}; {below:.1f} % have p < .05"
        yield f"agreement within a group of {workers // 2}", held(within)


def accuracies(rng: Rng, studies: int) -> Iterator[Line]:
    item, worker = crossed(rng, 200, 15, 5)
    for name, model in MODELS.items():
        inside = []
        for _ in range(studies // 6):
            knows = rng.beta(6, 3, 15)
            truth = rng.integers(0, 3, 200)
            label = np.where(rng.random(len(item)) < knows[worker], truth[item], rng.integers(0, 3, len(item)))
            true = knows + (1 - knows) / 3
            made = worker_accuracies(model, item, worker, label, 200, 3, rng=rng, processes=1)
            inside.append(np.nanmean(np.where(np.isnan(made.low), np.nan, (made.low <= true) & (true <= made.high))))
        yield f"accuracy by {name}, 15 workers, 200 items of 5", f"{100 * np.mean(inside):.1f} % held"


def severities(rng: Rng, studies: int) -> Iterator[Line]:
    inside = []
    tau = np.array([0.0, -1.0, -1.0, 0.0])  # cumulated
    for _ in range(studies // 6):
        item, worker = crossed(rng, 150, 12, 4)
        severity, theta = rng.normal(0, 0.6, 12), rng.normal(0, 1.3, 150)
        eta = np.arange(4) * (theta[item] - severity[worker])[:, None] - tau
        p = np.exp(eta) / np.exp(eta).sum(axis=1, keepdims=True)
        code = np.minimum((rng.random(len(item))[:, None] > p.cumsum(axis=1)).sum(axis=1), 3)
        made = rating_scale_model(item, worker, code, 4)
        inside.append(np.mean(np.abs(made.severity - (severity - severity.mean())) <= 1.96 * made.severity_se))
    yield "severity, 12 workers, 150 items of 4", f"{100 * np.mean(inside):.1f} % held"


def hierarchical_labels(rng: Rng, studies: int) -> Iterator[Line]:
    """Workers around a population who gave few answers each, as the model has them; labels beside the plain model's."""
    for items, per_item, workers, K in ((120, 5, 40, 3), (60, 3, 30, 2)):
        competences: list[bool] = []
        prevalences: list[bool] = []
        right, plain, converged = [], [], 0
        for _ in range(studies // 10):
            pi = rng.dirichlet(np.full(K, 5.0))
            mean = np.where(np.eye(K, dtype=bool), 0.7, 0.3 / (K - 1))
            theta = np.array([[rng.dirichlet(10 * mean[k]) for k in range(K)] for _ in range(workers)])
            item, worker = crossed(rng, items, workers, per_item)
            z = rng.choice(K, items, p=pi)
            below = np.cumsum(theta[worker, z[item]], axis=1)
            label = np.minimum((rng.random(len(item))[:, None] >= below).sum(axis=1), K - 1)
            used, dense = np.unique(worker, return_inverse=True)
            made = hierarchical_model(item, dense, label, K, rng=rng)
            true = (np.diagonal(theta, axis1=1, axis2=2) @ pi)[used]
            low, high = made.competence_limits
            competences += ((low <= true) & (true <= high)).tolist()
            low, high = made.prevalence_limits
            prevalences += ((low <= pi) & (pi <= high)).tolist()
            right.append(np.mean(np.argmax(made.p, axis=1) == z))
            plain.append(np.mean(np.argmax(dawid_skene(item, worker, label, items, K).p, axis=1) == z))
            converged += made.is_converged
        world = f"{workers} workers, {items} items of {per_item}, {K} labels"
        held_in = f"{100 * np.mean(competences):.1f} % held, prevalence {100 * np.mean(prevalences):.1f} %"
        yield f"hierarchical competence, {world}", held_in
        labels = f"{100 * np.mean(right):.1f} %, by plain Dawid-Skene {100 * np.mean(plain):.1f} %"
        yield f"labels right, {world}", f"{labels}; {converged} of {len(right)} fits converged"


PARTS = (alt_test, coefficients, disagreement, tiers, groups_of_workers, accuracies, severities, hierarchical_labels)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", help=", ".join(part.__name__ for part in PARTS))
    parser.add_argument("--studies", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for part in PARTS:
        if asked.parts and part.__name__ not in asked.parts:
            continue
        for what, said in part(np.random.default_rng(asked.seed), asked.studies):
            sys.stdout.write(f"{what}: {said}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
