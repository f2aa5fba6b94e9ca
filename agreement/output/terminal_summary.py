"""An analysis as a person reads it on a terminal: who was excluded and why, agreement, ceiling, models, items."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..analysis.analysis import Analysis
from ..cleaning.cleaning_run import Cleaning
from ..figures.items_by_agreement import least_agreed_on
from ..files.cell_texts import one_line
from ..on_request.further_analysis import further_summary
from ..people.leave_one_out import headline_of
from ..report.agreement_words import few_workers, has_few_workers, item_interval, said_figure
from ..report.cleaning_report import kept_in_words, notices, several
from ..report.items_without_output import uncovered_by_model
from ..report.methods import blank_looking
from ..report.reference_table import reference_table
from ..scoring.metrics import is_in_words, title_of

MOST_WORKERS, MOST_ITEMS = 10, 5
WIDEST = 44  # of a table's first column
Rows = Sequence[tuple[str, str]]


def summary(analysis: Analysis, out: Path, *, width: int = 100) -> str:
    """Parts with a heading each, in lines of at most `width` where words allow it."""
    report = analysis.report
    parts = [
        ("", [kept_in_words(report)]),
        *[("Excluded", part) for part in [_excluded(analysis.cleaning, width)] if part],
        *[("Agreement of the judgments that are kept", part) for part in [_agreement(report, width)] if part],
        ("A person against the others", _table(_people(report), width)),
        ("Models", _table(_models(report), width)),
        ("Items that people agree on least", _table(_items(analysis), width)),
        ("Further analyses", [line for said in further_summary(report) for line in _wrapped(said, "  ", width)]),
        ("Notes", [line for note in _notes(report) for line in _wrapped(note, "  ", width)]),
    ]
    lines = [line for heading, found in parts if found for line in (*([f"\n{heading}"] if heading else []), *found)]
    return "\n".join([*lines, "", *_where(report, out)])


def _excluded(cleaning: Cleaning, width: int) -> list[str]:
    """The workers who are excluded, with what they failed; how many more there are."""
    reasons = cleaning.worker_reasons
    gone = [worker for worker in np.flatnonzero(~cleaning.worker_kept & cleaning.took_part).tolist() if reasons[worker]]
    rows = [(str(cleaning.crowd.workers[worker]), reasons[worker]) for worker in gone[:MOST_WORKERS]]
    more = len(gone) - len(rows)
    return [*_table(rows, width), *([f"  and {several(more, 'more worker')}: workers.csv has all"] if more else [])]


def _agreement(report: Mapping[str, Any], width: int) -> list[str]:
    cleaned = report["agreement"]["cleaned"]
    if not (first := cleaned["first"]):
        return []
    figure = cleaned
    for name in first.split("."):
        figure = figure[name]
    said = _table([(first.replace("_", " ").replace(".", ", "), said_figure(figure))], width)
    notes = [*cleaned["notes"], *figure.get("notes", ())]
    if has_few_workers(figure):
        alone = item_interval(figure)
        notes.insert(0, few_workers() + (f"; over items alone, for these workers, it is {alone}" if alone else ""))
    return [*said, *(line for note in notes for line in _wrapped(f"note: {note}", "  ", width))]


def _people(report: Mapping[str, Any]) -> Rows:
    left_out = report["ceiling"]["leave_one_out"]
    if "metric" not in left_out:
        return []
    return [(f"leave-one-out, {title_of(left_out['metric'])}", said_figure(headline_of(left_out)))]


def _models(report: Mapping[str, Any]) -> Rows:
    crowd = [("the crowd against the reference", score) for score in report["ceiling"]["reference"].get("crowd", [])]
    scores = [*crowd, *((score["probe"], score) for score in report["scores"])]
    rows = [
        (f"{name}, {title_of(score['metric'])}", said_figure(score))
        for name, score in scores
        if not score["breakdown"] and is_in_words(score["metric"])
    ]
    return [*rows, *_against_reference(report.get("against_reference", {}))]


def _against_reference(part: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Models and people in one list; the crowd stands above it."""
    table = reference_table(part)
    if table is None or not any(line.kind == "model" for line in table.lines):
        return
    for line in table.lines:
        if line.kind in {"model", "group", "people", "constant"} and (figure := line.figures[0]) is not None:
            yield f"{line.name} against the reference, {table.titles[0]}", said_figure(figure)


def _items(analysis: Analysis) -> Rows:
    return [(one_line(item_id), spread) for item_id, spread in least_agreed_on(analysis.gold, MOST_ITEMS)]


def _notes(report: Mapping[str, Any]) -> Iterator[str]:
    left_out = report.get("left_out_in_reading", {})
    yield from left_out.get("notes", ())
    if left_out.get("columns"):
        yield f"Columns left out: {', '.join(left_out['columns'])}."
    yield from notices(report)
    if note := blank_looking(report["labels"]):
        yield note
    without = uncovered_by_model(report["probes"], report["scores"])
    yield from (f"{name}: {said}" for name, said in without.items())
    yield from (f"{probe['probe']}: {note}" for probe in report["probes"] for note in probe["notes"])


def _where(report: Mapping[str, Any], out: Path) -> Iterator[str]:
    if (out / "report.html").exists():
        yield f"The report: {out / 'report.html'}"
    yield f"Gold release {report['release']['sha256'][:12]} and all other files: {out}"


def _table(rows: Rows, width: int) -> list[str]:
    """Two columns, the second one wrapped within its own."""
    if not rows:
        return []
    first = min(WIDEST, max(len(name) for name, _ in rows))
    lines = []
    for name, text in rows:
        indent = f"  {'':<{first}}  "
        head = f"  {name:<{first}}  "
        if len(name) > first:
            lines.append(f"  {name}")
            head = indent
        lines += textwrap.wrap(
            text, max(width, len(indent) + 20), initial_indent=head, subsequent_indent=indent,
            break_long_words=False, break_on_hyphens=False,
        ) or [head.rstrip()]  # fmt: skip
    return lines


def _wrapped(text: str, indent: str, width: int) -> list[str]:
    return textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
