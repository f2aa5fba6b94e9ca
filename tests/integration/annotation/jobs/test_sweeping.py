"""What the sweep sends again, gives up or leaves alone."""

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from annotation import jobs
from annotation.jobs import running
from annotation.models import Job

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    numbers: list[int] = []

    def send(number: int) -> bool:
        numbers.append(number)
        return True

    monkeypatch.setattr(running, "send_job", send)
    return numbers


def job_of(status: str, *, silent_seconds: float, **values: Any) -> Job:
    touched = timezone.now() - dt.timedelta(seconds=silent_seconds)
    finished = touched if status in {"done", "failed", "cancelled"} else None
    return Job.objects.create(kind="trial", status=status, touched_at=touched, finished_at=finished, **values)


def test_sweep_sends_silent_jobs_and_leaves_the_others(sent: list[int]) -> None:
    lost, dead = job_of("queued", silent_seconds=61), job_of("running", silent_seconds=61, attempts=1)
    for status in ("queued", "running"):
        job_of(status, silent_seconds=30)
    for status in ("done", "failed", "cancelled"):
        job_of(status, silent_seconds=1000)
    assert jobs.sweep() == jobs.SweepCounts(sent=2, given_up=0)
    assert sorted(sent) == sorted([lost.pk, dead.pk])
    dead.refresh_from_db()
    assert (dead.status, dead.attempts) == ("queued", 1)


def test_sweep_twice_sends_once(sent: list[int]) -> None:
    job_of("queued", silent_seconds=61)
    jobs.sweep()
    assert jobs.sweep() == jobs.SweepCounts(sent=0, given_up=0)
    assert len(sent) == 1


def test_sweep_gives_up_a_job_whose_worker_always_dies(sent: list[int], settings: Any) -> None:
    job = job_of("running", silent_seconds=61, attempts=settings.JOB_ATTEMPTS)
    assert jobs.sweep() == jobs.SweepCounts(sent=0, given_up=1)
    job.refresh_from_db()
    assert job.status == "failed"
    assert job.error.startswith("The worker ended 5 times")
    assert sent == []


def test_sweep_ends_a_cancelled_job_whose_worker_died(sent: list[int]) -> None:
    job = job_of("running", silent_seconds=61, attempts=1, is_cancel_wanted=True)
    jobs.sweep()
    job.refresh_from_db()
    assert (job.status, sent) == ("cancelled", [])


def test_sweep_leaves_a_job_that_was_touched_since_it_was_read(
    sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    job = job_of("running", silent_seconds=61, attempts=1)
    read = list(Job.objects.to_send_again(60))
    Job.objects.filter(pk=job.pk).update(touched_at=timezone.now())

    class Read(list[Job]):
        def order_by(self, *_: str) -> "Read":
            return self

    monkeypatch.setattr(type(Job.objects.all()), "to_send_again", lambda *_: Read(read))
    monkeypatch.setattr(Job.objects, "to_send_again", lambda *_: Read(read), raising=False)
    assert jobs.sweep() == jobs.SweepCounts(sent=0, given_up=0)
    job.refresh_from_db()
    assert (job.status, sent) == ("running", [])
