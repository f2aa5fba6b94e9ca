"""`touchstone split_items items.csv --out parts.csv`: train, dev and test, a pair and its complement in one part."""

from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path
from typing import Any

from agreement.cli.arguments import Progress, seed, table_of, write_new
from agreement.errors import Refused
from agreement.files.table import encode
from agreement.files.writing import csv_chunks
from studies.relations.splitting import PARTS, split_rows

COLUMN = "split"

HELP = "Parts an items file at random into train, dev and test; rows about the same two things stay together."


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("items", type=Path, metavar="items.csv")
    out = f"the same with a column {COLUMN}"
    parser.add_argument("--out", type=Path, required=True, metavar="parts.csv", help=out)
    shares = "per cent of the rows in train, dev and test (default: 20:10:70)"
    parser.add_argument("--shares", default="20:10:70", metavar="A:B:C", help=shares)
    parser.add_argument("--seed", type=seed, default=0, metavar="S", help="decides which rows (default: 0)")


def run(options: Namespace, _progress: Progress) -> dict[str, Any]:
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
