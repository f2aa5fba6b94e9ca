"""Leave-one-out on a slider: everybody's answers beside the mean of all others, for many rounds of deletions."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, Ints, on_grid, sum_by
from ..scoring.groups import Codes, Groups, centred_ranks, centred_ranks_in_order, dense_codes, sorted_keys
from ..scoring.metrics import of_numbers
from ..scoring.metrics.of_numbers import NumberMetric
from .leave_one_out_gold import PLACES, own_sums
from .person_metrics import Round

LARGE = 1_000  # judgments per worker from which rounds go worker by worker
MOST_CELLS = 4  # of a table of means for each judgment of a worker, likewise


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """A slider's answers as whole steps where they have one (`per_one` of them make 1), and as codes in their order."""

    steps: Floats
    per_one: float
    is_whole: bool
    codes: Codes
    ends: tuple[float, float]

    @classmethod
    def of(cls, values: Floats) -> "Steps":
        """Found once, for all rounds."""
        steps, per_one = on_grid(values)
        ends = (float(steps.min()), float(steps.max())) if len(steps) else (0.0, 0.0)
        return cls(steps, per_one, bool(np.array_equal(steps, np.rint(steps))), dense_codes(values), ends)

    def take(self, keep: Bools) -> "Steps":
        """The answers that `keep` marks."""
        return Steps(self.steps[keep], self.per_one, self.is_whole, self.codes.take(keep), self.ends)


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """A slider's judgments in worker order: each answer beside the mean of the others' answers to its item.

    `is_shared` marks them among those that they were made of, where items of one worker dropped out.
    """

    groups: Groups
    item: Ints
    person: Steps
    gold_codes: Codes
    distinct: Floats  # the gold of each code
    is_shared: Bools | None = None

    @property
    def gold(self) -> Floats:
        """[J] the mean of the others' answers."""
        return self.distinct[self.gold_codes.code]

    def take(self, keep: Bools) -> "Numbers":
        """Some of the judgments with the gold they have: what leaving whole items out comes to."""
        sizes = self.groups.sum(keep.astype(np.float64)).astype(np.int64)
        groups = Groups(np.concatenate([[0], np.cumsum(sizes)]))
        return Numbers(groups, self.item[keep], self.person.take(keep), self.gold_codes.take(keep), self.distinct)


def others_mean(worker: Ints, item: Ints, value: Steps, n_workers: int, n_items: int, *, repeats: bool) -> Numbers:
    """The mean of all others, (S_i - x_iw) / (n_i - 1), for judgments sorted by worker; items of one worker drop out.

    With `repeats`, a worker who judged an item twice has both answers taken from its gold.
    """
    n, sums, seen = np.bincount(item, minlength=n_items), sum_by(item, value.steps, n_items), None
    if not repeats:
        if (n == 1).any():
            seen = n[item] > 1
            worker, item, value = worker[seen], item[seen], value.take(seen)
        if value.is_whole and (table := _Quotients.of(n - 1, value)):
            cells = (table.offset[n - 1] + sums.astype(np.int64))[item] - value.steps.astype(np.int64)
            return _numbers(worker, item, value, *table.at(cells), n_workers, seen)
        rest, others = sums[item] - value.steps, n[item] - 1
    else:
        own, n_own = own_sums(worker, item, value.steps[:, None], n_items)
        rest, others = sums[item] - own[:, 0], n[item] - n_own
        if not (others > 0).all():
            seen = others > 0
            worker, item, value, rest, others = worker[seen], item[seen], value.take(seen), rest[seen], others[seen]
        if value.is_whole and (table := _Quotients.of(others, value)):
            cells = table.offset[others] + rest.astype(np.int64)
            return _numbers(worker, item, value, *table.at(cells), n_workers, seen)
    gold = np.asarray(rest / (others * value.per_one), dtype=np.float64)
    if not value.is_whole:
        gold = np.round(gold, PLACES)
    return _numbers(worker, item, value, *code_numbers(gold), n_workers, seen)


def _numbers(
    worker: Ints, item: Ints, value: Steps, codes: Codes, distinct: Floats, n_workers: int, seen: Bools | None
) -> Numbers:
    return Numbers(Groups.of_sorted(worker, n_workers), item, value, codes, distinct, seen)


def code_numbers(gold: Floats) -> tuple[Codes, Floats]:
    """[J] the codes of numbers, and the number of each code."""
    codes = dense_codes(gold)
    distinct = np.zeros(codes.size)
    distinct[codes.code] = gold
    return codes, distinct


