"""Who may open and frame what: entry links, frames, referrers, cookies, withdrawal, pictures."""

import pytest
from django.test import Client

from annotation.models import AssignedItem, Blob, EntryLink, Judgment, Participation, Payment, Tombstone, Worker
from annotation.platforms.tokens import Frame
from tests.integration.annotation.answering.views.people import (
    a_picture,
    a_study_of,
    arrival,
    base_of,
    begin,
    come_in,
    here,
    links_of,
    save,
)

pytestmark = pytest.mark.django_db
MTURK = {"workerId": "W1", "assignmentId": "A1", "hitId": "H1", "turkSubmitTo": "https://workersandbox.mturk.com"}


def an_entry_link(kind: str, **changes: object) -> EntryLink:
    study = a_study_of("slider", platform="direct")
    return EntryLink.objects.create(
        study=study, kind=kind, **{"capacity": 1 if kind == "invitation" else None, **changes}
    )


def test_invitation_lets_one_person_in_who_may_come_back() -> None:
    link = an_entry_link(EntryLink.Kind.INVITATION)
    for client in (Client(), Client()):
        assert "/consent/" in here(client.post(f"/join/{link.token}/", follow=True))
    assert Participation.objects.get().is_verified


def test_open_link_makes_somebody_new_of_everyone_and_says_unverified() -> None:
    link = an_entry_link(EntryLink.Kind.OPEN)
    for client in (Client(), Client()):
        client.post(f"/join/{link.token}/")
    assert [participation.is_verified for participation in Participation.objects.all()] == [False, False]


def test_open_link_with_a_capacity_closes_when_it_is_reached() -> None:
    link = an_entry_link(EntryLink.Kind.OPEN, capacity=1)
    both = [Client().post(f"/join/{link.token}/", follow=True) for _ in range(2)]
    for response in both:
        Client().post(here(response), {"consent": "yes"})
    begun = [Client().post(here(response).replace("/consent/", "/instructions/")) for response in both]
    assert [response.status_code for response in begun] == [302, 409]
    assert Client().post(f"/join/{link.token}/").status_code == 403


def test_revoked_link_lets_nobody_in(client: Client) -> None:
    link = an_entry_link(EntryLink.Kind.OPEN)
    EntryLink.objects.update(revoked_at=link.created_at)
    assert client.get(f"/join/{link.token}/").status_code == 410
    assert client.post(f"/join/{link.token}/").status_code == 410
    assert not Participation.objects.exists()


def test_study_for_invited_people_has_no_other_door(client: Client) -> None:
    link = an_entry_link(EntryLink.Kind.INVITATION)
    assert client.post(f"/take/{link.study.slug}/?PROLIFIC_PID=a&SESSION_ID=b").status_code == 400


def test_no_page_of_the_journey_sets_or_needs_a_cookie() -> None:
    client = Client(enforce_csrf_checks=True)
    study = a_study_of("slider", items=[{"item_id": "one", "fields": {"thing": "fern"}}])
    address = begin(client, study)
    save(client, address, number="5")
    assert "DONE123" in client.post(address.replace("/1/", "/finish/"), follow=True).text
    assert not client.cookies


