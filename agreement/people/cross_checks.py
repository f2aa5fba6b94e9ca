"""Double entry: the same figures made by independent packages, and no report where the two differ.

Kappa by statsmodels (which needs equal n_i), alpha by krippendorff (whose memory grows with items x values^2): each on
all items where the package can cope, else on a seeded sample of them, on which Touchstone's figure is made again.
"""

import importlib.metadata
from functools import cache

import numpy as np
import numpy.typing as npt

from ..errors import TouchstoneError
from ..estimation.design import AnyCodes, Design
from ..estimation.estimate import Floats, Undefined
from . import alpha
from . import chance_corrected as kappa
from .agreement_report import Comparison, Level

KAPPA_TOLERANCE = 1e-12
ALPHA_TOLERANCE = 1e-9
KAPPA_PLACES = 20_000_000  # items x labels
ALPHA_PLACES = 2_000_000  # items x values^2


class DoubleEntryDiffers(TouchstoneError):
    """A figure that an independent package makes differently is not published."""

    def __init__(self, name: str, ours: float, theirs: float, package: str, tolerance: float) -> None:
        super().__init__(
            f"{name}: Touchstone makes {ours!r}, {package} makes {theirs!r}, which differ by more than {tolerance:g}. "
            "Nothing is published. Please report this with the data that shows it."
        )


def compare_kappa(name: str, design: Design, code: AnyCodes, labels: int, rng: np.random.Generator) -> Comparison | str:
    """Kappa against statsmodels, on the items with the commonest number of judgments; or why it wasn't compared."""
    from statsmodels.stats.inter_rater import fleiss_kappa

    n = design.n.astype(np.int64)
    several = n[n >= 2]
    if len(several) == 0:
        return f"{name}: no item has two judgments"
    common = int(np.argmax(np.bincount(several)))
    eligible = np.flatnonzero(n == common)
    chosen = _sample(eligible, max(1, KAPPA_PLACES // max(labels, 1)), rng)
    part, kept = _design_of_items(design, chosen)
    ours = kappa.tally(part, code[kept], labels)
    if isinstance(ours, Undefined):
        return f"{name}: on the items that statsmodels can take, {ours.why}"
    table = np.bincount(part.item * labels + code[kept], minlength=part.items * labels).reshape(part.items, labels)
    where = _sample_text(len(chosen), len(eligible), design.items, f"items with {common} judgments")
    return _comparison(name, kappa.kappa(ours), float(fleiss_kappa(table)), "statsmodels", where, KAPPA_TOLERANCE)


def compare_alpha(
    name: str, design: Design, value: Floats, level: Level, rng: np.random.Generator, *, distinct: int
) -> Comparison | str:
    """Alpha against krippendorff; or why it wasn't compared. There are at most so many `distinct` values."""
    import krippendorff

    eligible = np.flatnonzero(design.n >= 2)
    order = rng.permutation(eligible)
    # So many items can have no more values than that: `distinct`, or each judgment another.
    few = max(ALPHA_PLACES / max(distinct, 1) ** 2, np.cbrt(ALPHA_PLACES / max(design.n.max(initial=0), 1) ** 2))
    size = min(len(order), max(1, int(few)))
    while size:
        part, kept = _design_of_items(design, np.sort(order[:size]))
        data = alpha.pairable(part, value[kept])
        if isinstance(data, Undefined):
            return f"{name}: {data.why}"
        if size * len(data.domain) ** 2 <= ALPHA_PLACES or size == 1:
            break
        size = max(1, min(size // 2, ALPHA_PLACES // len(data.domain) ** 2))
    else:
        return f"{name}: no item has two judgments"
    if len(data.domain) ** 2 > ALPHA_PLACES:
        return f"{name}: a single item has {len(data.domain):,} distinct values, too many for krippendorff"
    ours = alpha.alpha(data, level)
    if isinstance(ours, Undefined):
        return f"{name}: {ours.why}"
    values = len(data.domain)
    counts = np.bincount(data.design.item * values + data.code, minlength=size * values).reshape(size, values)
    with np.errstate(all="ignore"):
        theirs = float(krippendorff.alpha(value_counts=counts, value_domain=data.domain, level_of_measurement=level))
    if np.isnan(theirs):
        return f"{name}: krippendorff gives no number for values this small or large"
    where = _sample_text(size, len(eligible), design.items, "items with two or more judgments")
    return _comparison(name, ours, theirs, "krippendorff", where, ALPHA_TOLERANCE)


@cache
def version(package: str) -> str:
    """Looked up once: 200 labels are 400 comparisons."""
    return importlib.metadata.version(package)


def _comparison(name: str, ours: float, theirs: float, package: str, where: str, tolerance: float) -> Comparison:
    difference = abs(ours - theirs)
    if not difference <= tolerance:
        raise DoubleEntryDiffers(name, ours, theirs, f"{package} {version(package)}", tolerance)
    return Comparison(name, package, version(package), where, difference, tolerance)


def _sample(items: npt.NDArray[np.int64], most: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    return items if len(items) <= most else np.sort(rng.choice(items, most, replace=False))


def _design_of_items(design: Design, items: npt.NDArray[np.int64]) -> tuple[Design, npt.NDArray[np.bool_]]:
    wanted = np.zeros(design.items, dtype=np.bool_)
    wanted[items] = True
    kept = wanted[design.item]
    return design.only(kept), kept


def _sample_text(chosen: int, eligible: int, items: int, which: str) -> str:
    if chosen == items:
        return f"all {items:,} items" if items > 1 else "the only item"
    if chosen == eligible:
        return f"the {eligible:,} {which}, of {items:,}"
    return f"a seeded sample of {chosen:,} of the {eligible:,} {which}"
