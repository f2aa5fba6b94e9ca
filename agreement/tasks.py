"""The kinds of job that agreement does."""

from typing import Any

from agreement.actions import analyse_study
from agreement.actions.analysing import KIND
from agreement.actions.rule_sets import built_in
from agreement.analysis.analysis import DEFAULT_REPLICATES, DEFAULT_SEED
from agreement.cleaning.ruleset import DEFAULT
from annotation.jobs import Progress, job_kind
from annotation.models import Job


@job_kind(KIND)
def analyse(job: Job, progress: Progress) -> dict[str, Any]:
    """Parameters: `toml`, or `rules` as the name of a built-in rule set; `seed`, `replicates`."""
    given = job.parameters
    made = analyse_study(
        job=job,
        toml=given.get("toml") or built_in(given.get("rules", DEFAULT)),
        seed=given.get("seed", DEFAULT_SEED),
        replicates=given.get("replicates", DEFAULT_REPLICATES),
        progress=progress,
    )
    return {"release": str(made.uuid)}
