"""Files with labels added: every column that was there, then those that follow from the areas and k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from annotation.errors import Refused
from annotation.files.table import Table, encode
from annotation.files.writing import csv_chunks
from annotation.scenes.given import Sentences, Shapes
from annotation.scenes.shapes import Floats
from annotation.scenes.tasks import BIG, SMALL, Task
from annotation.scenes.threshold import K_DIGITS, K_MEAN


def write_shapes(shapes: Shapes, out: Path) -> None:
    """The shapes with `size` and `threshold`."""
    _write(shapes.table, {"size": shapes.sizes, "threshold": [f"{each:.2f}" for each in shapes.threshold]}, out)


def write_sentences(sentences: Sentences, task: Task, out: Path) -> None:
    """The sentences with `reference` and the columns that make_scenes gives its items."""
    asked, at = sentences.asked, sentences.at
    columns = {
        "reference": sentences.verdicts,
        "task": [task.name] * len(at),
        "says": [BIG if big else SMALL for big in asked.says_big.tolist()],
        **{name: _whole(values) for name, values in _areas(sentences).items()},
    }
    if not task.is_superlative:
        columns |= _of_threshold(sentences)
    _write(sentences.table, columns, out)


def _areas(sentences: Sentences) -> dict[str, Floats]:
    asked = sentences.asked
    return {"area": asked.area, "set_max": asked.largest, "set_min": asked.smallest}


def _of_threshold(sentences: Sentences) -> dict[str, list[str]]:
    asked, shapes = sentences.asked, sentences.shapes
    threshold, k, span = shapes.threshold[sentences.at], shapes.k[sentences.at], asked.largest - asked.smallest
    distance = np.abs(asked.area - threshold) / np.where(span > 0, span, np.nan)
    at_mean = asked.area > np.trunc(asked.largest - K_MEAN * span)
    same = at_mean == shapes.is_big[sentences.at]
    return {
        "threshold": [f"{each:.2f}" for each in threshold],
        "distance": ["" if np.isnan(each) else f"{each:.4f}" for each in distance],
        "k": [f"{each:.{K_DIGITS}f}" for each in k],
        "at_k_29": ["same" if each else "different" for each in same.tolist()],
    }


def _whole(values: Floats) -> list[str]:
    return [f"{value:g}" if value % 1 else f"{value:.0f}" for value in values.tolist()]


def _write(table: Table, added: Mapping[str, Sequence[str]], out: Path) -> None:
    if out.exists():
        raise Refused(f"--out {out}: something is there already; name a new file.")
    columns = {**table.columns, **{name: encode(values, len(table)) for name, values in added.items()}}
    part = out.with_name(f".{out.name}.part")
    try:
        with part.open("wb") as stream:
            stream.writelines(csv_chunks(columns))
        part.rename(out)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise Refused(f"--out {out}: it can't be written ({error.strerror}).") from error
