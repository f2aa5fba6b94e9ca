"""Attacks on the entrances: counting through codes, made-up ids, somebody else's id, and asking who took part."""

import datetime as dt
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotation.answering.judging import open_assignment
from annotation.models import AssignedItem, Assignment, Judgment, OpenEntry, Participation, Payment, Study, Worker
from annotation.places.allocation import release_silent
from annotation.tasks import expire
from tests.integration.annotation.answering.views.people import a_study_of, begin, come_in, here, save

pytestmark = [pytest.mark.django_db, pytest.mark.both]
MINUTE = dt.timedelta(minutes=1)
PLATFORMS = {
    "prolific": "PROLIFIC_PID={who}&SESSION_ID={session}&STUDY_ID=x",
    "connect": "participantId={who}&assignmentId={session}&projectId=x",
    "mturk": "workerId={who}&assignmentId={session}&turkSubmitTo=https://www.mturk.com",
}


def from_network(address: str) -> Client:
    return Client(REMOTE_ADDR=address)


def a_sona_study(**changes: Any) -> Study:
    return a_study_of("slider", platform="sona", **changes)


def sona(client: Client, study: Study, code: str, came_as: str = "") -> Any:
    return client.post(f"/take/{study.slug}/?survey_code={code}", {"came_as": came_as}, follow=True)


def secret_of_first_page(client: Client, study: Study, code: str) -> str:
    page = client.get(f"/take/{study.slug}/?survey_code={code}").text
    return str(re.findall('name="came_as" value="([^"]+)"', page)[0])


def consents_and_begins(client: Client, response: Any) -> Any:
    following = client.post(here(response), {"consent": "yes"}, follow=True)
    return client.post(here(following), follow=True)


def test_counting_through_survey_codes_opens_nobodys_pages() -> None:
    study = a_sona_study()
    victim = Client()
    address = here(consents_and_begins(victim, sona(victim, study, "4711")))
    save(victim, address, number="5")
    mine = Participation.objects.get()

    for code in range(4708, 4715):
        response = sona(from_network("192.0.2.9"), study, str(code))
        visit = response.context.get("visit")
        assert visit is None or visit.participation != mine
        if code == 4711:
            assert response.status_code == 403
            assert "lab@example.org" in response.text
            assert "/withdraw/" not in response.text
    assert Judgment.objects.count() == 1
    assert mine.worker.participations.count() == 1


def test_secret_of_the_first_page_leads_back_to_where_a_person_was() -> None:
    study, browser = a_sona_study(), Client()
    secret = secret_of_first_page(browser, study, "4711")
    address = here(consents_and_begins(browser, sona(browser, study, "4711", secret)))

    assert here(sona(browser, study, "4711", secret)) == address
    assert sona(browser, study, "4711", secret_of_first_page(browser, study, "4711")).status_code == 403
    assert Participation.objects.count() == 1
    assert Payment.objects.get().session_id is None, "a payment list would tell the secret"


def test_code_that_was_only_tried_out_is_still_its_owners() -> None:
    study, owner = a_sona_study(), Client()
    sona(from_network("192.0.2.9"), study, "4711")

    response = sona(owner, study, "4711")

    assert here(response).endswith("/consent/")
    assert Participation.objects.count() == 2


def test_code_that_an_impostor_began_with_in_silence_is_its_owners_again() -> None:
    study, impostor, owner = a_sona_study(), from_network("192.0.2.9"), Client()
    consents_and_begins(impostor, sona(impostor, study, "4711"))
    assert sona(owner, study, "4711").status_code == 403

    passes(6 * MINUTE)
    expire()

    consents_and_begins(owner, sona(owner, study, "4711"))
    first, second = Participation.objects.order_by("pk")
    assert second.assigned_items.filter(released_at=None).count() == 3
    assert not first.assigned_items.filter(released_at=None).exists()


def passes(time: dt.timedelta) -> None:
    """Moves all that has happened into the past."""
    for person in Participation.objects.all():
        changes = {"entered_at": person.entered_at - time}
        if person.consented_at:
            changes["consented_at"] = person.consented_at - time
        Participation.objects.filter(pk=person.pk).update(**changes)
    for assignment in Assignment.objects.all():
        Assignment.objects.filter(pk=assignment.pk).update(
            claimed_at=assignment.claimed_at - time, expires_at=assignment.expires_at - time
        )


def test_browser_remembers_a_survey_code_without_saying_it() -> None:
    study, browser = a_sona_study(), Client()
    first = browser.get(f"/take/{study.slug}/?survey_code=4711").text
    inside = sona(browser, study, "4711").text
    name = re.findall('data-remembered="([^"]+)"', first)[0]

    assert f'data-remember="{name}"' in inside
    assert "4711" not in name
    assert name not in browser.get(f"/take/{study.slug}/?survey_code=4712").text


