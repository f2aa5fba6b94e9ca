"""An analysis as a person reads it on a terminal: the verdict first, then warnings, people, settings and figures."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from ..analysis.analysis import Analysis
from ..cleaning.cleaning_run import Cleaning
from ..estimation.estimate import Undefined
from ..estimation.simulated_coverage import COVERAGE
from ..figures.of_items import least_agreed_on
from ..files.cell_texts import one_line
from ..on_request.further_analysis import further_summary
from ..report.agreement_words import few_workers, has_few_workers, item_interval, said_figure, tails_sentence
from ..report.cleaning_report import kept_in_words, notices, several
from ..report.figure_rows import statistic_name
from ..report.methods import blank_looking
from ..report.model_rows import answers_in_short, scores_of_rows
from ..report.people_and_models import AgainstReference
from ..report.report import Report
from ..report.score_tables import reference_table, uncovered_by_model
from ..report.score_words import scope_of_scores
from ..report.verdict import ReportVerdict
from ..scoring.metrics import is_in_words, title_of
from ..screening.evidence import CAUTION, NOBODY_SCREENED, SUSPECTS_TITLE

MOST_WORKERS, MOST_ITEMS = 10, 5
WIDEST = 44  # of a table's first column
Rows = Sequence[tuple[str, str]]


def summary(analysis: Analysis, out: Path, *, width: int = 100) -> str:
    """Parts with a heading each, in lines of at most `width` where words allow it."""
    report = analysis.report
    parts = [
        ("", verdict_lines(report.verdict, width)),
        ("Warnings", [line for note in notices(report) for line in _wrap_text(note, "  ", width)]),
        (SUSPECTS_TITLE, _suspects(report, width)),
        ("Who counts", [*_wrap_text(kept_in_words(report), "  ", width), *_excluded(analysis.cleaning, width)]),
        ("Settings", _wrap_text(_settings(report), "  ", width)),
        ("Models", _table(_models(report), width)),
        ("Agreement of the judgments that are kept", _agreement(report, width)),
        ("Items that people agree on least", _table(_items(analysis), width)),
        (
            "Further analyses",
            [
                line
                for sentence in further_summary(report.results.further)
                for line in _wrap_text(sentence, "  ", width)
            ],
        ),
        ("Notes", [line for note in _notes(report) for line in _wrap_text(note, "  ", width)]),
    ]
    lines = [
        line
        for heading, part_lines in parts
        if part_lines
        for line in (*([f"\n{heading}"] if heading else []), *part_lines)
    ]
    return "\n".join([*lines, "", *_output_lines(report, out)])


def verdict_lines(verdict: ReportVerdict, width: int) -> list[str]:
    """Whether the gold is good enough, by which figures, what speaks against it and what to do next: 12 lines at most
    where a line has 80 characters.
    """
    better = {"higher": "higher is better", "lower": "lower is better", "": ""}
    rows = [(one.name, one.text, better[one.better]) for one in verdict.figures]
    names, texts, ways = (max((len(row[column]) for row in rows), default=0) for column in range(3))
    if names + texts + ways + 6 > width:
        rows = [(name, text, "") for name, text, _ in rows]
    return [
        *_wrap_text(verdict.sentence, "", width),
        *([""] if rows else []),
        *[f"  {name:<{names}}  {text:<{texts}}  {way}".rstrip() for name, text, way in rows],
        "",
        *(_wrap_text(f"But: {verdict.caveat}", "", width) if verdict.caveat else []),
        *_wrap_text(f"Next: {verdict.next_step.sentence}", "", width),
    ]


def _settings(report: Report) -> str:
    """The rules, and what decides every random draw."""
    question = report.question
    scale = f"; a scale from {question.scale.low:g} to {question.scale.high:g}" if question.scale else ""
    replicates = f"{report.replicates:,} bootstrap replicates"
    return f"Rules {report.rules.name}, seed {report.seed}, {replicates}; {question.kind} questions{scale}."


def _excluded(cleaning: Cleaning, width: int) -> list[str]:
    """The workers who are excluded, with what they failed; how many more there are."""
    reasons = cleaning.worker_reasons
    gone = [worker for worker in np.flatnonzero(~cleaning.worker_kept & cleaning.took_part).tolist() if reasons[worker]]
    rows = [(str(cleaning.crowd.workers[worker]), reasons[worker]) for worker in gone[:MOST_WORKERS]]
    more = len(gone) - len(rows)
    return [*_table(rows, width), *([f"  and {several(more, 'more worker')}: workers.csv has all"] if more else [])]


def _agreement(report: Report, width: int) -> list[str]:
    cleaned = report.results.agreement.cleaned
    statistic = cleaned.headline
    if statistic is None:
        return _table(_people(report), width)
    figure = statistic.headline
    rows = [(f'Own agreement of "{one_line(label)}"', said_figure(own)) for label, own in cleaned.own_agreement.items()]
    if cleaned.gwet_ac1 is not None:
        rows.insert(0, ("Gwet's AC1", said_figure(cleaned.gwet_ac1.headline)))
    rows = [*rows, (statistic_name(cleaned.first), said_figure(figure)), *_people(report)]
    lines = _table(rows, width)
    notes = [note for note in (*cleaned.notes, *statistic.notes) if not COVERAGE.fullmatch(note)]
    if has_few_workers(figure):
        alone = item_interval(statistic)
        notes.insert(0, few_workers() + (f"; over items alone, for these workers, it is {alone}" if alone else ""))
    return [*lines, *(line for note in notes for line in _wrap_text(f"note: {note}", "  ", width))]


def _people(report: Report) -> Rows:
    left_out = report.results.ceiling.leave_one_out
    if not left_out.metric:
        return []
    return [(f"A person against the others, {title_of(left_out.metric)}", said_figure(left_out.person))]


def _models(report: Report) -> Rows:
    results = report.results
    reference = results.ceiling.reference
    crowd = () if isinstance(reference, Undefined) else reference.crowd
    scores = [("the crowd against the reference", score) for score in crowd if not score.breakdown]
    rows = [
        (f"{name}, {title_of(score.metric)}", said_figure(score.figure, score.metric))
        for name, score in [*scores, *scores_of_rows(results.scores)]
        if is_in_words(score.metric)
    ]
    answers = [(f"{one.probe}, answers", answers_in_short(one.answers)) for one in results.probes if one.answers]
    return [*rows, *answers, *_against_reference(results.against_reference)]


def _against_reference(part: AgainstReference | Undefined) -> Iterator[tuple[str, str]]:
    """Models and people in one list; the crowd stands above it."""
    table = reference_table(part)
    if table is None or not any(line.kind == "model" for line in table.lines):
        return
    for line in table.lines:
        if line.kind in {"model", "group", "people", "constant"} and (figure := line.figures[0]) is not None:
            text = said_figure(figure, table.metrics[0])
            yield f"{line.name} against the reference, {table.titles[0]}", text


def _suspects(report: Report, width: int) -> list[str]:
    """Whose answers look careless and why, or why nobody could be told from others."""
    suspects = report.results.suspects
    if isinstance(suspects, Undefined):
        return _wrap_text(f"{NOBODY_SCREENED}: {suspects.why}.", "  ", width)
    if not suspects:
        return []
    rows = [(suspect.worker, suspect.sentence) for suspect in suspects[:MOST_WORKERS]]
    more = len(suspects) - len(rows)
    left_out = [f"  and {several(more, 'more worker')}: workers.csv and report.json have all"] if more else []
    return [*_table(rows, width), *left_out, *_wrap_text(CAUTION, "  ", width)]


def _items(analysis: Analysis) -> Rows:
    return [(one_line(item_id), spread) for item_id, spread in least_agreed_on(analysis.gold, MOST_ITEMS)]


def _notes(report: Report) -> Iterator[str]:
    if left_out := report.left_out_in_reading:
        yield from left_out.sentences()
    if note := blank_looking(report.question.labels):
        yield note
    cleaned = report.results.agreement.cleaned.headline
    figures = [report.results.ceiling.leave_one_out.person] + ([] if cleaned is None else [cleaned.headline])
    scope = scope_of_scores(report.results.scores)
    if scope := scope or tails_sentence(figures, "Intervals over items and workers"):
        yield scope
    probes = report.results.probes
    without = uncovered_by_model(probes, report.results.scores)
    yield from (f"{name}: {reason}" for name, reason in without.items())
    yield from (f"{probe.probe}: {note}" for probe in probes for note in probe.notes)


def _output_lines(report: Report, out: Path) -> Iterator[str]:
    if (out / "report.html").exists():
        yield f"The report: {out / 'report.html'}"
    yield f"Gold release {report.results.release.sha256[:12]} and all other files: {out}"


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


def _wrap_text(text: str, indent: str, width: int) -> list[str]:
    return textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
