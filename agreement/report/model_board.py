"""Models beside people: each model's scores, a typical person, the most that any model can reach, and chance; and the
table of them that a paper prints.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Literal, TypeAlias

from ..estimation.estimate import Estimate, Figure
from ..kinds.statistics import statistics_of
from ..scoring.metrics import has_upper_bound, missing_is_wrong, ranks, smaller_is_better, title_of
from .figure_rows import short_number
from .model_rows import COUNTS, counts_cells, scores_of_rows
from .paper_table import PaperTable
from .people_and_models import ProbeScore
from .report import Report
from .score_words import scope_of_scores

Who: TypeAlias = Literal["model", "person", "ceiling", "chance"]
PERSON, CEILING, CHANCE = "A typical person", "The most a model can reach", "Chance"
MOST_METRICS = 6  # columns of a table that a page of paper is wide enough for
LEVEL = 0.05
METHOD = re.compile(r"(two-way )?(jackknife|bootstrap)")


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One row: its figures by metric, of chance a level without an interval. `probe` is the model's own name, `is_full`
    whether the model has an output for every item.
    """

    name: str
    who: Who
    figures: Mapping[str, Figure]
    probe: str = ""
    is_full: bool = True


@dataclass(frozen=True, slots=True)
class ModelBoard:
    """`metrics` has the kind's first one first, then those that people stand on, then those that rank models."""

    metrics: tuple[str, ...]
    lines: tuple[BoardLine, ...]

    def of_models(self) -> list[BoardLine]:
        return [line for line in self.lines if line.who == "model"]

    def estimates(self, metric: str) -> list[float | None]:
        """By line; None where there is no figure."""
        return [_number(line.figures.get(metric)) for line in self.lines]

    def best(self, most: int) -> ModelBoard:
        """With so many models at most, those that are best by the first metric, and whom they stand beside."""
        models, metric = self.of_models(), next(iter(self.metrics), "")
        sign = 1 if smaller_is_better(metric) else -1
        order = sorted(models, key=lambda line: sign * (_number(line.figures.get(metric)) or -sign * inf))
        kept = {line.name for line in order[:most]}
        return replace(self, lines=tuple(line for line in self.lines if line.who != "model" or line.name in kept))

    def to_print(self) -> tuple[list[str], dict[str, str]]:
        """The metrics that rank models, and those that are left out for being equal to one of them, with that one."""
        first: dict[tuple[str, ...], str] = {}
        equal: dict[str, str] = {}
        has_score = [metric for metric in self.metrics if any(one is not None for one in self.estimates(metric))]
        for metric in filter(ranks, has_score):
            printed = tuple(_cell(line.figures.get(metric)).partition(" ")[0] for line in self.of_models())
            known = first.setdefault(printed or (metric,), metric)
            if known != metric:
                equal[metric] = known
        return list(first.values()), equal


def model_board(report: Report) -> ModelBoard:
    """Over all items. Without models only people are in it."""
    results = report.results
    models: dict[str, tuple[str, dict[str, Figure]]] = {}
    for name, score in scores_of_rows(results.scores):
        models.setdefault(name, (score.probe, {}))[1][score.metric] = score.figure
    is_full = {one.probe: one.coverage.is_full for one in results.probes}
    people, chance = people_by_metric(report), _chances(report)
    bound = results.ceiling.upper_bound
    scored = list(dict.fromkeys(score.metric for score in results.scores if not score.breakdown))
    metrics = sorted(scored or people, key=lambda metric: _place(metric, report, people))
    bounded = {metric: bound for metric in metrics if has_upper_bound(metric) and isinstance(bound, Estimate)}
    lines = [
        *(BoardLine(name, "model", own, probe, is_full.get(probe, True)) for name, (probe, own) in models.items()),
        BoardLine(PERSON, "person", {metric: people[metric] for metric in metrics if metric in people}),
        BoardLine(CEILING, "ceiling", bounded),
        BoardLine(CHANCE, "chance", {metric: Estimate(chance[metric], None, None, 0, "") for metric in chance}),
    ]
    return ModelBoard(
        tuple(metrics),
        tuple(
            line
            for line in lines
            if line.who == "model" or any(isinstance(figure, Estimate) for figure in line.figures.values())
        ),
    )


def people_by_metric(report: Report) -> dict[str, Figure]:
    """A typical person's figures by the names of the metrics that score a model."""
    left_out, person = report.results.ceiling.leave_one_out, statistics_of(report.question.kind).person
    if not left_out.metric or person is None:
        return {}
    figures = {left_out.metric: left_out.person, **left_out.other_metrics}
    return {person.probe_metric(metric): figure for metric, figure in figures.items()}


def _chances(report: Report) -> dict[str, float]:
    chances: dict[str, float] = {}
    for score in report.results.scores:
        if not score.breakdown and score.chance is not None:
            chances.setdefault(score.metric, score.chance)
    return chances


def _place(metric: str, report: Report, people: Mapping[str, Figure]) -> tuple[bool, bool, bool, bool]:
    first = statistics_of(report.question.kind).first_metric
    return (metric != first, metric not in people, not has_upper_bound(metric), not ranks(metric))


def _number(figure: Figure | None) -> float | None:
    return figure.estimate if isinstance(figure, Estimate) else None


# The table that a paper prints: a row per model and per line beside them, a column per metric.


