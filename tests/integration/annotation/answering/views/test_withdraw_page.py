"""The page on which a person withdraws says beforehand what that does, and lets them go back."""

import html

import pytest
from django.test import Client

from annotation.models import Judgment, Participation
from tests.integration.annotation.answering.views.people import a_study_of, begin, here, links_of, save

pytestmark = pytest.mark.django_db
ONE = [{"item_id": "1", "fields": {"thing": "fern"}}]


def page_of(client: Client) -> str:
    return html.unescape(client.get(links_of(Participation.objects.get())["withdrawal"]).text)


def test_who_has_handed_in_reads_that_pay_does_not_change(client: Client) -> None:
    address = begin(client, a_study_of("slider", items=ONE))
    save(client, address, number="5")
    assert "You have not submitted your answers yet." in page_of(client)
    client.post(address.replace("/1/", "/finish/"))
    assert "Withdrawing does not change your pay" in page_of(client)
    assert "You have not submitted your answers yet." not in page_of(client)


def test_study_without_pay_says_nothing_of_pay(client: Client) -> None:
    begin(client, a_study_of("slider", pay=None, currency=None))
    assert "submitted" not in page_of(client)


@pytest.mark.parametrize(("kind", "in_words"), [("slider", False), ("choice", False), ("text", True), ("list", True)])
def test_page_says_what_becomes_of_published_results(client: Client, kind: str, *, in_words: bool) -> None:
    begin(client, a_study_of(kind))
    said = page_of(client)
    assert "Results that have already been published keep figures" in said
    assert ("Text that you wrote is also removed" in said) == in_words


def test_no_go_back_leads_to_where_the_person_stands_and_erases_nothing(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    save(client, address, number="5")
    visited = client.get(links_of(Participation.objects.get())["withdrawal"])
    back = visited.context["visit"].next_address
    assert f'<a class="button quiet" href="{back}">No, go back</a>' in visited.text
    assert here(client.get(back, follow=True)).endswith("/2/")
    assert Judgment.objects.count() == 1
    assert Participation.objects.get().status == "working"


@pytest.mark.parametrize("language", ["de", "es", "fr", "sv", "zh-hans", "ar"])
def test_page_is_in_the_studys_language(client: Client, language: str) -> None:
    begin(client, a_study_of("text", language=language))
    said = page_of(client)
    for english in ("go back", "submitted", "published", "you wrote", "a record"):
        assert english not in said.split("<main", 1)[1].split("</main>")[0]
