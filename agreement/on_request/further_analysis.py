"""Further analyses: what a researcher may ask for beside the report, each declared in a module of `further/`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ..errors import Refused
from ..estimation.estimate import Estimate, Undefined, stream
from ..judgments.crowd import Crowd, Sample
from ..people.agreement_report import figure_dict
from ..scoring.probe import Probe, StudyItems
from ..scoring.score_gold import Gold

Cell: TypeAlias = str | int | float | Estimate | Undefined | None
MOST_ROWS = 1_000  # of a table in report.json


@dataclass(frozen=True, slots=True, eq=False)
class AnalysisInput:
    """What every analysis may look at: kept judgments of target items, the gold made of them, models' outputs."""

    crowd: Crowd
    kept: Sample
    gold: Gold
    probes: Sequence[Probe]
    study: StudyItems
    seed: int
    argument: str = ""

    @property
    def named_probes(self) -> list[Probe]:
        """The models that give something for each item."""
        return [probe for probe in self.probes if probe.runs]

    def stream(self, name: str) -> Any:
        """The generator of one statistic of a further analysis."""
        return stream(self.seed, f"further {name}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """`columns` are the keys of its rows in report.json and their headings. `rows` beyond 1,000 are left out, and the
    caption says so.
    """

    name: str
    caption: str
    columns: Mapping[str, str]
    rows: Sequence[Mapping[str, Cell]]


@dataclass(frozen=True, slots=True)
class FurtherResult:
    """`says` are sentences for methods.md and the results page, `own` what stands in report.json under keys of its own:
    lists, to which a second analysis of that name adds.
    """

    says: Sequence[str]
    tables: Sequence[Table] = ()
    own: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """What stands behind the colon of `--also name:value`. `read` refuses what it can't be, naming the reason."""

    label: str
    help: str
    is_needed: bool = False
    read: Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class FurtherAnalysis:
    """One further analysis. `why_not` says in words why these data have none of it, "" where they do."""

    name: str  # of `--also`
    order: int  # in lists
    title: str
    asks: str  # the question that it answers
    needs: str
    docs: str  # its heading in docs/further-analyses.md
    argument: Argument | None = None
    reads_workers: bool = False  # its argument is a column of workers, which bundles don't have
    why_not: Callable[[AnalysisInput], str]
    compute: Callable[[AnalysisInput], FurtherResult]


@dataclass(frozen=True, slots=True)
class RequestedAnalysis:
    """One analysis with what stands behind its colon."""

    analysis: FurtherAnalysis
    argument: str = field(default="")

    @property
    def key(self) -> str:
        return f"{self.analysis.name}:{self.argument}" if self.argument else self.analysis.name


def of_report(
    asked: RequestedAnalysis, given: AnalysisInput
) -> tuple[dict[str, Any], Mapping[str, Sequence[Mapping[str, Any]]]]:
    """Its part of `further` in report.json, and its own keys."""
    explained = f"docs/further-analyses.md, {asked.analysis.docs}"
    begun = {"analysis": asked.key, "title": asked.analysis.title, "explained_in": explained}
    if why := asked.analysis.why_not(given):
        return {**begun, "undefined": why}, {}
    found = asked.analysis.compute(given)
    tables = [_table(table) for table in found.tables if table.rows]
    return {**begun, "says": list(found.says), "tables": tables}, found.own


def _table(table: Table) -> dict[str, Any]:
    caption = table.caption
    if len(table.rows) > MOST_ROWS:
        caption = f"{caption} The first {MOST_ROWS:,} of {len(table.rows):,} rows."
    rows = [{key: _cell(row.get(key)) for key in table.columns} for row in table.rows[:MOST_ROWS]]
    return {"name": table.name, "caption": caption, "columns": dict(table.columns), "rows": rows}


def _cell(cell: Cell) -> Any:
    return figure_dict(cell) if isinstance(cell, Estimate | Undefined) else cell


def number_between(low: float, high: float, what: str) -> Callable[[str], float]:
    """A reader of a number from low to high.

    >>> number_between(0, 1, "epsilon")("0.2")
    0.2
    """

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        if not low <= number <= high:
            raise Refused(f"{what}: {text!r} is not a number from {low:g} to {high:g}")
        return number

    return read


# In words and as printed tables, from the report and nothing else.


def further_paragraphs(report: Mapping[str, Any]) -> Iterator[str]:
    """A paragraph of methods.md for each analysis that was asked for."""
    for part in report.get("further", []):
        title = part["title"] if part["title"].endswith("?") else f"{part['title']}."
        yield f"{title} {' '.join(_said(part))}"


def further_summary(report: Mapping[str, Any]) -> Iterator[str]:
    """A line for the terminal for each."""
    for part in report.get("further", []):
        tables = ", ".join(table["name"] for table in part.get("tables", []))
        yield f"{part['analysis']}: {f'undefined: {why}' if (why := part.get('undefined')) else f'tables {tables}'}"


def _said(part: Mapping[str, Any]) -> list[str]:
    return [f"Undefined: {part['undefined']}."] if "undefined" in part else list(part["says"])
