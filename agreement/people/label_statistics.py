"""Kappa and nominal alpha of answers that are labels: one label a judgment, or one column of chosen-or-not a label."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from ..estimation.design import AnyCodes, Design, same
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

RARE = (
    "fewer than 10 items have a majority that is not the commonest label: the interval is unreliable, though widened to"
    " what the rarer labels' own agreement leaves open; Gwet's AC1 and that agreement say more"
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


def own_agreement(t: kappa.Tally, label: int | None = None) -> tuple[float, int]:
    """How often another answer to an item is the same where one is a label, and on how many items one is.

    Without a label, of all but the commonest. The mean over those answers, on items with two judgments or more, is the
    specific agreement of Cicchetti and Feinstein (1990). NaN where nobody gave such an answer.
    """
    design, several = t.design, (t.design.n >= 2)[t.design.item]
    wanted = several & ((t.code != np.argmax(t.Q)) if label is None else (t.code == label))
    if not wanted.any():
        return float("nan"), 0
    alike = same(design.item, t.code, groups=design.items, codes=t.labels)[wanted] - 1
    on = design.item[wanted]
    return float(np.mean(alike / (design.n[on] - 1))), len(np.unique(on))


def own_agreement_limits(share: float, items: int) -> tuple[float, float]:
    """Jeffreys' 95 % limits of a share of so many items, an end where the share itself is one.

    >>> [round(end, 3) for end in own_agreement_limits(0.0, 18)]
    [0.0, 0.129]
    """
    a, b = items * share + 0.5, items * (1 - share) + 0.5
    low, high = (float(special.betaincinv(a, b, tail)) for tail in (0.025, 0.975))
    return (0.0 if share <= 0 else min(low, share)), (1.0 if share >= 1 else max(high, share))


def _least_width(t: kappa.Tally) -> tuple[float, float] | None:
    """How far below and above kappa the limits are at least, where rarer labels lead few items; else None.

    A jackknife sees no chance that two rare answers meet on an item if none did: with 3 % positives, 200 items and
    three workers its limits held the truth in 49 % of studies. The rarer labels' own agreement s does: with q their
    share of the answers, kappa falls by 2 q / (1 - P_e) for each unit that s falls.
    """
    if minority_items(t) >= FEW_MINORITY or t.P_e >= 1:
        return None
    share, items = own_agreement(t)
    if not items:
        return None
    low, high = own_agreement_limits(share, items)
    slope = 2 * float(1 - t.p.max()) / (1 - t.P_e)
    return slope * (share - low), slope * (high - share)


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
    is_rare = minority_items(t) < FEW_MINORITY
    return RawStatistic(
        theta,
        left,
        len(in_pairs),
        "Fleiss' kappa" if design.n.min() == design.n.max() else "Fleiss' kappa for unequal numbers of judgments",
        statistic_without_worker(design, busiest(design), theta, left),
        design.agreement_range,
        notes_on_bootstrap=(UNRELIABLE,) if is_rare else (),
        notes_on_interval=(RARE,) if is_rare else (),
        least_width=_least_width(t) if is_rare else None,
        commonest=float(t.p.max()),
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
