"""The check rule: answers to check items against bounds, compared in decimal on the scale that people saw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from ...errors import Refused
from ...files.cell_texts import normalised_name, split_bars
from ...judgments.crowd import Crowd, Mask, Properties, answer_texts
from ...kinds.kind import QuestionKind
from ...kinds.options import has_own_labels, labels_of_item
from ...kinds.registry import KINDS
from ...kinds.statistics import statistics_of
from ..rule import (
    FAILED,
    NOT_APPLICABLE,
    PASSED,
    Count,
    CountedJudgments,
    Evidence,
    PerCent,
    Text,
    Verdicts,
    WorkerRule,
    name_list,
    plain_number,
)

if TYPE_CHECKING:  # exports of judgments read the rules of a release, and start without pandas
    import pandas as pd

NEAR = Decimal(5)  # per cent of the scale
Which = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Check(WorkerRule):
    """Answers to the check items of one name, against bounds in per cent of the scale or an expected label.

    Without a name: all check items, each against its own bounds.
    """

    kind: ClassVar[str] = "check"
    title: ClassVar[str] = "Check items"
    words: ClassVar[Mapping[str, str]] = {
        "check": "Checks named",
        "min": "At least",
        "max": "At most",
        "expected": "Right answer",
        "tolerated": "Failures allowed",
    }
    check: Text | None = None
    max: PerCent | None = None
    min: PerCent | None = None
    expected: Text | None = None
    tolerated: Count = 0

    @property
    def uses_own_bounds(self) -> bool:
        return self.max is None and self.min is None and self.expected is None

    def __str__(self) -> str:
        bounds = [
            f"at least {plain_number(self.min)} % of the scale" if self.min is not None else "",
            f"at most {plain_number(self.max)} % of the scale" if self.max is not None else "",
            f"the answer {self.expected}" if self.expected is not None else "",
            "within the item's own bounds" if self.uses_own_bounds else "",
        ]
        allowed = f", {self.tolerated} failures tolerated" if self.tolerated else ""
        if self.check is None:
            return f"check items: each within its own bounds{allowed}"
        return f'check "{self.check}": {" and ".join(filter(None, bounds))}{allowed}'

    @classmethod
    def wrong_together(cls, values: Mapping[str, object]) -> Iterator[str]:
        """A rule without a single parameter is one: all checks by their own bounds."""
        if "check" not in values and (bounds := [key for key in ("min", "max", "expected") if key in values]):
            yield (
                f"the key check is missing; it names the check items that {name_list(bounds)} is for (a rule"
                " without it takes all check items, each by its own bounds)"
            )
        low, high = values.get("min"), values.get("max")
        if isinstance(low, Decimal) and isinstance(high, Decimal) and low > high:
            yield f"min {low} is above max {high}"

    @classmethod
    def parameters_for(cls, kind: QuestionKind) -> list[str]:
        """Bounds are for a scale, a right answer for labels and texts."""
        facts = KINDS[kind]
        without = set() if facts.has_scale else {"min", "max"}
        without |= {"expected"} if facts.has_scale and not facts.has_labels else set()
        return [name for name in cls.parameters() if name not in without]

    def judge(self, judged: CountedJudgments) -> Verdicts:
        """Who answered too few checks has no verdict."""
        return _verdicts(self, judged.crowd, judged.has_verdict)

    def stricter(self) -> Check:
        """A twentieth of the scale further in, or one failure fewer where the answer has no bound on the scale."""
        if self.min is None and self.max is None:
            return replace(self, tolerated=max(self.tolerated - 1, 0))
        low, high = _tightened_bounds(self.min, self.max)
        return replace(self, min=low, max=high)

    def almost(self, judged: CountedJudgments) -> Verdicts:
        """Where the bounds are the items' own, these are moved in."""
        if not self.uses_own_bounds:
            return self.stricter().judge(judged)
        import pandas as pd

        items = judged.crowd.items.copy()
        moved = [_tightened_bounds(low, high) for low, high in zip(items["min"], items["max"], strict=True)]
        for column, values in zip(("min", "max"), zip(*moved, strict=True), strict=True):
            items[column] = pd.Series(values, index=items.index, dtype=object)
        rule = self if any(bounds != (None, None) for bounds in moved) else self.stricter()
        return rule.judge(replace(judged, crowd=replace(judged.crowd, items=items)))


