"""What Celery runs: the next job, and what the clock calls for. All may run twice with no harm."""

from celery import shared_task
from django.utils import timezone

from agreement.typed_json import JsonObject
from annotation import jobs
from annotation.jobs import IMPORT, Progress, job_kind
from annotation.media.storage import remove_unused
from annotation.models import Job
from annotation.notices.notifying import find_notices, send_notices
from annotation.notices.webhooks import notice_events, send_deliveries
from annotation.people.leaving import empty_write_ahead_log
from annotation.people.retention import purge as purge_due
from annotation.places.allocation import expire_overdue, release_silent
from annotation.studies.importing_in_parts import discard_abandoned_imports
from annotation.studies.uploading import discard_ended_uploads, import_upload


@job_kind(IMPORT)
def import_items(job: Job, progress: Progress) -> JsonObject:
    """Parameters: the file's name and the number of its upload, for people to read."""
    return import_upload(job=job, progress=progress)


@shared_task(name="annotation.tasks.run_job")
def run_job(_job_id: int) -> None:
    """The number is of the job that was asked for, for the broker's eyes: the worker does the one whose turn it is."""
    jobs.run_next()
    discard_ended_uploads()


@shared_task(name="annotation.tasks.sweep")
def sweep() -> None:
    jobs.sweep()
    discard_ended_uploads()


@shared_task(name="annotation.tasks.expire")
def expire() -> None:
    expire_overdue(now=timezone.now())
    release_silent(now=timezone.now())


@shared_task(name="annotation.tasks.notify")
def notify() -> None:
    find_notices(now=timezone.now())
    send_notices(now=timezone.now())


@shared_task(name="annotation.tasks.tell_webhooks")
def tell_webhooks() -> None:
    notice_events(now=timezone.now())
    send_deliveries(now=timezone.now())


@shared_task(name="annotation.tasks.purge")
def purge() -> None:
    purge_due(now=timezone.now())
    discard_abandoned_imports()
    remove_unused(now=timezone.now())
    empty_write_ahead_log()
