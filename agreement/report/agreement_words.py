"""How far people agree, in sentences that a paper can print, from the report alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..estimation.coverage_note import COVERAGE, WHERE
from ..estimation.intervals import FEW_EFFECTIVE, FEW_WORKERS
from ..files.numbers import in_digits
from ..kinds.words import COHEN, ORDINAL, WEIGHTED, Path, words_of

# A figure in words, and over what the intervals of some figures are, said once for all of them.

Figure = Mapping[str, Any]

NO_INTERVAL = "no interval: "
OVER = {
    "items and workers": "over items and workers: they generalise to new items and new workers",
    "items": "over items, for these workers",
}
_UNITS = re.compile(r"jackknife,? (?:over|on) (?:[\d,]+ )?([a-z]+)")


def said_figure(figure: Figure) -> str:
    """A figure in words; why there is no interval is said where the figure knows a reason.

    >>> said_figure({"estimate": 0.43024, "low": 0.381, "high": 0.48, "n": 30, "method": ""})
    '0.430 (0.381 to 0.480)'
    >>> said_figure({"undefined": "every judgment is the same label"})
    'undefined, because every judgment is the same label'
    >>> said_figure({"metric": "average_precision_at_5", "undefined": "average_precision_at_5: nobody named any"})
    'undefined, because nobody named any'
    >>> said_figure({"estimate": 1.0, "low": None, "high": None, "method": "alpha; no interval: nothing varies"})
    '1.000 (no interval: nothing varies)'
    >>> said_figure({"estimate": 0.753, "low": None, "high": None, "method": "mean; no interval asked for"})
    '0.753'
    """
    if "undefined" in figure:
        why = str(figure["undefined"]).removeprefix(f"{figure.get('metric')}: ")
        return f"undefined, because {why}"
    estimate = f"{figure['estimate']:.3f}"
    if figure["low"] is None or figure["high"] is None:
        _, said, why = figure["method"].partition(NO_INTERVAL)
        return f"{estimate} (no interval: {why})" if said else estimate
    return f"{estimate} ({figure['low']:.3f} to {figure['high']:.3f})"


def has_few_workers(figure: Figure) -> bool:
    """Whether the two-way interval of a figure rests on few effective workers."""
    return figure.get("low") is not None and FEW_EFFECTIVE in figure["method"]


def few_workers(intervals: int = 1, of: str = "") -> str:
    """What is said of so many such intervals.

    >>> few_workers(), few_workers(2)
    ('the interval rests on fewer than 4 effective workers', 'the intervals rest on fewer than 4 effective workers')
    """
    what = f"the interval{of} rests" if intervals == 1 else f"the intervals{of} rest"
    return f"{what} on fewer than {FEW_WORKERS} effective workers"


def over_what(figures: Iterable[Figure]) -> set[str]:
    """What the intervals of these figures are over: "items and workers", "items"; what items share, by its name."""
    found = set()
    for figure in figures:
        if figure.get("low") is None:
            continue
        over = str(figure.get("over", ""))  # a figure that doesn't say is spoken of in no sentence on a group
        units = _UNITS.search(figure["method"]) if over == "items" else None
        found.add(units[1] if units else over)
    return found


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

Report = Mapping[str, Any]

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
    raw, cleaned = report["agreement"]["raw"], report["agreement"]["cleaned"]
    figures = _figures(report)
    if not figures:
        lines = [f"Agreement on the answers as a whole has no figure, because {raw['fleiss_kappa']['undefined']}."]
    else:
        lines = list(_lines(report, figures))
    if report.get("fixed_workers"):
        lines = [FIXED_WORKERS.format(workers=cleaned["counts"]["workers"]), "", *lines]
    said = [*_resting_on_few(cleaned, figures), *_notes(raw, cleaned, figures, independent=not _same_accounts(report))]
    return "\n".join([*lines, *(["", *said] if said else [])])


def _same_accounts(report: Report) -> bool:
    return any(warning["code"] == "identical-accounts" for warning in report.get("warnings", ()))


def _resting_on_few(cleaned: Report, figures: list[tuple[str, Path]]) -> list[str]:
    """Which intervals rest on so few workers that those over items alone, for these workers, belong beside them."""
    all_of = [(_called(name, figure), figure) for name, path in figures if "estimate" in (figure := _at(cleaned, path))]
    few = [name for name, figure in all_of if has_few_workers(figure)]
    beside = [
        f"{name} {interval}"
        for name, figure in all_of
        if (name in few or figure["low"] is None) and (interval := item_interval(figure))
    ]
    said = [f"Note on {_listed(few)}: {few_workers(len(few))}."] if few else []
    if beside:
        said.append(f"Over items alone, for these workers (percentile bootstrap): {'; '.join(beside)}.")
    return said


def item_interval(figure: Report) -> str:
    """The percentile bootstrap's limits in words; nothing where there are none."""
    found = figure.get("item_percentile")
    return f"{found['low']:.3f} to {found['high']:.3f}" if found and found["low"] is not None else ""


