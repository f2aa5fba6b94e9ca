"""Kinds of work to be done by the jobs of these tests."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from annotation import jobs
from annotation.jobs import Progress, claim
from annotation.models import Job, User


@pytest.fixture
def researcher() -> User:
    return User.objects.create_user("researcher")


@pytest.fixture
def does() -> Iterator[Callable[[Callable[[Job, Progress], Any]], Job]]:
    """A queued job that does what the given function does."""
    known = dict(claim._WORK)

    def queue(work: Callable[[Job, Progress], Any]) -> Job:
        jobs.job_kind("trial")(lambda job, progress: work(job, progress) or {})
        return Job.objects.create(kind="trial")

    yield queue
    claim._WORK.clear()
    claim._WORK.update(known)
