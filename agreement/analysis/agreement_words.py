"""How far people agree, in sentences that a paper can print, from the report alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from agreement.analysis.figure_words import OVER, over_in_words, over_what, said_figure

Report = Mapping[str, Any]
Path = tuple[str, ...]

_KAPPA = ("Fleiss' kappa", ("fleiss_kappa",))
_NOMINAL = ("Krippendorff's alpha (nominal)", ("krippendorff_alpha", "nominal"))
_INTERVAL = ("Krippendorff's alpha (interval)", ("krippendorff_alpha", "interval"))
_ORDINAL = ("Krippendorff's alpha (ordinal)", ("krippendorff_alpha", "ordinal"))
_COHEN = ("Cohen's kappa", ("cohen_kappa",))
_WEIGHTED = (
    ("Cohen's kappa, linear weights", ("weighted_kappa", "linear")),
    ("Cohen's kappa, quadratic weights", ("weighted_kappa", "quadratic")),
)
_RELIABILITY = (
    ("ICC(1,1)", ("icc1",)),
    ("ICC(1,k)", ("icc1k",)),
    ("split-half reliability, stepped up", ("split_half",)),
)
_PAIRS = re.compile(r"mean over [\d,]+ pairs of workers")
_BINS = ("Fleiss' kappa of bins", ("fleiss_kappa",))
# The figures that a kind of question has; report.json says of the others why they are undefined.
_FIGURES: dict[str, tuple[tuple[str, Path], ...]] = {
    "slider": (_INTERVAL, _ORDINAL, *_RELIABILITY, _BINS),
    "sliders": (_INTERVAL, *_RELIABILITY, _BINS),
    "choice": (_KAPPA, _NOMINAL, _COHEN),
    "choices": (_KAPPA, _NOMINAL),
    "verify": (_KAPPA, _NOMINAL, _COHEN),
}


def agreement_paragraph(report: Report) -> str:
    """Every figure that the kind of question has, over what the intervals are, and the notes."""
    raw, cleaned = report["agreement"]["raw"], report["agreement"]["cleaned"]
    figures = _figures(report)
    if not figures:
        lines = [f"No figure of agreement is defined for the answers as a whole: {raw['fleiss_kappa']['undefined']}."]
    else:
        lines = list(_lines(report, figures))
    notes: dict[str, list[str]] = {note: [] for note in [*raw["notes"], *cleaned["notes"]]}
    for name, path in figures:
        for note in _at(cleaned, path).get("notes", ()):
            notes.setdefault(note, []).append(name)
    said = [f"Note{f' on {_listed(of)}' if of else ''}: {note.rstrip('.')}." for note, of in notes.items()]
    return "\n".join([*lines, *(["", *said] if said else [])])


def cross_checks(report: Report) -> str:
    """Which figures other packages gave too, and on which items; nothing where none was compared."""
    by_package: dict[tuple[str, str, str], dict[str, None]] = {}
    largest = 0.0
    for part in ("raw", "cleaned"):
        for one in report["agreement"][part].get("double_entry", {}).get("comparisons", ()):
            on = one["on"] if one["on"].startswith("all ") else one["on"].replace(", of ", " of ")
            by_package.setdefault((one["package"], one["version"], on), {})[_spoken(one["statistic"])] = None
            largest = max(largest, one["difference"])
    said = [
        f"{_levels(list(names))} with {name} {version} on {on}" for (name, version, on), names in by_package.items()
    ]
    if not said:
        return ""
    return f"These estimates were recomputed: {'; '.join(said)}. The largest difference is {largest:.1g}."


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
    figures = _FIGURES.get(report["kind"], () if "undefined" in raw["fleiss_kappa"] else (_KAPPA,))
    if "weighted_kappa" in cleaned:
        figures = (*figures[:2], _ORDINAL, *figures[2:], *_WEIGHTED)
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
        edges = f" ({', '.join(f'{edge:g}' for edge in bins)})" if bins else ""
        called = name.replace("of bins", "of its steps") if "steps" in after else name
        pairs = _PAIRS.search(after.get("method", ""))
        yield f"- {called}{f', {pairs[0]}' if pairs else ''}{edges}: {'; '.join(said)}"
        if after.get("P") is not None:
            same = "fall into the same bin" if edges and "steps" not in after else "are the same"
            yield f"- two answers to an item {same} in {after['P']:.1%} of cases, and in {after['P_e']:.1%} by chance"
    by_reason: dict[str, list[str]] = {}
    for name, path in figures:
        if (name, path) not in defined:
            by_reason.setdefault(str(_at(cleaned, path)["undefined"]), []).append(name)
    if by_reason and defined:
        yield ""
    for why, names in by_reason.items():
        yield f"{_listed(names)} {'is' if len(names) == 1 else 'are'} undefined: {why}."


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
