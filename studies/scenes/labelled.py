"""Scenes that are there already: their labels, and how often simple rules are right about their sentences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agreement.errors import Refused
from agreement.files.items_file import OUTSIDE_RESULTS
from agreement.files.numbers import numbers
from agreement.files.problems import Problems, quote_cell, refuse_if_any
from agreement.files.reading import required_table
from agreement.files.table import Table, encode
from agreement.files.writing import csv_chunks
from agreement.kinds.verify.data import BIG, K_MEAN
from studies.scenes.scene import Scene
from studies.scenes.sentences import SMALL, Sentence, Task, read_sentence
from studies.scenes.shapes import COLOURS, K_DIGITS, KINDS, Bools, Floats

# How often simple rules are right about sentences: what a model has to beat before its figure means much.

STRATEGIES = {
    "sharp": f"the threshold at k = {K_MEAN} in every scene",
    "superlative": "big if it is the largest of its reference set",
    "whole_scene": f"the threshold at k = {K_MEAN}, but of the whole scene and not of the shapes of its kind",
    "constant": "the same verdict always, whichever is right more often",
}


@dataclass(frozen=True, slots=True, eq=False)
class SentenceFacts:
    """J sentences: the area of the shape that each is about, the extremes of its reference set and of its scene."""

    area: Floats
    largest: Floats
    smallest: Floats
    scene_largest: Floats
    scene_smallest: Floats
    says_big: Bools
    is_true: Bools

    @classmethod
    def of(cls, scenes: Sequence[Scene]) -> SentenceFacts:
        """Each scene's sentence."""
        extremes = np.array([scene.extremes for scene in scenes], dtype=np.float64)
        return cls(
            np.array([scene.area[scene.queried] for scene in scenes], dtype=np.float64),
            extremes[:, 0],
            extremes[:, 1],
            np.array([scene.area.max() for scene in scenes], dtype=np.float64),
            np.array([scene.area.min() for scene in scenes], dtype=np.float64),
            np.array([scene.says_big for scene in scenes]),
            np.array([scene.is_true for scene in scenes]),
        )


def ceilings(task: Task, asked: SentenceFacts) -> dict[str, float]:
    """The accuracy of each strategy; one that means nothing for the task is left out.

    A superlative has no threshold, and where the reference set is the whole scene anyway, that strategy is `sharp`.
    """
    found = {
        name: float(np.mean((said_big == asked.says_big) == asked.is_true)) for name, said_big in _said_big(task, asked)
    }
    share = float(asked.is_true.mean())
    return {**found, "constant": max(share, 1 - share)}


def _said_big(task: Task, asked: SentenceFacts) -> Iterator[tuple[str, Bools]]:
    """Each strategy, and [J] which shapes it calls big."""
    if not task.is_superlative:
        yield "sharp", _above(asked.area, asked.largest, asked.smallest)
    yield "superlative", np.asarray(asked.area == asked.largest)
    if task.by_shape:
        yield "whole_scene", _above(asked.area, asked.scene_largest, asked.scene_smallest)


def _above(area: Floats, largest: Floats, smallest: Floats) -> Bools:
    return np.asarray(area > np.trunc(largest - K_MEAN * (largest - smallest)))


def in_lines(found: Mapping[str, float]) -> Iterator[str]:
    """A line for each strategy."""
    yield "Right by a simple rule:"
    for name, accuracy in found.items():
        yield f"  {accuracy:.4f}  {name.replace('_', ' ')}: {STRATEGIES[name]}"


# Scenes and sentences from files, released ones as well as our own, and the labels that follow from them.

NEEDED = ("scene_id", "shape", "colour", "area_px")
TRUE, FALSE = "true", "false"
BESIDE_TARGETS = ("check", *OUTSIDE_RESULTS)


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
    asked: SentenceFacts
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
            like = f"{sentence.colour} {sentence.shape}"
            why = f"scene {quote_cell(scene_id)} has {len(places)} shapes like the {like}, not 1"
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
    table = required_table(path, problems)
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
        return f"{quote_cell(text)} is not of the form 'The red square is a big square'"
    noun = task.noun or sentence.shape
    if sentence.word not in task.words or sentence.noun != noun:
        return f"{quote_cell(text)} is not a sentence of {task.name}, which says {' or '.join(task.words)} {noun}"
    return ""


def _asked(
    shapes: Shapes, at: np.ndarray[tuple[int], np.dtype[np.int64]], says_big: Bools, task: Task
) -> SentenceFacts:
    area, largest, smallest = shapes.area[at], shapes.largest[at], shapes.smallest[at]
    is_big = shapes.is_big[at]
    is_true = area == np.where(says_big, largest, smallest) if task.is_superlative else is_big == says_big
    return SentenceFacts(
        area, largest, smallest, shapes.scene_largest[at], shapes.scene_smallest[at], says_big, is_true
    )


# Files with labels added: every column that was there, then those that follow from the areas and k.


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
