"""Kappa and nominal alpha of answers that are labels: one label a judgment, or one column of chosen-or-not a label."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from agreement.stats import alpha, kappa
from agreement.stats.blocks import Block, alpha_block, kappa_block, replicates_of, same_counts
from agreement.stats.design import AnyCodes, Design
from agreement.stats.distances import Nominal
from agreement.stats.estimate import Floats, Undefined
from agreement.stats.jackknife import Deletions
from agreement.stats.made import Made

FEW_MINORITY = 10
UNRELIABLE = (
    "fewer than 10 items have a majority that is not the commonest label: "
    "the bootstrap intervals over items are unreliable (simulated coverage 70-90 %)"
)


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """What one column of labels gives."""

    tally: kappa.Tally | Undefined
    kappa: Made | Undefined
    alpha: Made | Undefined


def labelled(
    design: Design,
    columns: Mapping[str, AnyCodes],
    labels: int,
    *,
    replicates: int,
    rng: np.random.Generator,
    with_alpha: bool = True,
) -> dict[str, Labelled]:
    """Both statistics of each column of codes [J] below `labels`, all under the same draws of items."""
    made = {name: _one(design, code, labels, with_alpha=with_alpha) for name, code in columns.items()}
    if replicates == 0:
        return {name: one for name, (one, _) in made.items()}
    blocks = [block for _, pair in made.values() for block in pair]
    tallies = [one.tally for one, _ in made.values() if isinstance(one.tally, kappa.Tally)]
    if not blocks:
        return {name: one for name, (one, _) in made.items()}
    drawn = iter(replicates_of(blocks, replicates, rng, same_counts(tallies)))
    return {
        name: Labelled(one.tally, _with(one.kappa, drawn), _with(one.alpha, drawn)) for name, (one, _) in made.items()
    }


def minority_items(t: kappa.Tally) -> int:
    """Items whose majority is not the commonest label; a tie with the commonest is not counted."""
    top = np.zeros(t.design.items)
    np.maximum.at(top, t.design.item, t.n_ic)
    commonest = t.design.by_item((t.code == np.argmax(t.Q)).astype(np.float64))
    return int(np.sum(commonest < top))


def busiest(design: Design) -> int:
    """The worker, by the caller's code, of most judgments; the first of them by code where several have as many."""
    return int(design.worker_codes[np.argmax(design.judgments_of_worker)])


def without(design: Design, worker: int, theta: float, deletions: Deletions) -> float:
    """The statistic without that worker, who may have no part in it."""
    place = int(np.searchsorted(design.worker_codes, worker))
    here = place < design.workers and design.worker_codes[place] == worker
    return float(deletions.worker[place]) if here else theta


def _one(design: Design, code: AnyCodes, labels: int, *, with_alpha: bool) -> tuple[Labelled, list[Block]]:
    t = kappa.tally(design, code, labels)
    if isinstance(t, Undefined):
        return Labelled(t, t, Undefined(t.why.replace("kappa", "alpha"))), []
    notes = (UNRELIABLE,) if minority_items(t) < FEW_MINORITY else ()
    most, theta, left = busiest(design), kappa.kappa(t), kappa.deletions(t)
    t = replace(t, n_ic=np.zeros(0))  # a number a judgment, which of hundreds of labels would be held to the end
    n, paired = int(np.sum(design.n >= 2)), int(np.sum(design.n[design.n >= 2]))
    method = "Fleiss' kappa" if design.n.min() == design.n.max() else "Fleiss' kappa for unequal numbers of judgments"
    of_kappa = Made(
        theta,
        left,
        n,
        method,
        without(design, most, theta, left),
        design.agreement_range,
        notes=notes,
        simulated="fleiss_kappa",
        judgments=paired,
    )
    if not with_alpha:
        return Labelled(t, of_kappa, Undefined("alpha was not asked for")), [kappa_block(t)]
    data = alpha.pairable(design, t.code.astype(np.float64))
    if isinstance(data, Undefined):
        return Labelled(t, of_kappa, data), [kappa_block(t)]
    delta = Nominal(data.code, len(data.domain))
    theta, left = alpha.alpha_of(data, delta), alpha.deletions(data, delta)
    beside = without(data.design, most, theta, left)
    method = "Krippendorff's alpha, nominal"
    within = data.design.agreement_range
    of_alpha = Made(theta, left, n, method, beside, within, notes=notes, simulated="nominal", judgments=paired)
    return Labelled(t, of_kappa, of_alpha), [kappa_block(t), alpha_block(data, delta, design)]


def _with(made: Made | Undefined, drawn: Iterator[tuple[Floats, ...]]) -> Made | Undefined:
    return made if isinstance(made, Undefined) else replace(made, replicates=next(drawn)[0])
