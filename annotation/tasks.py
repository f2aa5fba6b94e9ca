"""What Celery runs: a job by its number, and what the clock calls for. All may run twice with no harm."""

from celery import shared_task
from django.utils import timezone

from annotation import jobs
from annotation.actions.importing import discard_abandoned_imports
from annotation.actions.purging import purge as purge_due
from annotation.allocation import expire_overdue


@shared_task(name="annotation.tasks.run_job")
def run_job(job_id: int) -> None:
    jobs.run_job(job_id)


@shared_task(name="annotation.tasks.sweep")
def sweep() -> None:
    jobs.sweep()


@shared_task(name="annotation.tasks.expire")
def expire() -> None:
    expire_overdue(now=timezone.now())


@shared_task(name="annotation.tasks.purge")
def purge() -> None:
    purge_due(now=timezone.now())
    discard_abandoned_imports()
