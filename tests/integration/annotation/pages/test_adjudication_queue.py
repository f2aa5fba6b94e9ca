"""Contested items one after another: the queue goes on by itself, can be skipped, gone back and undone."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import AuditEntry, Study
from annotation.releases.models import Adjudication
from tests.integration.agreement.crowds import a_slider_crowd
from tests.integration.researchers import a_researcher, signed_in

pytestmark = pytest.mark.django_db


def queue_of(study: Study) -> str:
    return reverse("agreement:adjudicate", args=[study.uuid])


def item_shown(client: Client, address: str) -> str:
    return str(client.get(address).context["item"].item_id)


def decide(client: Client, address: str, number: str, **more: str) -> str:
    """The address that the page leads on to."""
    answer = client.post(address, {"a-number": number, "seen": "0", **more})
    assert answer.status_code == 302, answer.context.get("problem")
    return str(answer["Location"])


@pytest.fixture
def study() -> Study:
    return a_slider_crowd()


@pytest.fixture
def client(study: Study) -> Client:
    return signed_in(a_researcher(study, "editor"))


def test_the_most_contested_come_first_and_each_once(study: Study, client: Client) -> None:
    address = queue_of(study)
    seen: list[str] = []
    items = client.get(reverse("agreement:items", args=[study.uuid])).context["page"].rows
    contested = [row.item.item_id for row in items if row.contested]
    while "position" in (context := client.get(address).context):
        assert context["position"] == len(seen) + 1
        seen.append(context["item"].item_id)
        address = decide(client, address, "50")
    assert seen == contested
    assert len(seen) > 1
    assert "are decided" in client.get(address).text
    assert Adjudication.objects.in_force().count() == len(seen)
    assert set(Adjudication.objects.values_list("why", flat=True)) == {""}


def test_what_is_skipped_comes_again_at_the_end(study: Study, client: Client) -> None:
    first = item_shown(client, queue_of(study))
    second_page = client.get(queue_of(study)).context["ways"]["skip"]
    second = item_shown(client, second_page)
    assert second != first
    address = decide(client, second_page, "50")
    while item_shown(client, address) != first:
        address = decide(client, address, "50")
    assert item_shown(client, queue_of(study)) == first
    assert "skip" not in client.get(address).context["ways"]


def test_back_leads_to_the_one_before(study: Study, client: Client) -> None:
    first = item_shown(client, queue_of(study))
    after = decide(client, queue_of(study), "50", why="clear")
    page = client.get(client.get(after).context["ways"]["previous"])
    assert page.context["item"].item_id == first
    assert (page.context["stands"].number, page.context["seen"]) == (50.0, 1)


def test_undo_takes_the_last_answer_back_and_shows_its_item(study: Study, client: Client) -> None:
    first = item_shown(client, queue_of(study))
    after = decide(client, queue_of(study), "50")
    saved = client.get(after).context["saved"]
    undone = client.post(f"{queue_of(study)}?item={saved.item.uuid}", {"undo": "1", "seen": str(saved.revision)})
    assert item_shown(client, undone["Location"]) == first
    assert not Adjudication.objects.in_force().exists()
    assert Adjudication.objects.count() == 2
    assert AuditEntry.objects.filter(study=study, why="undone").count() == 1
    # What isn't the last any more offers no undo.
    assert "saved" not in client.get(after).context


def test_undo_of_a_replacement_brings_the_earlier_answer_back(study: Study, client: Client) -> None:
    after = decide(client, queue_of(study), "50", why="first")
    item = client.get(after).context["saved"].item
    here = f"{queue_of(study)}?item={item.uuid}"
    decide(client, here, "70", seen="1")
    client.post(here, {"undo": "1", "seen": "2"})
    stands = Adjudication.objects.in_force().get()
    assert (stands.number, stands.why, stands.revision) == (50.0, "first", 3)


def test_undo_after_somebody_elses_answer_is_refused(study: Study, client: Client) -> None:
    after = decide(client, queue_of(study), "50")
    item = client.get(after).context["saved"].item
    here = f"{queue_of(study)}?item={item.uuid}"
    decide(signed_in(a_researcher(study, "editor")), here, "70", seen="1")
    answer = client.post(here, {"undo": "1", "seen": "1"})
    assert answer.status_code == 422
    assert "in the meantime" in answer.text
    assert Adjudication.objects.in_force().get().number == 70


@pytest.mark.parametrize("number", ["", "101", "much"])
def test_an_answer_that_cannot_be_is_refused_beside_its_field(study: Study, client: Client, number: str) -> None:
    answer = client.post(queue_of(study), {"a-number": number, "seen": "0", "why": "so"})
    assert answer.status_code == 422
    assert answer.context["problem"].field == "number"
    assert answer.context["why"] == "so"
    assert not Adjudication.objects.exists()


def test_the_length_of_the_queue_stays_with_it(study: Study, client: Client) -> None:
    after = decide(client, f"{queue_of(study)}?most=20", "50")
    assert parse_qs(urlsplit(after).query)["most"] == ["20"]
    assert client.get(f"{queue_of(study)}?most=nonsense").context["queue"].length == 40


@pytest.mark.parametrize("item", ["nonsense", "00000000-0000-4000-8000-000000000000"])
def test_an_address_of_no_item_is_not_found(study: Study, client: Client, item: str) -> None:
    assert client.get(f"{queue_of(study)}?item={item}").status_code == 404


def test_without_disagreement_it_says_so() -> None:
    study = a_slider_crowd()
    study.participations.exclude(pseudonym="ann").update(status="returned")
    client = signed_in(a_researcher(study, "editor"))
    assert "Nothing is contested" in client.get(queue_of(study)).text


def test_who_may_only_look_decides_nothing(study: Study) -> None:
    viewer = signed_in(a_researcher(study, "viewer"))
    assert viewer.get(queue_of(study)).status_code == 403
    assert queue_of(study) not in viewer.get(reverse("agreement:items", args=[study.uuid])).text
