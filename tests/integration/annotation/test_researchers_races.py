"""Archiving and adjudicating at the same moment as others do, whichever comes first."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import pytest

from agreement.errors import Refused
from annotation.answering.judging import NothingLeft, open_assignment
from annotation.models import Assignment, AuditEntry, Study
from annotation.releases.actions.adjudicating import SavedMeanwhile, adjudicate, remove_adjudication
from annotation.releases.models import Adjudication
from annotation.studies.study_life import archive_study, change_status, restore_study
from tests.factories import a_person, a_small_study
from tests.integration.annotation.at_once import at_once
from tests.integration.researchers import a_researcher

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both, pytest.mark.concurrent]


@pytest.mark.parametrize("_time", range(5))
def test_a_study_is_archived_or_people_begin_and_never_both(_time: int) -> None:
    study = a_small_study(items=10, items_per_assignment=2)
    people = [a_person(study) for _ in range(4)]
    raised = at_once(
        partial(archive_study, study=Study.objects.get()),
        *(partial(open_assignment, participation=person) for person in people),
    )
    is_archived = Study.objects.get().archived_at is not None
    begun = Assignment.objects.count()
    assert (is_archived, begun) in {(True, 0), (False, 4)}
    assert len(raised) == (4 if is_archived else 1)
    assert all(isinstance(error, NothingLeft if is_archived else Refused) for error in raised), raised
    assert AuditEntry.objects.filter(action="archived").count() == is_archived


def test_archiving_restoring_and_opening_at_once_leave_a_study_in_one_of_its_states() -> None:
    study = a_small_study(items=4)
    acts: list[Callable[..., Study]] = [
        archive_study,
        restore_study,
        archive_study,
        partial(change_status, status="paused"),
        archive_study,
    ]
    raised = at_once(*(partial(act, study=Study.objects.get(pk=study.pk)) for act in acts))
    assert all(isinstance(error, Refused) for error in raised), raised
    study.refresh_from_db()
    assert study.archived_at is None or study.status in {"paused", "closed", "draft"}
    changes = list(AuditEntry.objects.filter(study=study, action__in=["archived", "restored"]).order_by("pk"))
    actions = [entry.action for entry in changes]
    assert all(first != second for first, second in pairwise(actions)), actions
    assert bool(study.archived_at) == (bool(actions) and actions[-1] == "archived")


def test_of_several_who_adjudicate_an_item_at_once_one_is_stored_and_the_others_are_told() -> None:
    study = a_small_study(items=1)
    item, by = study.items.get(), [a_researcher() for _ in range(5)]
    raised = at_once(
        *(
            partial(adjudicate, item=item, fields={"number": [f"{n}"]}, why=f"reason {n}", by=user, seen=0)
            for n, user in enumerate(by)
        )
    )
    assert [type(error) for error in raised] == [SavedMeanwhile] * 4
    assert list(Adjudication.objects.values_list("revision", flat=True)) == [1]
    assert AuditEntry.objects.filter(study=study, detail__has_key="adjudicated").count() == 1


def test_an_answer_and_its_removal_and_the_archiving_of_its_study_at_once() -> None:
    study = a_small_study(items=1)
    item, user = study.items.get(), a_researcher()
    adjudicate(item=item, fields={"number": ["5"]}, why="first", by=user, seen=0)
    raised = at_once(
        partial(adjudicate, item=item, fields={"number": ["9"]}, why="second", by=user, seen=1),
        partial(remove_adjudication, item=item, why="third", by=user, seen=1),
        partial(archive_study, study=Study.objects.get(pk=study.pk)),
    )
    assert [type(error) for error in raised] == [SavedMeanwhile]
    assert list(Adjudication.objects.order_by("revision").values_list("revision", flat=True)) == [1, 2]
    study.refresh_from_db()
    assert study.archived_at is not None
