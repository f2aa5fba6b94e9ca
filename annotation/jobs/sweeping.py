"""The sweep: finds jobs whose message was lost or whose worker died, and sends them again."""

from dataclasses import dataclass

from django.conf import settings
from django.utils import timezone

from annotation.jobs.requesting import send
from annotation.models import Job

# At most so many at once: a broker that was down for a day gets them back in portions.
PORTION = 200


@dataclass(frozen=True, slots=True)
class Swept:
    sent: int
    given_up: int


def sweep() -> Swept:
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
    return Swept(sent, given_up)


def _deaths(job: Job) -> str:
    return (
        f"The worker ended {job.attempts} times in the middle of this job, and it is not tried again. "
        "Its memory may not be enough for a study of this size: the worker's and the system's log say more."
    )
