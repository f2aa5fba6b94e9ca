"""The page docs/coverage.md: what the simulation gave, and what follows from it for a report."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from agreement.estimation.simulated_coverage import HIGH, LOW, LOW_HARD
from tools.benchmarks.coverage_worlds import CALM, MORE_CARELESS, OF_OTHER_SHARES

WIDEST = {5: 1.4, 8: 1.25, 12: 1.15}  # median width over the oracle's, by judgments per item
WIDEST_HARD = 1.4
FEWEST = 3  # judgments per item, of which no width is asked
WORDS = Path(__file__).with_name("coverage_page.md")


@dataclass(frozen=True, slots=True)
class Coverage:
    """The coverage of one statistic's interval in one cell; shares are of the studies that had an interval."""

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
    oracle: float  # 2 x 1.96 x the estimator's true standard deviation
    other: float  # coverage of theta +- t sqrt(V), without the scale

    @classmethod
    def of(
        cls,
        name: tuple[str, str],
        cell: tuple[str, int, int],
        found: npt.NDArray[np.float64],
        studies: int,
        truth: float | None,
    ) -> "Coverage":
        """From the intervals [B, 4] of one cell."""
        theta, low, high, other = found.T
        true = _mean(theta) if truth is None else truth
        covered = (low <= true) & (true <= high)
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
            oracle=2 * 1.96 * float(np.std(theta, ddof=1)) if len(found) > 1 else float("nan"),
            other=float("nan") if np.isnan(other).any() else _mean(np.abs(theta - true) <= other),
        )

    @property
    def relative_width(self) -> float:
        """The median width relative to the oracle's."""
        return self.width / self.oracle if self.oracle > 0 else float("nan")

    @property
    def is_as_promised(self) -> bool:
        """Coverage and width within what docs/coverage.md sets itself."""
        low, high, widest = self.ends
        return low <= round(self.covered, 4) <= high and round(self.relative_width, 2) <= widest

    @property
    def ends(self) -> tuple[float, float, float]:
        """The least and the highest coverage, and the largest width, that are set; of three workers no width is."""
        if self.world in CALM:
            return LOW, HIGH, WIDEST.get(self.raters, np.inf)
        return LOW_HARD, 1.0, WIDEST_HARD if self.raters in WIDEST else np.inf


def page(results: Sequence[Coverage], seed: int) -> str:
    """The whole page."""
    names = list(dict.fromkeys(cell.statistic for cell in results))
    words = WORDS.read_text(encoding="utf-8")
    given = {
        "seed": str(seed),
        "tables": "\n".join(_table(name, [cell for cell in results if cell.statistic == name]) for name in names),
        "summary": _summary(results, names),
        "misses": _misses(results, names),
    }
    for name, text in given.items():
        words = words.replace("{{" + name + "}}", text)
    return words


def worth(results: Sequence[Coverage]) -> dict[str, list[list[float]]]:
    """For `agreement/estimation/worth.json`: judgments per item, items, lowest and highest coverage of calm worlds and
    of hard ones, and that of the world with most careless workers where it was simulated.

    The world whose labels have other shares isn't near those of which the sentence is said, and is left out.
    """
    table: dict[str, list[list[float]]] = {}
    for key, raters, items in sorted({(cell.key, cell.raters, cell.items) for cell in results}):
        mine = [cell for cell in results if (cell.key, cell.raters, cell.items) == (key, raters, items)]
        covered = {cell.world: cell.covered for cell in mine if not np.isnan(cell.covered)}
        covered.pop(OF_OTHER_SHARES, None)
        more_careless = covered.pop(MORE_CARELESS, None)
        calm, hard = ([covered[world] for world in covered if (world in CALM) == is_calm] for is_calm in (True, False))
        if calm and hard:
            ends = [min(calm), max(calm), min(hard), max(hard), *([] if more_careless is None else [more_careless])]
            table.setdefault(key, []).append([raters, items, *(round(end, 4) for end in ends)])
    return table


