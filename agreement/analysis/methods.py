"""The methods paragraph: an analysis in words that a paper can print, from the report and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agreement.analysis.cleaning_words import cleaning_paragraph
from agreement.analysis.collection_words import collection_text
from agreement.showing import METRICS

_ANSWERS = {
    "slider": "a number on a scale from {low:g} to {high:g}",
    "sliders": "a number from {low:g} to {high:g} for each of {n_labels} labels",
    "choice": "one of {n_labels} labels",
    "choices": "one or more of {n_labels} labels",
    "verify": "one of {n_labels} verdicts",
    "list": "a list of properties",
    "text": "a text",
}
_GOLD = {
    "slider": "The gold of an item is the mean of its judgments, with a t interval.",
    "sliders": (
        "Each answer was made into proportions, and the gold of an item is their mean over workers; its label is the"
        " one of largest share, ties kept as ties."
    ),
    "list": "The gold of an item is how many people named each normalised property.",
    "text": "The gold of an item is all of its texts.",
}
_LABEL_GOLD = "The gold of an item is its labels' proportions and its majority label, ties kept as ties."
_KAPPA = ("Fleiss' kappa", ("fleiss_kappa",))
_NOMINAL = ("Krippendorff's alpha (nominal)", ("krippendorff_alpha", "nominal"))
_INTERVAL = ("Krippendorff's alpha (interval)", ("krippendorff_alpha", "interval"))
_ORDINAL = ("Krippendorff's alpha (ordinal)", ("krippendorff_alpha", "ordinal"))
_RELIABILITY = (
    ("ICC(1,1)", ("icc1",)),
    ("ICC(1,k)", ("icc1k",)),
    ("split-half reliability, stepped up", ("split_half",)),
)
# The figures that a kind of question has; report.json says of the others why they are undefined.
_FIGURES: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "slider": (_INTERVAL, _ORDINAL, *_RELIABILITY, ("Fleiss' kappa of five bins", ("fleiss_kappa",))),
    "sliders": (_INTERVAL, *_RELIABILITY, ("Fleiss' kappa of five bins", ("fleiss_kappa",))),
    "choice": (_KAPPA, _NOMINAL),
    "choices": (_KAPPA, _NOMINAL),
    "verify": (_KAPPA, _NOMINAL),
}

NO_ANSWER = frozenset({"na", "n/a", "nan", "none", "null", "-", "?"})


def methods_text(report: Mapping[str, Any]) -> str:
    """methods.md: who judged what, by which rules it was cleaned, how gold and every figure were made."""
    paragraphs = [
        f"# Methods: {report['study']}",
        _data(report),
        collection_text(report.get("collection", {})),
        cleaning_paragraph(report),
        _GOLD.get(report["kind"], _LABEL_GOLD) + f" The gold release's SHA-256 is {report['release']['sha256']}.",
        _agreement(report),
        _ceiling(report),
        _scores(report),
        _how(report),
    ]
    return "\n\n".join(filter(None, paragraphs)) + "\n"


def _data(report: Mapping[str, Any]) -> str:
    counts, scale = report["counts"], report["scale"] or {"low": 0, "high": 0}
    answer = _ANSWERS[report["kind"]].format(**scale, n_labels=len(report["labels"]))
    gave = f"{counts['workers']:,} workers gave {counts['judgments']:,} judgments of {counts['items']:,} items"
    said = [f"{gave}; an answer is {answer}."]
    if counts["check_judgments"]:
        said.append(
            f"They also answered {counts['check_judgments']:,} check items, which enter neither gold nor agreement."
        )
    repeats = report["repeats"]
    if repeats["answers"]:
        kept = {"keep": "each counts as a judgment", "mean": "the mean of a worker's answers counts"}
        told_by = {"time": "by its time", "row": "by its row in the file"}[repeats["told_by"]]
        what = kept.get(repeats["policy"], f"the {repeats['policy']} of a worker's answers, {told_by}, counts")
        said.append(f"{repeats['answers']:,} answers repeated an item that their worker had answered before: {what}.")
    if note := blank_looking(report["labels"]):
        said.append(note)
    return " ".join(said)


def blank_looking(labels: Sequence[str]) -> str:
    """What is said of labels that other programs write where there is no answer; nothing where there is none.

    >>> blank_looking(["no", "None", "yes"])
    'The label None was taken for an answer like any other.'
    """
    found = [label for label in labels if label.casefold() in NO_ANSWER]
    if len(found) == 1:
        return f"The label {found[0]} was taken for an answer like any other."
    return f"The labels {', '.join(found)} were taken for answers like any other." if found else ""


def _agreement(report: Mapping[str, Any]) -> str:
    raw, cleaned = report["agreement"]["raw"], report["agreement"]["cleaned"]
    figures = _FIGURES.get(report["kind"], () if "undefined" in raw["fleiss_kappa"] else (_KAPPA,))
    lines = ["Agreement, before and after cleaning, with 95 % intervals:", ""]
    for name, path in figures:
        before, after = _at(raw, path), _at(cleaned, path)
        lines.append(f"- {name}: {said_figure(before)}; after cleaning {said_figure(after)}")
    notes = dict.fromkeys([*raw["notes"], *cleaned["notes"]])
    if not figures:
        lines = [f"No figure of agreement is defined for the answers as a whole: {raw['fleiss_kappa']['undefined']}."]
    return "\n".join([*lines, *(["", *(f"Note: {note}." for note in notes)] if notes else [])])


def _ceiling(report: Mapping[str, Any]) -> str:
    left_out = report["ceiling"]["leave_one_out"]
    said = [f"A person scored against the gold of the others (leave-one-out): {said_figure(left_out['mean'])}."]
    if "metric" in left_out:
        metric = METRICS.get(left_out["metric"], left_out["metric"])
        said.insert(0, f"The metric is {metric}, over the {left_out['workers_counted']:,} workers who count.")
    for metric, figure in left_out.get("other_metrics", {}).items():
        said.append(f"By {metric.replace('_', ' ')} a person has {said_figure(figure)}.")
    if left_out.get("others_behind_a_gold", 0) > 0:
        said.append(f"The gold of the others rests on {left_out['others_behind_a_gold']:.1f} people on average.")
    if report["kind"] in ("slider", "sliders"):
        bound = said_figure(report["ceiling"]["upper_bound"])
        said.append(f"The most that a model can correlate with the gold: {bound}.")
    return " ".join(said)


def _scores(report: Mapping[str, Any]) -> str:
    """The reference and the probes, over all items."""
    reference = report["ceiling"]["reference"]
    said = []
    if "crowd" in reference:
        said.append(f"Against {reference['source']} ({reference['items']:,} items), the crowd as a model:")
        said.extend(f"- {_score(score)}" for score in reference["crowd"])
        said.append(f"- {said_figure(reference['workers'])}, workers one by one")
    for probe in report["probes"]:
        coverage = probe["coverage"]
        said.append(f"{probe['probe']} covers {coverage['covered']:,} of {coverage['gold']:,} items of gold:")
        own = (score for score in report["scores"] if score["probe"] == probe["probe"] and not score["breakdown"])
        said.extend(f"- {_score(score)}" for score in own)
        said.append(f"- matched share of a typical person: {said_figure(probe['matched_share'])}")
        said.extend(f"- note: {note}" for note in probe["notes"])
    return "\n".join(said)


def _score(score: Mapping[str, Any]) -> str:
    return f"{score['metric'].replace('_', ' ')}: {said_figure(score)}"


def _how(report: Mapping[str, Any]) -> str:
    made = ", ".join(f"{name} {version}" for name, version in report["versions"].items() if name != "machine")
    return (
        "Unless said otherwise an interval is two-way: a jackknife that leaves out items, workers and judgments, so"
        " that it answers for other items and other workers alike. Intervals over items alone, in report.json, are"
        f" bootstrapped with {report['replicates']:,} replicates and hold for these workers only. The seed is"
        f" {report['seed']}. Point estimates were made a second time by independent packages where these could. Made"
        f" with {made}."
    )


def said_figure(figure: Mapping[str, Any]) -> str:
    """A figure in words.

    >>> said_figure({"estimate": 0.43024, "low": 0.381, "high": 0.48, "n": 30, "method": ""})
    '0.430 (0.381 to 0.480)'
    >>> said_figure({"undefined": "every judgment is the same label"})
    'undefined, because every judgment is the same label'
    """
    if "undefined" in figure:
        return f"undefined, because {figure['undefined']}"
    estimate = f"{figure['estimate']:.3f}"
    if figure["low"] is None or figure["high"] is None:
        return f"{estimate} (no interval: {figure['method']})"
    return f"{estimate} ({figure['low']:.3f} to {figure['high']:.3f})"


def _at(report: Mapping[str, Any], path: tuple[str, ...]) -> Mapping[str, Any]:
    found: Any = report
    for name in path:
        found = found[name]
    return dict(found)
