"""What is true in a simulated world, and what simulated people know of an item. No Django."""

from __future__ import annotations

import csv
import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from ..files.cell_texts import split_bars
from ..files.numbers import decimal_of
from ..kinds.answers import Answer


@dataclass(frozen=True, slots=True)
class KnownItem:
    """`low` and `high` are a check's bounds in per cent of the scale, `expected` its right labels or properties: all of
    them about one of the item's questions.
    """

    fields: Mapping[str, Any]
    reference: str = ""
    is_check: bool = False
    expected: Sequence[str] = ()
    low: float | None = None
    high: float | None = None
    check_question: int = 1
    offered: Sequence[str] = ()  # labels of its own, in the order in which the person is shown them

    @property
    def name(self) -> str:
        """All that the item says, in one text: what is drawn for it is drawn by this."""
        return "item " + " ".join(f"{key}={self.fields[key]}" for key in sorted(self.fields))

    @property
    def right(self) -> list[str]:
        """What a check expects, or what the reference says: labels or properties, none where nobody knows."""
        return list(self.expected) or [part for part in split_bars(self.reference) if part.strip()]

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Between which shares of the scale a check must be answered."""
        if self.low is None and self.high is None:
            return None
        return (self.low or 0) / 100, (100 if self.high is None else self.high) / 100

    @property
    def unknown(self) -> KnownItem:
        """The same item where nobody knows what is right."""
        return KnownItem(self.fields, offered=self.offered)

    def number(self, field: str) -> float | None:
        """The number in a field, None where there is none."""
        number = decimal_of(str(self.fields.get(field, "")))
        return None if number is None else float(number)

    def reference_on(self, scale: tuple[float, float]) -> float | None:
        """Where on the scale, from 0 to 1, a reference that is a number lies.

        >>> KnownItem({}, reference="75").reference_on((50, 100))
        0.5
        """
        reference, (low, high) = decimal_of(self.reference), scale
        return None if reference is None else min(max((float(reference) - low) / (high - low), 0.0), 1.0)


# What is true in a simulated world: by the check, by the reference, by published means, or else drawn. No
# Django.

# How similar people found the founding study's spatial relations: 0 the least similar pair, 1 a relation and itself.
# The means are read off the published matrix of Ghanimifard and Dobnik, in which a colour stands for .004 of the range.
RELATIONS = Path(__file__).with_name("relations.csv")
# Points in so many dimensions give similarities from nothing in common to nearly the same, as relations do.
DIMENSIONS = 3
# No two different terms are quite the same, and none quite without anything in common.
MOST_ALIKE, LEAST_ALIKE = 0.93, 0.02
THE_SAME = 0.995
# Of careful people so many give an item's reference; which share it is depends on the item.
FEWEST_RIGHT, MOST_RIGHT = 0.82, 0.98
# On a scale of labels each step further from the truth is chosen by so much fewer.
NEXT_STEP = 0.35
# Where in the bounds of a check the right answer lies, from its end of the scale.
WELL_INSIDE = 0.05


@dataclass(frozen=True)
class World:
    """The truth behind one simulated study; the same seed is the same world, whatever the order of the questions.

    `ordered` labels are the points of a scale. Of a set of labels `fewest` and `most` are its size, and a label that is
    `exclusive` is the only one.

    `answers_by_person` is what each person has answered so far, for those who copy.
    """

    seed: int
    labels: Sequence[str] = ()
    answers_by_person: dict[int, dict[str, Answer]] = field(default_factory=dict)
    ordered: bool = False
    exclusive: frozenset[str] = frozenset()
    fewest: int = 1
    most: int | None = None

    def of(self, labels: Sequence[str]) -> World:
        """This world with some of its labels alone, in which nobody has answered."""
        return World(self.seed, labels, ordered=self.ordered)

    def position(self, item: KnownItem, scale: tuple[float, float]) -> float:
        """From 0 to 1: where on the scale people see this item, before they err."""
        if item.bounds is not None:
            return _inside(*item.bounds)
        reference = item.reference_on(scale)
        return self.similarity(item) if reference is None else reference

    def similarity(self, item: KnownItem) -> float:
        """From 0 to 1: of two relations as published; of other terms by their distance in a latent space; of other
        items by a draw of their own.
        """
        left, right = (item.fields.get(side) for side in ("left", "right"))
        if left is None or right is None:
            return float(self.draw(item.name).beta(1.2, 1.2))
        if left == right:
            return THE_SAME
        published = relations().get(frozenset((str(left), str(right))))
        if published is not None:
            return LEAST_ALIKE + (1 - LEAST_ALIKE) * published
        distance = float(np.linalg.norm(self._point(str(left)) - self._point(str(right))))
        return LEAST_ALIKE + (MOST_ALIKE - LEAST_ALIKE) * math.exp(-(distance**2) / 3)

    def right_labels(self, item: KnownItem) -> list[str]:
        """Those of the study's labels that the check or the reference names."""
        return [label for label in item.right if label in self.labels]

    def shares(self, item: KnownItem) -> npt.NDArray[np.float64]:
        """[L] how the crowd's labels are distributed over this item: mostly right, or else mostly one that is drawn."""
        draw = self.draw(item.name)
        drawn = draw.dirichlet([0.25] * max(len(self.labels), 1))
        right = self.right_labels(item)
        if self.ordered:
            drawn = _around(drawn, [self.labels.index(label) for label in right])
        if not right:
            return drawn
        is_right = np.array([label in right for label in self.labels])
        share = 1.0 if item.is_check else float(draw.uniform(FEWEST_RIGHT, MOST_RIGHT))
        others = np.where(is_right, 0.0, drawn + 1e-9)
        return np.where(is_right, share / is_right.sum(), (1 - share) * others / max(float(others.sum()), 1e-9))

    @cached_property
    def common_properties(self) -> list[str]:
        kinds = ("is {}", "has {}", "can be {}", "is often {}")
        words = ("small", "large", "green", "round", "hard", "soft", "heavy", "light", "old", "bright")
        return [kind.format(word) for kind in kinds for word in words]

    def draw(self, name: str) -> np.random.Generator:
        """Random numbers of their own for each name."""
        digest = hashlib.sha256(f"{self.seed}:{name}".encode()).digest()
        return np.random.default_rng(int.from_bytes(digest[:8], "big"))

    def _point(self, term: str) -> npt.NDArray[np.float64]:
        """A term's place. A colour named among relations lies far from all of them: that is what makes it a check."""
        point = self.draw(f"term {term}").normal(size=DIMENSIONS)
        return point + 10.0 if term == "green" else point


def _around(drawn: npt.NDArray[np.float64], right: Sequence[int]) -> npt.NDArray[np.float64]:
    """[L] shares that fall with each step from what is right, or else from what was drawn most."""
    centre = float(np.mean(right)) if right else float(np.argmax(drawn))
    shares = NEXT_STEP ** np.abs(np.arange(len(drawn)) - centre)
    return np.asarray(shares / shares.sum())


def _inside(low: float, high: float) -> float:
    """A right answer to a check: near the end of the scale that its bounds reach, else in the middle of them."""
    if low == 0:
        return high * WELL_INSIDE
    return 1 - (1 - low) * WELL_INSIDE if high == 1 else (low + high) / 2


@cache
def relations() -> Mapping[frozenset[str], float]:
    """The similarity of each published pair."""
    with RELATIONS.open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream)
        return MappingProxyType({frozenset((row["left"], row["right"])): float(row["similarity"]) for row in rows})
