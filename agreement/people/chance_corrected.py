"""Agreement on labels beyond chance: Fleiss' kappa, Brennan and Prediger's coefficient, Gwet's AC1 and AC2.

Fleiss' kappa for equal and unequal numbers of judgments, with each item, worker and judgment left out:
P_i = sum_j n_ij (n_ij - 1) / (n_i (n_i - 1)) over items with n_i >= 2, P their mean; p_j the mean of n_ij / n_i over
items with n_i >= 1, P_e = sum_j p_j^2; kappa = (P - P_e) / (1 - P_e). With equal n_i this is Fleiss (1971), with
unequal n_i the raw form of irrCAC (Gwet 2014).
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from scipy import sparse

from ..arrays import divide
from ..estimation.design import DENSE, AnyCodes, Codes, Design, counts, same, sums
from ..estimation.estimate import Estimate, Figure, Floats, Undefined
from ..estimation.intervals import RELIABILITY, SHARE, Deletions, Range, two_way

NO_DISAGREEMENT = 1e-12  # 1 - P_e closer to 0 than this is rounding


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """The counts n_ij of one question, kept as sums over judgments so that memory doesn't grow with items x labels."""

    design: Design
    code: AnyCodes  # [J]
    labels: int
    n_ic: Floats  # [J] judgments of the same item with the same label; emptied once deletions are made
    P_i: Floats  # [N] 0 where n_i = 1
    S_i: Floats  # [N] sum_j n_ij^2
    Q: Floats  # [L] sum_i n_ij / n_i

    @property
    def P(self) -> float:
        return float(self.P_i.sum() / np.sum(self.design.n >= 2))

    @property
    def p(self) -> Floats:
        return self.Q / self.design.items

    @property
    def P_e(self) -> float:
        return float(np.sum(self.p**2))


def tally(design: Design, code: AnyCodes, labels: int) -> Tally | Undefined:
    """The counts of label codes [J], or why kappa is undefined for them."""
    if why := why_no_kappa(design, code):
        return Undefined(why)
    n_ic = same(design.item, code, groups=design.items, codes=labels)
    S_i = design.by_item(n_ic)
    n = design.n
    P_i = np.where(n >= 2, (S_i - n) / np.maximum(n * (n - 1), 1), 0.0)
    return Tally(design, code, labels, n_ic, P_i, S_i, _shares(design, code, labels))


def why_no_kappa(design: Design, code: AnyCodes) -> str:
    """Why kappa is undefined for label codes [J], or ""."""
    if design.judgments == 0:
        return "there are no judgments"
    if not np.any(design.n >= 2):
        return "no item has two or more judgments: there is nothing to compare"
    return "every judgment is the same label" if np.all(code == code[0]) else ""


def _shares(design: Design, code: AnyCodes, labels: int) -> Floats:
    """[L] sum_i n_ij / n_i, counted in whole numbers for each n before dividing, so that no digit is lost."""
    n = design.n.astype(np.int64)
    is_used = np.bincount(n) > 0
    sizes, size = np.flatnonzero(is_used), (np.cumsum(is_used) - 1)[n]
    tally_by_size = sums(size[design.item] * labels + code, None, len(sizes) * labels).reshape(len(sizes), labels)
    return np.asarray((tally_by_size / sizes[:, None]).sum(axis=0))


def kappa(t: Tally) -> float:
    """Fleiss' kappa of a tally.

    >>> from agreement.estimation.design import design_of
    >>> items = np.array([0, 0, 0, 1, 1, 1])
    >>> yes = tally(design_of(items, np.array([0, 1, 2, 0, 1, 2])), np.array([1, 1, 0, 0, 0, 0]), 2)
    >>> round(kappa(yes), 4)  # P = (1/3 + 1) / 2, P_e = (1/3)^2 + (2/3)^2
    0.25
    """
    return float((t.P - t.P_e) / (1 - t.P_e))


def from_totals(A: Floats, pairable: Floats, QQ: Floats, items: Floats) -> Floats:
    """Kappa from sum P_i, the items with n_i >= 2, sum_j Q_j^2 and the items with n_i >= 1; NaN where undefined."""
    P_e = QQ / np.maximum(items, 1) ** 2
    defined = (pairable > 0) & (1 - P_e > NO_DISAGREEMENT)
    P = A / np.maximum(pairable, 1)
    return np.asarray(np.divide(P - P_e, 1 - P_e, out=np.full(np.shape(P), np.nan), where=defined))


