"""The page docs/coverage.md: what the simulation gave, and what follows from it for a report."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from agreement.stats.coverage_note import HIGH, LOW
from agreement.stats.intervals import FEW_WORKERS

WORDS = Path(__file__).with_name("coverage_page.md")


@dataclass(frozen=True, slots=True)
class Coverage:
    """What one statistic's interval was worth in one cell; shares are of the studies that had an interval."""

    statistic: str
    key: str
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
    other: float  # coverage of theta +- t sqrt(V), without the scale
    few: int  # studies with nu_W < 4, which a report says
    covered_few: int

    @classmethod
    def of(
        cls,
        name: tuple[str, str],
        cell: tuple[str, int, int],
        found: npt.NDArray[np.float64],
        studies: int,
        truth: float | None,
    ) -> "Coverage":
        """From the intervals [B, 5] of one cell."""
        theta, low, high, nu_w, other = found.T
        true = _mean(theta) if truth is None else truth
        covered = (low <= true) & (true <= high)
        few = nu_w < FEW_WORKERS
        return cls(
            statistic=name[0],
            key=name[1],
            world=cell[0],
            raters=cell[1],
            items=cell[2],
            studies=studies,
            undefined=studies - len(found),
            truth=true,
            mean=_mean(theta),
            covered=_mean(covered),
            below=_mean(high < true),
            above=_mean(low > true),
            width=float(np.median(high - low)) if len(found) else float("nan"),
            other=float("nan") if np.isnan(other).any() else _mean(np.abs(theta - true) <= other),
            few=int(few.sum()),
            covered_few=int(covered[few].sum()),
        )


def page(results: Sequence[Coverage], seed: int) -> str:
    """The whole page."""
    names = list(dict.fromkeys(cell.statistic for cell in results))
    words = WORDS.read_text(encoding="utf-8")
    given = {
        "seed": str(seed),
        "tables": "\n".join(_table(name, [cell for cell in results if cell.statistic == name]) for name in names),
        "summary": _summary(results, names),
    }
    for name, text in given.items():
        words = words.replace("{{" + name + "}}", text)
    return words


def worth(results: Sequence[Coverage]) -> dict[str, list[list[float]]]:
    """For `agreement/stats/worth.json`: judgments an item, items, lowest and highest coverage over the worlds."""
    table: dict[str, list[list[float]]] = {}
    for key, raters, items in sorted({(cell.key, cell.raters, cell.items) for cell in results}):
        mine = [cell.covered for cell in results if (cell.key, cell.raters, cell.items) == (key, raters, items)]
        if not np.isnan(mine).any():
            table.setdefault(key, []).append([raters, items, round(min(mine), 4), round(max(mine), 4)])
    return table


def _table(name: str, cells: Sequence[Coverage]) -> str:
    items = sorted({cell.items for cell in cells})
    studies = " / ".join(sorted({f"{cell.studies:,}" for cell in cells}))
    lines = [
        f"### {name}",
        "",
        f"{studies} studies a cell.",
        "",
        "| world | judgments an item | " + " | ".join(f"{n} items" for n in items) + " | truth |",
        "| --- | --- | " + " | ".join("---" for _ in items) + " | --- |",
    ]
    for world in dict.fromkeys(cell.world for cell in cells):
        for raters in sorted({cell.raters for cell in cells}):
            row = sorted((c for c in cells if (c.world, c.raters) == (world, raters)), key=lambda cell: cell.items)
            if not row:
                continue
            truths = sorted(cell.truth for cell in row)
            true = f"{truths[0]:.3f}" if truths[-1] - truths[0] < 0.0005 else f"{truths[0]:.3f} to {truths[-1]:.3f}"
            lines.append(f"| {world} | {raters} | " + " | ".join(map(_cell, row)) + f" | {true} |")
    return "\n".join(lines) + "\n"


def _cell(cell: Coverage) -> str:
    if np.isnan(cell.covered):
        return "no interval"
    share = f"{100 * cell.covered:.1f}"
    if not LOW <= cell.covered <= HIGH:
        share = f"**{share}**"
    none = f"; {cell.undefined} without" if cell.undefined else ""
    return f"{share} ({100 * cell.below:.1f}, {100 * cell.above:.1f}; {cell.width:.2f}{none})"


def _summary(cells: Sequence[Coverage], names: Sequence[str]) -> str:
    ours, theirs = ["lowest", "highest", "cells in 93-97"], ["without the scale: lowest", "highest", "cells in 93-97"]
    head = ["statistic", *ours, "nu_W < 4", "nu_W >= 4", *theirs]
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for name in names:
        mine = [cell for cell in cells if cell.statistic == name and not np.isnan(cell.covered)]
        shares = np.array([cell.covered for cell in mine])
        other = np.array([cell.other for cell in mine])
        lines.append(f"| {name} | {_range(shares)} | {_pooled(mine)} | {_range(other)} |")
    return "\n".join(lines) + "\n"


def _range(shares: npt.NDArray[np.float64]) -> str:
    if len(shares) == 0 or np.isnan(shares).any():
        return "- | - | -"
    inside = int(np.sum((shares >= LOW) & (shares <= HIGH)))
    return f"{100 * shares.min():.1f} | {100 * shares.max():.1f} | {inside} of {len(shares)}"


def _pooled(cells: Sequence[Coverage]) -> str:
    """Coverage among all studies with nu_W below 4, and among the others."""
    if any(np.isnan(cell.other) for cell in cells):
        return "- | -"
    few, held_few = sum(cell.few for cell in cells), sum(cell.covered_few for cell in cells)
    all_, held = (
        sum(cell.studies - cell.undefined for cell in cells),
        sum(round(cell.covered * (cell.studies - cell.undefined)) for cell in cells),
    )
    shares = [(held_few, few), (held - held_few, all_ - few)]
    return " | ".join(f"{100 * covered / count:.1f}" if count else "-" for covered, count in shares)


def _mean(values: npt.NDArray[np.generic]) -> float:
    return float(np.mean(values.astype(np.float64))) if len(values) else float("nan")
