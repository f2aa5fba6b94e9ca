"""Several workers at once: one job is done by one of them, and two analyses of one study don't trip over each other."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from annotation import jobs
from annotation.jobs import Progress
from annotation.models import AuditEntry, Job
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.models import Exclusion, GoldRelease
from tests.integration.agreement.crowds import a_slider_crowd

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both, pytest.mark.concurrent]
Does = Callable[[Callable[[Job, Progress], Any]], Job]


def at_once(count: int, work: Callable[[], Any]) -> list[Any]:
    """What each of so many threads got, each with a connection of its own that is closed at the end."""

    def alone() -> Any:
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as threads:
        return [future.result() for future in [threads.submit(alone) for _ in range(count)]]


def test_message_that_comes_to_eight_workers_at_once_is_done_by_one(does: Does) -> None:
    done: list[int] = []
    for _round in range(5):
        job = does(lambda job, _progress: done.append(job.pk))
        at_once(8, lambda number=job.pk: jobs.run_job(number))  # type: ignore[misc]
    assert len(done) == len(set(done)) == 5
    assert set(Job.objects.values_list("status", "attempts")) == {("done", 1)}


def test_two_analyses_of_one_study_at_once_make_two_releases_and_exclude_once() -> None:
    study = a_slider_crowd()
    at_once(2, lambda: clean_and_release(study=study, replicates=50))
    assert sorted(GoldRelease.objects.values_list("number", flat=True)) == [1, 2]
    assert GoldRelease.objects.values("sha256").distinct().count() == 1
    assert Exclusion.objects.count() == 2
    assert AuditEntry.objects.filter(action="excluded").count() == 2
