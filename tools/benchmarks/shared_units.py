"""How often paired tests reject where items share terms or a cluster: level, power, and the page's rule beside them.

    python -m tools.benchmarks.shared_units [--studies 4000]

Two probes and gold are made so that neither probe is better; what a term adds to its pairs is called its effect. Power
is held against the noncentral t whose noncentrality is the mean of the simulated differences (of Fisher's z) over their
sd. Every study goes through the code that tests probes (`pairs.differences`); only the deletions are made for many
studies at once.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from scipy import special, stats

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from agreement.arrays import Floats, Ints
from agreement.estimation.estimate import Estimate
from agreement.scoring.correlation import CORRELATIONS, deletions
from agreement.scoring.groups import Groups
from agreement.scoring.jackknifed_metric import JackknifedMetric, Units, fisher_z, t_quantile
from agreement.scoring.paired_tests import differences

METRICS = ("spearman", "pearson")
AT_ONCE = 1_500_000  # items, each repeated for each unit left out


@dataclass(frozen=True)
class World:
    """Sd of the terms' effects on gold, on each probe, of each probe's own noise; `draw` makes the effects."""

    gold: float
    probe: float
    noise: float
    of_gold: float = 1.0
    degrees: int | None = None


WORLDS = {
    "noise of pairs alone": World(0, 0, 1),
    "terms in the probes": World(0, 1, 1),
    "terms in gold": World(1, 0, 1),
    "terms in both": World(1, 0.7, 1),
    "terms in both, t with 4 df": World(1, 0.7, 1, degrees=4),
    "terms in both, hardly noise": World(1, 0.7, 0.2, of_gold=0.2),
    "products of terms' vectors": World(0, 0, 0),
}


@dataclass(frozen=True)
class Result:
    """[S] differences (of Fisher's z, for correlations), their p, and p by the textbook rule alone.

    `ends` and `ends_page` [S, 2] are the first probe's interval, and `score` [S] what it scored.
    """

    gap: Floats
    p: Floats
    p_page: Floats
    score: Floats
    ends: Floats
    ends_page: Floats

    @property
    def found(self) -> float:
        """Per cent."""
        return 100 * float(np.mean(self.p < 0.05))

    @property
    def found_by_page(self) -> float:
        """Per cent."""
        return 100 * float(np.mean(self.p_page < 0.05))

    @property
    def told(self) -> str:
        """Rejected, and how often a score's interval holds its expectation; the page's rule in brackets."""
        held, by_page = (self._held(ends) for ends in (self.ends, self.ends_page))
        return f"{self.found:4.1f} ({self.found_by_page:4.1f}), interval {held:.1f} ({by_page:.1f})"

    def _held(self, ends: Floats) -> float:
        expected = self.score.mean()
        return 100 * float(np.mean((ends[:, 0] <= expected) & (expected <= ends[:, 1])))

    def in_theory(self, df: float) -> float:
        """Per cent, by the noncentral t."""
        shift = float(self.gap.mean() / self.gap.std(ddof=1))
        t = stats.t.ppf(0.975, df)
        return 100 * float(stats.nct.sf(t, df, shift) + stats.nct.cdf(-t, df, shift))


def of_terms(
    world: World, units: Units, gap: float, size: int, rng: np.random.Generator
) -> tuple[Floats, list[Floats]]:
    """[S, N] gold and two probes of pairs of terms; the second follows gold less by `gap`."""
    left, right = units.of
    n, terms = len(left), units.size

    def effects() -> Floats:
        if world.degrees is None:
            u = rng.normal(size=(size, terms))
        else:
            u = rng.standard_t(world.degrees, (size, terms)) / np.sqrt(world.degrees / (world.degrees - 2))
        return u[:, left] + u[:, right]

    if not world.noise:
        vectors = rng.normal(size=(2, size, terms))
        gold = 0.7 * np.sum(vectors[:, :, left] * vectors[:, :, right], axis=0) + 0.5 * rng.normal(size=(size, n))
        probes = []
        for k in range(2):
            own = vectors + (0.8 + gap * k) * rng.normal(size=vectors.shape)
            probes.append(0.7 * np.sum(own[:, :, left] * own[:, :, right], axis=0) + 0.7 * rng.normal(size=(size, n)))
        return gold, probes
    gold = world.of_gold * rng.normal(size=(size, n)) + world.gold * effects()
    return gold, [
        (1 - gap * k) * gold + world.probe * effects() + world.noise * rng.normal(size=(size, n)) for k in range(2)
    ]


def of_clusters(effect: float, units: Units, size: int, rng: np.random.Generator) -> tuple[Floats, list[Floats]]:
    """[S, N] gold and two probes of items whose clusters add an effect to each."""

    def made() -> Floats:
        noise = rng.normal(size=(size, units.of.shape[1]))
        return np.asarray(noise + effect * rng.normal(size=(size, units.size))[:, units.of[0]])

    gold = made()
    return gold, [gold + made() for _ in range(2)]


def correlations(
    make: Callable[[int, np.random.Generator], tuple[Floats, list[Floats]]], units: Units, studies: int
) -> dict[str, Result]:
    """By metric, the studies that `make` makes, so many at a time."""
    rng, n = np.random.default_rng(1), units.of.shape[1]
    stays = [np.flatnonzero((units.of != unit).all(axis=0)) for unit in range(units.size)]
    items, sizes = np.concatenate(stays), [len(one) for one in stays]
    found: dict[str, list[tuple[JackknifedMetric, JackknifedMetric]]] = {metric: [] for metric in METRICS}
    while len(found[METRICS[0]]) < studies:
        size = min(studies - len(found[METRICS[0]]), max(AT_ONCE // len(items), 1))
        gold, probes = make(size, rng)
        each, left = Groups.equal(size, n), Groups(np.concatenate([[0], np.cumsum(np.tile(sizes, size))]))
        both = [list(_measured(each, left, x, gold, items, units)) for x in probes]
        for first, second in zip(*both, strict=True):
            for metric in METRICS:
                found[metric].append((first[metric], second[metric]))
    return {metric: _tested(pairs) for metric, pairs in found.items()}


def _measured(
    each: Groups, left: Groups, x: Floats, gold: Floats, items: Ints, units: Units
) -> Iterator[dict[str, JackknifedMetric]]:
    by_item = deletions(each, x.ravel(), gold.ravel())
    some, of_gold = x[:, items].ravel(), gold[:, items].ravel()
    without = {metric: CORRELATIONS[metric][0](left, some, of_gold).reshape(len(x), -1) for metric in METRICS}
    for at in range(len(x)):
        yield {
            metric: JackknifedMetric(
                float(by_item[metric][0][at]),
                without[metric][at],
                units=units.what,
                pairs=by_item[metric][1].reshape(x.shape)[at] if units.what == "terms" else None,
                is_correlation=True,
            )
            for metric in METRICS
        }


def accuracies(effect: float, units: Units, studies: int) -> Result:
    """Of probes that are right with a chance that clusters change, each probe's in its own way."""
    rng, of, counts = np.random.default_rng(1), units.of[0], units.sums(np.ones(units.of.shape[1]))
    pairs = []
    for _ in range(studies):
        both = []
        for _ in range(2):
            chance = 1 / (1 + np.exp(-0.8 - effect * rng.normal(size=units.size)[of]))
            right = (rng.random(len(of)) < chance).astype(float)
            without = (right.sum() - units.sums(right)) / (len(of) - counts)
            both.append(JackknifedMetric(float(right.mean()), without, units="clusters"))
        pairs.append((both[0], both[1]))
    return _tested(pairs)


def _tested(pairs: list[tuple[JackknifedMetric, JackknifedMetric]]) -> Result:
    gaps, p, page, ends, ends_page = [], [], [], [], []
    for first, second in pairs:
        [one] = differences("", {"a": first, "b": second})
        z = fisher_z([first.theta, second.theta]) if first.is_correlation else np.array([first.theta, second.theta])
        gaps.append(z[0] - z[1])
        p.append(1.0 if one.p is None else one.p)
        size = len(first.without)
        se = _by_page(first.without - second.without, first.units)
        page.append(2 * special.stdtr(size - 1, -abs(first.theta - second.theta) / se) if se > 0 else 1.0)
        figure = first.figure(size, "")
        low, high = (figure.low, figure.high) if isinstance(figure, Estimate) else (None, None)
        ends.append((np.nan, np.nan) if low is None or high is None else (low, high))
        half = t_quantile(size - 1) * _by_page(first.without, first.units)
        ends_page.append((first.theta - half, first.theta + half))
    score = np.array([first.theta for first, _ in pairs])
    return Result(np.array(gaps), np.array(p), np.array(page), score, np.array(ends, float), np.array(ends_page))


def _by_page(without: Floats, units: str) -> float:
    """The textbook standard error."""
    size = len(without)
    scale = (size - 2) / (2 * size) if units == "terms" else (size - 1) / size
    return float(np.sqrt(scale * np.sum((without - without.mean()) ** 2)))


def all_pairs(terms: int, share: float = 1.0) -> Units:
    """The pairs of so many terms, or a share of them at random."""
    of = np.stack(np.triu_indices(terms, 1))
    kept = np.sort(np.random.default_rng(terms).permutation(of.shape[1])[: int(share * of.shape[1])])
    return Units("terms", of[:, kept])


def clusters(how_many: int, *, zipf: bool) -> Units:
    """Of six items each, or as unequal as Zipf's law makes them."""
    share = 1 / np.arange(1, how_many + 1) if zipf else np.ones(how_many)
    sizes = np.maximum(2, np.rint(6 * how_many * share / share.sum())).astype(np.int64)
    return Units("clusters", np.repeat(np.arange(how_many), sizes)[None])


def main() -> None:
    """Print a row a condition: rejected with the page's rule in brackets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=4_000)
    studies = parser.parse_args().studies
    print(f"{studies:,} studies a row, standard error of 5 % {100 * (0.05 * 0.95 / studies) ** 0.5:.1f} points")
    for share in (1.0, 0.5):
        for name, world in WORLDS.items():
            for terms in (8, 12, 20, 30) if share == 1.0 else (12, 20):
                units = all_pairs(terms, share)
                found = correlations(partial(of_terms, world, units, 0.0), units, studies)
                told = "; ".join(f"{metric} {one.told}" for metric, one in found.items())
                print(f"{share:4.0%} of the pairs of {terms:2} terms, {name:28} {told}", flush=True)
    for terms, gap in ((12, 0.5), (20, 0.35), (30, 0.25)):
        for name in ("noise of pairs alone", "terms in the probes", "terms in both", "products of terms' vectors"):
            units, by = all_pairs(terms), gap * (2 if name.startswith(("terms in both", "products")) else 1)
            found = correlations(partial(of_terms, WORLDS[name], units, min(by, 0.7)), units, studies)
            told = ", ".join(f"{m} {one.found:4.1f} of {one.in_theory(terms - 1):4.1f}" for m, one in found.items())
            print(f"a difference, {terms:2} terms, {name:28} {told}", flush=True)
    for how_many in (8, 12, 20, 30):
        for zipf in (False, True):
            for effect in (0.0, 1.0):
                units = clusters(how_many, zipf=zipf)
                found = correlations(partial(of_clusters, effect, units), units, studies) | {
                    "accuracy": accuracies(effect, units, studies)
                }
                told = "; ".join(f"{metric} {one.told}" for metric, one in found.items())
                sizes = "by Zipf" if zipf else "alike"
                print(f"{how_many:2} clusters, {sizes:7}, effect {effect:.0f}  {told}", flush=True)


if __name__ == "__main__":
    main()
