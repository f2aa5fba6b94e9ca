"""Workers die or stop in the middle of a job: another does it, and its effect is there once."""

import os
import signal
import time
from collections.abc import Callable

import pytest

from annotation import jobs
from annotation.models import AuditEntry, Job, Study
from annotation.releases.models import CleaningRun, Exclusion, GoldRelease
from tests.faults.conftest import ask, attempts_at_work, figures, is_running, kill, marks, wait_until_all_done
from tests.integration.agreement.crowds import a_slider_crowd
from tests.integration.agreement.frozen import keys_in_gold
from tests.services.fixtures import wait_for
from tests.shares import IS_FULL

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.both]


def test_workers_killed_mid_task(worker: Callable[..., int], study: Study) -> None:
    crowd = a_slider_crowd()
    asked = ask(study, 10 if IS_FULL else 3, seconds=0.8)
    number = worker(clock=True)
    kills = 5 if IS_FULL else 1
    for _kill in range(kills):
        half_done = attempts_at_work(above=0.1)
        wait_for(lambda seen=half_done: attempts_at_work(above=0.1) - seen, seconds=120, what="a job is half done")  # type: ignore[misc]
        kill(number)
        number = worker()
    analysis = jobs.request_job(kind="analyse", study=crowd, parameters={"replicates": 200}, by=None)
    wait_for(lambda: is_running(analysis), seconds=120, what="the analysis runs")
    kill(number)
    worker()
    wait_until_all_done([*asked, analysis])
    assert marks() == dict.fromkeys((job.pk for job in asked), 1)
    assert sum(Job.objects.values_list("attempts", flat=True)) >= len(asked) + 1 + kills + 1
    print(figures(kills + 1))
    assert_analysed_once(crowd)


def assert_analysed_once(crowd: Study) -> None:
    release = GoldRelease.objects.get()
    assert len(keys_in_gold(release)) == 6
    assert CleaningRun.objects.get() == release.run
    assert Exclusion.objects.count() == 2
    actions = AuditEntry.objects.filter(study=crowd).order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["cleaned", "excluded", "excluded", "released"]


def test_worker_that_wakes_up_after_its_job_was_given_away_leaves_no_second_mark(
    worker: Callable[..., int], study: Study
) -> None:
    (job,) = ask(study, 1, seconds=1.0, kind="silent-mark")
    sleeper = worker(clock=True)
    wait_for(lambda: is_running(job), seconds=120, what="the first worker has the job")
    os.kill(sleeper, signal.SIGSTOP)
    try:
        worker()
        wait_until_all_done([job])
    finally:
        os.kill(sleeper, signal.SIGCONT)
    time.sleep(1.5)  # the sleeper comes to its own end
    job.refresh_from_db()
    assert (job.status, job.attempts >= 2, marks()) == ("done", True, {job.pk: 1})