def models_table(report: Report, most: int | None = None) -> PaperTable:
    """Without models it has no rows; of `most` the best by the first metric."""
    whole = model_board(report)
    board = whole if most is None else whole.best(most)
    models, caption = board.of_models(), "Models beside people, against the gold."
    if not models:
        return PaperTable("models", caption, ("Model",), [])
    all_metrics, equal = board.to_print()
    metrics, left_out = all_metrics[:MOST_METRICS], all_metrics[MOST_METRICS:]
    equal = {one: of for one, of in equal.items() if of in metrics}
    answers = {one.probe: one.answers for one in report.results.probes if one.answers is not None}
    rows = [
        (
            line.name,
            *(_cell(line.figures.get(metric)) for metric in metrics),
            *((counts_cells(answers.get(line.probe)) if line.probe else ("",) * len(COUNTS)) if answers else ()),
        )
        for line in board.lines
    ]
    columns = [title_of(metric) for metric in metrics]
    header = ("Model", *(f"{title[:1].upper()}{title[1:]}" for title in columns))
    best = {(at, column) for column, metric in enumerate(metrics, 1) for at in _best(board, metric)}
    tied = {(at, column) for column, metric in enumerate(metrics, 1) for at in _tied(board, metric, report)}
    left = len(whole.of_models()) - len(models)
    if left:
        caption += f" The {len(models)} best by {title_of(metrics[0])}; tables/models.csv has {left:,} more."
    return PaperTable(
        "models",
        caption,
        (*header, *(name.capitalize() for name in COUNTS if answers)),
        rows,
        frozenset(range(1, len(rows[0]))),
        "Models and people",
        notes=tuple(_notes(report, board, metrics, equal, left_out, has_tests=bool(tied), has_counts=bool(answers))),
        best=frozenset(best),
        tied=frozenset(tied),
        rule_before=len(models) if len(models) < len(rows) else None,
    )


def _cell(figure: Figure | None) -> str:
    match figure:
        case None:
            return ""
        case Estimate(low=float(low), high=float(high)):
            return f"{_short(figure.estimate)} ({_short(low)} to {_short(high)})"
        case Estimate():
            return _short(figure.estimate)
        case _:
            return "undefined"


def _short(number: float) -> str:
    """With three digits that count, of less than 1 with three behind the point.

    >>> _short(0.8451), _short(-0.0312), _short(9.511), _short(22.904), _short(131.2)
    ('.845', '-.031', '9.51', '22.9', '131')
    """
    if abs(number) < 0.9995:
        return short_number(f"{number:.3f}")
    return f"{number:.{2 if abs(number) < 10 else 1 if abs(number) < 100 else 0}f}"


def _best(board: ModelBoard, metric: str) -> list[int]:
    """The rows of the best model, several where they are equal; of one model nobody is the best."""
    may_rank = {
        at: number
        for at, (line, number) in enumerate(zip(board.lines, board.estimates(metric), strict=True))
        if line.who == "model" and number is not None and (line.is_full or missing_is_wrong(metric))
    }
    if len(board.of_models()) < 2 or not may_rank:
        return []
    best = (min if smaller_is_better(metric) else max)(may_rank.values())
    return [at for at, number in may_rank.items() if number == best]


def _tied(board: ModelBoard, metric: str, report: Report) -> Iterator[int]:
    """The rows of models that a test doesn't tell from the best one."""
    best = {board.lines[at].name for at in _best(board, metric)}
    p_of = {
        frozenset((pair.first, pair.second)): pair.p_holm_with_the_best
        for pair in report.results.comparisons
        if pair.metric == metric
    }
    for at, line in enumerate(board.lines):
        p = [p_of.get(frozenset((line.name, other))) for other in best - {line.name}]
        if line.who == "model" and line.name not in best and any(one is not None and one >= LEVEL for one in p):
            yield at


def _notes(
    report: Report,
    board: ModelBoard,
    metrics: Sequence[str],
    equal: Mapping[str, str],
    left_out: Sequence[str],
    *,
    has_tests: bool,
    has_counts: bool,
) -> Iterator[str]:
    """What stands below the table: what is in brackets, what the marks mean, which metrics have no column, the seed."""
    counts = {
        figure.n
        for line in board.of_models()
        for metric in metrics
        if isinstance(figure := line.figures.get(metric), Estimate)
    }
    shown = [score for score in report.results.scores if score.metric in metrics]
    of = f"n = {_span(counts)} items; " if counts else ""
    yield f"{of}95 % intervals in brackets{_by_what(shown)}. {scope_of_scores(shown)}".rstrip()
    if any(_best(board, metric) for metric in metrics):
        marks = "Bold: the best model of a column."
        if has_tests:
            marks += " †: not told from the best at 5 % (paired tests, Holm over each model against the best)."
        yield marks
    if equal:
        same = "; ".join(f"{title_of(one)} is equal to {title_of(of)} in every row" for one, of in equal.items())
        yield f"{same[:1].upper()}{same[1:]}."
    if left_out:
        yield f"{len(left_out)} more metrics are in tables/scores.csv."
    if has_counts:
        yield "Refused, truncated and unmapped are answers of the model's, over all of its settings and runs."
    person = " A typical person is each worker scored against the gold of the others." if _has(board, "person") else ""
    yield f"{person} Seed {report.seed}.".lstrip()


def _has(board: ModelBoard, who: Who) -> bool:
    return any(line.who == who for line in board.lines)


def _by_what(scores: Iterable[ProbeScore]) -> str:
    """The methods of the intervals in short, of most scores first."""
    methods = Counter(
        short[0]
        for score in scores
        if isinstance(score.figure, Estimate) and (short := METHOD.search(score.figure.method))
    )
    return f", by the {' or the '.join(name for name, _ in methods.most_common())}" if methods else ""


def _span(counts: set[int]) -> str:
    """One number, or from the least to the most.

    >>> _span({30}), _span({28, 1200})
    ('30', '28 to 1,200')
    """
    least, most = min(counts), max(counts)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"
