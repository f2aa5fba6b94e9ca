"""`plan judgments.csv --target alpha=0.05`: judgments per item and people for a precision that is wanted.

A site's command takes a study too, and says what it would cost.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..errors import Refused
from ..estimation.estimate import Undefined
from ..judgments.file_crowd import crowd_of
from ..judgments.judgments_file import read_judgments
from ..kinds.registry import QUESTION_KINDS
from ..planning.advice import advice_between
from ..planning.further_data import of_crowd, said_exclusions, said_plan
from ..planning.precision import (
    ASSURANCE,
    LEAST_ASSURANCE,
    MOST_ASSURANCE,
    Components,
    Goal,
    curve,
    first_within,
    why_no_plan,
)
from .arguments import Progress, count, label_list, scale

HELP = "Says how many judgments per item and people a wanted precision takes, and what a study would cost."
PILOT, SIMULATED = "judgments", "simulated"


@dataclass(frozen=True, slots=True)
class Basis:
    """What a plan starts from; of a study also what people would cost, in words and as numbers."""

    components: Components | Undefined
    items: int
    items_per_person: int
    exclusions: tuple[int, int] = (0, 0)  # how many people are excluded, and how many have judged something
    price: Callable[[int], str] = lambda _people: ""
    cost: Callable[[int], dict[str, str] | None] = lambda _people: None


def add_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    of = "the study's short name, or a file of judgments from anywhere"
    add("study", metavar="STUDY|judgments.csv", help=of)
    goals = "|".join(Goal)
    wanted = "such as alpha=0.05: half the width of its interval; models=0.05: the least difference of two models"
    add("--target", type=_target, required=True, metavar="GOAL=NUMBER", help=f"{goals}, {wanted}")
    add("--items", type=count, metavar="N", help="items to judge (default: those that there are)")
    per_person = "items that one person judges (default: as in the study; of a file the median)"
    add("--items-per-person", type=count, metavar="N", help=per_person)
    add("--people", type=count, metavar="N", help="people that you can get at most (default: no limit)")
    share = f"share of studies, or of items' intervals, that get what is promised (default: {ASSURANCE:g})"
    add("--assurance", type=_share, default=ASSURANCE, metavar="SHARE", help=share)
    source = "what a study's plan starts from (default: its judgments, if there are any)"
    add("--from", dest="source", choices=(PILOT, SIMULATED), help=source)
    add("--kind", choices=QUESTION_KINDS, help="of a file: the kind of question (default: guessed)")
    add("--scale", type=scale, metavar="A:B", help="of a file: the ends of the slider (default: 0:100)")
    add("--labels", type=label_list, default=(), metavar="A|B", help="of a file: all possible labels, in order")


def names_a_file(text: str) -> bool:
    """A study's short name has no full stop, and a file's name has one."""
    return "." in text


def run(options: Namespace, _progress: Progress) -> dict[str, object]:
    refuse_small(options)
    if not names_a_file(options.study):
        raise Refused(
            f"{options.study}: a plan of a study needs its site; name a file of judgments, such as pilot.csv."
        )
    return planned(options, of_file(options))


def refuse_small(options: Namespace) -> None:
    for name, least in (("items", 2), ("items_per_person", 1), ("people", 1)):
        value = getattr(options, name)
        if value is not None and value < least:
            raise Refused(f"--{name.replace('_', '-')} {value}: it has to be {least} or more.")


def of_file(options: Namespace) -> Basis:
    import numpy as np

    if options.source == SIMULATED:
        raise Refused("--from simulated is of a study: a file has no form that simulated people could answer.")
    judgments = read_judgments(Path(options.study), kind=options.kind, scale=options.scale, labels=options.labels)
    crowd = crowd_of(judgments)
    mine = crowd.on_target
    per_worker = np.bincount(crowd.worker[mine])
    median = int(np.median(per_worker[per_worker > 0])) if mine.any() else 1
    return Basis(of_crowd(crowd), len(np.unique(crowd.item[mine])), median)


def planned(options: Namespace, basis: Basis) -> dict[str, Any]:
    (goal, target), components = options.target, basis.components
    if isinstance(components, Undefined):
        raise Refused(f"There is no plan: {components.why}.")
    size = {
        "items": options.items or max(basis.items, 2),
        "items_per_worker": options.items_per_person or max(basis.items_per_person, 1),
    }
    if why := why_no_plan(components, goal, **size):
        raise Refused(f"There is no plan: {why}.")
    assurance, most = options.assurance, options.people
    points = curve(components, goal, **size, assurance=assurance)
    best = first_within(points, target, most, goal)
    advice = advice_between(components, goal, target, **size, assurance=assurance)
    says = said_plan(goal, target, size, most, components, points, basis.price, advice, assurance)
    excluded = said_exclusions(*basis.exclusions, None if best is None else best.workers, basis.price)
    return {
        "of": options.study,
        "goal": str(goal),
        "target": target,
        **size,
        "assurance": assurance,
        "advice": advice and asdict(advice),
        "best": best and asdict(best),
        "cost": best and basis.cost(best.workers),
        "variances": {name: getattr(components, name) for name in ("item", "worker", "residual", "method")},
        "curve": [asdict(point) for point in points],
        "says": " ".join(filter(None, (says, excluded))),
    }


def say(answer: dict[str, Any]) -> str:
    rows = [
        f"{point['judgments_per_item']:>22} {point['workers']:>8,}  {point['precision']:.3g}"
        for point in answer["curve"]
    ]
    return "\n".join([answer["says"], "", "  judgments per item   people  precision", *rows])


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not LEAST_ASSURANCE <= share <= MOST_ASSURANCE:
        raise ArgumentTypeError(f"{text!r} is no share from {LEAST_ASSURANCE:g} to {MOST_ASSURANCE:g}")
    return share


def _target(text: str) -> tuple[Goal, float]:
    goal, _, number = text.partition("=")
    try:
        target = Goal(goal), float(number)
    except ValueError:
        raise ArgumentTypeError(
            f"{text!r} is no goal with a number, such as alpha=0.05; goals: {', '.join(Goal)}"
        ) from None
    if not 0 < target[1] < float("inf"):
        raise ArgumentTypeError(f"{text!r}: the number has to be above 0")
    return target
