"""`touchstone split_items items.csv --out parts.csv`: train, dev and test, a pair and its complement in one part."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agreement.cli.arguments import Progress, seed, table_of, write_new
from agreement.errors import Refused
from agreement.files.table import Table, encode
from agreement.files.writing import csv_chunks

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


COLUMN = "split"

HELP = "Parts an items file at random into train, dev and test; rows about the same two things stay together."


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("items", type=Path, metavar="items.csv")
    out = f"the same with a column {COLUMN}"
    parser.add_argument("--out", type=Path, required=True, metavar="parts.csv", help=out)
    shares = "per cent of the rows in train, dev and test (default: 20:10:70)"
    parser.add_argument("--shares", default="20:10:70", metavar="A:B:C", help=shares)
    parser.add_argument("--seed", type=seed, default=0, metavar="S", help="decides which rows (default: 0)")


def run(options: Namespace, _progress: Progress) -> dict[str, object]:
    table, given = table_of(options.items), options.shares.split(":")
    if not all(share.isdecimal() for share in given):
        raise Refused(f"--shares {options.shares}: write three whole numbers, such as 20:10:70.")
    if COLUMN in table.columns:
        raise Refused(f"{table.name} has a column {COLUMN} already: remove it, or rename it.")
    parts = split_rows(table, [int(share) for share in given], options.seed)
    columns = {**table.columns, COLUMN: encode(parts, len(parts))}
    write_new(options.out, b"".join(csv_chunks(columns)))
    counts = Counter(parts)
    return {"items": len(parts), "seed": options.seed, "parts": {name: counts[name] for name in PARTS}}


def say(answer: dict[str, Any]) -> str:
    parts = ", ".join(f"{count:,} {name}" for name, count in answer["parts"].items())
    return f"{answer['items']:,} items: {parts} (seed {answer['seed']})."
