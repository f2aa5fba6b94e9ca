"""Judgments that were gathered elsewhere, read for one study: its items, its kind of question, its scale and labels."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import numpy as np

from agreement.files.column_mapping import ColumnMapping
from agreement.files.numbers import Scale
from agreement.files.problems import Problems, refuse_if_any, shown
from agreement.judgments.judgments_file import Judgments, read_judgments
from agreement.judgments.repeated_judgments import Repeats
from agreement.kinds.data import data_of
from agreement.typed_json import Json
from annotation.models import Item, Study


@dataclass(frozen=True, slots=True, eq=False)
class ForeignJudgments:
    """J answers: `worker` [J] as the file calls them, `item` [J] as the study does, `stored` [J] as the database keeps
    them; `response_ms` and `submitted_at` as the file has them, blank where it has none.
    """

    source: str
    sha256: str
    format: str
    read: Judgments
    worker: list[str]
    item: list[str]
    stored: list[Json]

    def problems(self) -> Problems:
        """An empty list of problems that says where as the reader did."""
        found = Problems(self.source)
        found.places = self.read.places
        return found

    def by_worker(self) -> Iterator[tuple[str, list[int]]]:
        """Each worker with the positions of their answers, in the order of the file."""
        rows: dict[str, list[int]] = {}
        for at, worker in enumerate(self.worker):
            rows.setdefault(worker, []).append(at)
        yield from rows.items()


def read_for_study(path: Path, study: Study, mapping: ColumnMapping, repeats: Repeats = "refuse") -> ForeignJudgments:
    """`Refused` with every row that the study can't take; practice items are none of its items here."""
    scale = None if study.scale_low is None or study.scale_high is None else _scale(study.scale_low, study.scale_high)
    read = read_judgments(
        path,
        kind=study.question_kind.name,
        scale=scale,
        labels=tuple(study.labels.order_by("position").values_list("value", flat=True)),
        repeats=repeats,
        synonyms=study.synonyms,
        mapping=mapping,
    )
    ids = read.items.frame["item_id"].to_numpy()[read.item]
    stored = data_of(read.kind).stored(read.answers, read.labels)
    content = path.read_bytes() if path.is_file() else b"".join(each.read_bytes() for each in sorted(path.rglob("*.*")))
    found = ForeignJudgments(
        source=path.name,
        sha256=hashlib.sha256(content).hexdigest(),
        format=mapping.export or "judgments.csv",
        read=read,
        worker=[str(worker) for worker in read.worker.text()],
        item=[str(item) for item in ids],
        stored=stored,
    )
    _refuse_unfit(found, study)
    return found


def _scale(low: Decimal, high: Decimal) -> Scale:
    """0.0000, as a decimal column gives it, is the 0 that a person wrote."""
    return Scale(Decimal(f"{low.normalize():f}"), Decimal(f"{high.normalize():f}"))


def _refuse_unfit(found: ForeignJudgments, study: Study) -> None:
    problems, rows = found.problems(), found.read.table.rows
    known = set(study.items.exclude(kind=Item.Kind.PRACTICE).values_list("item_id", flat=True))
    unknown = [at for at, item in enumerate(found.item) if item not in known]
    limit = f"is not an item of {study.slug}; manage.py import_items brings items in"
    problems.each(
        rows[np.array(unknown, dtype=np.intp)], "item_id", lambda i: f"{shown(found.item[unknown[i]])} {limit}"
    )
    empty = [at for at, value in enumerate(found.stored) if isinstance(value, (list, dict)) and not value]
    problems.each(
        rows[np.array(empty, dtype=np.intp)], "value", lambda _: "an answer of nothing can't be stored in a study"
    )
    refuse_if_any(problems)