def deletions(t: Tally) -> Deletions:
    """Kappa with each item, worker and judgment left out, by differences.

    Without v judgments of label c an item's shares move from q to q + d, d = (|v| q - v) / (n - |v|), so that
    sum_j (Q_j + d_j)^2 = |Q|^2 + 2 Q.d + |d|^2 needs only Q.q_i, |q_i|^2 and the judgment's own label.
    """
    design, n = t.design, t.design.n
    A, pairs, items = float(t.P_i.sum()), float(np.sum(n >= 2)), float(design.items)
    QQ = float(np.sum(t.Q**2))
    Qq = design.by_item(t.Q[t.code]) / n
    qq = t.S_i / n**2
    is_pair = (n >= 2).astype(np.float64)
    by_item = from_totals(A - t.P_i, pairs - is_pair, QQ - 2 * Qq + qq, np.full(len(n), items - 1))
    i, c, n_ic, which = _alike(t)
    left = n[i] - 1
    alone = left == 0
    P_left = _agreement(t.S_i[i] - 2 * n_ic + 1, left)
    per = 1 / np.maximum(left, 1)
    moved = QQ + 2 * (Qq[i] - t.Q[c]) * per + (qq[i] - 2 * n_ic / n[i] + 1) * per**2
    by_judgment = from_totals(
        A - t.P_i[i] + P_left,
        pairs - is_pair[i] + (left >= 2),
        np.where(alone, QQ - 2 * Qq[i] + qq[i], moved),
        items - alone,
    )
    return Deletions(by_item, _by_worker(t, A, pairs, QQ), by_judgment if which is None else by_judgment[which])


def _alike(t: Tally) -> tuple[AnyCodes, AnyCodes, Floats, AnyCodes | None]:
    """Item, label and n_ij of things that, left out, give the same kappa; and [J] which of them each judgment is.

    The pairs of an item and a label where these are far fewer than the judgments, else the judgments.
    """
    design, pairs = t.design, t.design.items * t.labels
    if 2 * pairs > design.judgments:
        return design.item, t.code, t.n_ic, None
    which = design.item * t.labels + t.code
    item, label = np.divmod(np.arange(pairs), t.labels)
    n_ij = np.maximum(np.bincount(which, minlength=pairs), 1).astype(np.float64)
    return item, label, n_ij, which


def _by_worker(t: Tally, A: float, pairs: float, QQ: float) -> Floats:
    design, i, size = t.design, t.design.cell_item, t.design.cell_size
    left = t.design.n[i] - size
    alike = np.ones(design.judgments)
    if design.cell is not None:
        alike = same(design.cell, t.code, groups=len(i), codes=t.labels)
    S_left = t.S_i[i] - 2 * design.by_cell(t.n_ic) + design.by_cell(alike)
    A_w = A + design.by_worker(_agreement(S_left, left) - t.P_i[i])
    pairs_w = pairs + design.by_worker((left >= 2).astype(np.float64) - (design.n[i] >= 2))
    items_w = design.items - design.by_worker((left == 0).astype(np.float64))
    D = _shift(t, left)
    QD = D @ t.Q
    DD = D.power(2).sum(axis=1) if sparse.issparse(D) else np.sum(D**2, axis=1)
    return from_totals(A_w, pairs_w, QQ + 2 * QD + DD, items_w)


def _shift(t: Tally, left: Floats) -> Floats | sparse.csr_array:
    """[W, L] how far Q moves when a worker's cells leave: the sum of (k q_i - v) / left, of -q_i where none is left."""
    design = t.design
    cell = np.arange(design.judgments) if design.cell is None else design.cell
    n_j = design.n[design.item]
    q = counts(design, t.code, t.labels, 1 / design.n)
    gain = np.where(left > 0, design.cell_size / np.maximum(left, 1), 0.0)
    gains = _by_worker_and_item(design, gain)
    left_j = left[cell]
    loss = np.where(left_j > 0, 1 / np.maximum(left_j, 1), 1 / n_j)
    shape = (design.workers, t.labels)
    if isinstance(q, np.ndarray):
        losses = sums(design.worker * t.labels + t.code, loss, shape[0] * shape[1]).reshape(shape)
        return np.asarray(gains @ q - losses)
    shift = sparse.csr_array(gains @ q) - sparse.csr_array((loss, (design.worker, t.code)), shape=shape)
    return np.asarray(shift.toarray()) if shape[0] * shape[1] <= DENSE * design.judgments else shift


