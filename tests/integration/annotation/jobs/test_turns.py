"""Whose job a free worker does next: person by person, oldest first, and nobody's fifteen before another's one."""

import datetime as dt
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.db.models.signals import post_save
from django.utils import timezone

from annotation import jobs, tasks
from annotation.jobs import Progress, claim, running
from annotation.models import Job, Study, User
from tests.integration.annotation.jobs.test_races import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.both, pytest.mark.concurrent]
Does = Callable[[Callable[[Job, Progress], Any]], Job]
Names = list[str]


@pytest.fixture
def done(does: Does) -> Names:
    """Whose jobs were done, in order."""
    order: Names = []
    does(lambda job, _progress: order.append(str(job.created_by or job.study))).delete()
    return order


def a_user(name: str) -> User:
    return User.objects.get_or_create(username=name)[0]


def asked(name: str, count: int = 1, **values: Any) -> list[Job]:
    return [Job.objects.create(kind="trial", created_by=a_user(name), **values) for _ in range(count)]


def turn(count: int = 1) -> None:
    for _ in range(count):
        tasks.run_job(0)


def test_one_job_waits_for_one_of_anothers_fifteen_and_not_for_all(done: Names) -> None:
    asked("ada", 15)
    turn()
    asked("ben")
    turn(15)
    assert done == ["ada", "ben", *["ada"] * 14]


def test_persons_take_turns(done: Names) -> None:
    asked("ada", 3)
    asked("ben", 3)
    asked("cyd", 1)
    turn(7)
    assert done == ["ada", "ben", "cyd", "ada", "ben", "ada", "ben"]


def test_of_one_persons_jobs_the_oldest_comes_first(does: Does) -> None:
    order: list[int] = []
    does(lambda job, _progress: order.append(job.pk)).delete()
    wanted = [job.pk for job in asked("ada", 3)]
    turn(3)
    assert order == wanted


def test_person_with_a_job_running_comes_after_one_without(done: Names) -> None:
    asked("ada", 2)
    asked("ben", 1)
    Job.objects.filter(created_by=a_user("ben")).update(created_at=timezone.now())
    running = asked("ada", 1, status="running", attempts=1)
    # Served longer ago than ben, but at work now: a second worker goes to ben.
    Job.objects.filter(pk=running[0].pk).update(touched_at=timezone.now() - dt.timedelta(minutes=30))
    asked("ben", 1, status="done", attempts=1, finished_at=timezone.now())
    turn()
    assert done == ["ben"]


def test_who_was_served_an_hour_ago_comes_as_early_as_who_never_was(done: Names) -> None:
    (old,) = asked("ada", 1, status="done", attempts=1, finished_at=timezone.now())
    Job.objects.filter(pk=old.pk).update(touched_at=timezone.now() - dt.timedelta(hours=2))
    asked("ada")
    asked("ben")
    turn(2)
    assert done == ["ada", "ben"]


def test_jobs_of_nobody_take_turns_by_study(done: Names) -> None:
    studies = [Study.objects.create(slug=s, title=s, kind="text", question="?") for s in ("first", "second")]
    for study in (studies[0], studies[0], studies[1]):
        Job.objects.create(kind="trial", study=study)
    turn(3)
    assert done == ["first", "second", "first"]


def test_cancelled_before_it_began_is_no_turn(done: Names) -> None:
    for job in asked("ada", 3):
        jobs.cancel_job(job=job)
    asked("ada")
    asked("ben")
    turn(2)
    assert done == ["ada", "ben"]


def test_message_that_finds_nothing_does_nothing(done: Names) -> None:
    turn(3)
    assert done == []


def test_job_that_failed_in_passing_rests_and_others_go_on(does: Does, settings: Any) -> None:
    tries: Names = []

    def work(job: Job, _progress: Progress) -> None:
        tries.append(str(job.created_by))
        if str(job.created_by) == "ada":
            raise OperationalError("database is locked")

    does(work).delete()
    (failing,) = asked("ada")
    asked("ben", 2)
    turn(6)
    assert tries == ["ada", "ben", "ben"]
    Job.objects.filter(pk=failing.pk).update(not_before=timezone.now())
    turn()
    assert tries == ["ada", "ben", "ben", "ada"]
    failing.refresh_from_db()
    assert (failing.status, failing.attempts) == ("queued", 2)


def test_job_that_rested_is_due_when_the_sweep_sends_it(does: Does, settings: Any) -> None:
    def work(_job: Job, _progress: Progress) -> None:
        raise OperationalError("database is locked")

    job = does(work)
    jobs.run_job(job.pk)
    later = timezone.now() + dt.timedelta(seconds=settings.JOB_SILENCE_SECONDS)
    assert list(Job.objects.waiting(later)) == [job]
    assert list(Job.objects.waiting(later - dt.timedelta(seconds=5))) == []


def test_command_does_its_own_job_though_a_worker_becomes_free_meanwhile(does: Does, researcher: User) -> None:
    where: Names = []
    is_turn = [False]
    does(lambda _job, _progress: where.append("worker" if is_turn[0] else "command")).delete()

    def free_worker(*, created: bool, **_: Any) -> None:
        if created:
            is_turn[0] = True
            turn()
            is_turn[0] = False

    post_save.connect(free_worker, sender=Job)
    try:
        job = jobs.run_here(kind="trial", study=None, parameters={}, by=researcher)
    finally:
        post_save.disconnect(free_worker, sender=Job)
    assert (where, job.status, job.attempts) == (["command"], "done", 1)


def test_worker_that_lost_the_race_for_a_job_takes_the_next_turn(done: Names, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both read that it is ada's turn; the other worker has claimed her job before this one does."""
    (first, _second), (bens,) = asked("ada", 2), asked("ben")
    others: list[claim.Claim | None] = []

    def take(job_id: int) -> claim.Claim | None:
        if not others:
            others.append(claim.take_job(job_id))
        return claim.take_job(job_id)

    monkeypatch.setattr(running, "take_job", take)
    mine = running.take_next()
    assert others == [claim.Claim(first.pk, 1)]
    assert mine == claim.Claim(bens.pk, 1)


@pytest.mark.django_db(transaction=True)
def test_eight_workers_at_once_do_each_job_once(done: Names) -> None:
    for name in ("ada", "ben", "cyd"):
        asked(name, 4)
    at_once(8, lambda: turn(3))
    assert sorted(done) == sorted(["ada", "ben", "cyd"] * 4)
    assert set(Job.objects.values_list("status", "attempts")) == {("done", 1)}


@pytest.mark.django_db(transaction=True)
def test_three_workers_at_once_serve_three_persons(does: Does) -> None:
    """Never two jobs of one person while another has none running: who lost a race reads the turns again."""
    does(lambda _job, _progress: None).delete()
    for name in ("ada", "ben", "cyd"):
        asked(name, 5)

    def take() -> int:
        try:
            taken = running.take_next()
            assert taken is not None
            return taken.job_id
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as threads:
        taken = [future.result() for future in [threads.submit(take) for _ in range(3)]]
    assert Job.objects.filter(pk__in=taken).values("created_by").distinct().order_by().count() == 3


def test_turn_costs_the_same_few_queries_for_a_long_queue(done: Names, django_assert_num_queries: Any) -> None:
    for count in (1, 200):
        asked("ada", count)
        with django_assert_num_queries(3):
            running.next_in_turn()
