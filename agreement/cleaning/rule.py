"""What a rule says of each worker: passed, failed or not applicable, with the evidence of each failure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from decimal import Decimal
from typing import (
    TYPE_CHECKING,
    Annotated,
    ClassVar,
    Literal,
    Protocol,
    Self,
    TypeAlias,
    TypeGuard,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ..judgments.crowd import Crowd, Mask
    from ..kinds.kind import QuestionKind

Outcome: TypeAlias = Literal["not applicable", "passed", "failed"]
OUTCOMES: tuple[Outcome, ...] = ("not applicable", "passed", "failed")
NOT_APPLICABLE, PASSED, FAILED = range(3)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One answer, or one figure of a worker, that broke a bound. `item_id` is blank where no single item did."""

    item_id: str
    answer: str
    bound: str

    def __str__(self) -> str:
        return f"{self.item_id}: {self.answer} ({self.bound})" if self.item_id else f"{self.answer} ({self.bound})"


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """One rule's verdicts: `outcome` [W] is NOT_APPLICABLE, PASSED or FAILED, `failures` [W] how often a bound broke,
    `evidence` the broken bounds of each worker who has one, tolerated or not.
    """

    rule: WorkerRule
    outcome: npt.NDArray[np.int8]
    failures: npt.NDArray[np.int64]
    evidence: dict[int, tuple[Evidence, ...]]

    @property
    def failed(self) -> npt.NDArray[np.bool_]:
        """[W] who failed."""
        return np.asarray(self.outcome == FAILED)

    def of(self, worker: int) -> Outcome:
        """The verdict on one worker."""
        return OUTCOMES[int(self.outcome[worker])]


def by_figure(
    rule: WorkerRule,
    parts: list[tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_], str, str]],
) -> Verdicts:
    """Verdicts from figures of a worker: (figure [W], nan where there is none; who breaks the bound; name; bound)."""
    size = len(parts[0][0])
    outcome = np.full(size, NOT_APPLICABLE, dtype=np.int8)
    failures = np.zeros(size, dtype=np.int64)
    evidence: dict[int, tuple[Evidence, ...]] = {}
    for figure, _, _, _ in parts:
        outcome[~np.isnan(figure)] = PASSED
    for figure, broken, name, bound in parts:
        failures += broken
        outcome[broken] = FAILED
        for worker in np.flatnonzero(broken).tolist():
            evidence[worker] = (*evidence.get(worker, ()), Evidence("", f"{name} {figure[worker]:.6g}", bound))
    return Verdicts(rule, outcome, failures, evidence)


# What every rule of a rule set declares: its parameters with their limits, its sentence, and what it judges.

# The types of parameters. A rule's parameter has one of them as its annotation, alone or beside None.


class NotOne(ValueError):
    """Why what the TOML says is no such parameter."""


class Parameter(Protocol):
    unit: str  # as a form writes it behind the field

    def read(self, value: object) -> object:
        """The parameter that TOML says; `NotOne` if it is none."""


@dataclass(frozen=True, slots=True)
class _Number:
    low: Decimal
    high: Decimal
    unit: str = ""

    def read(self, value: object) -> Decimal:
        if not isinstance(value, (int, Decimal)) or isinstance(value, bool):
            raise NotOne(f"{value!r}, not a number")
        number = Decimal(value)
        if not (number.is_finite() and self.low <= number <= self.high):
            raise NotOne(f"{value}, not a number from {self.low} to {self.high}")
        return number


@dataclass(frozen=True, slots=True)
class _WholeNumber:
    unit: ClassVar[str] = ""

    def read(self, value: object) -> int:
        if not is_count(value):
            raise NotOne(f"{value!r}, not a whole number of 0 or more")
        return value


@dataclass(frozen=True, slots=True)
class _Text:
    unit: ClassVar[str] = ""

    def read(self, value: object) -> str:
        if not isinstance(value, str) or not value.strip():
            raise NotOne(f"{value!r}, not a text")
        return value.strip()


def is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