@pytest.mark.parametrize("platform", PLATFORMS)
def test_known_id_with_an_invented_session_shuts_nobody_out(platform: str) -> None:
    study = a_study_of("slider", platform=platform)
    attacker, owner = from_network("192.0.2.9"), Client()

    def come(client: Client, session: str) -> Any:
        return client.post(
            f"/take/{study.slug}/?{PLATFORMS[platform].format(who='known', session=session)}", follow=True
        )

    begun = consents_and_begins(attacker, come(attacker, "invented"))
    save(attacker, here(begun), number="5")

    assert here(come(owner, "theirs")).endswith("/consent/")
    assert Participation.objects.count() == 2
    assert Worker.objects.count() == 1
    assert not Participation.objects.filter(is_verified=True).exists()


def test_wrong_session_says_nothing_of_who_took_part() -> None:
    study = a_study_of("slider", items=[{"item_id": f"i{k}", "fields": {"thing": str(k)}} for k in range(20)])
    begin(Client(), study, person="took-part")
    told = [come_in(Client(), study, person=who, session="guess") for who in ("took-part", "did-not")]

    assert [response.status_code for response in told] == [200, 200]
    assert here(told[0]).endswith("/consent/")
    assert here(told[1]).endswith("/consent/")


def test_refusals_of_unproven_people_tell_nobody_who_took_part() -> None:
    before, paused = a_study_of("slider"), a_study_of("slider")
    come_in(Client(), before, person="5f1d")
    shuts_out = a_study_of("slider")
    full = a_study_of("slider", capacity=0)
    for study in (shuts_out, full, paused):
        study.shuts_out.add(before)
    often = a_study_of("slider", unverified_per_hour=0)
    Study.objects.filter(pk=paused.pk).update(status=Study.Status.PAUSED)

    # What is so for everybody is said, in the same words to whoever took part before and to whoever didn't.
    for study, reason in (
        (full, "has all the participants it needs"),
        (often, "your network"),
        (paused, "is paused at the moment"),
    ):
        known, unknown = (come_in(Client(), study, person=person) for person in ("5f1d", "77aa"))
        assert (known.status_code, known.text) == (unknown.status_code, unknown.text) == (403, known.text)
        assert reason in known.text
    refused = come_in(Client(), shuts_out, person="5f1d")
    assert refused.status_code == 403
    assert "Perhaps you have already taken part in it, or in a related one" in refused.text
    for page in (known.text, refused.text):
        assert "cc=" not in page
        assert "DONE123" not in page


def test_own_link_leads_to_its_own_ending(client: Client) -> None:
    study = a_study_of("slider")
    client.post(here(come_in(client, study, person="5f1d")), {"consent": "no"})
    assert "cc=NOCON45" in come_in(Client(), study, person="5f1d").text


def test_refused_tries_count_towards_the_networks_limit() -> None:
    before = a_study_of("slider")
    come_in(Client(), before, person="member")
    study = a_study_of("slider", unverified_per_hour=3)
    study.shuts_out.add(before)
    for _ in range(5):
        assert come_in(Client(), study, person="member").status_code == 403

    assert OpenEntry.objects.filter(study=study).count() == 3
    assert come_in(Client(), study, person="somebody").status_code == 403
    assert come_in(from_network("192.0.2.9"), study, person="somebody").status_code == 200


def test_who_is_refused_leaves_no_id_behind() -> None:
    study = a_study_of("slider", capacity=0)
    assert come_in(Client(), study, person="5f1d").status_code == 403
    assert not Worker.objects.exists()


def test_who_has_not_agreed_gets_no_place() -> None:
    study, client = a_study_of("slider"), Client()
    consent = here(come_in(client, study))
    for page in ("instructions", "questions"):
        assert here(client.post(consent.replace("/consent/", f"/{page}/"), follow=True)) == consent
    assert not Assignment.objects.exists()
    assert study.open_places.count() == 30


def test_bare_posts_fill_no_capacity() -> None:
    study = a_study_of("slider", capacity=30, unverified_per_hour=1000)
    for number in range(30):
        come_in(from_network("192.0.2.9"), study, person=f"invented{number}")

    client = Client()
    assert begin(client, study).endswith("/1/")


def test_one_answer_and_then_silence_fills_no_capacity() -> None:
    study = a_study_of("slider", capacity=1)
    attacker = from_network("192.0.2.9")
    save(attacker, begin(attacker, study), number="5")
    assert come_in(Client(), study).status_code == 403

    Participation.objects.update(consented_at=timezone.now() - 7 * MINUTE)
    expire_at = timezone.now() + 6 * MINUTE
    assert release_silent(now=expire_at) == 1

    assert begin(Client(), study).endswith("/1/")


def test_capacity_holds_for_those_who_begin_too() -> None:
    study = a_study_of("slider", capacity=1)
    clients = [Client(), Client()]
    pages = [client.post(here(come_in(client, study)), {"consent": "yes"}, follow=True) for client in clients[:1]]
    second = come_in(clients[1], study)
    assert second.status_code == 403, "the first is reading"
    passes(6 * MINUTE)
    begin(clients[1], study)

    late = clients[0].post(here(pages[0]), follow=True)

    assert late.status_code == 409
    assert "all the participants it needs" in late.text
    assert Assignment.objects.count() == 1