RULE = Check


@dataclass(frozen=True, slots=True)
class Bounds:
    """What an answer must be: between `low` and `high`, in per cent, and among the expected labels, where given."""

    low: Decimal | None
    high: Decimal | None
    expected: tuple[str, ...]


def judgments_checked(crowd: Crowd, rule: Check) -> Which:
    """The judgments that a check rule looks at."""
    return np.flatnonzero(checks_of_rule(crowd, rule)[crowd.item])


def checks_of_rule(crowd: Crowd, rule: Check) -> Mask:
    """[N] the check items of the rule's name, or all that have bounds of their own."""
    is_check = np.asarray(crowd.items["kind"] == "check", dtype=np.bool_)
    if rule.check is None:
        return is_check & has_bounds(crowd.items) if is_check.any() else is_check
    return is_check & np.asarray(crowd.items["check"] == rule.check, dtype=np.bool_)


def has_bounds(items: pd.DataFrame) -> Mask:
    """[N] whether an item came with a right answer of its own: min, max or expected."""
    bounds = (items["min"].notna() | items["max"].notna()).to_numpy(dtype=np.bool_)
    return bounds | np.array([bool(str(text).strip()) for text in items["expected"]], dtype=np.bool_)


def unfit_bounds(rule: Check, kind: QuestionKind, labels: tuple[str, ...]) -> Iterator[str]:
    """Bounds for a question without a scale, labels for one without labels, or labels that the study doesn't have."""
    facts = KINDS[kind]
    if (rule.min is not None or rule.max is not None) and not facts.has_scale:
        yield f'rule {rule}: kind {kind} has no scale for min and max; it takes expected = "label".'
    if rule.expected is None:
        return
    if facts.has_scale and not facts.has_labels:
        yield f"rule {rule}: a {kind} has no labels; it takes min and max."
        return
    unknown = [label for label in split_bars(rule.expected) if labels and label not in labels]
    if unknown:
        yield f"rule {rule}: {', '.join(unknown)} is not among the labels {', '.join(labels)}."


def _verdicts(rule: Check, crowd: Crowd, has_verdict: Mask) -> Verdicts:
    which = judgments_checked(crowd, rule)
    if len(which) and (reasons := list(unfit_bounds(rule, crowd.kind, crowd.labels))):
        raise Refused(reasons)
    breaks = statistics_of(crowd.kind).breaks
    broken = np.zeros(crowd.n_judgments, dtype=np.bool_)
    bound_of: dict[int, str] = {}
    for item, of_item, bounds in _by_item(crowd, rule, which):
        fails = of_item[breaks(crowd, of_item, bounds)]
        broken[fails] = True
        bound_of[item] = _bounds_text(crowd, bounds)
    counts = np.bincount(crowd.worker[which], minlength=crowd.n_workers)
    failures = np.bincount(crowd.worker[broken], minlength=crowd.n_workers)
    outcome = np.where(failures > rule.tolerated, FAILED, PASSED).astype(np.int8)
    outcome[(counts == 0) | ~has_verdict] = NOT_APPLICABLE
    return Verdicts(rule, outcome, failures, _evidence(crowd, np.flatnonzero(broken), bound_of))


