"""Pseudonyms in the place of ids by which a platform knows people, in whatever column of whatever file they stand."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from ..errors import Refused
from ..files.platform_ids import HIDDEN, IN_CAPITALS, WITHIN, is_platform_id
from ..files.table import Column, Table, encode

STREAM = 0x1D  # of the seed's random numbers, apart from those that statistics draw
OURS = re.compile(r"w\d+")
SUSPICIOUS = re.compile(r"@|[0-9a-f]{24}|A[A-Z0-9]{12}")  # quick, and in every text that holds an id
ITEM_ID = "item_id"


class Pseudonyms:
    """w001, w002, … for workers, in an order that the seed decides; it grows with every file that is read.

    If one worker of a file is named by a platform's id, all of its workers get pseudonyms. Ids of items stay as they
    are, unless they are those of workers.

    >>> from agreement.files.table import Table, encode
    >>> ids = ["5f2b1c0d9e8a7b6c5d4e3f2a", "ann@uni.example.org"]
    >>> columns = {"worker_id": encode(ids, 2), "note": encode(["", f"as {ids[0]} said"], 2)}
    >>> hidden = Pseudonyms(seed=1).applied(Table("j.csv", np.arange(2), columns))
    >>> [list(column.text()) for column in hidden.columns.values()]
    [['w001', 'w002'], ['', 'as w001 said']]
    """

    def __init__(self, seed: int, *, keep_ids: bool = False) -> None:
        self.keep_ids = keep_ids
        self.names: dict[str, str] = {}
        self._kept: set[str] = set()
        self._rng = np.random.default_rng([abs(seed), STREAM])

    def applied(self, table: Table, worker: str = "worker_id") -> Table:
        """The table with a pseudonym in the place of every id: workers have the first numbers, other ids the next."""
        for ids in (self._ids_of_workers(table, worker), self._other_ids(table, worker)):
            self._name(set(ids))
        if not self.names or self.keep_ids:
            return table
        columns = {self.text(name): self._hidden(column, name, worker) for name, column in table.columns.items()}
        return replace(table, columns=columns)

    @property
    def n_kept(self) -> int:
        """How many ids of a platform stay as they are."""
        return len(self._kept)

    def _name(self, ids: Collection[str]) -> None:
        if self.keep_ids:
            self._kept.update(ids)
            return
        new = sorted(one for one in ids if one not in self.names)
        first = len(self.names) + 1
        order = self._rng.permutation(len(new)).tolist()
        self.names.update({new[place]: f"w{number:03d}" for number, place in enumerate(order, start=first)})

    def _ids_of_workers(self, table: Table, worker: str) -> list[str]:
        """All workers, if one of them has an id or a name that is like our pseudonyms."""
        if worker not in table.columns:
            return []
        values = [value.strip() for value in table.columns[worker].used().values if value.strip()]
        clash = bool(self.names) or self._has_ids(table)
        if not (any(map(is_platform_id, values)) or (clash and any(map(OURS.fullmatch, values)))):
            return []
        return sorted({*values} - {*self.names.values()})

    def _other_ids(self, table: Table, worker: str) -> Iterator[str]:
        for name, column in table.columns.items():
            if name not in {worker, ITEM_ID} and _is_suspicious(column):
                for value in column.used().values:
                    yield from (match[0] for match in WITHIN.finditer(value))

    def _has_ids(self, table: Table) -> bool:
        return any(
            WITHIN.search(value)
            for name, column in table.columns.items()
            if name != ITEM_ID and _is_suspicious(column)
            for value in column.values
        )

    def _hidden(self, column: Column, name: str, worker: str) -> Column:
        """Of the workers' column all names; elsewhere what looks like an id, for a worker may be called 1."""
        if name == worker:
            return column.mapped(lambda value: self.names.get(value.strip(), value))
        if not _is_suspicious(column):
            return column
        if name == ITEM_ID:
            return column.mapped(lambda value: self.names.get(value.strip(), value) if is_platform_id(value) else value)
        return column.mapped(self.text)

    def text(self, text: str) -> str:
        """A text without ids of a platform."""
        if is_platform_id(text) and (name := self.names.get(text.strip())):
            return name
        text = WITHIN.sub(lambda match: self.names.get(match[0], HIDDEN), text)
        return IN_CAPITALS.sub(lambda match: self.names.get(match[0], match[0]), text)

    def sentence(self, sentence: str) -> str:
        """A message without ids, also those that stand in quotes in it and need no other sign."""
        if self.keep_ids:
            return sentence
        return self.text(re.sub(r"'[^']+'", lambda match: f"'{self.text(match[0][1:-1])}'", sentence))

    def of(self, worker: str) -> str:
        """What a worker is called here."""
        return self.names.get(worker.strip(), worker)

    def key(self) -> dict[str, Column]:
        """The table that tells who is who, in the order of the pseudonyms."""
        rows = sorted((name, one) for one, name in self.names.items())
        return {
            "worker_id": encode((name for name, _ in rows), len(rows)),
            "platform_id": encode((one for _, one in rows), len(rows)),
        }

    @contextmanager
    def in_refusals(self) -> Iterator[None]:
        """What is refused within names nobody by an id of a platform."""
        try:
            yield
        except Refused as refused:
            refused.change(self.sentence)
            raise


def _is_suspicious(column: Column) -> bool:
    return SUSPICIOUS.search("\n".join(column.values)) is not None
