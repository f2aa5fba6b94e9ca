"""Warnings about rows of a file: ids and labels that look alike, and rows that the platform marks as not valid."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from ..errors import remedy
from ..files.cell_texts import BLANK_SIGNS, invisible_in, visible_text
from ..files.marked_rows import marked_in_words
from ..files.table import Column
from ..judgments.crowd import Crowd, Mask, Sample
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
    meant = [" ".join(visible_text(one).casefold().split()) for one in ids]
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


# A warning about judgments in rows that the platform marks as not valid, and that count all the same.

_BY_HAND = remedy(
    command="--by-hand, with the columns worker_id, kept (0) and reason, excludes workers.",
    python="drop their rows of the frame to exclude them.",
    page="they can be excluded by hand.",
)


def marked_rows(crowd: Crowd, kept: Mask) -> Iterator[AnalysisWarning]:
    """Of the judgments [J] that are `kept`: a rejected assignment, an unfinished survey, a preview."""
    columns = {
        str(name): Column(np.asarray(column.cat.codes), [str(value) for value in column.cat.categories])
        for name, column in crowd.extras.items()
        if isinstance(column.dtype, pd.CategoricalDtype)
    }
    if text := marked_in_words(columns, crowd.worker, kept):
        yield AnalysisWarning("marked-not-valid", text)


def marked_people(crowd: Crowd, kept: Mask, status_of: Mapping[str, str]) -> Iterator[AnalysisWarning]:
    """Of workers with judgments that are `kept`: those whose whole submission the platform doesn't take as valid."""
    there = [str(crowd.workers[worker]) for worker in np.unique(crowd.worker[kept]).tolist()]
    found = [who for who in there if who in status_of]
    if not found:
        return
    counts = Counter(status_of[who] for who in found)
    each = ", ".join(f"{status}: {count:,}" for status, count in sorted(counts.items()))
    one = len(found) == 1
    yield AnalysisWarning(
        "marked-not-valid",
        f"The submission{'' if one else 's'} of {len(found):,} worker{'' if one else 's'} ({named(found)})"
        f" {'is' if one else 'are'} not valid by the platform's export of people ({each}), and their judgments count"
        " like all others; " + _BY_HAND,
    )
