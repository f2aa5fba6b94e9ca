"""The threshold sweep: who is kept, how far people agree and what gold says, for a grid of the bounds of checks.

Does any conclusion hang on 60 and 90? Each cell of the grid cleans the crowd by the same rules with other bounds: every
check that has an upper bound is held to the row's, every check with a lower one to the column's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..judgments.crowd import Crowd, Mask, coded_answers
from ..kinds.options import has_own_labels
from .cleaning_run import Cleaning, decisions_on_workers
from .rules.check import Check, bounds_of, is_one_number

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

STEP = Decimal(10)
MOST_TOLERATED = 5
NUMBERS_AT_ONCE = 4_000_000  # items x cells held at once
UPPER, LOWER = "upper bound", "lower bound"
FAILURES = "failures allowed"


@dataclass(frozen=True, slots=True)
class Axis:
    """One threshold: its values in per cent of the scale (or counts), and which of them the rules have now."""

    name: str
    values: tuple[Decimal, ...]
    now: tuple[Decimal, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """Arrays [A, B] over the two axes. `alpha` is nan where it is undefined; `gold` is how far each cell's gold goes
    with the present one (Pearson's r of means, or the share of equal majorities); `scores` [A, B, M] are the models'.
    """

    axes: tuple[Axis, Axis]
    workers: Ints
    judgments: Ints
    alpha: Floats
    gold: Floats
    models: tuple[str, ...]
    scores: Floats
    statistic: str
    of_gold: str
    of_models: str

    def best(self) -> list[list[str]]:
        """[A][B] the model with the highest score, "" where none has one."""
        filled = np.where(np.isnan(self.scores), -np.inf, self.scores)
        names = np.array([*self.models, ""], dtype=object)
        none = ~np.isfinite(filled).any(axis=2) if self.models else np.ones(self.alpha.shape, dtype=np.bool_)
        best_model = filled.argmax(axis=2) if self.models else np.zeros(self.alpha.shape, dtype=np.int64)
        return [list(map(str, row)) for row in names[np.where(none, len(self.models), best_model)]]


class NoThreshold(ValueError):
    """Why there is nothing to vary."""


def sweep(cleaning: Cleaning, models: Mapping[str, Floats] | None = None) -> Sweep:
    """`cleaning` is by the present rules. `models` [N] are their outputs: numbers or codes of labels, nan for none."""
    crowd = cleaning.crowd
    axes, failing = _failing(cleaning)
    kept = _kept_workers(cleaning, failing)
    shape = kept.shape[:2]
    cells = kept.reshape(-1, crowd.n_workers)
    packed, which = np.unique(np.packbits(cells, axis=1), axis=0, return_inverse=True)
    cells = np.unpackbits(packed, axis=1, count=crowd.n_workers).astype(np.bool_)
    which = which.reshape(-1)
    means = _Means(crowd, cleaning.kept_targets)
    parts = [means.of(part.T, models or {}) for part in _portions(cells, crowd.n_items * means.width)]
    alpha, gold = (np.concatenate([part[k] for part in parts])[which].reshape(shape) for k in (0, 1))
    scores = np.concatenate([part[2] for part in parts])[which].reshape(*shape, len(models or {}))
    per_worker = np.bincount(crowd.worker[crowd.on_target], minlength=crowd.n_workers)
    took_part = cleaning.took_part
    return Sweep(
        axes=axes,
        workers=(kept & took_part).sum(axis=2),
        judgments=(kept * per_worker).sum(axis=2),
        alpha=alpha,
        gold=gold,
        models=tuple(models or {}),
        scores=scores,
        statistic=means.statistic,
        of_gold=means.of_gold,
        of_models=means.of_models,
    )


def _portions(cells: Mask, numbers: int) -> Iterator[Mask]:
    step = max(1, NUMBERS_AT_ONCE // max(numbers, 1))
    for start in range(0, len(cells), step):
        yield cells[start : start + step]


# Who is kept in each cell.


def _failing(cleaning: Cleaning) -> tuple[tuple[Axis, Axis], npt.NDArray[np.bool_]]:
    """The axes, and [A, B, W] who fails a check rule there."""
    rules = cleaning.rules.checks
    if not rules:
        raise NoThreshold("These rules have none for check items, so there is no threshold to vary.")
    if not cleaning.checks.any():
        raise NoThreshold("Nobody has answered a check item that these rules look at: there is nothing to vary.")
    if is_one_number(cleaning.crowd):
        return _by_bounds(cleaning, rules)
    return _by_failures(cleaning, rules)


def _by_bounds(cleaning: Cleaning, rules: Sequence[Check]) -> tuple[tuple[Axis, Axis], npt.NDArray[np.bool_]]:
    crowd = cleaning.crowd
    parts = [list(bounds_of(rule, crowd)) for rule in rules]
    highs = {bounds.high for part in parts for _, bounds in part if bounds.high is not None}
    lows = {bounds.low for part in parts for _, bounds in part if bounds.low is not None}
    if not highs and not lows:
        raise NoThreshold("No check item has a bound on the scale (min or max), so there is no threshold to vary.")
    upper, lower = _axis(UPPER, highs), _axis(LOWER, lows)
    failing = np.zeros((len(upper.values), len(lower.values), crowd.n_workers), dtype=np.bool_)
    answers = np.asarray(crowd.answers, dtype=np.float64)
    for rule, part in zip(rules, parts, strict=True):
        above = np.zeros((len(upper.values), crowd.n_workers), dtype=np.int64)
        below = np.zeros((len(lower.values), crowd.n_workers), dtype=np.int64)
        for which, bounds in part:
            who, numbers = crowd.worker[which], answers[which]
            if bounds.high is not None:
                above += _count_broken(who, numbers[None, :] > _raw(crowd, upper.values)[:, None], crowd.n_workers)
            if bounds.low is not None:
                below += _count_broken(who, numbers[None, :] < _raw(crowd, lower.values)[:, None], crowd.n_workers)
        failing |= (above[:, None, :] + below[None, :, :]) > rule.tolerated
    return (upper, lower), failing & _has_verdict(cleaning)


def _by_failures(cleaning: Cleaning, rules: Sequence[Check]) -> tuple[tuple[Axis, Axis], npt.NDArray[np.bool_]]:
    """Answers that are no single number have no bound to move: how many failures are allowed is moved."""
    verdicts = [verdict for verdict in cleaning.verdicts if isinstance(verdict.rule, Check)]
    most = min(MOST_TOLERATED, max(int(verdict.failures.max(initial=0)) for verdict in verdicts))
    values = tuple(map(Decimal, range(most + 1)))
    now = tuple(sorted({Decimal(rule.tolerated) for rule in rules}))
    failures = np.stack([verdict.failures for verdict in verdicts])
    failing = np.stack([(failures > int(value)).any(axis=0) for value in values])[:, None, :]
    return (Axis(FAILURES, values, now), Axis("", (Decimal(0),), (Decimal(0),))), failing & _has_verdict(cleaning)


def _has_verdict(cleaning: Cleaning) -> Mask:
    return np.asarray(cleaning.checks >= cleaning.rules.minimum_checks, dtype=np.bool_)


def _axis(name: str, now: set[Decimal]) -> Axis:
    """Every ten per cent of the scale, and the bounds that there are."""
    if not now:
        return Axis(name, (Decimal(100) if name == UPPER else Decimal(0),), ())
    grid = {STEP * k for k in range(11)}
    return Axis(name, tuple(sorted(grid | now)), tuple(sorted(now)))


def _raw(crowd: Crowd, per_cent: Sequence[Decimal]) -> Floats:
    assert crowd.scale is not None  # noqa: S101 - answers that are one number have a scale
    return np.array([float(crowd.scale.raw(value)) for value in per_cent])


def _count_broken(worker: npt.NDArray[np.int32], broken: npt.NDArray[np.bool_], n_workers: int) -> Ints:
    """[A, W] how often each worker broke each bound."""
    return np.stack([np.bincount(worker[row], minlength=n_workers) for row in broken])


def _kept_workers(cleaning: Cleaning, failing: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """[A, B, W]: the rules that aren't swept judge as they do, and what was decided by hand stands."""
    others = np.zeros(cleaning.crowd.n_workers, dtype=np.bool_)
    for verdict in cleaning.verdicts:
        if not isinstance(verdict.rule, Check):
            others |= verdict.failed
    if cleaning.rules.drop_unchecked:
        others |= cleaning.unchecked
    kept = ~(failing | others)
    for worker, decision in decisions_on_workers(cleaning.crowd, cleaning.by_hand):
        kept[:, :, worker] = decision.kept
    return np.asarray(kept)


# What those who are kept say.


class _Means:
    """Sums over each item's judgments for many sets of workers at once: a product of sparse matrices with the sets.

    Krippendorff's alpha with squared distances needs n_i, s_i and ss_i alone: D_o is the mean over pairable judgments
    of 2 (n_i ss_i - s_i^2) / (n_i - 1), D_e the same over all of them together. A label is a row of zeros and a one,
    whose squared distances are twice the nominal ones, so that the same sums give nominal alpha.
    """

    def __init__(self, crowd: Crowd, now: Mask) -> None:
        answers, self.is_label, self.by_label = _columns(crowd)
        on = np.flatnonzero(crowd.on_target)
        cells, size = (crowd.item[on], crowd.worker[on]), (crowd.n_items, crowd.n_workers)
        columns = (
            [] if answers is None else list(answers[on].T - (0 if self.is_label else answers[on].mean(axis=0)[:, None]))
        )
        self.n = sparse.csr_matrix((np.ones(len(on)), cells), shape=size)
        self.sums = [sparse.csr_matrix((column, cells), shape=size) for column in columns]
        self.squares = (
            self.sums if self.is_label else [sparse.csr_matrix((column**2, cells), shape=size) for column in columns]
        )
        self.width = max(len(columns), 1)
        one = np.zeros(crowd.n_workers)
        one[np.unique(crowd.worker[now])] = 1.0
        self.present = self._item_values(one[:, None]) if columns else None
        level = "nominal" if self.is_label else "interval"
        self.statistic = f"Krippendorff's alpha, {level}" + (", mean over labels" if self.by_label else "")
        self.of_gold = "share of items with the same majority" if self.is_label else "Pearson's r of the items' means"
        self.of_models = "accuracy" if self.is_label else "Spearman's rho"

    def of(self, kept: npt.NDArray[np.bool_], models: Mapping[str, Floats]) -> tuple[Floats, Floats, Floats]:
        """For `kept` [W, G]: alpha [G], gold beside the present one [G], and models' scores [G, M]."""
        K = kept.astype(np.float64)
        cells = K.shape[1]
        if self.present is None:
            return np.full(cells, np.nan), np.full(cells, np.nan), np.full((cells, len(models)), np.nan)
        n: Floats = np.asarray(self.n @ K)
        alphas, values = self._alphas(n, K), self._item_values(K)
        if self.is_label:
            gold = _shares_equal(values, self.present)
            scores = [_shares_equal(values, outputs[:, None]) for outputs in models.values()]
        else:
            gold = _correlations(values, self.present)
            scores = [_correlations(_ranked(values), _ranked(outputs[:, None])) for outputs in models.values()]
        return alphas, gold, np.stack(scores, axis=1) if scores else np.empty((cells, 0))

    def _alphas(self, n: Floats, K: Floats) -> Floats:
        pairable = n >= 2
        weight = np.divide(1.0, n - 1, out=np.zeros_like(n), where=pairable)
        M = np.where(pairable, n, 0).sum(axis=0)
        within, between = [], []
        for sums, squares in zip(self.sums, self.squares, strict=True):
            s, ss = np.asarray(sums @ K), np.asarray(squares @ K)
            within.append(((n * ss - s * s) * weight).sum(axis=0))
            S, SS = np.where(pairable, s, 0).sum(axis=0), np.where(pairable, ss, 0).sum(axis=0)
            between.append((M * SS - S * S) / np.maximum(M - 1, 1))
        D_o, D_e = np.array(within), np.array(between)
        if self.is_label:
            D_o, D_e = D_o.sum(axis=0, keepdims=True), D_e.sum(axis=0, keepdims=True)
        alpha = 1 - np.divide(D_o, D_e, out=np.full(D_o.shape, np.nan), where=D_e > 1e-12 * np.maximum(M, 1))
        return np.asarray(alpha.mean(axis=0))

    def _item_values(self, K: Floats) -> Floats:
        """[N, G] an item's gold: the code of its majority (the first of equals), or the mean; [N * L, G] by label."""
        n: Floats = np.asarray(self.n @ K)
        sums = np.stack([np.asarray(sums @ K) for sums in self.sums])
        if self.is_label:
            return np.where(n > 0, sums.argmax(axis=0), np.nan)
        means = np.divide(sums, n[None], out=np.full(sums.shape, np.nan), where=n[None] > 0)
        return np.asarray(means.reshape(-1, K.shape[1]))


def _columns(crowd: Crowd) -> tuple[Floats | None, bool, bool]:
    """[J, C] the answers as numbers, whether they are one label each, and whether there is a number for each label."""
    answers = coded_answers(crowd)
    if not isinstance(answers, np.ndarray) or answers.dtype.kind == "O" or has_own_labels(crowd.labels):
        return None, False, False
    if answers.ndim == 2:
        return answers.astype(np.float64), False, True
    if answers.dtype.kind == "f":
        return answers[:, None].astype(np.float64), False, False
    return np.eye(len(crowd.labels))[answers], True, False


def _shares_equal(values: Floats, other: Floats) -> Floats:
    """[G] the share of items with the same label, among those where both have one."""
    both = ~np.isnan(values) & ~np.isnan(other)
    n = both.sum(axis=0)
    equal = (both & (values == other)).sum(axis=0)
    return np.asarray(np.divide(equal, n, out=np.full(len(n), np.nan), where=n > 0))


def _ranked(values: Floats) -> Floats:
    from scipy import stats

    return np.asarray(stats.rankdata(values, axis=0, nan_policy="omit"), dtype=np.float64)


def _correlations(values: Floats, other: Floats) -> Floats:
    """[G] Pearson's r of each column with the other, over the items where both are known."""
    both = ~np.isnan(values) & ~np.isnan(other)
    n = np.maximum(both.sum(axis=0), 1)
    x, y = np.where(both, values, 0.0), np.where(both, np.broadcast_to(other, values.shape), 0.0)
    dx, dy = np.where(both, x - x.sum(axis=0) / n, 0.0), np.where(both, y - y.sum(axis=0) / n, 0.0)
    spread = np.sqrt((dx * dx).sum(axis=0) * (dy * dy).sum(axis=0))
    product = (dx * dy).sum(axis=0)
    return np.asarray(np.divide(product, spread, out=np.full(len(n), np.nan), where=spread > 1e-12))
