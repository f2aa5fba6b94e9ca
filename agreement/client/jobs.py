"""Long work of a site: how far it is, and waiting for its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import TouchstoneError
from .connection import Connection
from .problems import in_words

ENDED = {"done", "failed", "cancelled"}
FIRST_LOOK, SLOWEST_LOOK = 0.5, 10.0
Progress = Callable[["Job"], None]


class JobFailed(TouchstoneError):
    """The job failed, or was cancelled; `job` has its problem."""

    def __init__(self, job: Job) -> None:
        self.job = job
        why = in_words(job.problem) if job.status == "failed" else ["It was cancelled."]
        super().__init__("\n".join([f"{job.kind} of {job.study} did not end well: {why[0]}", *why[1:]]))


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it was when it was last looked at; `str` says it in a line."""

    id: str
    study: str
    kind: str
    status: str
    progress: float
    created_at: str
    finished_at: str | None
    result: Any
    problem: Mapping[str, object] | None
    connection: Connection = field(repr=False, compare=False)

    @classmethod
    def of(cls, row: Mapping[str, Any], connection: Connection) -> Job:
        names = [name for name in cls.__slots__ if name != "connection"]
        return cls(**{name: row[name] for name in names}, connection=connection)

    def __str__(self) -> str:
        return f"{self.kind} of {self.study}: {self.status}, {self.progress:.0%}"

    @property
    def has_ended(self) -> bool:
        return self.status in ENDED

    def now(self) -> Job:
        """The same job, looked at again."""
        return Job.of(self.connection.get(f"jobs/{self.id}/"), self.connection)

    def cancel(self) -> Job:
        """Stop it; one that has ended stays as it is."""
        return Job.of(self.connection.post(f"jobs/{self.id}/cancel/", once=False), self.connection)

    def wait(
        self,
        progress: Progress | None = None,
        *,
        timeout: float | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> Job:
        """The job once it is done; `JobFailed` if it failed. `progress` is called with it whenever it has moved.

        After `timeout` seconds: `TimeoutError`, and the job goes on.
        """
        job, pause, shown = self, FIRST_LOOK, ""
        give_up_at = None if timeout is None else time.monotonic() + timeout
        while True:
            if progress is not None and str(job) != shown:
                progress(job)
                shown = str(job)
            if job.has_ended:
                break
            if give_up_at is not None and time.monotonic() + pause > give_up_at:
                raise TimeoutError(f"{job} after {timeout:g} seconds; it goes on, and .wait() waits for it again")
            sleep(pause)
            pause = min(pause * 1.5, SLOWEST_LOOK)
            job = job.now()
        if job.status != "done":
            raise JobFailed(job)
        return job
