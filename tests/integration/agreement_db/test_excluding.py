"""Setting workers aside by hand and taking them back."""

import pytest

from agreement.actions import AlreadyExcluded, AlreadyLifted, exclude, lift
from annotation.actions.judging import NothingLeft, finish_and_go_on, open_assignment
from annotation.errors import Refused
from annotation.models import AuditEntry, Judgment, OpenPlace, Participation, Payment, Study, User
from tests.factories import a_person, a_small_study, an_answer
from tests.integration.agreement_db.crowds import a_slider_crowd

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return a_slider_crowd()


@pytest.fixture
def ann(study: Study) -> Participation:
    return study.participations.get(pseudonym="ann")


def test_exclusion_opens_places_and_changes_no_answer_and_no_pay(ann: Participation) -> None:
    payment = Payment.objects.create(participation=ann)
    before = list(Judgment.objects.order_by("pk").values())
    boss = User.objects.create_user("boss")
    exclusion = exclude(participation=ann, reason=" a colleague ", by=boss)
    assert (exclusion.reason, exclusion.created_by, exclusion.run) == ("a colleague", boss, None)
    assert OpenPlace.objects.count() == 3
    assert list(Judgment.objects.order_by("pk").values()) == before
    payment.refresh_from_db()
    assert payment.status == "due"
    assert AuditEntry.objects.get().detail == {"participation": "ann", "places_opened": 3}


def test_second_exclusion_is_refused_and_opens_nothing(ann: Participation) -> None:
    exclude(participation=ann, reason="a colleague", by=None)
    with pytest.raises(AlreadyExcluded):
        exclude(participation=ann, reason="again", by=None)
    assert AuditEntry.objects.count() == 1


def test_lifting_closes_the_places_again_and_is_recorded(ann: Participation) -> None:
    lifted = lift(exclusion=exclude(participation=ann, reason="a colleague", by=None), reason="she isn't", by=None)
    exclusion = lifted.exclusion
    assert (exclusion.lift_reason, exclusion.lifted_at is not None) == ("she isn't", True)
    assert (lifted.places_closed, lifted.surplus) == (3, 0)
    assert AuditEntry.objects.get(action="lifted").detail == {
        "participation": "ann", "places_closed": 3, "surplus": 0,
    }  # fmt: skip
    assert not OpenPlace.objects.exists()
    with pytest.raises(AlreadyLifted):
        lift(exclusion=exclusion, reason="again", by=None)
    exclude(participation=ann, reason="she is after all", by=None)


@pytest.mark.parametrize("reason", ["", "  \n"])
def test_reason_is_needed(ann: Participation, reason: str) -> None:
    with pytest.raises(Refused, match="needs a reason"):
        exclude(participation=ann, reason=reason, by=None)
    exclusion = exclude(participation=ann, reason="x", by=None)
    with pytest.raises(Refused, match="needs a reason"):
        lift(exclusion=exclusion, reason=reason, by=None)


def test_whoever_is_set_aside_ends_what_was_begun_and_gets_nothing_new_until_taken_back() -> None:
    study = a_small_study(items=6, items_an_assignment=2, assignments_a_worker=3)
    person = a_person(study)
    first = open_assignment(participation=person)

    exclusion = exclude(participation=person, reason="clicks through", by=None)

    assert study.open_places.count() == 6 * study.target, "what they held is open again"
    for position in first.assigned_items.values_list("position", flat=True):
        an_answer(first, position)
    assert finish_and_go_on(assignment=first) is None
    person.refresh_from_db()
    assert person.status == "finished"
    Participation.objects.filter(pk=person.pk).update(status="working", finished_at=None, ended_at=None)
    with pytest.raises(NothingLeft):
        open_assignment(participation=person)
    lift(exclusion=exclusion, reason="was a mistake", by=None)
    assert open_assignment(participation=person).number == 2
