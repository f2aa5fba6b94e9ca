"""Agreement where items have labels of their own: what people agree on beyond chance, chance being that of each item.

P_i = sum_j n_ij (n_ij - 1) / (n_i (n_i - 1)) as in Fleiss' kappa, of the M items with n_i >= 2, and 1 / k_i for an item
of k_i labels: what two people agree on who choose at random. The coefficient is

    kappa_n = (sum_i P_i - sum_i 1 / k_i) / (M - sum_i 1 / k_i)

Brennan and Prediger's (1981), with the chance of each item in the place of one for all. No share of a label over items
enters it: labels of two items have nothing in common, and an item's are shown in random order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays import divide
from ..estimation.design import Codes, Design, sums
from ..estimation.estimate import Floats, Undefined
from ..estimation.intervals import RELIABILITY, Deletions
from .agreement_report import AgreementReport, Kappa, Level, Statistic, StatisticsInput
from .label_statistics import busiest, statistic_without_worker
from .raw_statistic import RawStatistic, report_statistic

METHOD = "agreement beyond 1/k of each item's own labels (Brennan-Prediger)"
NO_SHARES = Undefined(
    "items have labels of their own, which have no shares over items: kappa takes chance from each item"
)
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")


def own_label_report(asked: StatisticsInput, codes: Codes) -> AgreementReport:
    """Of [J] the numbers of the labels that were chosen; `asked.n_options` [N] says how many each item has."""
    if asked.n_options is None:
        raise ValueError("how many labels each item has decides their chance")
    own = own_label_kappa(asked.design, codes, asked.n_options)
    none = Statistic(NO_SHARES)
    figures: dict[str, Any] = {"krippendorff_alpha": dict.fromkeys(LEVELS, none), "fleiss_kappa": Kappa(none)}
    if isinstance(own, Undefined):
        return asked.report(first="own_label_kappa", own_label_kappa=Statistic(own), **figures)
    disagreement = np.where(asked.design.n >= 2, 1 - _agreement(asked.design, codes, asked.n_options)[:, 1], np.nan)
    return asked.report(disagreement, first="own_label_kappa", own_label_kappa=report_statistic(own), **figures)


def own_label_kappa(design: Design, codes: Codes, n_options: Floats) -> RawStatistic | Undefined:
    """With each item, worker and judgment left out.

    >>> from agreement.estimation.design import design_of
    >>> items, workers = np.repeat(np.arange(3), 2), np.tile([0, 1], 3)
    >>> kappa = own_label_kappa(design_of(items, workers), np.array([0, 0, 1, 1, 0, 2]), np.array([2.0, 4, 4]))
    >>> round(kappa.theta, 4)  # (2 - 1) / (3 - 1)
    0.5
    """
    if design.judgments == 0:
        return Undefined("there are no judgments")
    if not np.any(design.n >= 2):
        return Undefined("no item has two or more judgments: there is nothing to compare")
    if design.repeated:
        return Undefined("items have repeated answers of a worker")
    rows = _agreement(design, codes, n_options)
    totals = rows.sum(axis=0)
    left = _without_each_judgment(design, codes, n_options) - rows[design.item]
    by_worker = np.repeat(totals[None, :], design.workers, axis=0)
    np.add.at(by_worker, design.worker, left)
    theta = float(_kappa(totals))
    deletions = Deletions(_kappa(totals - rows), _kappa(by_worker), _kappa(totals + left))
    return RawStatistic(
        theta,
        deletions,
        int(totals[0]),
        METHOD,
        statistic_without_worker(design, busiest(design), theta, deletions),
        RELIABILITY,
        judgments=design.judgments,
        fixed_workers=design.fixed_workers,
        workers=design.worker_codes,
    )


def _kappa(totals: Floats) -> Floats:
    """From totals [..., 3] of M, the P_i and the 1 / k_i."""
    return divide(totals[..., 1] - totals[..., 2], totals[..., 0] - totals[..., 2])


def _agreement(design: Design, codes: Codes, n_options: Floats) -> Floats:
    """[N, 3] what an item adds to the three."""
    n_ij = _counts(design, codes)
    return _rows(design.n, np.sum(n_ij * (n_ij - 1), axis=1), n_options)


def _without_each_judgment(design: Design, codes: Codes, n_options: Floats) -> Floats:
    """[J, 3] what its item adds without it: n_ij falls by one, and so n_ij (n_ij - 1) by 2 (n_ij - 1)."""
    n_ij, item = _counts(design, codes), design.item
    agreeing = np.sum(n_ij * (n_ij - 1), axis=1)[item] - 2 * (n_ij[item, codes] - 1)
    return _rows(design.n[item] - 1, agreeing, n_options[item])


def _rows(n: Floats, agreeing: Floats, n_options: Floats) -> Floats:
    two = n >= 2
    P_i = np.where(two, agreeing / np.where(two, n * (n - 1), 1.0), 0.0)
    return np.column_stack([two, P_i, np.where(two, 1 / n_options, 0.0)])


def _counts(design: Design, codes: Codes) -> Floats:
    """[N, K] how many judgments of an item are each of its labels."""
    K = int(codes.max(initial=0)) + 1
    return sums(design.item * K + codes, None, design.items * K).reshape(-1, K)