def _table(name: str, cells: Sequence[Coverage]) -> str:
    items = sorted({cell.items for cell in cells})
    studies = " / ".join(sorted({f"{cell.studies:,}" for cell in cells}))
    lines = [
        f"### {name}",
        "",
        f"{studies} studies a cell.",
        "",
        "| world | judgments per item | " + " | ".join(f"{n} items" for n in items) + " | truth |",
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
    share, width = f"{100 * cell.covered:.1f}", f"{cell.relative_width:.2f}"
    if not cell.is_as_promised:
        share = f"**{share}**"
    none = f"; {cell.undefined} without" if cell.undefined else ""
    return f"{share} ({100 * cell.below:.1f}, {100 * cell.above:.1f}; {width}{none})"


def _summary(cells: Sequence[Coverage], names: Sequence[str]) -> str:
    parts = ("coverage", "width", "as set")
    head = [
        "statistic",
        *(f"{side}: {part}" for side in ("calm", "hard") for part in parts),
        "without scale, even tails",
    ]
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for name in names:
        mine = [one for one in cells if one.statistic == name and one.raters > FEWEST and not np.isnan(one.covered)]
        sides = [[one for one in mine if (one.world in CALM) == is_calm] for is_calm in (True, False)]
        other = np.array([one.other for one in sides[0]])
        plain = "-" if np.isnan(other).any() else f"{100 * other.min():.1f} to {100 * other.max():.1f}"
        lines.append(f"| {name} | {' | '.join(map(_side, sides))} | {plain} |")
    return "\n".join(lines) + "\n"


def _misses(cells: Sequence[Coverage], names: Sequence[str]) -> str:
    """Which cells of five workers and more miss what is set, and on which side."""
    kinds = {"held too rarely": _is_rare, "held too often": _is_often, "too wide": _is_wide}
    head = ["statistic", *(f"{side}: {kind}" for side, several in SIDES for kind in kinds if several or kind != OFTEN)]
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for name in names:
        mine = [one for one in cells if one.statistic == name and one.raters > FEWEST and not np.isnan(one.covered)]
        row = [
            ", ".join(_named(one, kind) for one in mine if (one.world in CALM) == (side == "calm") and misses(one))
            or "-"
            for side, several in SIDES
            for kind, misses in kinds.items()
            if several or kind != OFTEN
        ]
        lines.append(f"| {name} | {' | '.join(row)} |")
    return "\n".join(lines) + "\n"


OFTEN = "held too often"
SIDES = (("calm", True), ("hard", False))  # in hard worlds no coverage is too high


def _named(cell: Coverage, kind: str) -> str:
    figure = f"{cell.relative_width:.2f}" if kind == "too wide" else f"{100 * cell.covered:.1f}"
    return f"{cell.world} {cell.raters} ({figure})"


def _is_rare(cell: Coverage) -> bool:
    return round(cell.covered, 4) < cell.ends[0]


def _is_often(cell: Coverage) -> bool:
    return round(cell.covered, 4) > cell.ends[1]


def _is_wide(cell: Coverage) -> bool:
    return round(cell.relative_width, 2) > cell.ends[2]


def _side(cells: Sequence[Coverage]) -> str:
    """Lowest and highest coverage, the median and largest width, and how many cells are as promised."""
    if not cells:
        return "- | - | -"
    shares, widths = [one.covered for one in cells], [one.relative_width for one in cells]
    inside = sum(one.is_as_promised for one in cells)
    return (
        f"{100 * min(shares):.1f} to {100 * max(shares):.1f} | {np.median(widths):.2f}, {max(widths):.2f} at most"
        f" | {inside} of {len(cells)}"
    )


def _mean(values: npt.NDArray[np.generic]) -> float:
    return float(np.mean(values.astype(np.float64))) if len(values) else float("nan")