_LARGEST = Decimal(10) ** 9
PerCent: TypeAlias = Annotated[Decimal, _Number(Decimal(0), Decimal(100), "% of the scale")]  # of the scale
Correlation: TypeAlias = Annotated[Decimal, _Number(Decimal(-1), Decimal(1))]
Share: TypeAlias = Annotated[Decimal, _Number(Decimal(0), Decimal(1))]
Milliseconds: TypeAlias = Annotated[Decimal, _Number(Decimal(0), _LARGEST, "ms")]
Amount: TypeAlias = Annotated[Decimal, _Number(Decimal(0), _LARGEST)]
Count: TypeAlias = Annotated[int, _WholeNumber()]
Text: TypeAlias = Annotated[str, _Text()]


def _parameter(hint: object) -> Parameter:
    [annotated] = [part for part in (hint, *get_args(hint)) if get_origin(part) is Annotated]
    parameter: Parameter = annotated.__metadata__[0]
    return parameter


# What a rule is: one on workers, or one on rows. Its module in `rules/` holds all of it.


@dataclass(frozen=True, slots=True, eq=False)
class CountedJudgments:
    """What rules on workers look at: the judgments `counted` [J] are all but those of practice; workers outside
    `has_verdict` [W] answered too few checks for a verdict by them.
    """

    crowd: Crowd
    counted: Mask
    has_verdict: Mask


class Rule:
    """A frozen dataclass of its parameters; `str` says it in a sentence."""

    kind: ClassVar[str]
    # What a form calls the rule, and each of its parameters.
    title: ClassVar[str]
    words: ClassVar[Mapping[str, str]]
    # Whether the rule looks at other people's answers or at the study's own distribution: agreement after it is then
    # partly of the rule's own making, and is labelled so.
    selects_on_outcome: ClassVar[bool] = False
    # Whether it compares two answers to one question, so that it judges check items that repeat another.
    compares_repeats: ClassVar[bool] = False

    @classmethod
    def parameters(cls) -> Mapping[str, Parameter]:
        """Its parameters by their names."""
        hints = get_type_hints(cls, include_extras=True)
        return {each.name: _parameter(hints[each.name]) for each in fields(cls)}  # type: ignore[arg-type]

    @classmethod
    def parameters_for(cls, kind: QuestionKind) -> list[str]:  # noqa: ARG003
        """The parameters that mean something for this kind of question; none: the rule is for other kinds."""
        return list(cls.parameters())

    def canonical(self) -> dict[str, object]:
        """The parameters with their defaults filled in and numbers as plain decimals: what the hash is taken of."""
        values = {key: plain_number(value) for key, value in asdict(self).items() if value is not None}  # type: ignore[call-overload]
        return {"kind": self.kind, **values}

    @classmethod
    def wrong_together(cls, values: Mapping[str, object]) -> Iterator[str]:
        """What is wrong with parameters that are right by themselves."""
        if not values:
            yield f"a rule of kind {cls.kind} needs one of {name_list(cls.parameters())}"


class WorkerRule(Rule):
    """A rule that gives a verdict on every worker, each from the whole crowd."""

    def judge(self, judged: CountedJudgments) -> Verdicts:
        raise NotImplementedError

    def stricter(self) -> Self:
        """The same rule with its bounds a little further in."""
        raise NotImplementedError

    def almost(self, judged: CountedJudgments) -> Verdicts:
        """Verdicts by the stricter rule: who fails it, and not the rule itself, nearly failed."""
        return self.stricter().judge(judged)


class RowRule(Rule):
    """A rule that drops answers, not workers."""

    def dropped(self, crowd: Crowd, counted: Mask) -> Mask:
        """[J] which judgments among `counted` fall."""
        raise NotImplementedError


def plain_number(value: object) -> object:
    """A number as people write it, without exponent and final zeros; anything else as it is.

    >>> plain_number(Decimal("2.50")), plain_number(Decimal("1E+2")), plain_number("red")
    ('2.5', '100', 'red')
    """
    return f"{value.normalize():f}" if isinstance(value, Decimal) else value


def name_list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