def _notes(raw: Report, cleaned: Report, figures: list[tuple[str, Path]], *, independent: bool = True) -> list[str]:
    """A line for each note, with the figures that it is on, and one for how often such intervals hold the truth."""
    notes: dict[str, list[str]] = {note: [] for note in [*raw["notes"], *cleaned["notes"]]}
    for name, path in figures:
        figure = _at(cleaned, path)
        for note in figure.get("notes", ()):
            notes.setdefault(note, []).append(_called(name, figure))
    coverage = {note: found for note in notes if (found := COVERAGE.fullmatch(note))}
    influential = {note: found for note in notes if (found := INFLUENTIAL.fullmatch(note))}
    together = list(influential) if len(influential) > 1 else []
    said = [
        f"Note{f' on {_listed(of)}' if of else ''}: {note.rstrip('.')}."
        for note, of in notes.items()
        if note not in coverage and note not in together
    ]
    if together:
        shares = [f"{influential[note]['share']} % of that of {_listed(notes[note])}" for note in together]
        limits = _listed(list(dict.fromkeys(influential[note]["limit"] for note in together)))
        said.append(
            f"Of the workers' variance one worker makes up {_listed(shares)}, where exchangeable workers pass"
            f" {limits} % in 1 % of studies; the figures without that worker stand above."
        )
    by_design: dict[str, list[str]] = {}
    for note, found in coverage.items():
        by_design.setdefault(found["design"], []).append(f"{found['coverage']} ({_listed(notes[note])})")
    alone = (
        "" if independent else "; the simulated workers answered independently, which some of these may not have done"
    )
    return said + [
        f"In simulated studies with {design}, intervals like these contained the true value in "
        f"{_listed(shares)}{alone};"
        f" see {WHERE}."
        for design, shares in by_design.items()
    ]


def _called(name: str, figure: Report) -> str:
    return name.replace("of bins", "of the answers' steps") if "steps" in figure else name


def cross_checks(report: Report) -> str:
    """Which figures other packages gave too, and on which items; nothing where none was compared."""
    by_package: dict[tuple[str, str, str], dict[str, dict[str, None]]] = {}
    largest = 0.0
    for part, when in (("raw", "before"), ("cleaned", "after")):
        for one in report["agreement"][part].get("double_entry", {}).get("comparisons", ()):
            key = (one["package"], one["version"], _SOME.sub(r"\1 of \3 \2", one["on"]))
            by_package.setdefault(key, {}).setdefault(_spoken(one["statistic"]), {})[when] = None
            largest = max(largest, one["difference"])
    said = []
    for (name, version, on), statistics in by_package.items():
        whens = {tuple(when) for when in statistics.values()}
        when = f" {next(iter(whens))[0]} cleaning" if len(whens) == 1 and len(next(iter(whens))) == 1 else ""
        said.append(f"{_levels(list(statistics))} with {name} {version} on {on}{when}")
    if not said:
        return ""
    return f"These estimates were cross-checked: {'; '.join(said)}. The largest difference is {largest:.1g}."


def _spoken(statistic: str) -> str:
    """The name of a statistic of the report as people say it; its labels, where there are several, in one word.

    >>> _spoken("krippendorff_alpha.nominal"), _spoken("fleiss_kappa of red")
    ("Krippendorff's alpha (nominal)", "Fleiss' kappa of each label")
    """
    name, of, _ = statistic.partition(" of ")
    head, _, level = name.partition(".")
    said = {"fleiss_kappa": "Fleiss' kappa", "krippendorff_alpha": "Krippendorff's alpha"}.get(head, head)
    return f"{said}{f' ({level})' if level else ''}{' of each label' if of else ''}"


