"""The methods paragraph: an analysis in words, from the report and nothing else."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import metadata
from typing import Any

from ..files.numbers import in_digits
from ..files.synonyms import synonyms_in_words
from ..kinds.words import words_of
from ..on_request.further_analysis import further_paragraphs
from ..places import version
from .agreement_words import (
    agreement_paragraph,
    cross_checks,
    said_figure,
)
from .cleaning_report import cleaning_paragraph, several, warning_texts
from .collection import collection_text
from .score_words import people_paragraph, scores_paragraph, size_paragraph

# The methods paragraph.

__all__ = ["blank_looking", "methods_text", "said_figure"]

FURTHER_TITLE = "Other coefficients and pairs of workers."
NO_ANSWER = frozenset({"na", "n/a", "nan", "none", "null", "-", "?"})


def methods_text(report: Mapping[str, Any]) -> str:
    """methods.md: who judged what, by which rules it was cleaned, how gold and every figure were made."""
    further, pairs = list(further_paragraphs(report)), []
    if report.get("fixed_workers"):  # the pairs of experts come first
        pairs = [one for one in further if one.startswith(FURTHER_TITLE)]
        further = [one for one in further if one not in pairs]
    paragraphs = [
        f"# Methods: {report['study']}",
        _data(report),
        collection_text(report.get("collection", {})),
        cleaning_paragraph(report),
        _gold(report),
        _coding(report.get("coding")),
        *pairs,
        agreement_paragraph(report),
        people_paragraph(report),
        size_paragraph(report.get("size_threshold", {})),
        scores_paragraph(report),
        *further,
        _warnings(report),
        _how(report),
    ]
    return "\n\n".join(filter(None, paragraphs)) + "\n"


def _data(report: Mapping[str, Any]) -> str:
    counts, scale = report["counts"], {end: in_digits(number) for end, number in (report["scale"] or {}).items()}
    n_labels = len(report["labels"])
    words = words_of(report["kind"])
    answer = words.answer.format(**scale, n_labels=n_labels)
    if n_labels == 1 and words.answer_of_one_label:
        answer = words.answer_of_one_label.format(label=report["labels"][0])
    workers, judgments, items = (several(counts[what], what[:-1]) for what in ("workers", "judgments", "items"))
    gave = f"{workers} gave {judgments} of {items}"
    said = [f"{gave}; an answer is {answer}."]
    if counts["check_judgments"]:
        answers = several(counts["check_judgments"], "answer")
        said.append(f"They also gave {answers} to check items, which enter neither gold nor agreement.")
    repeats = report["repeats"]
    if repeats["answers"]:
        kept = {"keep": "each counts as a judgment", "mean": "the mean of a worker's answers counts"}
        told_by = {"time": "by its time", "row": "by its row in the file"}[repeats["told_by"]]
        what = kept.get(repeats["policy"], f"the {repeats['policy']} of a worker's answers, {told_by}, counts")
        said.append(f"{repeats['answers']:,} answers repeated an item that their worker had answered before: {what}.")
    said += report.get("left_out_in_reading", {}).get("notes", ())
    if note := blank_looking(report["labels"]):
        said.append(note)
    if spelt := report.get("synonyms"):
        said.append(f"Other spellings were taken for the labels: {synonyms_in_words(spelt)}.")
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


def _coding(coding: Mapping[str, Any] | None) -> str:
    """Which coding of properties was applied; nothing where none was."""
    if coding is None:
        return ""
    spellings, n = several(coding["spellings"] - coding["left_out"], "spelling"), coding["properties"]
    properties = f"{n:,} {'property' if n == 1 else 'properties'}"
    left_out = f" and left out {coding['left_out']:,}" if coding["left_out"] else ""
    return (
        f"Before gold and agreement a researcher coded the properties ({coding['name']}, SHA-256 {coding['sha256']}):"
        f" the coding takes {spellings} for {properties}{left_out}. Of any other property the last word is the feature"
        " and the words before it are the relation."
    )


def _gold(report: Mapping[str, Any]) -> str:
    sha256 = f"The gold release's SHA-256 is {report['release']['sha256']}."
    return f"{words_of(report['kind']).gold_in(report)}{_typical(report)} {sha256}"


def _typical(report: Mapping[str, Any]) -> str:
    """Said where the rule for typical labels is not the published one."""
    if report["rules"].get("typical") != "typical-viphy" or not report["labels"]:
        return ""
    return " An item's typical labels are those that the code released with ViPhy keeps (Singh et al. 2023)."


def _warnings(report: Mapping[str, Any]) -> str:
    return "\n".join(f"Warning: {text}" for text in warning_texts(report))


def _how(report: Mapping[str, Any]) -> str:
    made = ", ".join(f"{name} {version}" for name, version in report["versions"].items() if name != "machine")
    bootstrapped = ""
    if _has_item_interval(report["agreement"]["cleaned"]):
        bootstrapped = (
            "report.json has intervals over items alone beside those of agreement, bootstrapped with"
            f" {report['replicates']:,} replicates; they are for these workers."
        )
    seed = f"The seed is {report['seed']}."
    return " ".join(filter(None, [bootstrapped, cross_checks(report), seed, f"Made with {made}."]))


def _has_item_interval(part: object) -> bool:
    """Whether any figure of this part of the report has a bootstrapped interval."""
    if isinstance(part, Mapping):
        beside = [part.get(name) for name in ("item_percentile", "item_bca")]
        return any(one and one["low"] is not None for one in beside) or any(map(_has_item_interval, part.values()))
    return isinstance(part, list) and any(map(_has_item_interval, part))


# What an analysis was made with: the versions that a reader needs to make it again.

_PACKAGES = ("numpy", "scipy", "pandas", "statsmodels", "krippendorff")


def versions() -> dict[str, str]:
    """Touchstone's, Python's and the numerical packages' versions, and the kind of machine."""
    return dict(_versions())


@cache
def _versions() -> Mapping[str, str]:
    """Read once: looking them up takes as long as a tenth of a small analysis."""
    found = {"touchstone": version(), "python": platform.python_version()}
    found |= {name: metadata.version(name) for name in _PACKAGES}
    return found | {"machine": f"{platform.system()} {platform.machine()}"}
