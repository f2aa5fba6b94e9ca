"""Work that takes its time and then leaves one mark: an entry in a study's record."""

import time
from typing import Any

from annotation.jobs import Progress, job_kind
from annotation.models import AuditEntry, Job

CHUNK_SECONDS = 0.05


@job_kind("mark")
def mark(job: Job, progress: Progress) -> dict[str, Any]:
    """`parameters["seconds"]` of work in chunks, then the mark and the end of the job in one transaction."""
    assert job.study is not None
    chunks = round(job.parameters["seconds"] / CHUNK_SECONDS)
    for chunk in range(chunks):
        progress.stop_if_cancelled()
        progress.report(chunk / chunks)
        time.sleep(CHUNK_SECONDS)
    with progress.finishing({}):
        AuditEntry.objects.create(study=job.study, action="changed", detail={"mark": job.pk})
    return {}


@job_kind("silent-mark")
def silent_mark(job: Job, progress: Progress) -> dict[str, Any]:
    """The same in one piece that reports nothing, as one long computation does."""
    assert job.study is not None
    time.sleep(job.parameters["seconds"])
    with progress.finishing({}):
        AuditEntry.objects.create(study=job.study, action="changed", detail={"mark": job.pk})
    return {}