def judged_answers(rule: Check, crowd: Crowd) -> pd.DataFrame:
    """Every answer that the rule looks at: its check, the bounds on the crowd's scale, and whether it breaks them."""
    import pandas as pd

    which = judgments_checked(crowd, rule)
    breaks, parts = statistics_of(crowd.kind).breaks, []
    for item, of_item, bounds in _by_item(crowd, rule, which):
        values = np.asarray(crowd.answers)[of_item].tolist() if is_one_number(crowd) else answer_texts(crowd, of_item)
        low, high = (
            np.nan if crowd.scale is None or per_cent is None else float(crowd.scale.raw(per_cent))
            for per_cent in (bounds.low, bounds.high)
        )
        answers = {"answer": values, "broken": breaks(crowd, of_item, bounds)}
        name = str(crowd.items["check"].iloc[item])
        parts.append(
            pd.DataFrame({"check": name, "bound": _bounds_text(crowd, bounds), "low": low, "high": high, **answers})
        )
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def bounds_of(rule: Check, crowd: Crowd) -> Iterator[tuple[Which, Bounds]]:
    """Of each check item that the rule looks at: its judgments, and the bounds that they are held to."""
    for _item, of_item, bounds in _by_item(crowd, rule, judgments_checked(crowd, rule)):
        yield of_item, bounds


def bounds_of_answers(rules: Iterable[Check], crowd: Crowd) -> dict[int, tuple[str, bool]]:
    """Of each judgment that a rule looks at: what it must be, in words, and whether it breaks that by any rule."""
    breaks, bounds_of_judgment = statistics_of(crowd.kind).breaks, dict[int, tuple[str, bool]]()
    for rule in rules:
        for _, of_item, bounds in _by_item(crowd, rule, judgments_checked(crowd, rule)):
            for j, is_broken in zip(of_item.tolist(), breaks(crowd, of_item, bounds).tolist(), strict=True):
                had, was_broken = bounds_of_judgment.get(j, ("", False))
                bound_text = _bounds_text(crowd, bounds)
                bounds_of_judgment[j] = (
                    bound_text if had in {"", bound_text} else f"{had}; {bound_text}",
                    bool(is_broken) or was_broken,
                )
    return bounds_of_judgment


def is_one_number(crowd: Crowd) -> bool:
    answers = crowd.answers
    return isinstance(answers, np.ndarray) and answers.ndim == 1 and answers.dtype.kind == "f"


def _by_item(crowd: Crowd, rule: Check, which: Which) -> Iterator[tuple[int, Which, Bounds]]:
    """Each check item with its judgments and its bounds: the rule's, or its own where the rule has none."""
    order = which[np.argsort(crowd.item[which], kind="stable")]
    for of_item in np.split(order, np.flatnonzero(np.diff(crowd.item[order])) + 1):
        if len(of_item):
            item = int(crowd.item[of_item[0]])
            yield item, of_item, _own_bounds(crowd, rule, item) if rule.uses_own_bounds else _rule_bounds(rule)


def _rule_bounds(rule: Check) -> Bounds:
    return Bounds(rule.min, rule.max, tuple(split_bars(rule.expected)) if rule.expected else ())


def _own_bounds(crowd: Crowd, rule: Check, item: int) -> Bounds:
    row = crowd.items.iloc[item]
    expected = tuple(part for part in split_bars(str(row["expected"])) if part)
    bounds = Bounds(row["min"], row["max"], expected)
    if bounds == Bounds(None, None, ()):
        raise Refused(
            f"rule {rule}: item {row['item_id']} has no bounds of its own; fill in its min, max or expected, or give"
            " the rule max, min or expected"
        )
    return bounds


def _tightened_bounds(low: Decimal | None, high: Decimal | None) -> tuple[Decimal | None, Decimal | None]:
    """Both bounds a twentieth of the scale further in; they don't pass each other or leave the scale."""
    nearer_low = None if low is None else min(low + NEAR, Decimal(100) if high is None else max(low, high - NEAR))
    nearer_high = None if high is None else max(high - NEAR, Decimal(0) if low is None else min(high, low + NEAR))
    return nearer_low, nearer_high


# Whether answers break the bounds of a check, by the type of the answers.


def numbers_break(crowd: Crowd, which: Which, bounds: Bounds) -> Mask:
    """[len(which)] a number outside the bounds."""
    return _off_scale(crowd, np.asarray(crowd.answers)[which], bounds)


