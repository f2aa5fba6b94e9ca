"""Further analyses: what a researcher may ask for beside the report, and what a report says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from ..errors import Refused
from ..estimation.estimate import Estimate, Figure, Undefined, stream
from ..judgments.crowd import Crowd, Mask, Sample
from ..scoring.probe import Probe, StudyItems
from ..scoring.score_gold import Gold
from ..typed_json import ABSENT, json_name

OWN_LABELS = "items have labels of their own, which are not the same over items"
Cell: TypeAlias = str | int | float | Estimate | Undefined | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """`columns` are the keys of its rows and their headings."""

    name: str
    caption: str
    columns: Mapping[str, str]
    rows: Sequence[Mapping[str, Cell]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FurtherReport:
    """An analysis that was asked for: sentences and tables."""

    analysis: str
    title: str
    explained_in: str
    says: tuple[str, ...]
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoFurtherReport:
    """An analysis that was asked for and can't be had of these data."""

    analysis: str
    title: str
    explained_in: str
    why: str = field(metadata=json_name("undefined"))

    @property
    def tables(self) -> tuple[Table, ...]:
        """There are none."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutAnnotator:
    """One annotator of the test. `rejected`: that the annotator is better than the model by epsilon."""

    worker: str
    p: float
    rejected: bool
    advantage: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NearChance:
    """Annotators who agree with the others hardly better than by chance, and the test without them: `winning_rate` and
    `is_passed` are None where too few annotators remain for a verdict.
    """

    workers: tuple[str, ...]
    winning_rate: float | None
    is_passed: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AltTestReport:
    """The alternative annotator test of one model, of all annotators; with those near chance the verdict is without."""

    probe: str
    epsilon: float
    winning_rate: float
    advantage: Figure
    annotators: tuple[LeftOutAnnotator, ...]
    near_chance: NearChance | None = field(default=None, metadata=ABSENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoAltTest:
    """A model that has no such test, and why."""

    probe: str
    epsilon: float
    why: str = field(metadata=json_name("undefined"))


# Further analyses: what a researcher may ask for beside the report, each declared in a module of `further/`.

MOST_ROWS = 1_000  # of a table in report.json, unless an analysis says otherwise


@dataclass(frozen=True, slots=True, eq=False)
class AnalysisInput:
    """What every analysis may look at: kept judgments of target items, the gold made of them, models' outputs.

    `counted` [J] marks the crowd's judgments that cleaning keeps, of check items too; None where it keeps all.
    """

    crowd: Crowd
    kept: Sample
    gold: Gold
    probes: Sequence[Probe]
    study: StudyItems
    seed: int
    argument: str = ""
    counted: Mask | None = None

    @property
    def named_probes(self) -> list[Probe]:
        """The models that give something for each item."""
        return [probe for probe in self.probes if probe.runs]

    def stream(self, name: str) -> np.random.Generator:
        """The generator of one statistic of a further analysis."""
        return stream(self.seed, f"further {name}")


@dataclass(frozen=True, slots=True)
class FurtherResult:
    """`says` are sentences for methods.md and the results page. Of `tables` a report has the first 1,000 rows, or as
    many as the analysis says, and says so. `alt_test` has a key of its own in report.json, to which a second analysis
    of that name adds.
    """

    says: Sequence[str]
    tables: Sequence[Table] = ()
    alt_test: tuple[AltTestReport | NoAltTest, ...] | None = None


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
    most_rows: int = MOST_ROWS  # of each of its tables
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


def report_of_analysis(asked: RequestedAnalysis, result: FurtherResult | str) -> FurtherReport | NoFurtherReport:
    """The result, or why there is none, as the report has it."""
    explained = f"docs/further-analyses.md, {asked.analysis.docs}"
    if isinstance(result, str):
        return NoFurtherReport(analysis=asked.key, title=asked.analysis.title, explained_in=explained, why=result)
    tables = tuple(_shorten_table(table, asked.analysis.most_rows) for table in result.tables if table.rows)
    return FurtherReport(
        analysis=asked.key, title=asked.analysis.title, explained_in=explained, says=tuple(result.says), tables=tables
    )


def _shorten_table(table: Table, most: int) -> Table:
    caption = table.caption
    if len(table.rows) > most:
        caption = f"{caption} The first {most:,} of {len(table.rows):,} rows."
    rows = tuple({key: row.get(key) for key in table.columns} for row in table.rows[:most])
    return Table(name=table.name, caption=caption, columns=dict(table.columns), rows=rows)


def number_between(low: float, high: float, name: str) -> Callable[[str], float]:
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
            raise Refused(f"{name}: {text!r} is not a number from {low:g} to {high:g}")
        return number

    return read


# In words, from the report and nothing else.


def further_paragraphs(parts: Iterable[FurtherReport | NoFurtherReport]) -> Iterator[str]:
    """A paragraph of methods.md for each analysis that was asked for."""
    for part in parts:
        title = part.title if part.title.endswith("?") else f"{part.title}."
        says = [f"Undefined: {part.why}."] if isinstance(part, NoFurtherReport) else part.says
        yield f"{title} {' '.join(says)}"


def further_summary(parts: Iterable[FurtherReport | NoFurtherReport]) -> Iterator[str]:
    """A line for the terminal for each."""
    for part in parts:
        if isinstance(part, NoFurtherReport):
            yield f"{part.analysis}: undefined: {part.why}"
        else:
            yield f"{part.analysis}: tables {', '.join(table.name for table in part.tables)}"
