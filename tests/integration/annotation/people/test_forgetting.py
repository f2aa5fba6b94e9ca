"""Who says no is forgotten: their id is nowhere, and they are still known again by whoever holds the site's key."""

from functools import partial

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.utils import timezone

from annotation.entry.entering import AlreadyEnded, LinkUsedUp, OtherSession, decline, enter, give_consent
from annotation.entry.links import make_invitations
from annotation.models import AuditEntry, Participation, Payment, Study, Worker
from annotation.people.leaving import PREFIX, declined_id
from annotation.people.retention import ids_kept, purge
from tests.factories import a_small_study
from tests.integration.annotation.answering.views.people import a_study_of, come_in, here
from tests.integration.annotation.at_once import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.both, pytest.mark.concurrent]
PID, SESSION = "5f1dNAMED", "sessionNAMED"


def come(study: Study, who: str = PID, session: str = SESSION) -> Participation:
    return enter(study=study, platform="prolific", platform_id=who, session_id=session)


def stored() -> str:
    """Every row of every table, as text."""
    told = []
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            cursor.execute(f'SELECT * FROM "{model._meta.db_table}"')  # noqa: S608 - our own names
            told += [str(row) for row in cursor.fetchall()]
    return "\n".join(told)


def test_nothing_names_who_has_declined() -> None:
    person = come(a_small_study(items=2))
    assert PID in stored()
    assert SESSION in stored()

    decline(participation=person)

    assert "NAMED" not in stored()
    assert person.worker.platform_id == declined_id(person.study, PID)
    assert ids_kept(person.study) == "No platform id of anybody in this study is kept."


def test_who_has_declined_is_known_again_and_leaves_no_new_trace() -> None:
    study = a_small_study(items=2)
    decline(participation=come(study))
    with pytest.raises(AlreadyEnded):
        come(study)
    with pytest.raises(OtherSession):
        come(study, session="another")
    assert Participation.objects.count() == Worker.objects.count() == 1
    assert "NAMED" not in stored()


def test_who_has_declined_makes_room_for_another() -> None:
    study = a_small_study(items=2, capacity=1)
    decline(participation=come(study))
    come(study, "second")
    assert study.participations.counting_towards_capacity(timezone.now()).count() == 1


def test_declining_twice_in_two_tabs_is_declining_once() -> None:
    person = come(a_small_study(items=2))
    other_tab = Participation.objects.select_related("worker", "study").get(pk=person.pk)
    decline(participation=person)
    decline(participation=other_tab)
    assert (other_tab.status, other_tab.worker) == ("declined", person.worker)
    assert Worker.objects.count() == 1


def test_who_takes_part_elsewhere_is_kept_there_and_can_not_be_joined_with_the_refusal() -> None:
    first, second, third = (a_small_study(items=2) for _ in range(3))
    there = come(first)
    give_consent(participation=there)
    refusals = [come(study) for study in (second, third)]
    for refusal in refusals:
        decline(participation=refusal)
    there.refresh_from_db()
    assert there.worker.platform_id == PID
    assert len({there.worker, *(refusal.worker for refusal in refusals)}) == 3
    assert come(first) == there


def test_study_that_shuts_others_out_lets_in_who_declined_there() -> None:
    first, second = a_small_study(items=2), a_small_study(items=2)
    second.shuts_out.add(first)
    decline(participation=come(first))
    assert come(second).worker.platform_id == PID


def test_invitation_stays_used_by_who_declined_it() -> None:
    study = a_small_study(items=2)
    (link,) = make_invitations(study=study, count=1)
    person = enter(study=study, platform="direct", platform_id=f"invitation:{link.pk}", entry_link=link)
    decline(participation=person)
    with pytest.raises(AlreadyEnded):
        enter(study=study, platform="direct", platform_id=f"invitation:{link.pk}", entry_link=link)
    with pytest.raises(LinkUsedUp):
        enter(study=study, platform="direct", platform_id="somebody else", entry_link=link)


def test_purge_forgets_who_declined_before_ids_were_forgotten() -> None:
    study = a_small_study(items=2)
    person = come(study)
    Participation.objects.filter(pk=person.pk).update(status="declined", ended_at=timezone.now())
    Payment.objects.update(status="waived", settled_at=timezone.now(), platform_id=None, session_id=None)
    come(study, "somebody", "else")

    for _again in range(2):
        purge(now=timezone.now())

    assert "NAMED" not in stored()
    assert sorted(str(name)[: len(PREFIX)] for name in Worker.objects.values_list("platform_id", flat=True)) == [
        PREFIX, "somebody"
    ]  # fmt: skip
    entry = AuditEntry.objects.get(action="purged")
    assert entry.detail == {"platform ids of who declined": 1}


@pytest.mark.django_db(transaction=True)
def test_declining_while_coming_in_elsewhere_fails_neither() -> None:
    for number in range(8):
        here_too, elsewhere = a_small_study(items=2), a_small_study(items=2)
        who = f"{PID}-{number}"
        person = come(here_too, who)
        raised = at_once(
            partial(decline, participation=person), partial(come, elsewhere, who), partial(come, here_too, who)
        )
        assert {type(failure) for failure in raised} <= {AlreadyEnded}
        assert elsewhere.participations.get().worker.platform_id == who
        assert here_too.participations.get().worker.platform_id == declined_id(here_too, who)


def test_page_after_no_says_what_is_kept(client: Client) -> None:
    response = client.post(here(come_in(client, a_study_of("slider"))), {"consent": "no"}, follow=True)
    assert "Your ID is not kept" in response.text
    assert "nothing about you is kept" not in response.text
    assert "NOCON45" in response.text
