"""A check item can't be told from any other in the page: not by markup, address, id or size."""

import re

import pytest
from django.test import Client

from annotation.models import AssignedItem, Item, Participation
from tests.factories import a_study
from tests.integration.annotation.answering.views.people import base_of, begin, save

pytestmark = pytest.mark.django_db


def the_page(client: Client, address: str, position: int) -> str:
    """One question's page with all that may differ between any two of them made equal."""
    html = client.get(f"{base_of(address)}{position}/").text
    html = html.split("<template")[0]
    one = AssignedItem.objects.select_related("item").get(position=position)
    for word in sorted(filter(None, one.item.fields.values()), key=len, reverse=True):
        html = html.replace(f">{word}<", ">WORD<")
    html = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "KEY", html)
    return re.sub(r"\d+", "N", html)


def test_pages_of_checks_and_targets_are_the_same_but_for_the_words(client: Client) -> None:
    study = a_study(platform="prolific")
    address = begin(client, study)
    kinds = dict(AssignedItem.objects.values_list("position", "item__kind"))
    assert Item.Kind.CHECK in kinds.values()
    # The first has no way back, whatever it is.
    assert len({the_page(client, address, position) for position in kinds if position > 1}) == 1
    without_way_back = the_page(client, address, 1)
    assert len(without_way_back) < len(the_page(client, address, 2))


def test_nothing_in_the_html_names_an_items_kind_or_id(client: Client) -> None:
    study = a_study(platform="prolific")
    address = begin(client, study)
    html = client.get(address).text
    for item in Item.objects.all():
        assert item.item_id not in html
        assert str(item.uuid) not in html
    for word in ("unrelated", "expected", 'kind="check"', "is_check", "data-kind"):
        assert word not in html


def test_reply_to_a_check_is_the_reply_to_any_answer(client: Client) -> None:
    study = a_study(platform="prolific")
    address = begin(client, study)
    replies = {
        save(client, address, position=position, number="75").text
        for position in AssignedItem.objects.values_list("position", flat=True)
    }
    assert replies == {'{"saved": true}'}
    assert Participation.objects.get().status == Participation.Status.WORKING
