"""`manage.py demo`: what `make run` shows before it serves. A second run shows the same results and makes nothing."""

from __future__ import annotations

import os
import secrets
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from django.conf import settings
from django.db import transaction

from agreement.output.terminal_summary import verdict_lines
from agreement.report.methods import said_figure
from agreement.typed_json import Json, to_json
from annotation.entry.links import make_open_link
from annotation.management.base import TouchstoneCommand
from annotation.models import EntryLink, Study, User
from annotation.pages.results import failures_of
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.exports.export_files import write_to
from annotation.releases.exports.release_tables import gold as gold_csv
from annotation.releases.models import GoldRelease
from annotation.simulating.crowds import simulate
from annotation.studies import presets
from annotation.studies.study_life import change_status, create_study

if TYPE_CHECKING:
    from agreement.report.report import Report


SLUG = "demo"
PRESET = "spatial-similarity"
# The founding study's crowd: 66 people, 9 of them careless.
WORKERS, CARELESS, SEED = 66, 9, 2019
VISITORS = 200
WIDTH = 100  # of the verdict's lines


@dataclass(frozen=True, slots=True)
class Demo:
    study: Study
    release: GoldRelease
    gold: Path
    link: EntryLink
    administrator: User
    password: str | None  # only in the run that made the administrator

    @property
    def is_new(self) -> bool:
        return self.password is not None


def demo() -> Demo:
    """Makes what is missing of the demonstration: all of it at first, nothing in a second run."""
    administrator, password = _administrator()
    study = Study.objects.filter(slug=SLUG).first() or _collected_study(administrator)
    release = study.releases.newest_first().first() or clean_and_release(study=study, seed=SEED, by=administrator)
    gold = settings.VAR_DIR / "results" / SLUG / "gold.csv"
    if not gold.exists():
        gold.parent.mkdir(parents=True, exist_ok=True)
        write_to(gold, gold_csv(release))
    link = study.entry_links.filter(kind=EntryLink.Kind.OPEN).earliest("pk")
    return Demo(study, release, gold, link, administrator, password)


def _collected_study(owner: User) -> Study:
    """One transaction: killed half-way it leaves nothing, and the next run begins anew. Nobody else is writing yet."""
    with transaction.atomic():
        study = create_study(slug=SLUG, preset=presets.load(PRESET), owner=owner, seed=SEED)
        study = change_status(study=study, status=Study.Status.LIVE, by=owner, why="the demonstration")
        make_open_link(study=study, capacity=VISITORS, note="for visitors of the demonstration", by=owner)
        simulate(study=study, workers=WORKERS, careless=CARELESS, seed=SEED)
    return study


def _administrator() -> tuple[User, str | None]:
    existing = User.objects.filter(is_superuser=True).order_by("pk").first()
    if existing:
        return existing, None
    password = secrets.token_urlsafe(12)
    return User.objects.create_superuser("admin", password=password), password


class Shown(TypedDict):
    study: str
    removed: dict[str, list[str]]
    counts: Json
    agreement: Json
    ceiling: Json
    gold: str
    sha256: str
    administrator: str
    password: str | None  # None where it was set before
    links: dict[str, str]


class Command(TouchstoneCommand[Shown]):
    help = "Creates the demonstration study with a simulated crowd, analyses it, and prints results and addresses."

    def answer(self, _options: Namespace) -> Shown:
        shown = demo()
        self.published = shown.release.published
        address = os.environ.get("TOUCHSTONE_ADDRESS", "http://127.0.0.1:8000")
        return {
            "study": shown.study.title,
            "removed": failures_of(shown.release.run),
            "counts": to_json(shown.release.published.counts),
            "agreement": to_json(shown.release.published.results.agreement.cleaned),
            "ceiling": to_json(shown.release.published.results.ceiling),
            "gold": str(shown.gold),
            "sha256": shown.release.sha256,
            "administrator": shown.administrator.get_username(),
            "password": shown.password,
            "links": {
                "take part": f"{address}/join/{shown.link.token}/",
                "admin": f"{address}/admin/",
                "results": f"{address}/admin/results/{shown.study.uuid}/",
            },
        }

    def say(self, answer: Shown) -> str:
        return "\n".join(_lines(answer, self.published))


def _lines(answer: Shown, report: Report) -> Iterator[str]:
    counts, agreement, ceiling = report.counts, report.results.agreement.cleaned, report.results.ceiling
    yield f"{answer['study']} A simulated crowd of {counts.workers} people answered."
    yield from verdict_lines(report.verdict, WIDTH)
    yield ""
    yield f"Results    {answer['links']['results']}"
    yield f"Admin      {answer['links']['admin']}"
    yield f"Take part  {answer['links']['take part']}"
    name = answer["administrator"]
    if answer["password"]:
        yield f"Sign in as {name} with the password {answer['password']} (shown this once)."
    else:
        program = os.environ.get("TOUCHSTONE_PROGRAM", ".venv/bin/python manage.py")  # the installed command, or make's
        yield f"Sign in as {name}; a forgotten password is reset by: {program} changepassword {name}"
    yield ""
    yield f"Excluded: {len(answer['removed'])} workers; each failed a check."
    yield from (f"  {who}  {'; '.join(why)}" for who, why in answer["removed"].items())
    yield f"Kept: {counts.workers_kept} workers, {counts.judgments_kept} of {counts.judgments} judgments."
    yield ""
    yield f"Fleiss' kappa (five bins)        {said_figure(agreement.fleiss_kappa.statistic.headline)}"
    yield f"Krippendorff's alpha (interval)  {said_figure(agreement.krippendorff_alpha['interval'].headline)}"
    yield f"A typical person, leave-one-out  {said_figure(ceiling.leave_one_out.mean)}"
    yield f"The most a model can reach       {said_figure(ceiling.upper_bound)}"
    yield f"Gold                             {answer['gold']}"
