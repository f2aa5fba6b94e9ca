"""The kinds of job that agreement does. What they import is heavy, and waits for the first job that needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celery import shared_task

from agreement.errors import Refused
from agreement.typed_json import JsonObject
from annotation.jobs import Progress, job_kind, request_job
from annotation.models import Job
from annotation.releases.models import GoldRelease

if TYPE_CHECKING:
    from annotation.releases.actions.freezing import Look

ANALYSE = "analyse"
SCORE = "score"
REPORT = "report"
TRY = "try"
SUMMARY = "summary"


@job_kind(ANALYSE)
def analyse(job: Job, progress: Progress, look: Look | None = None) -> JsonObject:
    """Parameters: `toml`, or `rules` as the name of a built-in rule set; `seed`, `replicates`; `also`, further
    analyses; `fixed_workers`; `include_again`, the pseudonyms of those whom the run may include again; `refill`,
    whether the places of those whom it excludes open for others. What isn't given is as it was for the last release,
    and `refill` as the study's setup says.
    """
    from annotation.releases.actions.analysing import analyse_study
    from annotation.releases.actions.rule_sets import toml_of_built_in
    from annotation.releases.exports.export_choice import releases_beside
    from annotation.releases.summaries import settings_of

    if job.study is None:
        raise Refused("An analysis needs a study.")
    parameters, last = job.parameters, settings_of(job.study)
    release = analyse_study(
        job=job,
        toml=parameters.get("toml") or (toml_of_built_in(parameters["rules"]) if "rules" in parameters else last.toml),
        seed=parameters.get("seed", last.seed),
        replicates=parameters.get("replicates", last.replicates),
        also=parameters.get("also", last.also),
        fixed_workers=parameters.get("fixed_workers", last.fixed_workers),
        include_again=parameters.get("include_again", ()),
        refill=parameters.get("refill"),
        progress=progress,
        look=look,
    )
    for each in releases_beside(release):
        request_job(kind=REPORT, study=job.study, parameters={"release": str(each.uuid)}, by=job.created_by)
    return {"release": str(release.uuid)}


@job_kind(REPORT)
def report(job: Job, progress: Progress) -> JsonObject:
    """Parameters: `release`, the release's UUID, whose report page, figures and tables are drawn."""
    from annotation.releases.actions.drawing_reports import draw_report

    release = GoldRelease.objects.select_related("study", "run__rule_set", "run__study").get(
        uuid=job.parameters["release"]
    )
    draw_report(release=release, progress=progress)
    return {"release": str(release.uuid)}


@job_kind(SCORE)
def score(job: Job, progress: Progress) -> JsonObject:
    """Parameters: `release`, the release's UUID; `seed`."""
    from annotation.releases.actions.scoring_probes import score_release

    releases = GoldRelease.objects.select_related("study", "run__rule_set", "run__study")
    release = releases.get(uuid=job.parameters["release"])
    return {"new": score_release(job=job, release=release, progress=progress)}


@job_kind(TRY)
def try_rules(job: Job, progress: Progress) -> JsonObject:
    """Parameters: `what` (preview, sweep, compare) and `rules`, as `actions.trying_rules` takes them."""
    from annotation.releases.actions.trying_rules import try_in_a_job

    if job.study is None:
        raise Refused("Rules are tried on a study.")
    return try_in_a_job(study=job.study, trial=job.parameters, progress=progress)


@job_kind(SUMMARY)
def summary(job: Job, progress: Progress) -> JsonObject:
    """No parameters: the figures that the study's pages show are made again and stored."""
    from annotation.releases.summaries import store_summary

    if job.study is None:
        raise Refused("A summary needs a study.")
    return store_summary(study=job.study, progress=progress)


@shared_task(name="annotation.releases.tasks.summarise")
def summarise() -> None:
    from annotation.releases.summaries import ask_for_old_summaries

    ask_for_old_summaries()
