"""Kappa and nominal alpha of answers that are labels: one label a judgment, or one column of chosen-or-not a label."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..estimation.design import AnyCodes, Design
from ..estimation.estimate import Floats, Undefined
from ..estimation.intervals import Deletions
from . import alpha, chosen_labels
from . import chance_corrected as kappa
from .alpha import Nominal
from .raw_statistic import RawStatistic
from .replicate_moments import Block, alpha_block, chosen_blocks, kappa_block, replicates_of, same_counts

FEW_MINORITY = 10
UNRELIABLE = (
    "fewer than 10 items have a majority that is not the commonest label: "
    "the bootstrap intervals over items are unreliable (simulated coverage 70-90 %)"
)

NOT_ASKED_FOR = Undefined("alpha was not asked for")


@dataclass(frozen=True, slots=True, eq=False)
class LabelStatistics:
    """What one column of labels gives."""

    tally: kappa.Tally | Undefined
    kappa: RawStatistic | Undefined
    alpha: RawStatistic | Undefined


def label_statistics(
    design: Design,
    columns: Mapping[str, AnyCodes],
    labels: int,
    *,
    replicates: int,
    rng: np.random.Generator,
    with_alpha: bool = True,
) -> dict[str, LabelStatistics]:
    """Both statistics of each column of codes [J] below `labels`, all under the same draws of items."""
    if labels == 2 and not design.repeated:
        part = design.only((design.n >= 2)[design.item])
        statistics = {name: _chosen(design, code, part, with_alpha=with_alpha) for name, code in columns.items()}
    else:
        statistics = {
            name: _statistics_of_labels(design, code, labels, with_alpha=with_alpha) for name, code in columns.items()
        }
    if replicates == 0:
        return {name: one for name, (one, _) in statistics.items()}
    blocks = [block for _, pair in statistics.values() for block in pair]
    tallies = [one.tally for one, _ in statistics.values() if isinstance(one.tally, kappa.Tally)]
    if not blocks:
        return {name: one for name, (one, _) in statistics.items()}
    drawn = iter(replicates_of(blocks, replicates, rng, same_counts(tallies)))
    return {
        name: LabelStatistics(one.tally, _with_replicates(one.kappa, drawn), _with_replicates(one.alpha, drawn))
        for name, (one, _) in statistics.items()
    }


def minority_items(t: kappa.Tally) -> int:
    """Items whose majority is not the commonest label; a tie with the commonest is not counted."""
    commonest = t.design.by_item((t.code == np.argmax(t.Q)).astype(np.float64))
    if t.labels == 2:  # the other label has the rest
        return int(np.sum(2 * commonest < t.design.n))
    top = np.zeros(t.design.items)
    np.maximum.at(top, t.design.item, t.n_ic)
    return int(np.sum(commonest < top))


def busiest(design: Design) -> int:
    """The worker, by the caller's code, of most judgments; the first of them by code where several have as many."""
    return int(design.worker_codes[np.argmax(design.judgments_of_worker)])


def statistic_without_worker(design: Design, worker: int, theta: float, deletions: Deletions) -> float:
    """The statistic without that worker, who may have no part in it."""
    place = int(np.searchsorted(design.worker_codes, worker))
    here = place < design.workers and design.worker_codes[place] == worker
    return float(deletions.worker[place]) if here else theta


def _statistics_of_labels(
    design: Design, code: AnyCodes, labels: int, *, with_alpha: bool
) -> tuple[LabelStatistics, list[Block]]:
    """Of any number of labels."""
    t = kappa.tally(design, code, labels)
    if isinstance(t, Undefined):
        return _undefined(t), []
    of_kappa = _made_kappa(t, kappa.deletions(t))
    t = replace(t, n_ic=np.zeros(0))  # a number a judgment, which of hundreds of labels would be held to the end
    if not with_alpha:
        return LabelStatistics(t, of_kappa, NOT_ASKED_FOR), [kappa_block(t)]
    data = alpha.pairable(design, t.code.astype(np.float64))
    if isinstance(data, Undefined):
        return LabelStatistics(t, of_kappa, data), [kappa_block(t)]
    delta = Nominal(data.code, len(data.domain))
    of_alpha = _made_alpha(
        of_kappa, data.design, busiest(design), alpha.alpha_of(data, delta), alpha.deletions(data, delta)
    )
    return LabelStatistics(t, of_kappa, of_alpha), [kappa_block(t), alpha_block(data, delta, design)]


def _chosen(design: Design, code: AnyCodes, part: Design, *, with_alpha: bool) -> tuple[LabelStatistics, list[Block]]:
    """Of chosen or not; `part` is the design of the items with two judgments or more."""
    x = chosen_labels.chosen(design, code)
    t = chosen_labels.tally(x)
    if isinstance(t, Undefined):
        return _undefined(t), []
    of_kappa = _made_kappa(t, chosen_labels.kappa_deletions(x, t))
    if not with_alpha:
        return LabelStatistics(t, of_kappa, NOT_ASKED_FOR), chosen_blocks(x, t, None)
    pairable = x if part is design else chosen_labels.chosen(part, code[(design.n >= 2)[design.item]])
    theta = chosen_labels.alpha(pairable)
    if isinstance(theta, Undefined):  # kappa has looked at every judgment, and found two kinds of them
        return LabelStatistics(t, of_kappa, Undefined(alpha.EVERY_COMPARED_THE_SAME)), chosen_blocks(x, t, None)
    of_alpha = _made_alpha(of_kappa, part, busiest(design), theta, chosen_labels.alpha_deletions(pairable))
    return LabelStatistics(t, of_kappa, of_alpha), chosen_blocks(x, t, pairable)


def _undefined(why: Undefined) -> LabelStatistics:
    return LabelStatistics(why, why, why)


def _made_kappa(t: kappa.Tally, left: Deletions) -> RawStatistic:
    design, theta = t.design, kappa.kappa(t)
    in_pairs = design.n[design.n >= 2]
    return RawStatistic(
        theta,
        left,
        len(in_pairs),
        "Fleiss' kappa" if design.n.min() == design.n.max() else "Fleiss' kappa for unequal numbers of judgments",
        statistic_without_worker(design, busiest(design), theta, left),
        design.agreement_range,
        notes_on_bootstrap=(UNRELIABLE,) if minority_items(t) < FEW_MINORITY else (),
        fixed_workers=design.fixed_workers,
        workers=design.worker_codes,
        simulated="fleiss_kappa",
        judgments=int(in_pairs.sum()),
    )


def _made_alpha(of_kappa: RawStatistic, part: Design, most: int, theta: float, left: Deletions) -> RawStatistic:
    """Nominal alpha beside a kappa of the same answers: `part` is the design of the items with two judgments or more,
    `most` the busiest worker's code.
    """
    return replace(
        of_kappa,
        theta=theta,
        deletions=left,
        method="Krippendorff's alpha, nominal",
        without_busiest=statistic_without_worker(part, most, theta, left),
        within=part.agreement_range,
        workers=part.worker_codes,
        simulated="nominal",
    )


def _with_replicates(
    statistic: RawStatistic | Undefined, drawn: Iterator[tuple[Floats, ...]]
) -> RawStatistic | Undefined:
    return statistic if isinstance(statistic, Undefined) else replace(statistic, replicates=next(drawn)[0])