def numbers_by_label_break(crowd: Crowd, which: Which, bounds: Bounds) -> Mask:
    """With expected labels, the label or labels moved furthest must be among them, and bounds hold for these; without,
    bounds hold for every label.
    """
    numbers, among = np.asarray(crowd.answers)[which], _is_expected(crowd, bounds)
    if not bounds.expected:
        return np.asarray(_off_scale(crowd, numbers, bounds).any(axis=1))
    tops = numbers == numbers.max(axis=1, keepdims=True)
    return np.asarray((tops & ~among).any(axis=1) | _off_scale(crowd, numbers[:, among], bounds).any(axis=1))


def labels_break(crowd: Crowd, which: Which, bounds: Bounds) -> Mask:
    """A label must be one of those expected."""
    answers = np.asarray(crowd.answers)[which]
    if not (len(which) and has_own_labels(crowd.labels)):
        return np.asarray(~_is_expected(crowd, bounds)[answers])
    own = labels_of_item(crowd.kind, crowd.labels, crowd.items.iloc[int(crowd.item[which[0]])])  # which are of one item
    return np.asarray(~np.array([label in bounds.expected for label in own], dtype=np.bool_)[answers])


def sets_break(crowd: Crowd, which: Which, bounds: Bounds) -> Mask:
    """A set of labels must be the expected one."""
    return np.asarray((np.asarray(crowd.answers)[which] != _is_expected(crowd, bounds)).any(axis=1))


def properties_break(crowd: Crowd, which: Which, bounds: Bounds) -> Mask:
    """Every expected property must be named, in whatever capitals and with whatever full stop."""
    answers, expected = crowd.answers, set(map(normalised_name, bounds.expected))
    if not isinstance(answers, Properties):
        raise TypeError("answers that are judged as properties are Properties")
    return np.array([not expected <= set(map(normalised_name, answers.of(j))) for j in which.tolist()], dtype=np.bool_)


def texts_break(crowd: Crowd, which: Which, bounds: Bounds) -> Mask:
    """A text must be one of those expected."""
    return np.array([text.strip() not in bounds.expected for text in np.asarray(crowd.answers)[which]], dtype=np.bool_)


def _is_expected(crowd: Crowd, bounds: Bounds) -> Mask:
    """[L] the labels that are expected."""
    return np.array([label in bounds.expected for label in crowd.labels], dtype=np.bool_)


def _off_scale(crowd: Crowd, numbers: npt.NDArray[np.float64], bounds: Bounds) -> Mask:
    """Whether numbers lie outside bounds, compared as decimals: 4.6 of 1:5 is 90 per cent, not a hair below."""
    if crowd.scale is None:
        return np.zeros(numbers.shape, dtype=np.bool_)
    low = crowd.scale.raw(bounds.low) if bounds.low is not None else crowd.scale.low
    high = crowd.scale.raw(bounds.high) if bounds.high is not None else crowd.scale.high
    distinct, which = np.unique(numbers, return_inverse=True)
    outside = np.array([not low <= Decimal(repr(number)) <= high for number in distinct.tolist()], dtype=np.bool_)
    return outside[which.reshape(numbers.shape)] if len(distinct) else np.zeros(numbers.shape, dtype=np.bool_)


def _bounds_text(crowd: Crowd, bounds: Bounds) -> str:
    parts = []
    if crowd.scale is not None and bounds.low is not None:
        parts.append(f"at least {crowd.scale.raw(bounds.low).normalize():f}")
    if crowd.scale is not None and bounds.high is not None:
        parts.append(f"at most {crowd.scale.raw(bounds.high).normalize():f}")
    if bounds.expected:
        parts.append(f"expected {statistics_of(crowd.kind).expected_joined_by.join(bounds.expected)}")
    return " and ".join(parts)


def _evidence(crowd: Crowd, broken: Which, bound_of: dict[int, str]) -> dict[int, tuple[Evidence, ...]]:
    evidence: dict[int, list[Evidence]] = {}
    ids = crowd.items["item_id"].to_numpy()
    for j, text in zip(broken.tolist(), answer_texts(crowd, broken) if len(broken) else [], strict=True):
        item = int(crowd.item[j])
        piece = Evidence(str(ids[item]), text, bound_of[item])
        evidence.setdefault(int(crowd.worker[j]), []).append(piece)
    return {worker: tuple(pieces) for worker, pieces in evidence.items()}
