"""methods.md: a methods paragraph that one would paste into a paper, of at most 200 words.

Who judged what, how it was cleaned, what gold is, how far people agree, how well people and models do against gold,
and over what the intervals are. methods-details.md has everything else, and the warnings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..estimation.estimate import Estimate, Figure
from ..kinds.statistics import OWN_LABELS, statistics_of, words_of
from ..people.agreement_report import Path
from ..scoring.metrics import title_of
from .agreement_words import UNEVEN, over_what, said_figure
from .cleaning_report import several
from .model_rows import scores_of_rows
from .report import Report

MOST_WORDS = 200
MOST_MODELS = 3
LONGEST_NAME = 40  # words of a study's name
DETAILS = "methods-details.md"


def methods_paragraph(report: Report) -> str:
    """Sentences in the order in which a reader needs them; the last ones go where there are too many words."""
    said: list[str] = []
    with_version = " ".join(filter(None, ["Touchstone", report.versions.get("touchstone", "")]))
    made = f"Figures were computed with {with_version} (seed {report.seed})."
    heading = f"# Methods: {' '.join(report.study.split()[:LONGEST_NAME])}"
    room = MOST_WORDS - _words(made) - _words(heading)
    for sentence in _sentences(report):
        if _words(" ".join([*said, sentence])) <= room:
            said.append(sentence)
    return f"{heading}\n\n{' '.join([*said, made])}\n"


def _words(text: str) -> int:
    return len(text.split())


def _sentences(report: Report) -> Iterator[str]:
    counts, question = report.counts, report.question
    words = words_of(question.kind)
    yield (
        f"{several(counts.workers, 'worker')} gave {several(counts.judgments, 'judgment')} of"
        f" {several(counts.items, 'item')}."
    )
    yield _cleaned(report)
    yield words.gold_in(report.results.agreement.cleaned)
    figures = [*_agreement(report), *_people(report)]
    if figures:
        yield f"{'; '.join(f'{name} was {said_figure(figure)}' for name, figure in figures)}."
    models = list(_models(report))
    if models:
        yield f"Against this gold, {'; '.join(f'{name} had {said_figure(figure)}' for name, figure in models)}."
    yield from _intervals([figure for _, figure in [*figures, *models]])
    if report.fixed_workers:
        yield "The workers are all the people whom the figures are of, and no sample of others."


def _cleaned(report: Report) -> str:
    """What the rules excluded and how many judgments an item has after them."""
    counts = report.counts
    excluded = counts.workers - counts.workers_kept
    rules = re.sub(r"\s+", " ", report.rules.name)
    per_item = f"{counts.judgments_per_item:.2f}".rstrip("0").removesuffix(".")
    if counts.judgments_kept == counts.judgments:
        each = f"items have {per_item} on average" if "." in per_item else f"each item has {per_item}"
        return f"The rule set {rules} excluded none of them; {each}."
    people, kept = several(excluded, "worker"), several(counts.judgments_kept, "judgment")
    on_average = " on average" if "." in per_item else ""
    said = f"The rule set {rules} excluded {people}; {kept} were kept, {per_item} per item{on_average}."
    if excluded and report.cleaning.selects_on_outcome:
        said += " It judges workers by the answers or times of the others, which raises agreement by itself."
    return said


def _agreement(report: Report) -> Iterator[tuple[str, Figure]]:
    """What leads, the figure that is first for the kind, and the reliability of the gold."""
    cleaned = report.results.agreement.cleaned
    statistics = cleaned.statistics()
    named = {path: name for name, path in (*words_of(report.question.kind).figures, OWN_LABELS)}
    paths: list[Path] = [("gwet_ac1",)] if cleaned.gwet_ac1 is not None else []
    paths += [tuple(cleaned.first.split("."))] if cleaned.first else []
    for path in [*paths, ("gold_reliability",)]:
        if path in statistics and isinstance(figure := statistics[path].headline, Estimate):
            name = "Gwet's AC1" if path == ("gwet_ac1",) else named.get(path, " ".join(path).replace("_", " "))
            yield f"the {name}" if path == ("gold_reliability",) else name, figure


def _people(report: Report) -> Iterator[tuple[str, Figure]]:
    left_out = report.results.ceiling.leave_one_out
    if left_out.metric and isinstance(left_out.person, Estimate):
        yield f"the mean {title_of(left_out.metric)} of a worker with the gold of the others", left_out.person


def _models(report: Report) -> Iterator[tuple[str, Figure]]:
    """The first models by the metric that they are tested by, else by the one that stands first among their scores."""
    rows = [(name, one) for name, one in scores_of_rows(report.results.scores) if isinstance(one.figure, Estimate)]
    tested = statistics_of(report.question.kind).first_metric
    metric = next((one.metric for _, one in sorted(rows, key=lambda row: row[1].metric != tested)), "")
    for name, one in [(name, one) for name, one in rows if one.metric == metric][:MOST_MODELS]:
        yield f"{name} ({title_of(metric)})", one.figure


def _intervals(figures: list[Figure]) -> Iterator[str]:
    over = over_what(figures)
    if "items and workers" in over:
        uneven = any(isinstance(figure, Estimate) and UNEVEN in figure.method for figure in figures)
        tails = "; the true value lies below about 1 % of them and above 3 %" if uneven else ""
        yield f"Intervals in brackets are at 95 % and generalise to new items and new workers{tails}."
    elif "items" in over:
        yield "Intervals in brackets are at 95 % and generalise to new items, judged by these workers."
