"""How far people agree, in sentences that a paper can print, from the report alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from ..estimation.estimate import Estimate, Figure, Undefined
from ..estimation.intervals import FEW_EFFECTIVE, FEW_WORKERS
from ..estimation.simulated_coverage import COVERAGE, WHERE
from ..files.numbers import in_digits
from ..kinds.statistics import COHEN, ORDINAL, OWN_LABELS, WEIGHTED, words_of
from ..people.agreement_report import AgreementReport, Path, Statistic
from .people_and_models import Agreement
from .report import Report

# A figure in words, and over what the intervals of some figures are, said once for all of them.

NamedPath: TypeAlias = tuple[str, Path]  # what people call a statistic, and its place
KAPPA_PATH: Path = ("fleiss_kappa",)
AC1: NamedPath = ("Gwet's AC1, which leads since one label is nearly everything", ("gwet_ac1",))
NO_INTERVAL = "no interval: "
UNEVEN = "tails 1% below and 3% above"
UNEVEN_OF_ERRORS = "tails 3% below and 1% above"
OVER = {
    "items and workers": "over items and workers: they generalise to new items and new workers",
    "items": "over items, for these workers",
}
_UNITS = re.compile(r"jackknife,? (?:over|on) (?:[\d,]+ )?([a-z]+)")


def said_figure(figure: Figure, metric: str = "") -> str:
    """A figure in words; why there is no interval is said where the figure knows a reason, and without the metric.

    >>> said_figure(Estimate(0.43024, 0.381, 0.48, 30, ""))
    '0.430 (0.381 to 0.480)'
    >>> said_figure(Undefined("every judgment is the same label"))
    'undefined, because every judgment is the same label'
    >>> said_figure(Undefined("average_precision_at_5: nobody named any"), "average_precision_at_5")
    'undefined, because nobody named any'
    >>> said_figure(Estimate(1.0, None, None, 3, "alpha; no interval: nothing varies"))
    '1.000 (no interval: nothing varies)'
    >>> said_figure(Estimate(0.753, None, None, 3, "mean; no interval asked for"))
    '0.753'
    """
    if isinstance(figure, Undefined):
        return f"undefined, because {figure.why.removeprefix(f'{metric}: ')}"
    estimate = f"{figure.estimate:.3f}"
    if figure.low is None or figure.high is None:
        _, separator, why = figure.method.partition(NO_INTERVAL)
        return f"{estimate} (no interval: {why})" if separator else estimate
    return f"{estimate} ({figure.low:.3f} to {figure.high:.3f})"


def has_few_workers(figure: Figure) -> bool:
    """Whether the two-way interval of a figure rests on few effective workers."""
    return isinstance(figure, Estimate) and figure.low is not None and FEW_EFFECTIVE in figure.method


def few_workers(intervals: int = 1, of: str = "") -> str:
    """What is said of so many such intervals.

    >>> few_workers(), few_workers(2)
    ('the interval rests on fewer than 4 effective workers', 'the intervals rest on fewer than 4 effective workers')
    """
    subject = f"the interval{of} rests" if intervals == 1 else f"the intervals{of} rest"
    return f"{subject} on fewer than {FEW_WORKERS} effective workers"


def over_what(figures: Iterable[Figure]) -> set[str]:
    """What the intervals of these figures are over: "items and workers", "items"; what items share, by its name."""
    units_of_intervals = set()
    for figure in figures:
        if isinstance(figure, Undefined) or figure.low is None:
            continue
        over = figure.over or ""  # a figure that doesn't say is spoken of in no sentence on a group
        units = _UNITS.search(figure.method) if over == "items" else None
        units_of_intervals.add(units[1] if units else over)
    return units_of_intervals


def over_in_words(over: set[str], *, held: str = "") -> str:
    """The sentence on these intervals; nothing where there are none, or where each says it by itself.

    >>> over_in_words({"items"}, held="with gold held fixed")
    'The intervals (95 %) are over items, with gold held fixed, for these workers.'
    """
    if len(over) != 1:
        return ""
    [one] = over
    if not one:
        return ""
    if one == "items and workers":
        return f"The intervals (95 %) are {OVER[one]}."
    return f"The intervals (95 %) are over {one}{f', {held},' if held else ','} for these workers."


# The paragraphs on agreement.

FIXED_WORKERS = (
    "The {workers} workers were declared to be all the people that these figures are of (fixed experts), and not a"
    " sample of others: items alone are random, and no interval or test says anything of other workers."
)
INFLUENTIAL = re.compile(
    r"one worker makes up (?P<share>\d+)% of the workers' variance of this figure, where exchangeable workers pass"
    r" (?P<limit>\d+)% in 1 % of studies; without that worker it is .+"
)
_MEAN = re.compile(r"mean over [\d,]+ (?:pairs of workers|labels?|propert(?:y|ies))")
_SOME = re.compile(r"(the [\d,]+) (items with .*), of ([\d,]+)$")  # as a comparison says on which items it was made


def agreement_paragraph(report: Report) -> str:
    """Every figure that the kind of question has, over what the intervals are, and the notes."""
    agreement = report.results.agreement
    raw, cleaned = agreement.raw, agreement.cleaned
    figures = _figures(report)
    if not figures and isinstance(raw.fleiss_kappa.statistic.headline, Undefined):
        why = raw.fleiss_kappa.statistic.headline.why
        lines = [f"Agreement on the answers as a whole has no figure, because {why}."]
    else:
        lines = list(_lines(report, figures))
    if report.fixed_workers:
        lines = [FIXED_WORKERS.format(workers=cleaned.counts.workers), "", *lines]
    notes = [*_resting_on_few(cleaned, figures), *_notes(raw, cleaned, figures, independent=not _same_accounts(report))]
    return "\n".join([*lines, *(["", *notes] if notes else [])])


def _same_accounts(report: Report) -> bool:
    return any(warning.code == "identical-accounts" for warning in report.warnings)


def _resting_on_few(cleaned: AgreementReport, figures: Sequence[NamedPath]) -> list[str]:
    """Which intervals rest on so few workers that those over items alone, for these workers, belong beside them."""
    statistics = cleaned.statistics()
    all_of = [
        (_statistic_name(name, path, cleaned), statistics[path], headline)
        for name, path in figures
        if isinstance(headline := statistics[path].headline, Estimate)
    ]
    few = [name for name, _, headline in all_of if has_few_workers(headline)]
    beside = [
        f"{name} {interval}"
        for name, statistic, headline in all_of
        if (name in few or headline.low is None) and (interval := item_interval(statistic))
    ]
    sentences = [f"Note on {_name_list(few)}: {few_workers(len(few))}."] if few else []
    if beside:
        sentences.append(f"Over items alone, for these workers (percentile bootstrap): {'; '.join(beside)}.")
    return sentences


def item_interval(statistic: Statistic) -> str:
    """The percentile bootstrap's limits in words; nothing where there are none."""
    limits = statistic.item_percentile
    has_limits = limits is not None and limits.low is not None
    return f"{limits.low:.3f} to {limits.high:.3f}" if limits is not None and has_limits else ""


