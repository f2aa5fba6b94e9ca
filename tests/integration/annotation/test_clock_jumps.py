"""The server's clock is set while people answer and jobs run: no answer is lost or doubled, and no job is stuck."""

import csv
import datetime as dt
from collections.abc import Callable

import pytest
from django.utils import timezone

from annotation import jobs
from annotation.answering.judging import finish_assignment, open_assignment
from annotation.jobs import running
from annotation.models import AssignedItem, Job, Judgment, OpenPlace, Study
from annotation.places.allocation import expire_overdue, release_silent
from annotation.releases.exports.export_choice import stream
from tests.factories import a_person, a_small_study, an_answer

pytestmark = [pytest.mark.django_db, pytest.mark.both]
JUMPS = [dt.timedelta(hours=-6), dt.timedelta(hours=-1), dt.timedelta(minutes=5), dt.timedelta(days=2)]


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[dt.timedelta], None]:
    now, ahead = timezone.now, [dt.timedelta()]
    monkeypatch.setattr(timezone, "now", lambda: now() + ahead[0])

    def change(to: dt.timedelta) -> None:
        ahead[0] = to

    return change


def doubled(study: Study) -> int:
    held = AssignedItem.objects.filter(item__study=study, slot__isnull=False, released_at__isnull=True)
    places = list(held.values_list("item", "slot")) + list(OpenPlace.objects.values_list("item", "slot"))
    return len(places) - len(set(places))


@pytest.mark.parametrize("jump", JUMPS)
def test_answers_before_and_after_a_jump_are_kept_each_once(
    jump: dt.timedelta, set_clock: Callable[[dt.timedelta], None]
) -> None:
    study = a_small_study(items=4, items_per_assignment=4, judgments_per_item=2)
    assignment = open_assignment(participation=a_person(study))
    for position in (1, 2):
        an_answer(assignment, position)
    set_clock(jump)
    expire_overdue(now=timezone.now())
    release_silent(now=timezone.now())
    other = open_assignment(participation=a_person(study))
    set_clock(dt.timedelta())
    for position in (3, 4):
        an_answer(assignment, position)
    for position in (1, 2, 3, 4):
        an_answer(other, position)
    assignment.refresh_from_db()
    finish_assignment(assignment=assignment)
    finish_assignment(assignment=other)
    assert Judgment.objects.count() == 8
    assert doubled(study) == 0
    lines = b"".join(stream(study, "participants", release=None)).decode("utf-8-sig").splitlines()
    for row in csv.DictReader(lines):
        assert not row["minutes"].startswith("-")


@pytest.mark.parametrize("jump", JUMPS)
def test_a_job_whose_worker_died_before_the_jump_is_sent_again_and_a_live_one_is_not(
    jump: dt.timedelta, set_clock: Callable[[dt.timedelta], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []

    def send(number: int) -> bool:
        sent.append(number)
        return True

    monkeypatch.setattr(running, "send_job", send)
    died = Job.objects.create(kind="trial", status="running", attempts=1, touched_at=timezone.now())
    set_clock(jump)
    alive = Job.objects.create(kind="trial", status="running", attempts=1, touched_at=timezone.now())
    assert jobs.sweep() == jobs.SweepCounts(sent=1, given_up=0)
    assert sent == [died.pk]
    alive.refresh_from_db()
    assert alive.status == "running"
