"""Progress: a job's handle for its work: how far it is, whether to stop, and transactions that count only if it may."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.jobs.claim import Claim
from annotation.jobs.errors import ClaimLost, JobCancelled
from annotation.models import Job

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
            raise JobCancelled("Cancelled, as was asked.")

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
    def finishing(self, result: dict[str, Any]) -> Iterator[None]:
        """The last of these transactions: what it writes and the job's "done" become true together, so once."""
        with self.writing():
            yield
            self._write(status=Job.Status.DONE, progress=1, result=result, error="", finished_at=timezone.now())
        self.is_finished = True

    def _write(self, **values: Any) -> None:
        if not self.claim.update(**values):
            raise self._lost()

    def _lost(self) -> ClaimLost:
        return ClaimLost(f"Attempt {self.claim.attempt} at job {self.claim.job_id} was given up to another worker.")
