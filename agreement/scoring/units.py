"""What is left out in turn: items, or what items share: terms of pairs, objects, scenes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from agreement.gold.arrays import Floats
from agreement.scoring.gold import Gold
from agreement.scoring.groups import Groups

SHARED = ("left", "right", "cluster")  # the columns by which items share what is left out
CELLS = 1 << 21  # items, each repeated for each unit left out, that are scored at once


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """U units and the one or two that each item belongs to: `of` [1 or 2, N]."""

    what: Literal["clusters", "terms"]
    of: npt.NDArray[np.int64]

    @property
    def size(self) -> int:
        """U, counting the units that some item belongs to."""
        return int(self.of.max(initial=-1)) + 1

    def take(self, which: npt.NDArray[np.generic]) -> "Units":
        """The units of some items, numbered anew."""
        _, codes = np.unique(self.of[:, which], return_inverse=True)
        return Units(self.what, codes.reshape(self.of[:, which].shape).astype(np.int64))

    def sums(self, rows: Floats) -> Floats:
        """[U, ...] the sum of rows [N, ...] over the items of each unit; an item of one term twice counts once."""
        out = np.zeros((self.size, *rows.shape[1:]))
        np.add.at(out, self.of[0], rows)
        if len(self.of) == 2:
            other = self.of[1] != self.of[0]
            np.add.at(out, self.of[1][other], rows[other])
        return out

    def without(self, score: Callable[[Groups, npt.NDArray[np.int64]], Floats]) -> Floats:
        """[U] the score of the items that stay, `score` taking groups and the items in them, many units at a time."""
        return np.concatenate([score(groups, items) for groups, items in self._remaining()] or [np.zeros(0)])

    def _remaining(self) -> Iterator[tuple[Groups, npt.NDArray[np.int64]]]:
        n_items = self.of.shape[1]
        step = max(CELLS // max(n_items, 1), 1)
        for start in range(0, self.size, step):
            units = np.arange(start, min(start + step, self.size))
            stays = (self.of[:, None, :] != units[None, :, None]).all(axis=0)
            yield Groups(np.concatenate([[0], np.cumsum(stays.sum(axis=1))])), np.nonzero(stays)[1]


def units_of(gold: Gold) -> Units | None:
    """Clusters where the items have a `cluster` column, terms where pairs share them; None where items stand alone."""
    if "cluster" in gold.fields:
        return _coded("clusters", [gold.fields["cluster"]])
    if gold.numbers is None or not {"left", "right"} <= set(gold.fields):
        return None
    terms = _coded("terms", [gold.fields["left"], gold.fields["right"]])
    return terms if terms.size < 2 * len(gold) else None


def _coded(what: Literal["clusters", "terms"], columns: list[npt.NDArray[np.object_]]) -> Units:
    texts = np.stack([column.astype(str) for column in columns])
    _, codes = np.unique(texts, return_inverse=True)
    return Units(what, codes.reshape(texts.shape).astype(np.int64))
