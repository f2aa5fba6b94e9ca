"""Every index of every worker, computed in passes over all judgments at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from ..arrays import Bools, Floats, Ints, count_by, divide, median_by, sum_by
from .own_answers import (
    Sequence,
    Stretch,
    commonest_share,
    even_odd,
    is_constant,
    log_probability,
    longest_pattern,
    longest_runs,
    own_spread,
    strongest_echo,
)
from .with_others import (
    FEWEST_OTHERS,
    Answers,
    Change,
    ComparedAnswers,
    WithOthers,
    labels_with_others,
    numbers_with_others,
)

IndexName: TypeAlias = Literal["agreement", "plain", "spread", "longest_run", "halves", "log_time", "distance"]
# What the indices of careful people vary by at least: floors of the MAD.
FLOOR_AGREEMENT = 0.1
FLOOR_SPREAD = 0.15  # of the logarithm of the own spread
FLOOR_RUN = 0.25  # of the logarithm of the longest run
FLOOR_TIME = 0.15  # of the logarithm of response times
FLOOR_HALVES = 0.35  # of Fisher's z
FLOOR_DISTANCE = 0.5
LARGE_PART = 0.5  # of the answers, that a run or a pattern has which says something


# Robust z values, and the distance of a worker from all others in several indices together.

NORMAL = 1.4826  # of a normal distribution: the standard deviation over the median absolute deviation


def robust_z(x: Floats, usual: Bools, floor: Floats | float) -> Floats:
    """[W] (x - median) / max(1.4826 MAD, floor), median and MAD of the `usual` workers; nan where x is nan.

    The floor is what an index varies by at least, so that a crowd in which all are alike makes nobody stand out.

    >>> robust_z(np.array([1.0, 2.0, 3.0, 10.0]), np.ones(4, dtype=bool), 0.1).round(3).tolist()
    [-1.012, -0.337, 0.337, 5.059]
    """
    among = x[usual & np.isfinite(x)]
    if not len(among):
        return np.full(len(x), np.nan)
    median = np.median(among)
    mad = np.median(np.abs(among - median))
    return np.asarray((x - median) / np.maximum(NORMAL * mad, floor))


def usual_value(x: Floats, usual: Bools) -> float:
    """The median of the workers who count as usual; nan where there is none."""
    among = x[usual & np.isfinite(x)]
    return float(np.median(among)) if len(among) else np.nan


def mahalanobis(indices: Floats) -> Floats:
    """[W] the squared distance of each row [W, K] from the mean in the covariance of all rows: `careless::mahad`.

    Rows with an index missing have none; columns that most rows lack, or that don't vary, don't count.

    >>> mahalanobis(np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])).round(6).tolist()
    [1.5, 1.5, 1.5, 1.5]
    """
    there = np.isfinite(indices)
    columns = there.mean(axis=0) > 0.5 if len(indices) else np.zeros(indices.shape[1], dtype=np.bool_)
    rows = there[:, columns].all(axis=1)
    distance = np.full(len(indices), np.nan)
    x = indices[np.ix_(rows, columns)]
    if len(x) <= x.shape[1] or not x.shape[1]:
        return distance
    x = x - x.mean(axis=0)
    covariance = np.atleast_2d(x.T @ x) / (len(x) - 1)
    distance[rows] = np.einsum("wk,kl,wl->w", x, np.linalg.pinv(covariance, hermitian=True), x)
    return distance


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """What is screened: whole answers in the order in which each worker gave them, and their parts.

    `rows` and `code` [J] are of whole answers, equal codes for equal ones; `parts` and `value` [J x parts] are numbers,
    or codes of `n_labels` labels. `log_ms` [J] is the logarithm of response times, nan where unknown. `scale` is how
    wide the scale of numbers is, where there is one.
    """

    rows: Answers
    code: Ints
    parts: Answers
    value: Floats
    n_labels: int
    log_ms: Floats
    scale: float | None = None

    @property
    def is_of_labels(self) -> bool:
        return self.n_labels > 0

    @property
    def sequence(self) -> Sequence:
        return Sequence(self.rows.worker, self.code, self.rows.n_workers)


# What a worker's own answers and times say, whatever the others answered.


@dataclass(frozen=True, slots=True, eq=False)
class OwnIndices:
    """[W] of each worker; `pace` is the median log response time less what the items take."""

    judgments: Ints
    longest_run: Stretch
    pattern: Stretch
    constant: Bools
    spread: Floats
    echo: Floats
    commonest: Floats
    log_time: Floats
    pace: Floats


def own_indices(judged: Judged) -> OwnIndices:
    """Longest run, pattern, spread, commonest answer, and time."""
    sequence, parts, W = judged.sequence, judged.parts, judged.rows.n_workers
    spread = echo = np.full(W, np.nan)
    if not judged.is_of_labels:
        spread = own_spread(parts.worker, judged.value, W)
        echo = strongest_echo(parts.worker, judged.value, W) if parts.parts == 1 else echo
    run = longest_runs(sequence)
    log_time, pace = _times(judged.rows, judged.log_ms)
    return OwnIndices(
        judgments=sequence.n,
        longest_run=run,
        pattern=longest_pattern(sequence),
        constant=is_constant(sequence, run),
        spread=spread,
        echo=echo,
        commonest=commonest_share(sequence),
        log_time=log_time,
        pace=pace,
    )


def _times(answers: Answers, log_ms: Floats) -> tuple[Floats, Floats]:
    """[W] the median log response time, and the median of it less what the item takes: long items take long.

    What an item takes is the mean over its judgments of log time less the worker's own mean.
    """
    known, W, N = np.isfinite(log_ms), answers.n_workers, answers.n_items
    if not known.any():
        return np.full(W, np.nan), np.full(W, np.nan)
    worker, item, log_ms = answers.worker[known], answers.item[known], log_ms[known]
    of_worker = divide(sum_by(worker, log_ms, W), count_by(worker, W))
    of_item = divide(sum_by(item, log_ms - of_worker[worker], N), count_by(item, N))
    return median_by(worker, log_ms, W), median_by(worker, log_ms - of_item[item], W)


# The same beside what others answered.


@dataclass(frozen=True, slots=True, eq=False)
class Indices:
    """[W] of each worker. Probabilities are logarithms, and 0 where the stretch is a small part of the answers. The
    robust `z` values are nan where an index is undefined.
    """

    own: OwnIndices
    with_others: WithOthers
    change: Change
    halves: Floats
    run_probability: Floats
    pattern_probability: Floats
    distance: Floats
    z: Mapping[IndexName, Floats]


def with_others_of(
    judged: Judged, answers: Answers, value: Floats, fewest_others: int = FEWEST_OTHERS
) -> ComparedAnswers:
    """Agreement of numbers, or of labels."""
    if judged.is_of_labels:
        return labels_with_others(answers, value.astype(np.int64), judged.n_labels, fewest_others)
    return numbers_with_others(answers, value, fewest_others)


def indices_of(judged: Judged, own: OwnIndices, usual: Bools) -> Indices:
    """The `usual` workers [W] are those whose median and spread of an index all are held against."""
    compared = with_others_of(judged, judged.parts, judged.value)
    with_others = compared.with_others
    halves = even_odd(judged.parts.worker, compared)
    agreement = comparable_agreement(with_others)
    with np.errstate(divide="ignore"):
        log_spread = np.where(own.spread > 0, np.log(own.spread), np.nan)
        log_run = np.where(own.judgments > 1, np.log(own.longest_run.length), np.nan)
    on_scale = np.arctanh(np.clip(halves, -0.999, 0.999))
    distance = mahalanobis(np.column_stack([agreement, log_spread, log_run, on_scale, own.pace]))
    usual = usual & (own.judgments > 0)
    stretches = [
        log_probability(judged.rows, judged.code, stretch, skip, stretch.length >= LARGE_PART * own.judgments)
        for stretch, skip in ((own.longest_run, np.zeros_like(own.judgments)), (own.pattern, own.pattern.period))
    ]
    return Indices(
        own=own,
        with_others=with_others,
        change=compared.find_change(),
        halves=halves,
        run_probability=stretches[0],
        pattern_probability=stretches[1],
        distance=distance,
        z={
            **agreement_z(with_others, usual),
            "spread": robust_z(log_spread, usual, FLOOR_SPREAD),
            "longest_run": robust_z(log_run, usual, FLOOR_RUN),
            "halves": robust_z(on_scale, usual, FLOOR_HALVES),
            "log_time": robust_z(own.pace, usual, FLOOR_TIME),
            "distance": robust_z(np.sqrt(distance), usual, FLOOR_DISTANCE),
        },
    )


def comparable_agreement(with_others: WithOthers) -> Floats:
    """[W] agreement with the others, of who doesn't give one answer to everything."""
    return np.where(np.isfinite(with_others.above_chance), with_others.agreement, np.nan)


def agreement_z(with_others: WithOthers, usual: Bools) -> dict[IndexName, Floats]:
    """The robust z of agreement corrected for chance, and of plain agreement."""
    agreement, plain = comparable_agreement(with_others), with_others.plain
    return {
        "agreement": robust_z(agreement, usual, _error(agreement, with_others.informative, usual)),
        "plain": robust_z(plain, usual, _error(plain, with_others.n, usual)),
    }


def _error(share: Floats, n: Ints | Floats, usual: Bools) -> Floats:
    """[W] the standard deviation of the usual share over n answers: who is as good as most varies by as much.

    The share is drawn to a half by two answers, as Agresti and Coull (1998) have it: of two answers none right says
    little, however high the usual share.
    """
    p = (n * np.clip(np.nan_to_num(usual_value(share, usual)), 0.0, 1.0) + 1) / (n + 2)
    return np.maximum(np.sqrt(divide(p * (1 - p), n)), FLOOR_AGREEMENT)
