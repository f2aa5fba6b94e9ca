"""doccano's JSON Lines of text classification: one file per annotator, or annotations that name their user."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ...errors import option
from ..binary_tables import cell_text
from ..cell_texts import join_bars
from ..column_mapping import ColumnMapping
from ..json_lines import Row, json_rows
from ..problems import Problems
from ..table import Table, encode
from .export_format import Export, ExportFormat, refused_as_foreign

ALL, NOBODY = "all", "unknown"  # the labels of all annotators together; texts that nobody labelled
TEXT = "text"
LABELS = ("label", "labels", "cats")


def read(path: Path, mapping: ColumnMapping, problems: Problems) -> Export | None:
    """Of a folder every annotator's file, whose name is the annotator."""
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    files = [file for file in files if file.stem != NOBODY or not path.is_dir()]
    if not files:
        problems.whole("there is no file of an annotator in this folder, such as ann.jsonl")
        return None
    rows: list[dict[str, str]] = []
    places: list[str] = []
    for file in files:
        if refused_as_foreign(file, problems):
            continue
        own = Problems(file.name) if path.is_dir() else problems
        for number, row in json_rows(file, own):
            for judgment in _judgments(row, file.stem, mapping):
                if isinstance(judgment, str):
                    own.row(number, judgment)
                    break
                rows.append(judgment)
                places.append(f"{file.name}, row {number}" if path.is_dir() else f"row {number}")
        if own is not problems:
            problems.include(own)
    if len(problems):
        return None
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: encode([row.get(name, "") for row in rows], len(rows)) for name in names}
    table = Table(path.name, np.arange(len(rows), dtype=np.int64), columns)
    return Export(
        table=table, worker="worker_id", item="item_id", value="value", where=places.__getitem__, skips_missing=True
    )


def _judgments(row: Row, file: str, mapping: ColumnMapping) -> Iterator[dict[str, str] | str]:
    """One of the file's annotator, or one of each user that the annotations name."""
    item, names = row.get(mapping.item or ("id" if "id" in row else "doc_id")), ", ".join(row) or "nothing"
    if item in (None, ""):
        yield f"there is no {mapping.item or 'id'} in it; it has {names}: type {option('item', 'NAME')}"
        return
    about = {"item_id": cell_text(item), **({TEXT: str(row[TEXT])} if TEXT in row else {})}
    annotations = row.get("annotations")
    if isinstance(annotations, list):
        by_user: dict[str, list[str]] = {}
        for each in annotations:
            if not isinstance(each, dict) or "user" not in each or "label" not in each:
                yield "its annotations don't name a user and a label each"
                return
            by_user.setdefault(cell_text(each["user"]), []).append(cell_text(each["label"]))
        yield from ({"worker_id": user, "value": join_bars(each), **about} for user, each in by_user.items())
        return
    user = row.get(mapping.worker or "username")
    if user is None and file == ALL:
        yield "it has the labels of all annotators together; export the project with annotations that aren't shared"
        return
    name = mapping.value or next((name for name in LABELS if name in row), "")
    if name not in row:
        yield f"there is no {name or 'label'} in it; it has {names}: type {option('value', 'NAME')}"
        return
    labels: object = row[name]
    if isinstance(labels, list) and any(isinstance(one, (list, dict)) for one in labels):
        yield "its labels are of parts of the text, which can't be read; labels of whole texts can"
        return
    yield {"worker_id": cell_text(user) or file, "value": cell_text(labels), **about}


def _knows(rows: list[Row]) -> bool:
    """By the comments that it always writes, by whom it names, or by its older annotations."""
    return bool(rows) and all(
        TEXT in row
        and (
            ("id" in row and "Comments" in row and any(name in row for name in LABELS))
            or ("doc_id" in row and "username" in row)
            or _is_old(row.get("annotations"))
        )
        for row in rows
    )


def _is_old(annotations: object) -> bool:
    return isinstance(annotations, list) and all(
        isinstance(one, dict) and {"user", "label"} <= set(one) for one in annotations
    )


FORMAT = ExportFormat(
    name="doccano",
    title="doccano's JSON Lines, or the folder with one file per annotator",
    read=read,
    knows=_knows,
    folder_has=lambda folder: any(folder.glob("*.jsonl")),
)
