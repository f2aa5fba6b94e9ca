"""`manage.py plan STUDY|judgments.csv --target alpha=0.05`: judgments per item, people and cost for a precision."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from agreement.cli import plan
from agreement.cli.arguments import with_scale_joined
from agreement.typed_json import JsonObject
from annotation.management.base import StudyCommand
from annotation.pages.plan import price
from annotation.simulating import crowds
from annotation.studies.completeness import cost_of


class Command(StudyCommand[JsonObject]):
    help = plan.HELP

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object, for machines")
        plan.add_arguments(parser)

    def run_from_argv(self, argv: list[str]) -> None:
        super().run_from_argv(with_scale_joined(argv))

    def answer(self, options: Namespace) -> JsonObject:
        plan.refuse_small(options)
        is_file = plan.names_a_file(options.study)
        return plan.planned(
            options, plan.of_file(options) if is_file else self._of_study(options.study, options.source)
        )

    def say(self, answer: JsonObject) -> str:
        return plan.say(answer)

    def _of_study(self, slug: str, source: str | None) -> plan.Basis:
        study = self.study(slug)
        has_judged = study.participations.filter(assigned_items__judgments__isnull=False).exists()
        is_pilot = (source or (plan.PILOT if has_judged else plan.SIMULATED)) == plan.PILOT

        def cost(people: int) -> dict[str, str] | None:
            total = cost_of(study, people)
            return {"total": str(total.total), "currency": total.currency} if total else None

        return plan.Basis(
            crowds.pilot_components(study) if is_pilot else crowds.simulated_components(study),
            study.items.targets().count(),
            study.items_per_assignment * study.assignments_per_worker,
            crowds.excluded_and_judged(study) if is_pilot else (0, 0),
            lambda people: price(study, people),
            cost,
        )
