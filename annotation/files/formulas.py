"""Spreadsheet formulas: text that a spreadsheet would run is written with a leading ', and read back without it."""

from __future__ import annotations

import re

# A run of ' before a character that starts a formula: written with one more, read with one less, so that any text,
# even one that itself begins with '=, comes back as it was.
_STARTS_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_ESCAPED = re.compile(r"'+[=+\-@\t\r]")
_NUMBER = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def escaped(text: str) -> str:
    """`text` as a cell that no spreadsheet runs; a plain number is left alone (+1 is a text: nobody writes 1 so).

    >>> [escaped(text) for text in ("=1+1", "'=1+1", "-5", "green")]
    ["'=1+1", "''=1+1", '-5', 'green']
    """
    if _STARTS_FORMULA.match(text) and not _NUMBER.fullmatch(text):
        return "'" + text
    return text


def unescaped(cell: str) -> str:
    """The text that a cell stands for: the inverse of `escaped`.

    >>> [unescaped(cell) for cell in ("'=1+1", "''=1+1", "'tis")]
    ['=1+1', "'=1+1", "'tis"]
    """
    return cell[1:] if _ESCAPED.match(cell) else cell
