"""`manage.py simulate STUDY --workers N [--vice NAME=SHARE] [--over-http URL]`: virtual people with known vices."""

import csv
import math
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TypedDict

from django.utils import timezone

from agreement.cli.arguments import seed
from agreement.errors import Refused
from agreement.simulation.simulated_people import VICES, crowd_of
from annotation.management.base import StudyCommand
from annotation.models import Study
from annotation.simulating.crowds import SimulationResult, simulate
from annotation.simulating.over_http import simulate_over_http
from annotation.studies.study_life import NEXT

USUALLY_CARELESS = 0.15
MOST_WORKERS = 100_000


class Counts(TypedDict):
    careless: int
    vices: dict[str, int]


class Simulated(TypedDict):
    study: str
    workers: int
    answers: int
    careless: dict[str, str]  # the vice of everybody who has one


class Command(StudyCommand[Simulated]):
    help = "Lets simulated people, some of them careless, take part in an open study."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--workers", type=int, required=True, help="how many people take part")
        share = (
            "the share of careless people, from 0 to 1: random, middle and straight-line in turn"
            f" (default: {USUALLY_CARELESS}, and 0 with --vice)"
        )
        parser.add_argument("--careless", type=float, metavar="SHARE", help=share)
        vice = f"the share of people with one vice, repeatable: {', '.join(VICES)}"
        parser.add_argument("--vice", action="append", default=[], metavar="NAME=SHARE", help=vice)
        parser.add_argument("--seed", type=seed, default=1, help="the same seed gives the same people (default: 1)")
        truth = "a new CSV of who has which vice (worker_id,vice,spoils), which nothing in the study's data tells"
        parser.add_argument("--truth", type=Path, metavar="truth.csv", help=truth)

        parser.add_argument(
            "--over-http",
            metavar="URL",
            help="use the real pages of a running site, for example http://127.0.0.1:8000",
        )

    def answer(self, options: Namespace) -> Simulated:
        study, workers, truth = self.study(options.study), options.workers, options.truth
        counts = _counts(workers, options.careless, options.vice)
        if truth is not None and (truth.exists() or not truth.parent.is_dir()):
            why = "something is there already" if truth.exists() else "there is no such folder"
            raise Refused(f"--truth {truth}: {why}; name a new file.")
        if not study.is_open_at(timezone.now()):
            opens = Study.Status.LIVE in NEXT[study.status]
            hint = f": `manage.py open_study {study.slug}` opens it" if opens else ""
            raise Refused(f"Nobody can take part while {study.slug} is {study.status}{hint}.")
        with self.progress("people") as report:
            run = partial(simulate_over_http, site=options.over_http) if options.over_http else simulate
            crowd = run(study=study, workers=workers, seed=options.seed, **counts, report=report)
        if truth is not None:
            _write_crowd(truth, crowd)
        return {
            "study": study.slug,
            "workers": len(crowd.vices),
            "answers": crowd.answers,
            "careless": {name: crowd.vices[name].name for name in sorted(crowd.careless)},
        }

    def say(self, answer: Simulated) -> str:
        each = Counter(answer["careless"].values())
        vices = f" ({', '.join(f'{count} {name}' for name, count in sorted(each.items()))})" if each else ""
        return (
            f"{answer['workers']} people gave {answer['answers']} answers to {answer['study']}; "
            f"{len(answer['careless'])} of them are careless{vices}."
        )


def _counts(workers: int, careless: float | None, named: Iterable[str]) -> Counts:
    """How many people are careless in the usual ways, and how many have each vice that is named."""
    if not 1 <= workers <= MOST_WORKERS:
        raise Refused(f"--workers {workers}: from 1 to {MOST_WORKERS:,} people can take part.")
    vices: dict[str, int] = {}
    for vice in named:
        name, _, share = vice.partition("=")
        vices[name] = vices.get(name, 0) + round(workers * _share(f"--vice {vice}", share))
    if careless is None:
        careless = 0.0 if vices else USUALLY_CARELESS
    counts: Counts = {"careless": round(workers * _share("--careless", str(careless))), "vices": vices}
    crowd_of(workers=workers, **counts)  # refused before anybody comes
    return counts


def _share(option: str, text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = math.nan
    if not 0 <= share <= 1:
        raise Refused(f"{option}: a share from 0 to 1 is needed, such as random=0.1; this one is '{text}'.")
    return share


def _write_crowd(path: Path, crowd: SimulationResult) -> None:
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("worker_id", "vice", "spoils"))
    writer.writerows((name, vice.name, int(vice.spoils)) for name, vice in sorted(crowd.vices.items()))
    try:
        path.write_text(out.getvalue(), encoding="utf-8")
    except OSError as error:
        raise Refused(f"--truth {path}: it can't be written ({error.strerror}). The people have taken part.") from error
