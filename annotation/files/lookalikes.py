"""Texts that look the same to a person and are not: spaces at an end, an accent encoded in another way."""

from __future__ import annotations

import unicodedata

import numpy as np

from annotation.files.problems import LONGEST_SHOWN, Problems
from annotation.files.table import Column, Table


def refuse_lookalikes(column: Column, name: str, table: Table, problems: Problems) -> None:
    """Name every row whose text looks like another one of the column: one worker would count as two."""
    whole = "".join(column.values)
    if whole.isascii() and whole.split(maxsplit=1) == [whole]:
        return  # no accent and no space in any of them
    first: dict[str, str] = {}
    for value in column.values:
        first.setdefault(_as_seen(value), value)
    if len(first) == len(column.values):
        return
    at = column.rows_where(lambda value: first[_as_seen(value)] != value)
    codes = column.codes[at]

    def sentence(i: int) -> str:
        value = column.values[int(codes[i])]
        other = first[_as_seen(value)]
        return f"{_spelt(value)} and {_spelt(other)} look the same; write it in one way"

    problems.each(np.asarray(table.rows[at]), name, sentence)


def _spelt(text: str) -> str:
    return ascii(text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…")


def _as_seen(text: str) -> str:
    text = text.strip()
    return text if text.isascii() else unicodedata.normalize("NFC", text)