def _notes(
    raw: AgreementReport, cleaned: AgreementReport, figures: Sequence[NamedPath], *, independent: bool = True
) -> list[str]:
    """A line for each note, with the figures that it is on, and one for how often such intervals hold the truth."""
    notes: dict[str, list[str]] = {note: [] for note in [*raw.notes, *cleaned.notes]}
    for name, path in figures:
        for note in cleaned.statistics()[path].notes:
            notes.setdefault(note, []).append(_statistic_name(name, path, cleaned))
    coverage = {note: match for note in notes if (match := COVERAGE.fullmatch(note))}
    influential = {note: match for note in notes if (match := INFLUENTIAL.fullmatch(note))}
    together = list(influential) if len(influential) > 1 else []
    lines = [
        f"Note{f' on {_name_list(of)}' if of else ''}: {note.rstrip('.')}."
        for note, of in notes.items()
        if note not in coverage and note not in together
    ]
    if together:
        shares = [f"{influential[note]['share']} % of that of {_name_list(notes[note])}" for note in together]
        limits = _name_list(list(dict.fromkeys(influential[note]["limit"] for note in together)))
        lines.append(
            f"One worker makes up much of the variance between workers: {_name_list(shares)}. Among workers who are"
            f" alike one passes {limits} % in 1 % of studies. The figures without that worker stand above."
        )
    by_design: dict[str, list[str]] = {}
    for note, match in coverage.items():
        by_design.setdefault(match["design"], []).append(f"{match['coverage']} ({_name_list(notes[note])})")
    alone = (
        "" if independent else "; the simulated workers answered independently, which some of these may not have done"
    )
    return lines + [
        f"In simulated studies with {design}, intervals like these contained the true value in "
        f"{_name_list(shares)}{alone};"
        f" see {WHERE}."
        for design, shares in by_design.items()
    ]


