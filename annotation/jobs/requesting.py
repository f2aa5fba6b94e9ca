"""Requesting a job, requesting that it stop, and the sweep that sends lost ones again."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from agreement.errors import Refused
from agreement.typed_json import Json
from annotation.jobs.claim import IMPORT
from annotation.models import AuditEntry, Job, Study, User
from annotation.web.broker import impatient

# A new job, a failed one again, or an end to one.

logger = logging.getLogger(__name__)
# The most that a request may lose to a broker that takes the connection and then says nothing.
PATIENCE_SECONDS = 0.5


@transaction.atomic
def request_job(*, kind: str, study: Study | None, parameters: Mapping[str, Json], by: User | None) -> Job:
    """The row of a new job, sent to a worker when the transaction commits; or the same job, if it still waits.

    The race: a double click asks twice at once. The lock on the study lets the second see the first one's row.
    """
    if study is not None:
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    same = Job.objects.filter(kind=kind, study=study, parameters=parameters, status=Job.Status.QUEUED)
    job = same.first() or Job.objects.create(kind=kind, study=study, parameters=parameters, created_by=by)
    transaction.on_commit(partial(send, job.pk))
    return job


@transaction.atomic
def retry_job(*, job: Job, by: User | None) -> Job:
    """A new job that does a failed one again, entered in the study's record; asked twice, the same new job.

    The race: a double click asks twice at once. The lock on the study lets the second see the first one's row.
    """
    if job.study is None:
        raise Refused("This is a job of the site itself: it runs again by itself.")
    if job.kind == IMPORT:
        raise Refused("The file of this import was deleted when the job ended: upload it again.")
    Study.objects.select_for_update(no_key=True).get(pk=job.study.pk)
    again = Job.objects.filter(retry_of=job).first()
    if again is not None:
        return again
    job.refresh_from_db(fields=["status"])
    if job.status != Job.Status.FAILED:
        raise Refused(f"This job is {job.get_status_display().lower()}: only a failed job can be started again.")
    again = Job.objects.create(kind=job.kind, study=job.study, parameters=job.parameters, created_by=by, retry_of=job)
    detail = {"job done again": job.kind, "failed job": str(job.uuid), "new job": str(again.uuid)}
    AuditEntry.objects.create(study=job.study, by=by, action=AuditEntry.Action.CHANGED, detail=detail)
    transaction.on_commit(partial(send, again.pk))
    return again


def cancel_job(*, job: Job) -> None:
    """A queued job ends here; a running one at its worker's next look, unless it is done before."""
    Job.objects.filter(pk=job.pk).unfinished().update(is_cancel_wanted=True)
    now = timezone.now()
    Job.objects.filter(pk=job.pk, status=Job.Status.QUEUED).update(status=Job.Status.CANCELLED, finished_at=now)


def send(job_id: int) -> bool:
    """Tells the workers of a job. A silent broker neither fails nor delays whoever asked: the sweep sends again."""
    options = impatient(PATIENCE_SECONDS)
    try:
        with current_app.connection_for_write(connect_timeout=PATIENCE_SECONDS, transport_options=options) as broker:
            current_app.send_task("annotation.tasks.run_job", args=[job_id], connection=broker, retry=False)
    except OperationalError as error:
        logger.warning("job %s could not be sent (%s); the sweep will send it", job_id, error)
        return False
    return True


# The sweep: finds jobs whose message was lost or whose worker died, and sends them again.

# At most so many at once: a broker that was down for a day gets them back in portions.
PORTION = 200


@dataclass(frozen=True, slots=True)
class SweepCounts:
    sent: int
    given_up: int


def sweep() -> SweepCounts:
    sent = given_up = 0
    for job in Job.objects.to_send_again(settings.JOB_SILENCE_SECONDS).order_by("touched_at")[:PORTION]:
        # The race: between the reading and this update a worker may touch, end or claim the job, or another sweep may
        # have it. Then the row is no longer as it was read, and it is left to them.
        as_read = Job.objects.filter(pk=job.pk, status=job.status, attempts=job.attempts, touched_at=job.touched_at)
        now = timezone.now()
        if job.status == Job.Status.RUNNING and job.is_cancel_wanted:
            as_read.update(status=Job.Status.CANCELLED, finished_at=now)
        elif job.status == Job.Status.RUNNING and job.attempts >= settings.JOB_ATTEMPTS:
            given_up += as_read.update(status=Job.Status.FAILED, error=_deaths(job), finished_at=now)
        elif as_read.update(status=Job.Status.QUEUED, touched_at=now) == 1:
            sent += send(job.pk)
    return SweepCounts(sent, given_up)


def _deaths(job: Job) -> str:
    return (
        f"The worker ended {job.attempts} times in the middle of this job, and it is not tried again. "
        "Its memory may not be enough for a study of this size: the worker's and the system's log say more."
    )