def _by_worker_and_item(design: Design, of_cell: Floats) -> sparse.csr_array | sparse.csc_array:
    """[W, N] what each cell has; cells in order of items are the columns as they stand."""
    shape = (design.workers, design.items)
    if design.start is None or design.cell is not None:
        return sparse.csr_array((of_cell, (design.cell_worker, design.cell_item)), shape=shape)
    return sparse.csc_array((of_cell, design.cell_worker, np.append(design.start, len(of_cell))), shape=shape)


def _agreement(S: Floats, n: Floats) -> Floats:
    """P_i from sum_j n_ij^2 and n_i; 0 where fewer than two judgments are left."""
    return np.where(n >= 2, (S - n) / np.maximum(n * (n - 1), 1), 0.0)


# Percent agreement, Brennan and Prediger's coefficient, Gwet's AC1 and AC2: agreement that prevalence doesn't upset.
#
# Of item i with n_i judgments, n_ik of label k, and agreement weights w (1 for the same label):
#
#     P_i = sum_k n_ik (n*_ik - 1) / (n_i (n_i - 1)), n*_ik = sum_l w_kl n_il,   P_a = mean P_i of items with n_i >= 2
#     pi_k = mean of n_ik / n_i over items with n_i >= 1
#     Brennan and Prediger (1981):  P_e = sum w / L^2
#     Gwet (2008), AC1 and with weights AC2:  P_e = sum w sum_k pi_k (1 - pi_k) / (L (L - 1))
#
# and the coefficient is (P_a - P_e) / (1 - P_e). The interval is the two-way jackknife, all deletions in closed form.

Weights: TypeAlias = Literal["identity", "linear", "quadratic"]
AT_ONCE = 65_536  # judgments whose changes are held at a time
NAMES = ("percent_agreement", "brennan_prediger", "gwet")


def agreement_weights(labels: int, weights: Weights) -> Floats:
    """[L, L] 1 for the same label; of ordered labels 1 - |k - l| / (L - 1), or 1 less its square.

    >>> agreement_weights(3, "quadratic")[0].tolist()
    [1.0, 0.75, 0.0]
    """
    if weights == "identity" or labels < 2:
        return np.eye(labels)
    apart = np.abs(np.subtract.outer(np.arange(labels), np.arange(labels))) / (labels - 1)
    return np.asarray(1 - (apart if weights == "linear" else apart**2))


def chance_corrected(design: Design, code: Codes, labels: int, weights: Weights = "identity") -> dict[str, Figure]:
    """`percent_agreement`, `brennan_prediger` and `gwet` of label codes [J] below `labels`.

    >>> from agreement.estimation.design import design_of
    >>> items, workers = np.repeat(np.arange(4), 2), np.tile([0, 1], 4)
    >>> found = chance_corrected(design_of(items, workers), np.array([0, 0, 1, 1, 0, 1, 1, 1]), 2)
    >>> [round(found[name].estimate, 4) for name in NAMES]
    [0.75, 0.5, 0.5294]
    """
    if why := _reason_against(design, labels):
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
    weights_text = "" if weights == "identity" else f", {weights} weights"
    figures: dict[str, Figure] = {}
    for index, (name, method, within) in enumerate(_names_and_ranges(labels, w, weights_text)):
        left = Deletions(of_item[index], of_worker[index], of_judgment[index])
        figures[name] = _estimate(float(thetas[index]), left, int(totals[0]), method, within)
    return figures


def _reason_against(design: Design, labels: int) -> str:
    if labels < 2:
        return "there is one label: agreement by chance is agreement"
    if design.workers < 2:
        return "there is one worker"
    return "items have repeated answers of a worker" if design.repeated else ""


def _names_and_ranges(labels: int, w: Floats, weights_text: str) -> list[tuple[str, str, Range]]:
    by_chance = float(w.sum()) / labels**2
    gwet = f"Gwet's AC2{weights_text}" if weights_text else "Gwet's AC1"
    return [
        ("percent_agreement", f"percent agreement{weights_text}", SHARE),
        ("brennan_prediger", f"Brennan-Prediger{weights_text}", Range(-by_chance / (1 - by_chance), 1.0)),
        ("gwet", gwet, RELIABILITY),
    ]


def _estimate(theta: float, left: Deletions, n: int, method: str, within: Range) -> Estimate:
    interval = two_way(theta, left, within=within, n_items=n)
    return Estimate(theta, interval.low, interval.high, n, f"{method}; {interval.method}", interval.over)


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
