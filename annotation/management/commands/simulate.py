"""`manage.py simulate STUDY --workers N [--over-http URL]`: virtual people with known truth and known vices."""

from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from annotation.actions.studies import NEXT
from annotation.errors import Refused
from annotation.management.base import StudyCommand
from annotation.models import Study
from simulation.by_actions import simulate
from simulation.over_http import simulate_over_http


class Command(StudyCommand):
    help = "Lets simulated people, some of them careless, take part in an open study."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--workers", type=int, required=True, help="how many people take part")
        parser.add_argument(
            "--careless", type=float, default=0.15, metavar="SHARE", help="the share of careless people, from 0 to 1"
        )
        parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same people (default: 1)")

        parser.add_argument(
            "--over-http",
            metavar="URL",
            help="use the real pages of a running site, for example http://127.0.0.1:8000",
        )

    def answer(self, **options: Any) -> dict[str, Any]:
        study = self.study(options["study"])
        if not study.is_open_at(timezone.now()):
            opens = Study.Status.LIVE in NEXT[study.status]
            how = f": `manage.py open_study {study.slug}` opens it" if opens else ""
            raise Refused(f"Nobody can take part while {study.slug} is {study.status}{how}.")
        careless = round(options["workers"] * options["careless"])
        with self.progress("people") as report:
            who = {"study": study, "workers": options["workers"], "careless": careless, "seed": options["seed"]}
            if options["over_http"]:
                crowd = simulate_over_http(**who, site=options["over_http"], report=report)
            else:
                crowd = simulate(**who, report=report)
        return {
            "study": study.slug,
            "workers": len(crowd.vices),
            "answers": crowd.answers,
            "careless": {name: crowd.vices[name].value for name in sorted(crowd.careless)},
        }

    def say(self, answer: dict[str, Any]) -> str:
        return (
            f"{answer['workers']} people gave {answer['answers']} answers to {answer['study']}; "
            f"{len(answer['careless'])} of them are careless."
        )
