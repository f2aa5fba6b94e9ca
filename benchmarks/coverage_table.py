"""The page docs/coverage.md: what the simulation gave, and what follows from it for a report."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agreement.stats.jackknife import FEW_WORKERS
from benchmarks.coverage_statistics import Statistic

LOW, HIGH = 0.93, 0.97
HEAD = """# What a 95 % interval is worth

seed {seed}, {ran}
"""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What one statistic's interval was worth in one cell; shares are of the studies that had an interval."""

    statistic: str
    world: str
    raters: int
    items: int
    studies: int
    undefined: int
    truth: float
    mean: float
    covered: float
    below: float  # intervals wholly below the truth
    above: float
    width: float  # median
    few_workers: float  # nu_W < 4, which a report says
    covered_few: float  # coverage among those, nan where there are none
    covered_many: float

    @classmethod
    def of(
        cls,
        statistic: str,
        cell: tuple[str, int, int],
        found: npt.NDArray[np.float64],
        studies: int,
        truth: float | None,
    ) -> "Coverage":
        """From the intervals [B, 5] of one cell."""
        theta, low, high, _, nu_w = found.T
        true = float(theta.mean()) if truth is None else truth
        covered = (low <= true) & (true <= high)
        few = nu_w < FEW_WORKERS
        return cls(
            statistic,
            *cell,
            studies=studies,
            undefined=studies - len(found),
            truth=true,
            mean=_mean(theta),
            covered=_mean(covered),
            below=_mean(high < true),
            above=_mean(low > true),
            width=float(np.median(high - low)) if len(found) else float("nan"),
            few_workers=_mean(few),
            covered_few=_mean(covered[few]),
            covered_many=_mean(covered[nu_w >= FEW_WORKERS]),
        )


def _mean(values: npt.NDArray[np.generic]) -> float:
    return float(np.mean(values.astype(np.float64))) if len(values) else float("nan")


def page(results: Sequence[Coverage], statistics: Sequence[Statistic], seed: int, ran: str) -> str:
    """The whole page."""
    names = [statistic.name for statistic in statistics]
    parts = [HEAD.format(seed=seed, ran=ran)]
    parts.extend(_table(name, [cell for cell in results if cell.statistic == name]) for name in names)
    parts.append(_by_workers([cell for cell in results if np.isfinite(cell.few_workers)], names))
    return "\n".join(parts)


def _table(name: str, cells: Sequence[Coverage]) -> str:
    items = sorted({cell.items for cell in cells})
    studies = " / ".join(sorted({f"{cell.studies:,}" for cell in cells}))
    lines = [
        f"### {name}",
        "",
        f"{studies} studies a cell. Per cent of intervals that hold the truth, (below, above) it, and median width.",
        "",
        "| world | judgments an item | " + " | ".join(f"{n} items" for n in items) + " | truth |",
        "| --- | --- | " + " | ".join("---" for _ in items) + " | --- |",
    ]
    for world in dict.fromkeys(cell.world for cell in cells):
        for raters in sorted({cell.raters for cell in cells}):
            row = sorted((c for c in cells if (c.world, c.raters) == (world, raters)), key=lambda cell: cell.items)
            true = sorted({f"{cell.truth:.3f}" for cell in row})
            lines.append(
                f"| {world} | {raters} | "
                + " | ".join(map(_cell, row))
                + f" | {' to '.join(true[:: max(1, len(true) - 1)])} |"
            )
    return "\n".join(lines) + "\n"


def _cell(cell: Coverage) -> str:
    if np.isnan(cell.covered):
        return "no interval"
    share = f"{100 * cell.covered:.1f}"
    if not LOW <= cell.covered <= HIGH:
        share = f"**{share}**"
    none = f", {cell.undefined} without" if cell.undefined else ""
    return f"{share} ({100 * cell.below:.1f}, {100 * cell.above:.1f}; {cell.width:.2f}{none})"


def _by_workers(cells: Sequence[Coverage], names: Sequence[str]) -> str:
    """Coverage by what a report can see: whether nu_W is below 4. Over all cells, and the smallest and largest cell."""
    lines = [
        "### By what a report can see",
        "",
        "Coverage by nu_W, pooled over all cells, and its range over the cells with 100 such studies or more.",
        "",
        "| statistic | nu_W < 4 | range | nu_W >= 4 | range |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name in names:
        mine = [cell for cell in cells if cell.statistic == name]
        if mine:
            lines.append(f"| {name} | {_pooled(mine, few=True)} | {_pooled(mine, few=False)} |")
    return "\n".join(lines) + "\n"


def _pooled(cells: Sequence[Coverage], *, few: bool) -> str:
    counted = [
        (
            cell.covered_few if few else cell.covered_many,
            (cell.studies - cell.undefined) * (cell.few_workers if few else 1 - cell.few_workers),
        )
        for cell in cells
    ]
    seen = [(covered, count) for covered, count in counted if count > 0]
    if not seen:
        return "- | -"
    pooled = sum(covered * count for covered, count in seen) / sum(count for _, count in seen)
    large = [covered for covered, count in seen if count >= 100]
    across = f"{100 * min(large):.1f} to {100 * max(large):.1f}" if large else "-"
    return f"{100 * pooled:.1f} | {across}"
