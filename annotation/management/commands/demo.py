"""`manage.py demo`: what `make run` shows before it serves. A second run shows the same results and makes nothing."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypedDict

from agreement.report.methods import said_figure
from agreement.typed_json import Json, to_json
from annotation.management.base import TouchstoneCommand
from annotation.pages.results import failures_of
from annotation.simulating.demo import demo

if TYPE_CHECKING:
    from agreement.report.report import Report


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
    yield ""
    yield f"Take part  {answer['links']['take part']}"
    yield f"Admin      {answer['links']['admin']}"
    yield f"Results    {answer['links']['results']}"
    name = answer["administrator"]
    if answer["password"]:
        yield f"Sign in as {name} with the password {answer['password']} (shown this once)."
    else:
        program = os.environ.get("TOUCHSTONE_PROGRAM", ".venv/bin/python manage.py")  # the installed command, or make's
        yield f"Sign in as {name}; a forgotten password is reset by: {program} changepassword {name}"
