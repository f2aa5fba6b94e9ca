"""How a job ends: done, failed, cancelled, handed back, or lost to another worker."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError, connection

from agreement.errors import Refused
from annotation import jobs
from annotation.jobs import Progress, claim
from annotation.models import Job, User
from tests.services.fixtures import wait_for

pytestmark = [pytest.mark.django_db, pytest.mark.both]
Does = Callable[[Callable[[Job, Progress], Any]], Job]


def ended(job: Job) -> Job:
    jobs.run_job(job.pk)
    job.refresh_from_db()
    return job


def test_job_done_keeps_its_result(does: Does) -> None:
    job = ended(does(lambda _job, _progress: {"release": 3}))
    assert (job.status, job.result, job.progress, job.attempts, job.error) == ("done", {"release": 3}, 1.0, 1, "")
    assert job.finished_at is not None


def test_message_that_comes_twice_works_once(does: Does) -> None:
    times = []
    job = does(lambda _job, _progress: times.append(1))
    for _ in range(2):
        jobs.run_job(job.pk)
    assert times == [1]


def test_second_claim_of_the_same_reading_finds_no_row(does: Does, django_assert_num_queries: Any) -> None:
    job = does(lambda _job, _progress: None)
    with django_assert_num_queries(2):
        first = claim.take_job(job.pk)
    assert first == claim.Claim(job.pk, 1)
    assert claim.take_job(job.pk) is None


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (Refused(["row 3: no", "row 4: no"]), "row 3: no\nrow 4: no"),
        (Refused([f"row {n}" for n in range(2_050)]), "… and 50 more"),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
    ],
)
def test_failure_is_told_and_not_tried_again(does: Does, error: Exception, said: str) -> None:
    def fail(_job: Job, _progress: Progress) -> None:
        raise error

    job = ended(does(fail))
    assert job.status == "failed"
    assert job.error.endswith(said)


@pytest.mark.parametrize("error", [OperationalError("database is locked"), jobs.TryAgain("someone withdrew")])
def test_passing_failure_is_queued_again_until_the_last_attempt(does: Does, settings: Any, error: Exception) -> None:
    settings.JOB_ATTEMPTS = 2

    def fail(_job: Job, _progress: Progress) -> None:
        raise error

    job = ended(does(fail))
    assert (job.status, job.attempts) == ("queued", 1)
    assert str(error) in job.error
    job = ended(job)
    assert (job.status, job.attempts) == ("failed", 2)
    assert job.error.startswith("Given up. Attempt 2:")


def test_unknown_kind_says_which_are_known(does: Does) -> None:
    does(lambda _job, _progress: None)
    job = ended(Job.objects.create(kind="from-the-future"))
    assert job.status == "failed"
    assert "from-the-future" in job.error
    assert "trial" in job.error


def test_cancel_is_seen_between_chunks(does: Does) -> None:
    def work(job: Job, progress: Progress) -> None:
        progress.stop_if_cancelled()
        jobs.cancel_job(job=job)
        progress.stop_if_cancelled()
        pytest.fail("worked on after it was cancelled")

    job = ended(does(work))
    assert (job.status, job.error) == ("cancelled", "Cancelled on request.")


def test_cancel_of_a_queued_job_ends_it_at_once(does: Does) -> None:
    job = does(lambda _job, _progress: pytest.fail("worked"))
    jobs.cancel_job(job=job)
    assert ended(job).status == "cancelled"


def test_worker_that_lost_its_claim_leaves_no_effect(does: Does) -> None:
    def work(job: Job, progress: Progress) -> None:
        # It is taken for dead, and another worker has begun.
        Job.objects.filter(pk=job.pk).update(attempts=2)
        with progress.finishing({"by": "the first"}):
            User.objects.create_user("effect-of-the-first")

    job = ended(does(work))
    assert (job.status, job.attempts, job.result) == ("running", 2, None)
    assert not User.objects.filter(username="effect-of-the-first").exists()


def test_failure_after_the_claim_was_lost_does_not_end_the_other_workers_job(does: Does) -> None:
    def work(job: Job, _progress: Progress) -> None:
        Job.objects.filter(pk=job.pk).update(attempts=2)
        raise ZeroDivisionError

    assert ended(does(work)).status == "running"


def test_worker_told_to_stop_hands_the_job_back(does: Does) -> None:
    def work(_job: Job, _progress: Progress) -> None:
        raise SystemExit

    job = does(work)
    with pytest.raises(SystemExit):
        jobs.run_job(job.pk)
    job.refresh_from_db()
    assert job.status == "queued"


def test_progress_is_written_seldom_and_told_always(does: Does) -> None:
    told: list[float] = []

    def work(_job: Job, progress: Progress) -> None:
        before = len(connection.queries_log)
        for step in range(100):
            progress.report(step / 100)
        assert len(connection.queries_log) - before <= 1

    connection.force_debug_cursor = True
    try:
        jobs.run_job(does(work).pk, told.append)
    finally:
        connection.force_debug_cursor = False
    assert len(told) == 100


@pytest.mark.django_db(transaction=True)
def test_long_silent_computation_keeps_its_sign_of_life(does: Does, settings: Any) -> None:
    settings.JOB_SILENCE_SECONDS = 1
    touched: list[dt.datetime] = []

    def has_been_touched(job: Job) -> bool:
        at = Job.objects.get(pk=job.pk).touched_at
        if at > touched[-1]:
            touched.append(at)
        return len(touched) > 3

    def work(job: Job, _progress: Progress) -> None:
        touched.append(Job.objects.get(pk=job.pk).touched_at)
        wait_for(lambda: has_been_touched(job), seconds=60, what="three signs of life beside the work")

    assert ended(does(work)).status == "done"


def test_command_interrupted_cancels_its_job(does: Does, researcher: User) -> None:
    def work(_job: Job, _progress: Progress) -> None:
        raise KeyboardInterrupt

    does(work)
    Job.objects.all().delete()
    with pytest.raises(KeyboardInterrupt):
        jobs.run_here(kind="trial", study=None, parameters={}, by=researcher)
    assert Job.objects.get().status == "cancelled"
