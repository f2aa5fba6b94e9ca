"""`manage.py plan STUDY|judgments.csv --target alpha=0.05`: judgments per item, people and cost for a precision."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agreement.cli.arguments import label_list, scale, with_scale_joined
from agreement.errors import Refused
from agreement.estimation.estimate import Undefined
from agreement.judgments.judgments_file import read_judgments
from agreement.kinds.registry import QUESTION_KINDS
from agreement.planning.components import Components
from agreement.planning.plan_words import said_exclusions, said_plan
from agreement.planning.precision import Goal, curve, first_within, why_no_plan
from annotation.management.base import StudyCommand, count
from annotation.models import Study
from annotation.pages.plan import price
from annotation.simulating import plan_source
from annotation.studies.recruiting import cost_of

PILOT, SIMULATED = "judgments", "simulated"


@dataclass(frozen=True, slots=True)
class Source:
    """What a plan starts from; `study` is None for a file, which has no pay."""

    components: Components | Undefined
    items: int
    items_per_person: int
    study: Study | None
    exclusions: tuple[int, int] = (0, 0)  # how many people are excluded, and how many have judged something


class Command(StudyCommand):
    help = "Says how many judgments per item and people a wanted precision takes, and what a study would cost."
    metavar = "STUDY|judgments.csv"
    of = "the study's short name, or a file of judgments from anywhere"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add = parser.add_argument
        goals = "|".join(Goal)
        wanted = "such as alpha=0.05: half the width of its interval; models=0.05: the least difference of two models"
        add("--target", type=_target, required=True, metavar="GOAL=NUMBER", help=f"{goals}, {wanted}")
        add("--items", type=count, metavar="N", help="items to judge (default: those that there are)")
        per_person = "items that one person judges (default: as in the study; of a file the median)"
        add("--items-per-person", type=count, metavar="N", help=per_person)
        add("--people", type=count, metavar="N", help="people that you can get at most (default: no limit)")
        source = "what a study's plan starts from (default: its judgments, if there are any)"
        add("--from", dest="source", choices=(PILOT, SIMULATED), help=source)
        add("--kind", choices=QUESTION_KINDS, help="of a file: the kind of question (default: guessed)")
        add("--scale", type=scale, metavar="A:B", help="of a file: the ends of the slider (default: 0:100)")
        add("--labels", type=label_list, default=(), metavar="A|B", help="of a file: all possible labels, in order")

    def run_from_argv(self, argv: list[str]) -> None:
        super().run_from_argv(with_scale_joined(argv))

    def answer(self, **options: Any) -> dict[str, Any]:
        named, (goal, target) = options["study"], options["target"]
        for name, least in (("items", 2), ("items_per_person", 1), ("people", 1)):
            if options[name] is not None and options[name] < least:
                raise Refused(f"--{name.replace('_', '-')} {options[name]}: it has to be {least} or more.")
        # A study's short name has no full stop, and a file's name has one.
        source = _of_file(Path(named), options) if "." in named else self._of_study(named, options["source"])
        components, study = source.components, source.study
        if isinstance(components, Undefined):
            raise Refused(f"There is no plan: {components.why}.")
        size = {
            "items": options["items"] or max(source.items, 2),
            "items_per_worker": options["items_per_person"] or max(source.items_per_person, 1),
        }
        if why := why_no_plan(components, goal, **size):
            raise Refused(f"There is no plan: {why}.")
        points, most = curve(components, goal, **size), options["people"]
        best = first_within(points, target, most, goal)
        cost = cost_of(study, best.workers) if study and best else None
        says = said_plan(
            goal, target, size, most, components, points, lambda people: price(study, people) if study else ""
        )
        said = said_exclusions(
            *source.exclusions,
            None if best is None else best.workers,
            lambda people: price(study, people) if study else "",
        )
        says = " ".join(filter(None, (says, said)))
        return {
            "of": named,
            "goal": str(goal),
            "target": target,
            **size,
            "best": best and asdict(best),
            "cost": cost and {"total": str(cost.total), "currency": cost.currency},
            "variances": {name: getattr(components, name) for name in ("item", "worker", "residual", "method")},
            "curve": [asdict(point) for point in points],
            "says": says,
        }

    def _of_study(self, slug: str, source: str | None) -> Source:
        study = self.study(slug)
        has_judged = study.participations.filter(assigned_items__judgments__isnull=False).exists()
        chosen = source or (PILOT if has_judged else SIMULATED)
        components = plan_source.pilot(study) if chosen == PILOT else plan_source.simulated(study)
        per_person = study.items_per_assignment * study.assignments_per_worker
        exclusions = plan_source.excluded_and_judged(study) if chosen == PILOT else (0, 0)
        return Source(components, study.items.targets().count(), per_person, study, exclusions)

    def say(self, answer: dict[str, Any]) -> str:
        rows = [
            f"{point['judgments_per_item']:>22} {point['workers']:>8,}  {point['precision']:.3g}"
            for point in answer["curve"]
        ]
        return "\n".join([answer["says"], "", "  judgments per item   people  precision", *rows])


def _of_file(file: Path, options: dict[str, Any]) -> Source:
    import numpy as np

    from agreement.analysis.file_job import crowd_of

    if options["source"] == SIMULATED:
        raise Refused("--from simulated is of a study: a file has no form that simulated people could answer.")
    names = ("kind", "scale", "labels")
    crowd = crowd_of(read_judgments(file, **{name: options[name] for name in names}))
    mine = crowd.on_target
    per_worker = np.bincount(crowd.worker[mine])
    median = int(np.median(per_worker[per_worker > 0])) if mine.any() else 1
    return Source(plan_source.of_crowd(crowd), len(np.unique(crowd.item[mine])), median, None)


def _target(text: str) -> tuple[Goal, float]:
    goal, _, number = text.partition("=")
    try:
        found = Goal(goal), float(number)
    except ValueError:
        raise ArgumentTypeError(
            f"{text!r} is no goal with a number, such as alpha=0.05; goals: {', '.join(Goal)}"
        ) from None
    if not 0 < found[1] < float("inf"):
        raise ArgumentTypeError(f"{text!r}: the number has to be above 0")
    return found
