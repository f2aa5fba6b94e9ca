"""Brokers that can be emptied, workers that can be killed, and jobs that leave marks."""

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import redis
from celery import Celery

from annotation import jobs
from annotation.jobs import running
from annotation.models import AuditEntry, Job, Study
from annotation.web import broker
from tests.services.fixtures import wait_for
from tools.guarded import Guarded

# Short, so that tests are; a busy machine may take a live worker for dead, which must do no harm either.
IMPATIENT = {
    "DJANGO_SETTINGS_MODULE": "tests.faults.settings",
    "TOUCHSTONE_JOB_SILENCE_SECONDS": "2",
    "TOUCHSTONE_SWEEP_SECONDS": "1",
    "TOUCHSTONE_JOB_ATTEMPTS": "50",
}


class Broker:
    """One of the two brokers, as this process sends to it and as a vandal sees it."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.queue = folder / "broker" / "queue"
        self.app = Celery("requests", broker=url, set_as_current=False)
        self.app.conf.broker_transport = broker.transport(url)
        self.app.conf.broker_transport_options = broker.transport_options(url, folder / "broker")

    def waiting(self) -> int:
        """How many jobs' messages are in it."""
        if self.url.startswith("redis"):
            with redis.Redis.from_url(self.url) as server:
                return int(server.llen("celery"))
        return len(list(self.queue.glob("*.celery.msg")))

    def empty(self) -> None:
        if self.url.startswith("redis"):
            with redis.Redis.from_url(self.url) as server:
                server.flushall()
        else:
            for message in self.queue.glob("*"):
                message.unlink(missing_ok=True)


@pytest.fixture
def broker_at_hand(broker_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Broker:
    found = Broker(broker_url, tmp_path)
    found.empty()
    monkeypatch.setattr(running, "current_app", found.app)
    return found


@pytest.fixture
def worker(start_worker: Callable[..., Guarded], broker_at_hand: Broker) -> Iterator[Callable[..., int]]:
    """Starts a worker (with `clock`, the sweep's too) and gives the number of the process that does the jobs."""
    numbers: list[int] = []

    def start(*, clock: bool = False) -> int:
        guard = start_worker(broker_at_hand.url, clock=clock, env=IMPATIENT)
        children = Path(f"/proc/{guard.process.pid}/task/{guard.process.pid}/children")
        wait_for(lambda: bool(children.read_text().split()), seconds=120, what="the worker has a process")
        numbers.append(int(children.read_text().split()[0]))
        return numbers[-1]

    yield start
    for number in numbers:
        kill(number)  # a polite end takes seconds, and shows nothing here


@pytest.fixture
def study(transactional_db: None) -> Study:
    return Study.objects.create(slug="marked", title="Marked", kind="text", question="?")


def ask(study: Study, count: int, *, seconds: float, kind: str = "mark") -> list[Job]:
    return [
        jobs.request_job(kind=kind, study=study, parameters={"seconds": seconds, "number": number}, by=None)
        for number in range(count)
    ]


def is_running(job: Job) -> bool:
    job.refresh_from_db()
    return job.status == "running"


def attempts_at_work(*, above: float) -> set[tuple[int, int]]:
    """Job and attempt of what is running and so far done; some of it perhaps on workers that are dead by now."""
    return set(Job.objects.filter(status="running", progress__gte=above).values_list("pk", "attempts"))


def wait_until_all_done(asked: list[Job], *, seconds: float = 60) -> None:
    of_these = Job.objects.filter(pk__in=[job.pk for job in asked])
    wait_for(
        lambda: not of_these.exclude(status="done").exists(),
        seconds=seconds,
        what=f"all of {len(asked)} jobs are done",
    )


def marks() -> Counter[int]:
    return Counter(entry.detail["mark"] for entry in AuditEntry.objects.filter(study__slug="marked"))


def figures(kills: int) -> str:
    """For a report: `make faults ARGS=-rP` shows them."""
    jobs_done = Job.objects.filter(status="done")
    attempts = sum(Job.objects.values_list("attempts", flat=True))
    return (
        f"{jobs_done.count()} of {Job.objects.count()} jobs done in {attempts} attempts, {kills} workers killed, "
        f"{sum(marks().values())} marks on {len(marks())} jobs"
    )


def kill(number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(number, signal.SIGKILL)
