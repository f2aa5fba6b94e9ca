"""Setting workers aside by hand and taking them back."""

import pytest

from agreement.actions import AlreadyExcluded, AlreadyLifted, exclude, lift
from annotation.errors import Refused
from annotation.models import AuditEntry, Judgment, OpenPlace, Participation, Payment, Study, User
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


def test_lifting_leaves_a_surplus_that_is_told(ann: Participation) -> None:
    exclusion = lift(exclusion=exclude(participation=ann, reason="a colleague", by=None), reason="she isn't", by=None)
    assert (exclusion.lift_reason, exclusion.lifted_at is not None) == ("she isn't", True)
    assert AuditEntry.objects.get(action="lifted").detail == {"participation": "ann", "surplus": 3}
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