def _statistic_name(name: str, path: Path, report: AgreementReport) -> str:
    has_steps = path == KAPPA_PATH and bool(report.fleiss_kappa.steps and _bins_of(report))
    return name.replace("of bins", "of the answers' steps") if has_steps else name


def _bins_of(report: AgreementReport) -> tuple[float, ...]:
    """The steps, or else the edges of the bins, that a defined kappa of numbers is over."""
    kappa = report.fleiss_kappa
    return () if isinstance(kappa.statistic.headline, Undefined) else kappa.steps or kappa.edges


def cross_checks(report: Report) -> str:
    """Which figures other packages gave too, and on which items; nothing where none was compared."""
    by_package: dict[tuple[str, str, str], dict[str, dict[str, None]]] = {}
    largest = 0.0
    agreement = report.results.agreement
    for part, when in ((agreement.raw, "before"), (agreement.cleaned, "after")):
        for one in part.double_entry.comparisons:
            key = (one.package, one.version, _SOME.sub(r"\1 of \3 \2", one.on))
            by_package.setdefault(key, {}).setdefault(_spoken_name(one.statistic), {})[when] = None
            largest = max(largest, one.difference)
    parts = []
    for (name, version, on), statistics in by_package.items():
        whens = {tuple(when) for when in statistics.values()}
        when = f" {next(iter(whens))[0]} cleaning" if len(whens) == 1 and len(next(iter(whens))) == 1 else ""
        parts.append(f"{_levels(list(statistics))} with {name} {version} on {on}{when}")
    if not parts:
        return ""
    return f"These estimates were cross-checked: {'; '.join(parts)}. The largest difference is {largest:.1g}."


def _spoken_name(statistic: str) -> str:
    """The name of a statistic of the report as people say it; its labels, where there are several, in one word.

    >>> _spoken_name("krippendorff_alpha.nominal"), _spoken_name("fleiss_kappa of red")
    ("Krippendorff's alpha (nominal)", "Fleiss' kappa of each label")
    """
    name, of, _ = statistic.partition(" of ")
    head, _, level = name.partition(".")
    spoken = {"fleiss_kappa": "Fleiss' kappa", "krippendorff_alpha": "Krippendorff's alpha"}.get(head, head)
    return f"{spoken}{f' ({level})' if level else ''}{' of each label' if of else ''}"


def _levels(names: list[str]) -> str:
    """Alpha's levels in one pair of brackets.

    >>> _levels(["Krippendorff's alpha (interval)", "Krippendorff's alpha (ordinal)"])
    "Krippendorff's alpha (interval, ordinal)"
    """
    alpha = "Krippendorff's alpha ("
    levels = [name[len(alpha) : -1] for name in names if name.startswith(alpha) and name.endswith(")")]
    if len(levels) < 2:
        return _name_list(names)
    others = [name for name in names if not (name.startswith(alpha) and name.endswith(")"))]
    return _name_list([f"{alpha}{', '.join(levels)})", *others])


