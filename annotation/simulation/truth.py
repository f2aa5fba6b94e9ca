"""What is true in a simulated world: a similarity a pair, a distribution of labels an item. No Django."""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

# Points in so many dimensions give similarities from nothing in common to nearly the same, as relations do.
DIMENSIONS = 3
# No two different terms are quite the same, and none quite without anything in common.
MOST_ALIKE, LEAST_ALIKE = 0.93, 0.02


@dataclass(frozen=True)
class World:
    """The truth behind one simulated study; the same seed is the same world, whatever the order of the questions."""

    seed: int
    labels: Sequence[str] = ()

    def similarity(self, item: Mapping[str, Any]) -> float:
        """From 0 to 1: of two terms by their distance in a latent space; of other items by a draw of their own."""
        if "left" not in item or "right" not in item:
            return float(self._draw(_name(item)).beta(1.2, 1.2))
        if item["left"] == item["right"]:
            return 0.995
        distance = float(np.linalg.norm(self._point(str(item["left"])) - self._point(str(item["right"]))))
        return LEAST_ALIKE + (MOST_ALIKE - LEAST_ALIKE) * math.exp(-(distance**2) / 3)

    def shares(self, item: Mapping[str, Any]) -> npt.NDArray[np.float64]:
        """How the crowd's labels would be distributed over this item: mostly one of them."""
        return self._draw(_name(item)).dirichlet([0.25] * max(len(self.labels), 1))

    @cached_property
    def common_properties(self) -> list[str]:
        kinds = ("is {}", "has {}", "can be {}", "is often {}")
        words = ("small", "large", "green", "round", "hard", "soft", "heavy", "light", "old", "bright")
        return [kind.format(word) for kind in kinds for word in words]

    def _point(self, term: str) -> npt.NDArray[np.float64]:
        """A term's place. A colour named among relations lies far from all of them: that is what makes it a check."""
        point = self._draw(f"term {term}").normal(size=DIMENSIONS)
        return point + 10.0 if term == "green" else point

    def _draw(self, name: str) -> np.random.Generator:
        digest = hashlib.sha256(f"{self.seed}:{name}".encode()).digest()
        return np.random.default_rng(int.from_bytes(digest[:8], "big"))


def _name(item: Mapping[str, Any]) -> str:
    return "item " + " ".join(f"{key}={item[key]}" for key in sorted(item))
