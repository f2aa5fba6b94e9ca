"""Who can be decided on together, how payments stand, and the sentence about the ids that are kept."""

import datetime as dt

import pytest
from django.utils import timezone

from annotation.answering.judging import finish_and_open_next, finish_assignment, open_assignment
from annotation.entry.entering import enter
from annotation.models import Assignment, Participation, Study
from annotation.people.paying import Figures, approve, mark_paid, waive
from annotation.people.payment_groups import GROUPS, offers, standing_of
from annotation.people.retention import ids_kept
from annotation.studies.study_life import change_status
from tests.factories import a_person, an_answer, per_assignment_done
from tests.integration.annotation.payments import a_paid_study, all_of

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def a_day_later() -> None:
    """Whoever has not finished can't any more."""
    before = timezone.now() - dt.timedelta(days=2)
    Assignment.objects.update(expires_at=before)
    Participation.objects.update(entered_at=before)


def offered(study: Study) -> dict[str, Figures]:
    return {key: figures for key, _, figures in offers(study)}


def test_groups_count_who_finished_who_is_excluded_and_who_went() -> None:
    study = a_paid_study()
    kept, excluded = (per_assignment_done(study).participation for _ in range(2))
    Participation.objects.filter(pk=excluded.pk).update(set_aside_at=timezone.now())
    enter(study=study, platform="direct", platform_id="came")
    an_answer(open_assignment(participation=a_person(study)), 1)
    a_day_later()
    approved = per_assignment_done(study).participation
    approve(payments=all_of(study).filter(participation=approved), by=None)
    a_person(study)  # has just come, and may finish

    assert offered(study) == {
        "approve-finished-not-excluded": Figures(1, "2.00 GBP"),
        "approve-finished": Figures(2, "4.00 GBP"),
        "pay-approved": Figures(1, "2.00 GBP"),
        "pay-finished": Figures(2, "4.00 GBP"),
        "waive-unfinished": Figures(2, "4.00 GBP"),
    }
    assert GROUPS["approve-finished-not-excluded"].of(study).get().participation == kept
    assert standing_of(study).to_decide_excluded == 1


def test_who_may_still_finish_is_not_offered_to_be_waived() -> None:
    study = a_paid_study()
    open_assignment(participation=a_person(study))
    a_person(study)
    assert offered(study) == {}
    assert standing_of(study).may_still_finish == 2
    Participation.objects.update(entered_at=timezone.now() - dt.timedelta(days=2))
    assert offered(study)["waive-unfinished"].count == 1  # came without beginning; the other is still at it
    Assignment.objects.update(expires_at=timezone.now() - dt.timedelta(hours=23))
    assert offered(study)["waive-unfinished"].count == 1
    assert standing_of(study).may_still_finish == 1
    Assignment.objects.update(expires_at=timezone.now() - dt.timedelta(hours=25))
    assert offered(study)["waive-unfinished"].count == 2
    assert standing_of(study).may_still_finish == 0


def test_who_handed_in_a_part_is_offered_to_be_approved_and_not_to_be_waived() -> None:
    study = a_paid_study(items_per_assignment=2, assignments_per_worker=2)
    first = open_assignment(participation=a_person(study))
    for position in (1, 2):
        an_answer(first, position)
    assert finish_and_open_next(assignment=first) is not None
    a_day_later()
    assert list(offered(study)) == ["approve-part"]


def test_who_finishes_after_being_waived_is_told_of() -> None:
    study = a_paid_study()
    assignment = open_assignment(participation=a_person(study))
    for position in (1, 2, 3, 4):
        an_answer(assignment, position)
    waive(payments=all_of(study), by=None)
    assert standing_of(study).finished_when_waived == 0
    finish_assignment(assignment=assignment)
    assert standing_of(study).finished_when_waived == 1


def test_standing_is_by_status_with_sums() -> None:
    study = a_paid_study()
    for _ in range(3):
        per_assignment_done(study)
    mark_paid(payments=all_of(study).filter(pk=all_of(study).first().pk), by=None)  # type: ignore[union-attr]
    assert standing_of(study).lines == (("Due", Figures(2, "4.00 GBP")), ("Paid", Figures(1, "2.00 GBP")))


def closed_so_long_ago(study: Study, days: int) -> Study:
    change_status(study=study, status="closed")
    Study.objects.filter(pk=study.pk).update(closed_at=timezone.now() - dt.timedelta(days=days))
    study.refresh_from_db()
    return study


def test_sentence_says_whose_ids_are_kept_and_until_when() -> None:
    study = a_paid_study(retention_days=30)
    assert ids_kept(study) == "No platform id of anybody in this study is kept."
    per_assignment_done(study)
    assert ids_kept(study) == (
        "The platform id of 1 person is kept: the study isn't closed. They go 30 days after it is closed, 30 days "
        "later at most."
    )
    per_assignment_done(study)
    closed_so_long_ago(study, 10)
    assert study.closed_at is not None
    until = study.closed_at + dt.timedelta(days=30)
    date = f"{until.day} {until:%B %Y}"
    people = "The platform ids of 2 people are kept"
    assert (
        ids_kept(study)
        == f"{people}: 2 payments are open. They go on {date} once all are settled, 30 days later at most."
    )
    mark_paid(payments=all_of(study), by=None)
    assert ids_kept(study) == f"{people} until {date}, 30 days after the study was closed."
    Study.objects.update(closed_at=timezone.now() - dt.timedelta(days=31))
    study.refresh_from_db()
    assert ids_kept(study).startswith(f"{people} and will be purged within the hour")
