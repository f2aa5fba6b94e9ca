"""A study is archived, restored and, while it is a draft that nobody took part in, deleted; each with its record."""

from typing import Any

import pytest
from django.utils import timezone

from agreement.errors import Refused
from annotation.accounts.permissions import Right, right_on, studies_where
from annotation.answering.judging import open_assignment
from annotation.entry.entering import StudyNotOpen
from annotation.models import Assignment, AuditEntry, Item, Study
from annotation.studies.study_life import archive_study, change_status, delete_draft, restore_study
from tests.factories import a_person, a_small_study, a_study, per_assignment_done
from tests.integration.researchers import a_researcher

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def record(study: Study, action: str) -> AuditEntry:
    return AuditEntry.objects.get(study=study, action=action)


def test_archived_study_takes_nobody_in_and_is_opened_by_a_step_of_its_own() -> None:
    study = a_small_study(items=2)
    archive_study(study=study, why="The paper is out")
    assert (study.status, record(study, "archived").why) == ("paused", "The paper is out")
    with pytest.raises(StudyNotOpen):
        a_person(study)
    with pytest.raises(Refused, match="restore it first"):
        change_status(study=study, status="live")
    restore_study(study=study)
    assert (study.archived_at, study.status) == (None, "paused")
    change_status(study=study, status="live")
    assert a_person(study).status == "working"


def test_archiving_twice_is_recorded_once() -> None:
    study = a_small_study(items=2)
    for act in (archive_study, archive_study, restore_study, restore_study):
        act(study=study)
    actions = AuditEntry.objects.filter(study=study, action__in=["archived", "restored"])
    assert sorted(actions.values_list("action", flat=True)) == ["archived", "restored"]


@pytest.mark.parametrize(
    ("people", "sentence"),
    [(1, "1 person is answering at the moment, until "), (2, "2 people are answering at the moment, until ")],
)
def test_archiving_is_refused_while_people_answer(people: int, sentence: str) -> None:
    study = a_small_study(items=2)
    for _ in range(people):
        open_assignment(participation=a_person(study))
    with pytest.raises(Refused, match=sentence) as refusal:
        archive_study(study=study)
    assert "Pause the study" in str(refusal.value)
    study.refresh_from_db()
    assert (study.archived_at, study.status) == (None, "live")


def test_assignments_whose_time_is_over_stop_nobody_from_archiving() -> None:
    study = a_small_study(items=2)
    open_assignment(participation=a_person(study))
    Assignment.objects.update(expires_at=timezone.now())
    assert archive_study(study=study).archived_at


def test_deleted_draft_is_gone_for_everybody_and_its_record_stays() -> None:
    owner, root = a_researcher(), a_researcher(is_superuser=True)
    study = a_study(live=False, owner=owner)
    slug = study.slug
    delete_draft(study=study, by=owner, why="A try")
    study.refresh_from_db()
    assert not Item.everything.filter(study=study).exists()
    assert not study.labels.exists()
    assert (right_on(owner, study), right_on(root, study)) == (None, None)
    assert not studies_where(root, Right.LOOK).exists()
    entry = record(study, "deleted")
    assert (entry.why, entry.by, entry.detail["short name"]) == ("A try", owner, slug)
    assert a_study(live=False, owner=owner, title="Another").slug != slug


def pilot_again_a_draft() -> Study:
    study = a_small_study(items=2, live=False)
    change_status(study=study, status="piloting")
    per_assignment_done(study)
    return change_status(study=study, status="draft")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: a_small_study(items=2), "only a draft can be deleted"),
        (pilot_again_a_draft, "1 person has taken part"),
    ],
)
def test_only_a_draft_without_people_is_deleted(make: Any, sentence: str) -> None:
    study = make()
    with pytest.raises(Refused, match=sentence):
        delete_draft(study=study)
    study.refresh_from_db()
    assert study.deleted_at is None
    assert study.items.count() == 2
