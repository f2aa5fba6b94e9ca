"""A study's life and its people's comings and goings."""

import datetime as dt
from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from agreement.errors import Refused
from annotation.entry.entering import AlreadyEnded, LinkUsedUp, OtherSession, ShutOut, StudyFull, StudyNotOpen, enter
from annotation.entry.links import make_invitations
from annotation.models import Item, Participation, Payment, Study
from annotation.people.leaving import leave
from annotation.studies.study_life import add_items, change_status
from tests.factories import a_person, a_small_study, a_study, an_answer, per_assignment_done

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def come(study: Study, who: str = "one", **more: object) -> Participation:
    return enter(study=study, platform="direct", platform_id=who, **more)  # type: ignore[arg-type]


def test_the_road_of_a_study_is_recorded_and_has_no_shortcuts() -> None:
    study = a_study(live=False)
    change_status(study=study, status="piloting", why="a first look")
    change_status(study=study, status="live")
    with pytest.raises(Refused, match="not draft"):
        change_status(study=study, status="draft")
    change_status(study=study, status="closed")

    told = study.audit_entries.filter(action="changed-status").order_by("pk").values_list("detail", "why")
    assert [(detail["to"], why) for detail, why in told] == [("piloting", "a first look"), ("live", ""), ("closed", "")]
    assert study.closed_at is not None


def test_a_study_without_items_does_not_open() -> None:
    with pytest.raises(Refused, match="no items"):
        a_small_study(items=0)


def test_a_question_that_names_a_field_its_items_lack_does_not_open() -> None:
    study = a_small_study(items=2, live=False, question="How similar are {left} and {rihgt}?")
    with pytest.raises(Refused, match=r"uses \{rihgt\}, which 2 of the items don't have \(the first is i0\)"):
        change_status(study=study, status="live")


def test_an_item_with_a_question_of_its_own_is_asked_for_the_fields_of_that_one() -> None:
    study = a_small_study(items=1, live=False, question="How similar are {left} and {right}?")
    add_items(study=study, items=[{"item_id": "own", "fields": {"question": "Move it to the left."}}], source="a test")
    assert change_status(study=study, status="live").status == "live"


def test_pilots_are_marked() -> None:
    study = a_study(live=False)
    change_status(study=study, status="piloting")

    assert a_person(study).is_pilot


@pytest.mark.parametrize(
    ("prepare", "refusal"),
    [
        (lambda study: Study.objects.filter(pk=study.pk).update(status="paused"), StudyNotOpen),
        (lambda study: Study.objects.filter(pk=study.pk).update(capacity=0), StudyFull),
        (lambda study: study.open_places.all().delete(), StudyFull),
        (
            lambda study: Study.objects.filter(pk=study.pk).update(starts_at=timezone.now() + dt.timedelta(1)),
            StudyNotOpen,
        ),
        (lambda study: Study.objects.filter(pk=study.pk).update(ends_at=timezone.now()), StudyNotOpen),
    ],
)
def test_who_may_not_come_in_is_told_why(prepare: Callable[[Study], object], refusal: type[Exception]) -> None:
    study = a_study()
    prepare(study)

    with pytest.raises(refusal):
        come(study)

    assert not Participation.objects.exists()


def test_one_participation_a_worker_also_across_studies_that_shut_each_other_out() -> None:
    first, second = a_study(), a_study()
    second.shuts_out.add(first)

    assert come(first) == come(first)
    with pytest.raises(ShutOut):
        come(second)


def test_resuming_needs_the_session_too() -> None:
    study = a_study()
    come(study, session_id="s1")

    assert come(study, session_id="s1") == Participation.objects.get()
    for guess in ("s2", ""):
        with pytest.raises(OtherSession):
            come(study, session_id=guess)


def test_an_invitation_lets_one_person_in() -> None:
    study = a_study()
    (link,) = make_invitations(study=study, count=1)
    come(study, "one", entry_link=link)

    with pytest.raises(LinkUsedUp):
        come(study, "two", entry_link=link)


def test_who_returned_gives_all_places_back_and_does_not_come_again() -> None:
    study = a_small_study(items=3, judgments_per_item=1, items_per_assignment=3)
    person = per_assignment_done(study).participation

    assert leave(participation=person, status="returned")
    assert not leave(participation=person, status="timed-out")

    assert (person.status, study.open_places.count()) == ("returned", 3)
    with pytest.raises(AlreadyEnded):
        enter(study=study, platform="direct", platform_id=person.worker.platform_id or "")


def test_platform_ids_stand_on_the_worker_and_the_pay_row_alone() -> None:
    study = a_study()
    person = come(study, "platform-id-of-a-person")

    assert Payment.objects.get(participation=person).platform_id == "platform-id-of-a-person"
    rows = [str(vars(person)), str(list(study.audit_entries.values())), str(person), str(person.worker)]
    assert not any("platform-id-of-a-person" in row for row in rows)


def test_what_was_asked_stays_as_it_was_once_answered() -> None:
    study = a_small_study(items=2, items_per_assignment=1)
    untouched = Item.objects.filter(study=study, assigned_items__isnull=True)
    person = a_person(study)
    from annotation.answering.judging import open_assignment

    assignment = open_assignment(participation=person)
    an_answer(assignment, 1)
    judged = assignment.assigned_items.get().item

    changes: list[Callable[[], int]] = [
        lambda: Item.objects.filter(pk=judged.pk).update(fields={"left": "other", "right": "words"}),
        lambda: Study.objects.filter(pk=study.pk).update(question="Something else?"),
    ]
    for change in changes:
        with pytest.raises(IntegrityError, match="has been judged"), transaction.atomic():
            change()

    assert untouched.update(fields={"left": "new", "right": "words"}) == 1
    assert Study.objects.filter(pk=study.pk).update(judgments_per_item=11, title="Better") == 1
