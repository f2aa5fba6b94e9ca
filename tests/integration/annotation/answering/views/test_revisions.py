"""How often an answer may be changed: a person reads a sentence, and the answer before it stays."""

from uuid import uuid4

import pytest
from django.test import Client

from annotation.models import Judgment
from tests.integration.annotation.answering.views.people import a_study_of, begin, save

pytestmark = [pytest.mark.django_db, pytest.mark.both]
MOST = 50


def changed_as_often_as_can_be(client: Client, address: str) -> None:
    for k in range(MOST):
        assert save(client, address, number=str(k)).status_code == 200


def test_answer_changed_too_often_is_refused_with_a_sentence_and_the_last_one_stays(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    changed_as_often_as_can_be(client, address)

    refused = save(client, address, number="99")

    assert refused.status_code == 422
    assert "too often to change it again" in refused.json()["sentence"]
    assert Judgment.objects.count() == MOST
    assert Judgment.objects.current().get().number == MOST - 1


def test_answer_changed_too_often_leaves_the_other_questions_alone(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    changed_as_often_as_can_be(client, address)

    assert save(client, address, position=2, number="99").status_code == 200


def test_last_change_sent_again_is_still_told_that_it_is_saved(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    changed_as_often_as_can_be(client, address)
    key = Judgment.objects.current().get().client_key

    assert save(client, address, number=str(MOST - 1), key=str(key)).json()["saved"] is True


def test_answer_changed_too_often_without_script_comes_back_with_the_sentence(client: Client) -> None:
    address = begin(client, a_study_of("text"))
    for k in range(MOST):
        assert save(client, address, text=f"version {k}").status_code == 200

    response = client.post(address, {"i1-key": str(uuid4()), "i1-text": "one more"})

    assert response.status_code == 422
    assert "too often to change it again" in response.text
    assert "one more" in response.text
