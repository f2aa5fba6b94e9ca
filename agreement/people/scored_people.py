"""What leave-one-out needs of people, whatever they answer with: a score of each on all judgments or on some."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, Ints
from ..scoring.metric import Metric


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """[W] m_w and r_w of every worker (NaN where undefined), and the figure over all pairs at once."""

    n_items: npt.NDArray[np.int64]
    values: Floats
    pooled: float


class AnyPeople(Protocol):
    """Judgments sorted by worker, with what scores them: `People`, `ListedPeople` or `TextPeople`."""

    @property
    def worker(self) -> Ints: ...
    @property
    def item(self) -> Ints: ...
    @property
    def metric(self) -> str: ...
    @property
    def reference(self) -> Floats | Bools | None: ...
    @property
    def scored_by(self) -> Metric: ...
    @property
    def has_judged(self) -> Bools: ...
    @property
    def never_vary(self) -> Bools: ...
    @property
    def n_others(self) -> float: ...
    @property
    def pools(self) -> bool: ...
    @property
    def why_undefined(self) -> str: ...

    def round(self, keep: Bools | None = None, probe: Any = None, *, whole_items: bool = False) -> Round: ...
    def beside(self, probe: Any, keep: Bools | None = None, *, whole_items: bool = False) -> tuple[Round, Round]: ...
    def constants(self, keep: Bools | None = None) -> Floats | None: ...
