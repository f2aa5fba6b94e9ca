r"""Several texts in one cell, separated by |: a | inside a property is written \|."""

from __future__ import annotations

from collections.abc import Iterable


def join_bars(parts: Iterable[str]) -> str:
    r"""One cell of several texts; `\` is doubled so that any text comes back as it was.

    >>> print(join_bars(["is green", "a|b"]))
    is green|a\|b
    """
    return "|".join(part.replace("\\", "\\\\").replace("|", "\\|") for part in parts)


def split_bars(cell: str) -> list[str]:
    r"""The texts of a cell, trimmed; `\|` is a | and `\\` a \ of the text, any other `\` stands for itself.

    >>> split_bars(r"is green | a\|b")
    ['is green', 'a|b']
    """
    if "\\" not in cell:
        return [part.strip() for part in cell.split("|")]
    parts, part, at = [], "", 0
    while at < len(cell):
        if cell[at] == "\\" and cell[at + 1 : at + 2] in ("|", "\\"):
            part, at = part + cell[at + 1], at + 2
        elif cell[at] == "|":
            parts.append(part)
            part, at = "", at + 1
        else:
            part, at = part + cell[at], at + 1
    return [found.strip() for found in [*parts, part]]