def _levels(names: list[str]) -> str:
    """Alpha's levels in one pair of brackets.

    >>> _levels(["Krippendorff's alpha (interval)", "Krippendorff's alpha (ordinal)"])
    "Krippendorff's alpha (interval, ordinal)"
    """
    alpha = "Krippendorff's alpha ("
    levels = [name[len(alpha) : -1] for name in names if name.startswith(alpha) and name.endswith(")")]
    if len(levels) < 2:
        return _listed(names)
    others = [name for name in names if not (name.startswith(alpha) and name.endswith(")"))]
    return _listed([f"{alpha}{', '.join(levels)})", *others])


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _figures(report: Report) -> list[tuple[str, Path]]:
    raw, cleaned = report["agreement"]["raw"], report["agreement"]["cleaned"]
    words = words_of(report["kind"])
    figures = (*words.figures, *(one for one in words.figures_if_defined if "undefined" not in _at(raw, one[1])))
    if "weighted_kappa" in cleaned:
        figures = (*figures[:2], ORDINAL, *figures[2:], *WEIGHTED)
    if report.get("fixed_workers"):
        of_pairs = (*reversed(WEIGHTED), COHEN)
        figures = (*of_pairs, *(one for one in figures if one not in of_pairs))
        figures = tuple(one for one in figures if one[1][0] in cleaned)
    return [(name, path) for name, path in figures if path[0] in raw and path[0] in cleaned]


def _lines(report: Report, figures: list[tuple[str, Path]]) -> Iterator[str]:
    raw, cleaned, counts = report["agreement"]["raw"], report["agreement"]["cleaned"], report["counts"]
    is_same = counts["judgments_kept"] == counts["judgments"]
    defined = [(n, p) for n, p in figures if not ("undefined" in _at(raw, p) and "undefined" in _at(cleaned, p))]
    given = [_at(part, path) for _, path in defined for part in (raw, cleaned)]
    over = over_what(given)
    if defined:
        what = "Agreement" if is_same else "Agreement, before and after cleaning"
        yield " ".join(filter(None, [f"{what}.", over_in_words(over)]))
        yield ""
    for name, path in defined:
        before, after = _at(raw, path), _at(cleaned, path)
        said = [_figure(before, over)] if is_same else [_figure(before, over), f"after cleaning {_figure(after, over)}"]
        bins = after.get("steps", after.get("edges", ()))
        edges = f" ({', '.join(map(in_digits, bins))})" if bins else ""
        mean = _MEAN.search(after.get("method", ""))
        yield f"- {_called(name, after)}{f', {mean[0]}' if mean else ''}{edges}: {'; '.join(said)}"
        if after.get("P") is not None:
            same = "fall into the same bin" if edges and "steps" not in after else "are the same"
            shares = [
                f"in {_per_cent(one['P'])} of cases, and in {_per_cent(one['P_e'])} by chance"
                for one in (before, after)
                if one.get("P") is not None
            ]
            yield f"- two answers to an item {same} {'; after cleaning '.join(shares[:1] if is_same else shares)}"
    if without := [one for name, path in defined if (one := _without_influential(name, _at(cleaned, path)))]:
        yield f"- without the worker who moves the figure most: {'; '.join(without)}"
    by_reason: dict[str, list[str]] = {}
    for name, path in figures:
        if (name, path) not in defined:
            by_reason.setdefault(str(_at(cleaned, path)["undefined"]), []).append(name)
    if by_reason and defined:
        yield ""
    for why, names in by_reason.items():
        who = _listed(names)
        yield f"{who[:1].upper()}{who[1:]} {'is' if len(names) == 1 else 'are'} undefined, because {why}."


def _without_influential(name: str, figure: Report) -> str:
    """The figure without the most influential worker, where there is one."""
    one = figure.get("most_influential_worker")
    return f"{_called(name, figure)} {one['estimate']:.3f}" if one else ""


def _per_cent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _figure(figure: Report, over: set[str]) -> str:
    """The figure, with what its interval is over where the intervals of the group differ in that."""
    own = over_what([figure])
    if len(over) < 2 or not own:
        return said_figure(figure)
    [one] = own
    return f"{said_figure(figure)}, {OVER['items'] if one == 'items' else 'over items and workers'}"


def _at(report: Report, path: Path) -> dict[str, Any]:
    found: Any = report
    for name in path:
        found = found[name]
    return dict(found)