def test_twenty_invented_ids_leave_places_for_the_next_person() -> None:
    items = [{"item_id": f"i{k}", "fields": {"thing": f"t{k}"}} for k in range(66)]
    study = a_study_of("slider", items=items, judgments_per_item=3, items_per_assignment=10)
    attacker = from_network("192.0.2.9")
    for number in range(20):
        response = come_in(attacker, study, person=f"invented{number}")
        consents_and_begins(attacker, response)

    assert study.open_places.count() >= 198 / 2
    assert begin(Client(), study).endswith("/1/")
    assert come_in(attacker, study, person="one-more").status_code == 403

    passes(6 * MINUTE)
    expire()
    assert study.open_places.count() == 198, "six minutes later all were silent"


def test_network_whose_people_answer_is_not_made_to_wait() -> None:
    items = [{"item_id": f"i{k}", "fields": {"thing": f"t{k}"}} for k in range(66)]
    study = a_study_of("slider", items=items, judgments_per_item=3, items_per_assignment=10)
    for _ in range(18):
        client = Client()
        save(client, begin(client, study), number="5")
    assert Assignment.objects.count() == 18


def test_who_has_to_wait_is_told_and_gets_in_later() -> None:
    items = [{"item_id": f"i{k}", "fields": {"thing": f"t{k}"}} for k in range(8)]
    study = a_study_of("slider", items=items, judgments_per_item=1, items_per_assignment=1)
    for _ in range(4):
        begin(Client(), study)
    client = Client()
    page = client.post(here(come_in(client, study)), {"consent": "yes"}, follow=True)
    told = client.post(here(page), follow=True)
    assert told.status_code == 503
    assert "try again in a few minutes" in told.text

    passes(6 * MINUTE)
    expire()
    assert here(client.post(here(page), follow=True)).endswith("/1/")


def test_class_whose_limit_was_raised_begins_together() -> None:
    items = [{"item_id": f"i{k}", "fields": {"thing": f"t{k}"}} for k in range(8)]
    study = a_study_of("slider", items=items, judgments_per_item=1, items_per_assignment=1, unverified_per_hour=40)
    for _ in range(8):
        assert begin(Client(), study).endswith("/1/")


def test_silent_person_takes_the_places_up_again_with_the_next_answer() -> None:
    study, client = a_study_of("slider"), Client()
    address = begin(client, study)
    passes(6 * MINUTE)
    assert release_silent(now=timezone.now()) == 1
    assert release_silent(now=timezone.now()) == 0
    places = study.open_places.count()

    save(client, address, position=1, number="5")

    assert Judgment.objects.get().is_late is False
    assert study.open_places.count() == places - 3
    assert not AssignedItem.objects.exclude(released_at=None).exists()
    assert Participation.objects.get().status == Participation.Status.WORKING


def test_place_that_somebody_else_has_by_then_makes_the_answer_late() -> None:
    study, client = a_study_of("slider", judgments_per_item=1), Client()
    address = begin(client, study)
    passes(6 * MINUTE)
    release_silent(now=timezone.now())
    begin(from_network("192.0.2.9"), study)

    save(client, address, position=1, number="5")

    assert Judgment.objects.get().is_late is True
    assert AssignedItem.objects.filter(released_at=None).count() == 3


def test_answers_keep_the_places_of_an_unverified_person() -> None:
    study, client = a_study_of("slider"), Client()
    address = begin(client, study)
    passes(6 * MINUTE)
    save(client, address, number="5")
    assert release_silent(now=timezone.now()) == 0


def test_verified_person_may_be_silent() -> None:
    study = a_study_of("slider")
    begin(Client(), study)
    Participation.objects.update(is_verified=True)
    passes(6 * MINUTE)
    assert release_silent(now=timezone.now()) == 0


@pytest.mark.parametrize("change", [{"set_aside_at": timezone.now()}, {"is_pilot": True}, {"status": "withdrawn"}])
def test_nothing_comes_back_to_who_was_excluded_or_has_ended(change: dict[str, Any]) -> None:
    study, client = a_study_of("slider"), Client()
    address = begin(client, study)
    passes(6 * MINUTE)
    release_silent(now=timezone.now())
    Participation.objects.update(**change)

    save(client, address, number="5")

    assert not AssignedItem.objects.filter(released_at=None).exists()


def test_place_of_a_silent_person_goes_to_who_comes_though_no_clock_runs() -> None:
    study = a_study_of("slider", judgments_per_item=1)
    begin(from_network("192.0.2.9"), study)
    passes(6 * MINUTE)

    client = Client()
    assert begin(client, study).endswith("/1/")
    assert open_assignment(participation=Participation.objects.latest("pk")).assigned_items.count() == 3