@dataclass(frozen=True, slots=True, eq=False)
class _Quotients:
    """All means of whole steps that so many others may have: that of m with the sum s is at offset[m] + s.

    Means of whole numbers have few possible values: looking them up is several times faster than sorting them.
    """

    offset: npt.NDArray[np.int64]
    code: npt.NDArray[np.int64]
    distinct: Floats

    @classmethod
    def of(cls, others: npt.NDArray[np.int64], value: Steps, most: int | None = None) -> "_Quotients | None":
        """For these numbers of others, where they are above 0; None where they are more than `most`, or the answers."""
        sizes = np.flatnonzero(np.bincount(others[others > 0]))
        low, high = (np.rint(end * sizes).astype(np.int64) for end in value.ends)
        cells = high - low + 1
        if not len(sizes) or int(cells.sum()) > (len(value.steps) if most is None else most):
            return None
        sums = (np.arange(first, last + 1) for first, last in zip(low.tolist(), high.tolist(), strict=True))
        means = [of_m / (m * value.per_one) for of_m, m in zip(sums, sizes.tolist(), strict=True)]
        distinct, code = np.unique(np.concatenate(means), return_inverse=True)
        offset = np.zeros(int(sizes[-1]) + 1, dtype=np.int64)
        offset[sizes] = np.cumsum(cells) - cells - low
        return cls(offset, code, distinct)

    def at(self, places: npt.NDArray[np.int64]) -> tuple[Codes, Floats]:
        """The codes there, and the mean of each code."""
        return Codes(self.code[places], len(self.distinct)), self.distinct


