"""The kinds of rule that a rule set is made of, each with its parameters and a sentence that says it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any, ClassVar, TypeAlias


class _Rule:
    kind: ClassVar[str]
    # Whether the rule looks at other people's answers or at the study's own distribution: agreement after it is then
    # partly of the rule's own making, and is labelled so.
    selects_on_outcome: ClassVar[bool] = False

    def canonical(self) -> dict[str, Any]:
        """The parameters with their defaults filled in and numbers as plain decimals: what the hash is taken of."""
        given = {key: _plain(value) for key, value in asdict(self).items() if value is not None}  # type: ignore[call-overload]
        return {"kind": self.kind, **given}


def _plain(value: object) -> object:
    return f"{value.normalize():f}" if isinstance(value, Decimal) else value


@dataclass(frozen=True, slots=True)
class Check(_Rule):
    """Answers to the check items of one name, against bounds in per cent of the scale or an expected label.

    Without a name: all check items, each against its own bounds.
    """

    kind: ClassVar[str] = "check"
    check: str | None = None
    max: Decimal | None = None
    min: Decimal | None = None
    expected: str | None = None
    tolerated: int = 0

    @property
    def uses_own_bounds(self) -> bool:
        return self.max is None and self.min is None and self.expected is None

    def __str__(self) -> str:
        bounds = [
            f"at least {_plain(self.min)} % of the scale" if self.min is not None else "",
            f"at most {_plain(self.max)} % of the scale" if self.max is not None else "",
            f"the answer {self.expected}" if self.expected is not None else "",
            "within the item's own bounds" if self.uses_own_bounds else "",
        ]
        allowed = f", {self.tolerated} failures tolerated" if self.tolerated else ""
        if self.check is None:
            return f"check items: each within its own bounds{allowed}"
        return f'check "{self.check}": {" and ".join(filter(None, bounds))}{allowed}'


@dataclass(frozen=True, slots=True)
class TooFast(_Rule):
    """A worker's median response time under a floor, or its log far under the workers' median."""

    kind: ClassVar[str] = "too-fast"
    selects_on_outcome: ClassVar[bool] = True
    floor_ms: Decimal | None = None
    sd_below: Decimal | None = None

    def __str__(self) -> str:
        floor = f"at least {_plain(self.floor_ms)} ms" if self.floor_ms is not None else ""
        spread = f"at most {_plain(self.sd_below)} SD of log time below the workers' median" if self.sd_below else ""
        return f"too fast: median response time {' and '.join(filter(None, (floor, spread)))}"


@dataclass(frozen=True, slots=True)
class StraightLining(_Rule):
    """Answers that hardly vary, or the same one many times in a row."""

    kind: ClassVar[str] = "straight-lining"
    sd_below: Decimal | None = None
    longest_run: int | None = None

    def __str__(self) -> str:
        spread = f"standard deviation at least {_plain(self.sd_below)} % of the scale" if self.sd_below else ""
        run = f"at most {self.longest_run} equal answers in a row" if self.longest_run is not None else ""
        return f"straight lining: {' and '.join(filter(None, (spread, run)))}"


@dataclass(frozen=True, slots=True)
class SelfConsistency(_Rule):
    """Two answers of one worker to the same question that lie too far apart."""

    kind: ClassVar[str] = "self-consistency"
    max_difference: Decimal

    def __str__(self) -> str:
        return f"self-consistency: repeats at most {_plain(self.max_difference)} % of the scale apart"


@dataclass(frozen=True, slots=True)
class Disagreement(_Rule):
    """A worker who agrees too little with the others."""

    kind: ClassVar[str] = "disagreement"
    selects_on_outcome: ClassVar[bool] = True
    correlation_below: Decimal | None = None
    accuracy_below: Decimal | None = None

    def __str__(self) -> str:
        r = f"correlation at least {_plain(self.correlation_below)}" if self.correlation_below is not None else ""
        hits = f"accuracy at least {_plain(self.accuracy_below)}" if self.accuracy_below is not None else ""
        return f"disagreement: with the other workers, {' and '.join(filter(None, (r, hits)))}"


@dataclass(frozen=True, slots=True)
class RowDisagreement(_Rule):
    """Answers, not workers, that order the labels against the item's mean."""

    kind: ClassVar[str] = "row-disagreement"
    selects_on_outcome: ClassVar[bool] = True
    kendall_below: Decimal

    def __str__(self) -> str:
        return (
            "row disagreement: an item's answer of lowest Kendall tau-b with the item's mean is dropped, again and"
            f" again, while that is below {_plain(self.kendall_below)}"
        )


@dataclass(frozen=True, slots=True)
class CantSee(_Rule):
    """A worker who answered too many items by "I can't see the picture"."""

    kind: ClassVar[str] = "cant-see"
    share_above: Decimal

    def __str__(self) -> str:
        return f"pictures not seen: at most a share of {_plain(self.share_above)} of the worker's items"


Rule: TypeAlias = Check | TooFast | StraightLining | SelfConsistency | Disagreement | RowDisagreement | CantSee
RULES: dict[str, type[Rule]] = {
    rule.kind: rule
    for rule in (Check, TooFast, StraightLining, SelfConsistency, Disagreement, RowDisagreement, CantSee)
}
