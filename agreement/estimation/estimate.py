"""What a statistic gives: a figure with its interval, n and method, or the reason why there is none."""

import hashlib
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ..typed_json import ABSENT, json_name

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int32] | npt.NDArray[np.int64]
Over: TypeAlias = Literal["items and workers", "items"]


@dataclass(frozen=True, slots=True)
class MostInfluential:
    """The worker without whom the figure moves furthest, and the figure without them: by the caller's code where it is
    computed, by the id in a report.

    `share` is their part of the workers' variance. Of as many exchangeable workers it is above `limit` in 1 % of cases.
    """

    worker: int | str
    estimate: float
    share: float
    limit: float

    @property
    def is_unusual(self) -> bool:
        """Whether one worker carries more of the variance than exchangeable workers let expect."""
        return self.share > self.limit


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure; `low` and `high` are None where no interval can be had, and `method` then says why.

    `over` says of what the interval takes a sample: of items and workers, or of items alone, "for these workers".
    """

    estimate: float
    low: float | None
    high: float | None
    n: int
    method: str
    over: Over | None = field(default=None, metadata=ABSENT)
    most_influential_worker: MostInfluential | None = field(default=None, metadata=ABSENT)

    @property
    def told_without(self) -> MostInfluential | None:
        """The most influential worker, where the figure without them is printed otherwise."""
        one = self.most_influential_worker
        return None if one is None or f"{one.estimate:.3f}" == f"{self.estimate:.3f}" else one


@dataclass(frozen=True, slots=True)
class Undefined:
    """No figure, and the reason in words that a researcher can print."""

    why: str = field(metadata=json_name("undefined"))


Figure: TypeAlias = Estimate | Undefined


# One stream of random numbers per statistic, by name, so that adding a statistic changes no other.


def stream(seed: int, name: str) -> np.random.Generator:
    """The generator of the statistic `name` under `seed`; the same two give the same numbers on any machine.

    >>> bool(stream(1, "kappa").random() == stream(1, "kappa").random())
    True
    >>> bool(stream(1, "kappa").random() == stream(1, "alpha").random())
    False
    """
    digest = hashlib.sha256(name.encode()).digest()
    words = [int.from_bytes(digest[start : start + 4], "big") for start in range(0, 16, 4)]
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([abs(seed), int(seed < 0), *words])))
