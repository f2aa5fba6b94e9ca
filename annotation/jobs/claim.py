"""A job under way: a worker's claim to it, its sign of life and progress, and the function of its kind."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from agreement.errors import TouchstoneError
from agreement.typed_json import JsonObject
from annotation.models import Job

# What can end a job's work before it is done.


class JobCancelled(TouchstoneError):
    """A person asked for it to stop."""


class ClaimLost(TouchstoneError):
    """Another worker has the job: this one was silent for too long, and nothing it does now may take effect."""


class TryAgain(TouchstoneError):
    """It may well work next time: something else came between."""


class UnknownJobKind(TouchstoneError):
    """No function of that name: this worker is older or newer than what asked for the job."""


# Claim: one worker's right to a job, which it may lose, and the sign of life that keeps it.

logger = logging.getLogger(__name__)
# So many signs of life fit into the silence after which a worker is thought to have stopped.
BEATS_A_SILENCE = 5


@dataclass(frozen=True, slots=True)
class Claim:
    """The number of the attempt is the token: a later claim raises it, and what an earlier one writes finds no row."""

    job_id: int
    attempt: int

    def update(self, **values: object) -> bool:
        """Writes to the job's row if it is still ours, and says whether it was."""
        ours = Job.objects.filter(pk=self.job_id, status=Job.Status.RUNNING, attempts=self.attempt)
        return ours.update(touched_at=timezone.now(), **values) == 1


def take_job(job_id: int) -> Claim | None:
    """The right to run a queued job, or None where it is no longer to be had."""
    queued = Job.objects.filter(pk=job_id, status=Job.Status.QUEUED)
    attempts = queued.values_list("attempts", flat=True).first()
    if attempts is None:
        return None
    # The race: a message may come twice (the sweep sent it again, or the broker delivered it again), to two workers at
    # once. Both read the same number of attempts, and only one update finds the row as it was read.
    taken = queued.filter(attempts=attempts).update(
        status=Job.Status.RUNNING, attempts=attempts + 1, progress=0, touched_at=timezone.now()
    )
    return Claim(job_id, attempts + 1) if taken == 1 else None


@contextmanager
def keep_alive(claim: Claim) -> Iterator[None]:
    """Touches the row from a thread of its own: a long computation says nothing for minutes and has not stopped."""
    stopped = threading.Event()
    interval = settings.JOB_SILENCE_SECONDS / BEATS_A_SILENCE
    thread = threading.Thread(
        target=_touch_until_stopped, args=(claim, stopped, interval), name=f"job-{claim.job_id}", daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()


def _touch_until_stopped(claim: Claim, stopped: threading.Event, interval: float) -> None:
    try:
        while not stopped.wait(interval):
            try:
                if not claim.update():
                    return  # the worker finds out when it next writes
            except DatabaseError as error:
                logger.warning("no sign of life for job %s: %s", claim.job_id, error)
                connection.close()
    finally:
        connection.close()  # the thread's own


# Progress: how far a job is, whether it is to stop, and transactions that count only while the job is still ours.

# A person watching needs no more, and each report is a write.
SECONDS_BETWEEN_REPORTS = 0.5


class Progress:
    def __init__(self, claim: Claim, watch: Callable[[float], None] | None = None) -> None:
        self.claim = claim
        self.is_finished = False
        self._watch = watch
        self._reported_at = 0.0

    def report(self, share: float) -> None:
        """How much of the work is done, from 0 to 1."""
        if self._watch:
            self._watch(share)
        now = time.monotonic()
        if now - self._reported_at >= SECONDS_BETWEEN_REPORTS:
            self._reported_at = now
            self._write(progress=min(max(share, 0.0), 1.0))

    def stop_if_cancelled(self) -> None:
        """For between two chunks of work."""
        job = Job.objects.only("status", "attempts", "is_cancel_wanted").get(pk=self.claim.job_id)
        if (job.status, job.attempts) != (Job.Status.RUNNING, self.claim.attempt):
            raise self._lost()
        if job.is_cancel_wanted:
            raise JobCancelled("Cancelled on request.")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction whose writes commit only if the job is still ours.

        The race: a worker that was stopped for a while (a sleeping laptop, a full swap) wakes up when another already
        does its job. The update locks the job's row until the commit, so one of the two sees the other.
        """
        with transaction.atomic():
            self._write()
            yield

    @contextmanager
    def finishing(self, result: JsonObject) -> Iterator[None]:
        """The last of these transactions: what it writes and the job's "done" become true together, so once."""
        with self.writing():
            yield
            self._write(status=Job.Status.DONE, progress=1, result=result, error="", finished_at=timezone.now())
        self.is_finished = True

    def _write(self, **values: object) -> None:
        if not self.claim.update(**values):
            raise self._lost()

    def _lost(self) -> ClaimLost:
        return ClaimLost(f"Attempt {self.claim.attempt} at job {self.claim.job_id} was taken over by another worker.")


# Which function does the work of which kind of job.

# Returns what is to be known of the result (for the job's row), and may run twice with no harm: it may have been half
# done before by a worker that died. Effects are written inside `progress.writing()` or `progress.finishing()`.
Work: TypeAlias = Callable[[Job, Progress], JsonObject]
AnyWork = TypeVar("AnyWork", bound=Work)  # a function that takes more than it must

# Imports a stored file of items. The file is deleted when the job has ended, so it is never done again as it was.
IMPORT = "import"

_WORK: dict[str, Work] = {}


def job_kind(name: str) -> Callable[[AnyWork], AnyWork]:
    """Registers a function as the work of jobs of that kind."""

    def register(work: AnyWork) -> AnyWork:
        _WORK[name] = work
        return work

    return register


def work_of(kind: str) -> Work:
    if kind not in _WORK:
        known = ", ".join(sorted(_WORK)) or "none"
        raise UnknownJobKind(f"No worker here can do a job of kind '{kind}' (known: {known}). Is its code up to date?")
    return _WORK[kind]