def test_pages_may_not_be_framed_and_keep_their_address_to_themselves(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    for path in ("/", address, links_of(Participation.objects.get())["withdrawal"]):
        headers = client.get(path).headers
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "same-origin"
        assert "unsafe" not in headers["Content-Security-Policy"]


def test_pages_with_answers_are_kept_in_no_cache(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    assert "no-store" in client.get(address).headers["Cache-Control"]


def test_mturk_pages_may_be_framed_by_its_two_hosts_alone(client: Client) -> None:
    study = a_study_of("slider", platform="mturk")
    query = "&".join(f"{name}={value}" for name, value in MTURK.items())
    response = client.post(f"/take/{study.slug}/?{query}", follow=True)
    response = client.post(here(response), {"consent": "yes"}, follow=True)
    address = here(client.post(here(response), follow=True))
    for path in (f"/take/{study.slug}/?{query}", address, base_of(address) + "finish/"):
        headers = client.get(path, follow=True).headers
        policy = headers["Content-Security-Policy"]
        assert "frame-ancestors https://www.mturk.com https://workersandbox.mturk.com;" in policy + ";"
        assert "X-Frame-Options" not in headers


def test_mturk_ends_with_its_form_and_that_host_alone_in_the_policy(client: Client) -> None:
    study = a_study_of("slider", platform="mturk", items=[{"item_id": "1", "fields": {"thing": "fern"}}])
    query = "&".join(f"{name}={value}" for name, value in MTURK.items())
    response = client.post(f"/take/{study.slug}/?{query}", follow=True)
    response = client.post(here(response), {"consent": "yes"}, follow=True)
    address = here(client.post(here(response), follow=True))
    save(client, address, number="5")
    done = client.post(address.replace("/1/", "/finish/"), follow=True)
    assert 'action="https://workersandbox.mturk.com/mturk/externalSubmit"' in done.text
    assert '<input type="hidden" name="assignmentId" value="A1">' in done.text
    assert "form-action https://workersandbox.mturk.com;" in done.headers["Content-Security-Policy"]


def test_mturk_preview_shows_an_example_and_stores_nothing(client: Client) -> None:
    study = a_study_of("slider", platform="mturk")
    response = client.get(f"/take/{study.slug}/", {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": "H1"})
    assert response.status_code == 200
    assert "disabled" in response.text
    assert "What of a" in response.text
    assert not Participation.objects.exists()
    assert not AssignedItem.objects.exists()


def test_study_of_another_platform_is_never_framed(client: Client) -> None:
    study = a_study_of("slider")
    policy = client.get(f"/take/{study.slug}/", {**arrival(), **MTURK}).headers["Content-Security-Policy"]
    assert "mturk" not in policy
    come_in(client, study)
    assert Participation.objects.get().worker.platform == "prolific"
    assert Frame.NONE in links_of(Participation.objects.get())["participation"]


def test_withdrawal_erases_answers_and_gives_the_places_back(client: Client) -> None:
    study = a_study_of("slider")
    address = begin(client, study)
    save(client, address, number="5")
    link = links_of(Participation.objects.get())["withdrawal"]
    assert client.get(link).status_code == 200
    assert Judgment.objects.exists()  # looking at the page is not withdrawing
    response = client.post(link, follow=True)
    assert "erased" in response.text
    assert not Judgment.objects.exists()
    assert Tombstone.objects.count() == 1
    assert not AssignedItem.objects.filter(slot__isnull=False, released_at__isnull=True).exists()
    assert save(client, address, number="6").status_code == 410


def test_withdrawal_after_finishing_and_twice(client: Client) -> None:
    study = a_study_of("slider", items=[{"item_id": "1", "fields": {"thing": "fern"}}])
    address = begin(client, study)
    save(client, address, number="5")
    done = client.post(address.replace("/1/", "/finish/"), follow=True)
    link = links_of(Participation.objects.get())["withdrawal"]
    assert link in done.text
    for _twice in range(2):
        assert client.post(link, follow=True).status_code == 200
    assert Tombstone.objects.count() == 1


def test_withdrawal_ends_when_nobody_can_tell_whose_the_answers_are(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    save(client, address, number="5")
    Worker.objects.update(platform_id=None)
    link = links_of(Participation.objects.get())["withdrawal"]
    assert client.post(link).status_code == 410
    assert Judgment.objects.count() == 1


def test_declining_purges_the_persons_ids(client: Client) -> None:
    client.post(here(come_in(client, a_study_of("slider"))), {"consent": "no"})
    assert Payment.objects.get().platform_id is None


def test_picture_is_served_for_ever_and_can_not_run(client: Client) -> None:
    blob = a_picture()
    response = client.get(f"/picture/{blob.sha256}")
    assert response.content == bytes(blob.content)
    assert "immutable" in response.headers["Cache-Control"]
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in response.headers["Content-Security-Policy"]


def test_what_is_not_a_picture_is_not_served(client: Client) -> None:
    Blob.objects.create(sha256="a" * 64, content_type="image/svg+xml", content=b"<svg onload='alert(1)'/>")
    assert client.get("/picture/" + "a" * 64).status_code == 404
    assert client.get("/picture/" + "0" * 64).status_code == 404


def test_health_answers_without_a_page(client: Client) -> None:
    assert client.get("/health").text == "ok\n"
