"""Scenes and sentences from files, released ones as well as our own, and the labels that follow from them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from annotation.files.numbers import numbers
from annotation.files.problems import Problems, refuse_if_any, shown
from annotation.files.reading import read_table
from annotation.files.table import Table
from annotation.scenes.sentences import Sentence, read_sentence
from annotation.scenes.shapes import COLOURS, KINDS, Bools, Floats
from annotation.scenes.strategies import Asked
from annotation.scenes.tasks import BIG, SMALL, Task
from annotation.scenes.threshold import K_MEAN

NEEDED = ("scene_id", "shape", "colour", "area_px")
TRUE, FALSE = "true", "false"
BESIDE_TARGETS = ("check", "practice")


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """J shapes of a scenes file: the extremes of each one's reference set and scene, and what the rule calls it."""

    table: Table
    place: dict[tuple[str, str, str], list[int]]  # the shapes of a scene, by colour and shape
    area: Floats
    k: Floats
    largest: Floats
    smallest: Floats
    scene_largest: Floats
    scene_smallest: Floats

    @property
    def threshold(self) -> Floats:
        return np.asarray(self.largest - self.k * (self.largest - self.smallest))

    @property
    def is_big(self) -> Bools:
        return np.asarray(self.area > np.trunc(self.threshold))

    @property
    def sizes(self) -> list[str]:
        return [BIG if big else SMALL for big in self.is_big.tolist()]

    @property
    def followed(self) -> int | None:
        """How many of the file's own `size` labels follow from the rule; None where it has none."""
        if "size" not in self.table.columns:
            return None
        own = self.table.columns["size"].text().tolist()
        return sum(size == str(given) for size, given in zip(self.sizes, own, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class Sentences:
    """J sentences of a file, each about the shape in row `at` [J] of its scenes; `reference` is the file's or ""."""

    table: Table
    shapes: Shapes
    asked: Asked
    at: list[int]
    reference: list[str]
    left_out: int  # check and practice items, which are no part of any figure

    @property
    def verdicts(self) -> list[str]:
        return [TRUE if true else FALSE for true in self.asked.is_true.tolist()]

    @property
    def followed(self) -> int | None:
        """How many of the file's references follow from the rule; None where it has none."""
        given = [pair for pair in zip(self.reference, self.verdicts, strict=True) if pair[0]]
        return sum(own == verdict for own, verdict in given) if given else None


def read_shapes(path: Path, task: Task) -> Shapes:
    """The shapes of `scenes.csv`: `scene_id`, `shape`, `colour`, `area_px`, and `k` unless .29 is meant."""
    problems = Problems(path.name)
    table = _read(path, problems, NEEDED)
    text = {name: table.columns[name].text().tolist() for name in NEEDED}
    for name, known in (("shape", KINDS), ("colour", tuple(COLOURS))):
        column = table.columns[name]
        wrong = column.rows_where(lambda value, known=known: value not in known)  # type: ignore[misc]
        problems.cells(table.rows[wrong], name, column.codes[wrong], column.values, f"is not one of {', '.join(known)}")
    area = numbers(table.columns["area_px"], "area_px", table.rows, problems, None)
    k = np.full(len(table), K_MEAN)
    if "k" in table.columns:
        k = numbers(table.columns["k"], "k", table.rows, problems, None)
    refuse_if_any(problems)
    sets = list(zip(text["scene_id"], text["shape"] if task.by_shape else text["scene_id"], strict=True))
    place: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for at, key in enumerate(zip(text["scene_id"], text["colour"], text["shape"], strict=True)):
        place[key].append(at)
    return Shapes(table, dict(place), area, k, *_extremes(sets, area), *_extremes(text["scene_id"], area))


def read_sentences(path: Path, shapes: Shapes, task: Task) -> Sentences:
    """The sentences of `items.csv`, whose scene is in the column `scene_id`, or is called like the item."""
    problems = Problems(path.name)
    table = _read(path, problems, ("item_id", "sentence"))
    n_checks = 0
    if "kind" in table.columns:
        is_check = table.columns["kind"].rows_where(lambda kind: kind.strip().lower() in BESIDE_TARGETS)
        n_checks = len(is_check)
        table = table.take(np.setdiff1d(np.arange(len(table)), is_check))
    scene_ids = table.columns.get("scene_id", table.columns["item_id"]).text().tolist()
    said: list[Sentence] = []
    at: list[int] = []
    for row, scene_id, text in zip(
        table.rows.tolist(), scene_ids, table.columns["sentence"].text().tolist(), strict=True
    ):
        sentence = read_sentence(text)
        why = _unfit(sentence, task, text) or ""
        places = shapes.place.get((scene_id, sentence.colour, sentence.shape), []) if sentence else []
        if not why and sentence and len(places) != 1:
            why = f"scene {shown(scene_id)} has {len(places)} shapes like the {sentence.colour} {sentence.shape}, not 1"
        if why:
            problems.row(row, f"column sentence: {why}")
        elif sentence:
            said.append(sentence)
            at += places
    refuse_if_any(problems)
    says_big = np.array([sentence.says_big for sentence in said])
    reference = table.columns["reference"].text().tolist() if "reference" in table.columns else [""] * len(table)
    own = [str(value).strip().lower() for value in reference]
    return Sentences(table, shapes, _asked(shapes, np.array(at), says_big, task), at, own, n_checks)


def _read(path: Path, problems: Problems, needed: tuple[str, ...]) -> Table:
    table = read_table(path, problems)
    refuse_if_any(problems)
    assert table is not None  # noqa: S101 - without a table there is a problem, and it was just raised
    for name in needed:
        if name not in table.columns:
            problems.whole(f"the column {name} is missing; there are {', '.join(table.columns)}")
    if not len(table):
        problems.whole("there is no row in it")
    refuse_if_any(problems)
    return table


def _extremes(sets: list[tuple[str, str]] | list[str], area: Floats) -> tuple[Floats, Floats]:
    """[J] the largest and [J] the smallest area of each shape's set."""
    code = {key: at for at, key in enumerate(dict.fromkeys(sets))}
    codes = np.array([code[key] for key in sets])
    largest, smallest = np.full(len(code), -np.inf), np.full(len(code), np.inf)
    np.maximum.at(largest, codes, area)
    np.minimum.at(smallest, codes, area)
    return largest[codes], smallest[codes]


def _unfit(sentence: Sentence | None, task: Task, text: str) -> str:
    if sentence is None:
        return f"{shown(text)} is not of the form 'The red square is a big square'"
    noun = task.noun or sentence.shape
    if sentence.word not in task.words or sentence.noun != noun:
        return f"{shown(text)} is no sentence of {task.name}, which says {' or '.join(task.words)} {noun}"
    return ""


def _asked(shapes: Shapes, at: np.ndarray[tuple[int], np.dtype[np.int64]], says_big: Bools, task: Task) -> Asked:
    area, largest, smallest = shapes.area[at], shapes.largest[at], shapes.smallest[at]
    is_big = shapes.is_big[at]
    is_true = area == np.where(says_big, largest, smallest) if task.is_superlative else is_big == says_big
    return Asked(area, largest, smallest, shapes.scene_largest[at], shapes.scene_smallest[at], says_big, is_true)
