"""Claim: one worker's right to a job, which it may lose, and the sign of life that keeps it."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from annotation.models import Job

logger = logging.getLogger(__name__)
# So many signs of life fit into the silence after which a worker is taken for dead.
BEATS_A_SILENCE = 5


@dataclass(frozen=True, slots=True)
class Claim:
    """The number of the attempt is the token: a later claim raises it, and what an earlier one writes finds no row."""

    job_id: int
    attempt: int

    def update(self, **values: Any) -> bool:
        """Writes to the job's row if it is still ours, and says whether it was."""
        ours = Job.objects.filter(pk=self.job_id, status=Job.Status.RUNNING, attempts=self.attempt)
        return ours.update(touched_at=timezone.now(), **values) == 1


def take(job_id: int) -> Claim | None:
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
def kept_alive(claim: Claim) -> Iterator[None]:
    """Touches the row from a thread of its own: a long computation says nothing for minutes and is not dead."""
    stopped = threading.Event()
    interval = settings.JOB_SILENCE_SECONDS / BEATS_A_SILENCE
    thread = threading.Thread(target=_beat, args=(claim, stopped, interval), name=f"job-{claim.job_id}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()


def _beat(claim: Claim, stopped: threading.Event, interval: float) -> None:
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
