"""A file's rows parted at random into train, dev and test, a pair with its complement in the same part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agreement.errors import Refused
from agreement.files.table import Table

PARTS = ("train", "dev", "test")
PAIR = ("object", "other")


def split_rows(table: Table, shares: Sequence[int], seed: int, *, pair: Sequence[str] = PAIR) -> list[str]:
    """[R] the part of each row. Rows with the same two things, in whichever order, stay together.

    Parts have int(share x rows) rows; what is left goes to the last one. A part may have a row fewer, where the next
    two belong together.
    """
    if len(shares) != len(PARTS) or any(share < 0 for share in shares) or sum(shares) != 100:
        given = ":".join(map(str, shares))
        raise Refused(f"shares are three whole numbers that sum to 100, such as 20:10:70, not {given}.")
    clusters = _clusters(table, pair)
    order = np.random.default_rng(seed).permutation(len(clusters))
    n = len(table)
    wanted = [n * share // 100 for share in shares[:-1]]
    part = np.full(n, len(PARTS) - 1)
    waiting = [clusters[at] for at in order.tolist()]
    for number, size in enumerate(wanted):
        taken, waiting = _fill(waiting, size)
        for rows in taken:
            part[rows] = number
    return [PARTS[number] for number in part.tolist()]


def _fill(waiting: Sequence[list[int]], size: int) -> tuple[list[list[int]], list[list[int]]]:
    """The clusters that fit into so many rows, in their order, and the rest."""
    taken, rest, left = [], [], size
    for rows in waiting:
        if len(rows) <= left:
            taken.append(rows)
            left -= len(rows)
        else:
            rest.append(rows)
    return taken, rest


def _clusters(table: Table, pair: Sequence[str]) -> list[list[int]]:
    """The places of rows that stay together, each row by itself where the table has no pairs."""
    if not all(name in table.columns for name in pair):
        return [[at] for at in range(len(table))]
    found: dict[frozenset[str], list[int]] = {}
    sides = zip(*(table.columns[name].text().tolist() for name in pair), strict=True)
    for at, both in enumerate(sides):
        found.setdefault(frozenset(both), []).append(at)
    return list(found.values())
