"""Percent agreement, Brennan and Prediger's coefficient, Gwet's AC1 and AC2: agreement that prevalence doesn't upset.

Of item i with n_i judgments, n_ik of label k, and agreement weights w (1 for the same label):

    P_i = sum_k n_ik (n*_ik - 1) / (n_i (n_i - 1)), n*_ik = sum_l w_kl n_il,   P_a = mean P_i of items with n_i >= 2
    pi_k = mean of n_ik / n_i over items with n_i >= 1
    Brennan and Prediger (1981):  P_e = sum w / L^2
    Gwet (2008), AC1 and with weights AC2:  P_e = sum w sum_k pi_k (1 - pi_k) / (L (L - 1))

and the coefficient is (P_a - P_e) / (1 - P_e). The interval is the two-way jackknife, all deletions in closed form.
"""

from typing import Literal, TypeAlias

import numpy as np

from ..arrays import divide
from ..estimation.design import Codes, Design, sums
from ..estimation.estimate import Estimate, Figure, Floats, Undefined
from ..estimation.intervals import RELIABILITY, SHARE, Deletions, Range, two_way

Weights: TypeAlias = Literal["identity", "linear", "quadratic"]
AT_ONCE = 65_536  # judgments whose changes are held at a time
NAMES = ("percent_agreement", "brennan_prediger", "gwet")


def agreement_weights(labels: int, how: Weights) -> Floats:
    """[L, L] 1 for the same label; of ordered labels 1 - |k - l| / (L - 1), or 1 less its square.

    >>> agreement_weights(3, "quadratic")[0].tolist()
    [1.0, 0.75, 0.0]
    """
    if how == "identity" or labels < 2:
        return np.eye(labels)
    apart = np.abs(np.subtract.outer(np.arange(labels), np.arange(labels))) / (labels - 1)
    return np.asarray(1 - (apart if how == "linear" else apart**2))


def chance_corrected(design: Design, code: Codes, labels: int, weights: Weights = "identity") -> dict[str, Figure]:
    """`percent_agreement`, `brennan_prediger` and `gwet` of label codes [J] below `labels`.

    >>> from agreement.estimation.design import design_of
    >>> items, workers = np.repeat(np.arange(4), 2), np.tile([0, 1], 4)
    >>> found = chance_corrected(design_of(items, workers), np.array([0, 0, 1, 1, 0, 1, 1, 1]), 2)
    >>> [round(found[name].estimate, 4) for name in NAMES]
    [0.75, 0.5, 0.5294]
    """
    if why := _why_not(design, labels):
        return dict.fromkeys(NAMES, Undefined(why))
    w = agreement_weights(labels, weights)
    n_ik = sums(design.item * labels + code, None, design.items * labels).reshape(-1, labels)
    rows = _rows(design.n, _agreeing(n_ik, w), n_ik)
    totals = rows.sum(axis=0)
    if not totals[0]:
        return dict.fromkeys(NAMES, Undefined("no item has two judgments"))
    thetas = _values(totals, w)
    of_item = _values(totals - rows, w)
    of_judgment, of_worker = _without_judgments(design, code, n_ik, w, rows, totals)
    said = "" if weights == "identity" else f", {weights} weights"
    found: dict[str, Figure] = {}
    for at, (name, what, within) in enumerate(_described(labels, w, said)):
        left = Deletions(of_item[at], of_worker[at], of_judgment[at])
        found[name] = _estimate(float(thetas[at]), left, int(totals[0]), what, within)
    return found


def _why_not(design: Design, labels: int) -> str:
    if labels < 2:
        return "there is one label: agreement by chance is agreement"
    if design.workers < 2:
        return "there is one worker"
    return "items have repeated answers of a worker" if design.repeated else ""


def _described(labels: int, w: Floats, said: str) -> list[tuple[str, str, Range]]:
    by_chance = float(w.sum()) / labels**2
    gwet = f"Gwet's AC2{said}" if said else "Gwet's AC1"
    return [
        ("percent_agreement", f"percent agreement{said}", SHARE),
        ("brennan_prediger", f"Brennan-Prediger{said}", Range(-by_chance / (1 - by_chance), 1.0)),
        ("gwet", gwet, RELIABILITY),
    ]


def _estimate(theta: float, left: Deletions, n: int, what: str, within: Range) -> Estimate:
    interval = two_way(theta, left, within=within, n_items=n)
    return Estimate(theta, interval.low, interval.high, n, f"{what}; {interval.method}", interval.over)


def _agreeing(n_ik: Floats, w: Floats) -> Floats:
    """[N] sum_k n_ik (n*_ik - 1)."""
    return np.asarray(np.sum(n_ik * (n_ik @ w - 1), axis=1))


def _rows(n: Floats, agreeing: Floats, n_ik: Floats) -> Floats:
    """[N, 3 + L] what an item adds: 1 and P_i where n_i >= 2, 1 and its shares where n_i >= 1."""
    two = n >= 2
    P_i = np.where(two, agreeing / np.where(two, n * (n - 1), 1.0), 0.0)
    shares = np.nan_to_num(divide(n_ik, n[:, None]))
    return np.column_stack([two, P_i, n >= 1, shares])


def _values(totals: Floats, w: Floats) -> tuple[Floats, Floats, Floats]:
    """P_a and the two coefficients, from totals [..., 3 + L]."""
    L = len(w)
    P_a = divide(totals[..., 1], totals[..., 0])
    pi = divide(totals[..., 3:], totals[..., 2, None])
    by_chance = float(w.sum()) / L**2
    P_e = w.sum() * np.sum(pi * (1 - pi), axis=-1) / (L * (L - 1))
    return P_a, (P_a - by_chance) / (1 - by_chance), divide(P_a - P_e, 1 - P_e)


def _without_judgments(
    design: Design, code: Codes, n_ik: Floats, w: Floats, rows: Floats, totals: Floats
) -> tuple[list[Floats], tuple[Floats, Floats, Floats]]:
    """The three figures with each judgment left out, and with each worker: n*_ik falls by w_kl, A_i by 2 n*_ik - 2."""
    agreeing, star = _agreeing(n_ik, w), n_ik @ w
    by_worker = np.repeat(totals[None, :], design.workers, axis=0)
    parts: list[tuple[Floats, Floats, Floats]] = []
    for start in range(0, design.judgments, AT_ONCE):
        part = slice(start, start + AT_ONCE)
        i, k, who = design.item[part], code[part], design.worker[part]
        left = n_ik[i]
        left[np.arange(len(i)), k] -= 1
        change = _rows(design.n[i] - 1, agreeing[i] - 2 * star[i, k] + 2, left) - rows[i]
        parts.append(_values(totals + change, w))
        for column in range(change.shape[1]):
            by_worker[:, column] += sums(who, change[:, column], design.workers)
    return [np.concatenate(each) for each in zip(*parts, strict=True)], _values(by_worker, w)
