"""Warnings about ids and labels: those that differ in capitals or blanks alone, that hold what nobody can see, and ids
that a spreadsheet rounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..files.cell_texts import BLANK_SIGNS, as_seen, invisible_in
from ..judgments.crowd import Crowd, Sample
from .warning import AnalysisWarning, named

MOST_GROUPS = 3  # of alike ids that are named
SCIENTIFIC = re.compile(r"[0-9](?:[.,][0-9]+)?[eE]\+[0-9]{2,3}")
DIGITS = 15  # that a spreadsheet keeps of a number
LONG = re.compile(rf"[0-9]{{{DIGITS + 1},}}")


def warnings_on_ids(crowd: Crowd, _: Sample) -> Iterator[AnalysisWarning]:
    for what, ids in (
        ("workers", [str(one) for one in crowd.workers]),
        ("items", [str(one) for one in crowd.items["item_id"]]),
    ):
        yield from _alike(what, ids)
        yield from _rounded(what, ids)
        yield from _hidden(f"ids of {what}", ids)
    yield from _hidden("labels", crowd.labels)


def _alike(what: str, ids: Sequence[str]) -> Iterator[AnalysisWarning]:
    """Ids of which each counts for itself, and which mean the same one where nobody tells capitals apart."""
    meant = [" ".join(as_seen(one).casefold().split()) for one in ids]
    if len(set(meant)) == len(meant):
        return
    groups: dict[str, list[str]] = {}
    for key, one in zip(meant, ids, strict=True):
        groups.setdefault(key, []).append(one)
    alike = [group for group in groups.values() if len(group) > 1]
    listed = "; ".join(named(group) for group in alike[:MOST_GROUPS])
    more = f"; and {len(alike) - MOST_GROUPS:,} more" if len(alike) > MOST_GROUPS else ""
    yield AnalysisWarning(
        "ids-alike",
        f"Ids of {what} that differ in capitals or blanks alone are counted as different {what} ({listed}{more}): if"
        " they mean the same, write them in one way.",
    )


def _rounded(what: str, ids: Sequence[str]) -> Iterator[AnalysisWarning]:
    """Numbers in the notation of spreadsheets, or long ones that all end in zeros where a spreadsheet stops."""
    found = [one for one in ids if SCIENTIFIC.fullmatch(one)]
    long = [one for one in ids if LONG.fullmatch(one)]
    if len(long) > 1 and all(set(one[DIGITS:]) == {"0"} for one in long):
        found += long
    if found:
        yield AnalysisWarning(
            "rounded-ids",
            f"Ids of {what} look like numbers that a spreadsheet has rounded ({named(found)}): several ids may have"
            " become one. Read the ids as text, from the file as the platform wrote it.",
        )


def _hidden(what: str, texts: Sequence[str]) -> Iterator[AnalysisWarning]:
    """Characters without a width, which models' outputs and other files won't have; signs that emoji need are none."""
    if all(map(str.isascii, texts)):
        return
    plain = {text: "".join(" " if letter in BLANK_SIGNS | {"\u00a0"} else letter for letter in text) for text in texts}
    found = [f"{text!a}, {hidden}" for text in texts if (hidden := invisible_in(plain[text]))]
    if found:
        yield AnalysisWarning(
            "hidden-characters",
            f"The {what} hold characters that can't be seen ({named(found)}): what another file writes without them is"
            " not taken for the same.",
        )