@dataclass(frozen=True, eq=False)
class Totals:
    """The judgments of all, each item of which has another's answer, and whole sums S_i of n_i answers.

    Without some judgments these are the same less what is missing, which is far less than what stays.
    """

    everybody: Numbers
    steps: npt.NDArray[np.int64]
    n: npt.NDArray[np.int64]
    sums: npt.NDArray[np.int64]

    @classmethod
    def of(cls, numbers: Numbers, n_items: int) -> "Totals | None":
        """None where answers have no steps; for workers who judged an item once."""
        if not numbers.person.is_whole:
            return None
        n, sums = np.bincount(numbers.item, minlength=n_items), sum_by(numbers.item, numbers.person.steps, n_items)
        return cls(numbers, numbers.person.steps.astype(np.int64), n, sums.astype(np.int64))

    @cached_property
    def ranks(self) -> Floats:
        """[J] of everybody's answers among their own, centred."""
        return centred_ranks(self.everybody.groups, self.everybody.person.codes)

    def spearman(self, keep: Bools) -> Round | None:
        """The round of Spearman's rho on the judgments that `keep` marks, one worker after the other.

        A worker's judgments and tables stay in the processor's cache: twice as fast as all at once where each has
        thousands. None where they have fewer, most are left out, an item is left with one, or means are too many.
        """
        all_of, starts = self.everybody, self.everybody.groups.starts.tolist()
        W, gone = len(starts) - 1, np.flatnonzero(~keep)
        if len(keep) < LARGE * W or 2 * len(gone) > len(keep):
            return None
        n = self.n - np.bincount(all_of.item[gone], minlength=len(self.n))
        most = min(MOST_CELLS * len(keep) // W, len(keep))
        table = None if (n == 1).any() else _Quotients.of(n - 1, all_of.person, most)
        if table is None:
            return None
        missing = sum_by(all_of.item[gone], self.steps[gone].astype(np.float64), len(n)).astype(np.int64)
        place = table.offset[n - 1] + self.sums - missing
        sizes, rho, answer_codes = np.zeros(W, dtype=np.int64), np.full(W, np.nan), all_of.person.codes
        of_answer, of_gold = (np.zeros(size, dtype=np.int64) for size in (answer_codes.size, len(table.distinct)))
        cells = []
        for who, (start, end) in enumerate(pairwise(starts)):
            here, stays = slice(start, end), keep[start:end]
            item, steps, answer = all_of.item[here], self.steps[here], answer_codes.code[here]
            sizes[who] = np.count_nonzero(stays)
            is_whole = sizes[who] == end - start
            if not is_whole:
                item, steps, answer = item[stays], steps[stays], answer[stays]
            gold = table.code[place[item] - steps]
            counts, golds = np.bincount(answer, minlength=answer_codes.size), np.bincount(gold, minlength=len(of_gold))
            r, q = self.ranks[here] if is_whole else _ranks_of(counts)[answer], _ranks_of(golds)[gold]
            rho[who] = _rho(*(float(np.einsum("i,i->", x, y)) for x, y in ((r, q), (r, r), (q, q))))
            of_answer += counts
            of_gold += golds
            cells.append((answer, gold))
        R, Q = _ranks_of(of_answer), _ranks_of(of_gold)
        rq = sum(float(np.einsum("i,i->", R[answer], Q[gold])) for answer, gold in cells)
        return Round(sizes, rho, _rho(rq, float(np.sum(of_answer * R * R)), float(np.sum(of_gold * Q * Q))))


def _ranks_of(counts: npt.NDArray[np.int64]) -> Floats:
    """[S] the average rank of each code that is met so often, less the mean of all."""
    return np.asarray(np.cumsum(counts) - counts / 2 - counts.sum() / 2)


def _rho(rq: float, rr: float, qq: float) -> float:
    return float(np.clip(rq / (np.sqrt(rr) * np.sqrt(qq)), -1.0, 1.0)) if rr > 0 and qq > 0 else math.nan


@dataclass(frozen=True, eq=False)
class Outputs:
    """A probe's numbers [N] in the places of people's answers: what it has of every round is made once."""

    values: Floats
    groups: Groups
    item: Ints

    @cached_property
    def _in_order(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """[J] all places by worker and output, with keys that are equal where both are."""
        codes = dense_codes(self.values).take(self.item)
        return sorted_keys(self.groups, codes)

    @cached_property
    def _ranks(self) -> Floats:
        return centred_ranks_in_order(self.groups, *self._in_order)

    def centred_ranks(self, groups: Groups, keep: Bools | None) -> Floats:
        """[J] among each worker's own of the judgments that `keep` marks, which are these groups.

        They are sorted once. Where some workers are left out, the others' ranks stay.
        """
        if keep is None:
            return self._ranks
        if ((groups.sizes == self.groups.sizes) | (groups.sizes == 0)).all():
            return self._ranks[keep]
        keys, order = self._in_order
        stays, place = keep[order], np.cumsum(keep) - 1
        return centred_ranks_in_order(groups, keys[stays], place[order[stays]])


def rounds_of_numbers(
    metric: str, numbers: Numbers, probes: Sequence[Outputs], keep: Bools | None, *, has_pooled: bool
) -> list[Round]:
    """The round of people, with the figure over all answers if that is wanted, and of each probe in their place.

    `keep` marks the judgments that `numbers` are made of. Gold is ranked once.
    """
    declared, groups = of_numbers.OF_PEOPLE[metric], numbers.groups
    if declared.of_ranks is not None:
        gold, stays = centred_ranks(groups, numbers.gold_codes), _with_others(keep, numbers)
        own = declared.of_ranks(groups, centred_ranks(groups, numbers.person.codes), gold)
        models = [declared.of_ranks(groups, probe.centred_ranks(groups, stays), gold) for probe in probes]
    elif declared.by_group is not None:
        own = declared.by_group(groups, numbers.person.steps, numbers.gold)
        models = [declared.by_group(groups, probe.values[numbers.item], numbers.gold) for probe in probes]
    else:
        raise KeyError(f"people aren't scored by {metric}")
    pooled = _pooled(declared, numbers) if has_pooled else math.nan
    return [Round(groups.sizes, own, pooled), *(Round(groups.sizes, model, math.nan) for model in models)]


def _with_others(keep: Bools | None, numbers: Numbers) -> Bools | None:
    """The mask of those of `keep` whose items have another's answer."""
    if numbers.is_shared is None:
        return keep
    if keep is None:
        return numbers.is_shared
    stays = keep.copy()
    stays[keep] = numbers.is_shared
    return stays


def _pooled(declared: NumberMetric, numbers: Numbers) -> float:
    everybody = Groups.one(len(numbers.item))
    if declared.of_ranks is not None:
        person, gold = (centred_ranks(everybody, codes) for codes in (numbers.person.codes, numbers.gold_codes))
        return float(declared.of_ranks(everybody, person, gold)[0])
    assert declared.by_group is not None  # noqa: S101 - or the round before would have said so
    return float(declared.by_group(everybody, numbers.person.steps, numbers.gold)[0])