def _name_list(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _figures(report: Report) -> list[NamedPath]:
    raw, cleaned = report.results.agreement.raw.statistics(), report.results.agreement.cleaned.statistics()
    words = words_of(report.question.kind)
    defined = (one for one in words.figures_if_defined if one[1] in raw and isinstance(raw[one[1]].headline, Estimate))
    figures = (*words.figures, *defined)
    if OWN_LABELS[1] in cleaned:
        return [OWN_LABELS]
    if WEIGHTED[0][1] in cleaned:
        figures = (*figures[:2], ORDINAL, *figures[2:], *WEIGHTED)
    if ("gwet_ac1",) in cleaned:
        figures = (AC1, *figures)
    if report.fixed_workers:
        of_pairs = (*reversed(WEIGHTED), COHEN)
        figures = (*of_pairs, *(one for one in figures if one not in of_pairs))
    return [(name, path) for name, path in figures if path in raw and path in cleaned]


def _lines(report: Report, figures: Sequence[NamedPath]) -> Iterator[str]:
    agreement, counts = report.results.agreement, report.counts
    raw, cleaned = agreement.raw.statistics(), agreement.cleaned.statistics()
    is_same = counts.judgments_kept == counts.judgments
    both = {path: (raw[path].headline, cleaned[path].headline) for _, path in figures}
    defined = [(name, path) for name, path in figures if any(isinstance(one, Estimate) for one in both[path])]
    every = [one for _, path in defined for one in both[path]]
    over = over_what(every)
    if defined:
        subject = "Agreement" if is_same else "Agreement, before and after cleaning"
        yield " ".join(filter(None, [f"{subject}.", over_in_words(over), tails_sentence(every)]))
        yield ""
    for name, path in defined:
        before, after = both[path]
        parts = (
            [_figure(before, over)] if is_same else [_figure(before, over), f"after cleaning {_figure(after, over)}"]
        )
        bins = _bins_of(agreement.cleaned) if path == KAPPA_PATH else ()
        edges = f" ({', '.join(map(in_digits, bins))})" if bins else ""
        mean = _MEAN.search(after.method) if isinstance(after, Estimate) else None
        title = f"{_statistic_name(name, path, agreement.cleaned)}{f', {mean[0]}' if mean else ''}{edges}"
        yield f"- {title}: {'; '.join(parts)}"
        if path == KAPPA_PATH:
            yield from _shares(agreement, is_same=is_same)
    for label, figure in agreement.cleaned.own_agreement.items():
        yield f'- where one answer to an item is "{label}" another is too in: {said_figure(figure)}'
    if without := [one for name, path in defined if (one := _without_influential(name, path, agreement.cleaned))]:
        yield f"- without the worker who moves the figure most: {'; '.join(without)}"
    yield from _undefined(
        {name: both[path][1] for name, path in figures if (name, path) not in defined}, beside_others=bool(defined)
    )


def tails_sentence(figures: Iterable[Figure], subject: str = "They") -> str:
    """Where intervals leave less on one side: what careless people lower is more often too low, an error too high."""
    methods = [figure.method for figure in figures if isinstance(figure, Estimate)]
    uneven, of_errors = (any(words in method for method in methods) for words in (UNEVEN, UNEVEN_OF_ERRORS))
    if not uneven and not of_errors:
        return ""
    sides = ["below them in 1 % of studies and above them in 3 %"] if uneven else []
    if of_errors:
        sides.append(f"{'of errors ' if uneven else ''}below them in 3 % of studies and above them in 1 %")
    return f"{subject} are made so that the true value lies {', '.join(sides)}."


def _shares(agreement: Agreement, *, is_same: bool) -> Iterator[str]:
    """How often two answers agree, and how often they would by chance: what kappa is made of."""
    if agreement.cleaned.fleiss_kappa.P is None:
        return
    has_bins = _bins_of(agreement.cleaned) and not agreement.cleaned.fleiss_kappa.steps
    same = "fall into the same bin" if has_bins else "are the same"
    shares = [
        f"in {_per_cent(kappa.P)} of cases, and in {_per_cent(kappa.P_e)} by chance"
        for kappa in (agreement.raw.fleiss_kappa, agreement.cleaned.fleiss_kappa)
        if kappa.P is not None and kappa.P_e is not None
    ]
    yield f"- two answers to an item {same} {'; after cleaning '.join(shares[:1] if is_same else shares)}"


def _undefined(figures: Mapping[str, Figure], *, beside_others: bool) -> Iterator[str]:
    """Which figures are undefined, those with one reason together."""
    by_reason: dict[str, list[str]] = {}
    for name, figure in figures.items():
        if isinstance(figure, Undefined):
            by_reason.setdefault(figure.why, []).append(name)
    if by_reason and beside_others:
        yield ""
    for why, names in by_reason.items():
        who = _name_list(names)
        yield f"{who[:1].upper()}{who[1:]} {'is' if len(names) == 1 else 'are'} undefined, because {why}."


def _without_influential(name: str, path: Path, cleaned: AgreementReport) -> str:
    """The figure without the most influential worker, where there is one."""
    figure = cleaned.statistics()[path].headline
    one = figure.told_without if isinstance(figure, Estimate) else None
    return f"{_statistic_name(name, path, cleaned)} {one.estimate:.3f}" if one else ""


def _per_cent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _figure(figure: Figure, over: set[str]) -> str:
    """The figure, with what its interval is over where the intervals of the group differ in that."""
    own = over_what([figure])
    if len(over) < 2 or not own:
        return said_figure(figure)
    [one] = own
    return f"{said_figure(figure)}, {OVER['items'] if one == 'items' else 'over items and workers'}"
