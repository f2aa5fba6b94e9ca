"""What Celery runs: a job by its number, and the sweep. Both may run twice with no harm."""

from celery import shared_task

from annotation import jobs


@shared_task(name="annotation.tasks.run_job")
def run_job(job_id: int) -> None:
    jobs.run_job(job_id)


@shared_task(name="annotation.tasks.sweep")
def sweep() -> None:
    jobs.sweep()
