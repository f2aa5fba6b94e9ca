"""The kinds of job that agreement does. What they import is heavy, and waits for the first job that needs it."""

from typing import Any

from annotation.models import Job
from jobs import Progress, job_kind, request_job

ANALYSE = "analyse"
SCORE = "score"
REPORT = "report"


@job_kind(ANALYSE)
def analyse(job: Job, progress: Progress) -> dict[str, Any]:
    """Parameters: `toml`, or `rules` as the name of a built-in rule set; `seed`, `replicates`; `include_again`, the
    pseudonyms of those whom the run may include again. What isn't given is as it was for the last release.
    """
    from agreement.actions import analyse_study
    from agreement.actions.rule_sets import built_in
    from agreement.results import settings_of
    from annotation.errors import Refused

    if job.study is None:
        raise Refused("An analysis needs a study.")
    given, last = job.parameters, settings_of(job.study)
    made = analyse_study(
        job=job,
        toml=given.get("toml") or (built_in(given["rules"]) if "rules" in given else last.toml),
        seed=given.get("seed", last.seed),
        replicates=given.get("replicates", last.replicates),
        include_again=given.get("include_again", ()),
        progress=progress,
    )
    request_job(kind=REPORT, study=job.study, parameters={"release": str(made.uuid)}, by=job.created_by)
    return {"release": str(made.uuid)}


@job_kind(REPORT)
def report(job: Job, progress: Progress) -> dict[str, Any]:
    """Parameters: `release`, the release's UUID, whose report page, figures and tables are drawn."""
    from agreement.actions.drawing_reports import draw_report
    from agreement.models import GoldRelease

    release = GoldRelease.objects.select_related("study", "run__rule_set", "run__study").get(
        uuid=job.parameters["release"]
    )
    draw_report(release=release, progress=progress)
    return {"release": str(release.uuid)}


@job_kind(SCORE)
def score(job: Job, progress: Progress) -> dict[str, Any]:
    """Parameters: `release`, the release's UUID; `seed`."""
    from agreement.actions.scoring_probes import score_release
    from agreement.analysis.analysis import DEFAULT_SEED
    from agreement.models import GoldRelease

    given = job.parameters
    release = GoldRelease.objects.select_related("study", "run__rule_set", "run__study").get(uuid=given["release"])
    return {"new": score_release(job=job, release=release, seed=given.get("seed", DEFAULT_SEED), progress=progress)}
