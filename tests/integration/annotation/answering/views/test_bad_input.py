"""What people, robots and broken browsers send: always a sentence, never a 500, nothing stored."""

import datetime as dt
import re
from itertools import product
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from annotation.models import Assignment, Judgment, Participation, Study
from annotation.platforms.tokens import Purpose, Token, sign_token
from tests.integration.annotation.answering.views.people import (
    a_study_of,
    arrival,
    base_of,
    begin,
    come_in,
    here,
    links_of,
    save,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both]
FORGED = ["x", "a.b.c", "..", "%00", "é" * 40, "AAAAAAAAAAAAAAAAAAAAAA.n1." + "A" * 43, "A" * 4000]


def test_forged_token_opens_nothing(client: Client, subtests: pytest.Subtests) -> None:
    for token, where in product(
        FORGED, ["p/{}/", "p/{}/consent/", "a/{}/", "a/{}/1/", "a/{}/finish/", "withdraw/{}/", "join/{}/"]
    ):
        with subtests.test(token=token, where=where):
            response = client.get("/" + where.format(token))
            assert response.status_code == 404
            assert "<h1>" in response.text
            assert client.post("/" + where.format(token)).status_code in {404, 405}


@pytest.mark.parametrize("token", FORGED)
def test_forged_token_saves_nothing(client: Client, token: str) -> None:
    response = client.post(f"/a/{token}/save/", {"position": 1, "key": str(uuid4()), "number": 1})
    assert response.status_code == 404


def test_token_of_one_purpose_is_none_of_another(client: Client) -> None:
    begin(client, a_study_of("slider"))
    links = links_of(Participation.objects.get())
    token = links["participation"].split("/")[2]
    assert client.get(f"/withdraw/{token}/").status_code == 404
    assert client.get(f"/a/{token}/").status_code == 404
    withdrawal = links["withdrawal"].split("/")[2]
    assert client.get(f"/p/{withdrawal}/").status_code == 404


def test_changed_token_is_refused(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    token = base_of(address).split("/")[2]
    for changed in (
        token.replace(".n1.", ".n2."),
        token.replace(".n1.", ".m1."),
        token[:-1] + ("A" if token[-1] != "A" else "B"),
    ):
        assert client.get(f"/a/{changed}/").status_code == 404


def test_token_for_nobody_is_refused(client: Client) -> None:
    for purpose, path in ((Purpose.PARTICIPATION, "p"), (Purpose.WITHDRAWAL, "withdraw"), (Purpose.ASSIGNMENT, "a")):
        assert client.get(f"/{path}/{sign_token(purpose, Token(uuid4()))}/").status_code == 404


BAD: list[tuple[str, dict[str, Any]]] = [
    *(("slider", {"number": value}) for value in ("-0.1", "100.1", "nan", "inf", "-inf", "1e999", "ninety", "0x10")),
    ("slider", {"number": "5_0"}),
    ("slider", {"number": "\x00"}),
    ("slider", {"label": "red"}),
    ("sliders", {"number:red": "5"}),
    ("sliders", {"number:red": "5", "number:green": "101", "number:blue": "5"}),
    ("choice", {"label": "purple"}),
    ("choice", {"label": "<script>alert(1)</script>"}),
    ("choices", {"labels": ["red", "purple"]}),
    ("choices", {"labels": []}),
    ("list", {"properties": " \n \r\n\t"}),
    ("list", {"properties": "\n".join(str(k) for k in range(101))}),
    ("list", {"properties": "x" * 201}),
    ("text", {"text": " "}),
    ("text", {"text": "\u200b\u2060"}),
    ("list", {"properties": "\u200b\n\u00ad"}),
    ("text", {"text": "x" * 5001}),
    ("text", {"text": "a\x00b"}),
    *(
        ("slider", {"number": "5", name: value})
        for name, value in (
            ("response_ms", "-1"), ("response_ms", "1e9"), ("response_ms", "9" * 30), ("response_ms", "604800001"),
            ("response_ms", "²"), ("moves", "1000001"), ("first_touch_ms", "nan"), ("input_kind", "simulated"),
            ("input_kind", "x" * 500), ("key", "not a key"), ("key", ""),
        )
    ),
    ("slider", {"number": "5", "response_ms": "10", "first_touch_ms": "11"}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "form"), BAD)
def test_bad_answer_gets_a_sentence_and_is_not_stored(client: Client, kind: str, form: dict[str, Any]) -> None:
    address = begin(client, a_study_of(kind))
    response = save(client, address, **form)
    assert response.status_code == 422
    assert response.json()["sentence"]
    assert response.json()["saved"] is False
    assert not Judgment.objects.exists()


@pytest.mark.parametrize("position", ["0", "4", "-1", "1e1", "", "999999999999", "one", "²"])
def test_position_outside_the_assignment_is_not_found(client: Client, position: str) -> None:
    address = begin(client, a_study_of("slider"))
    assert save(client, address, number="5", position=position).status_code == 404
    assert not Judgment.objects.exists()


def test_bad_answer_without_script_comes_back_as_typed_with_its_problem(client: Client) -> None:
    address = begin(client, a_study_of("text"))
    text = "x" * 5001
    response = client.post(address, {"i1-key": str(uuid4()), "i1-text": text})
    assert response.status_code == 422
    assert text in response.text
    assert 'aria-describedby="i1-limit i1-problem"' in response.text
    assert re.search(r'aria-invalid="true"\s+autofocus', response.text)
    assert not Judgment.objects.exists()


@pytest.mark.parametrize("where", ["save/", "1/", "finish/"])
def test_ten_megabytes_get_a_sentence(client: Client, where: str) -> None:
    address = begin(client, a_study_of("text"))
    response = client.post(
        base_of(address) + where, data="text=" + "x" * 10_000_000, content_type="application/x-www-form-urlencoded"
    )
    assert response.status_code == 413
    assert "larger" in response.text
    assert not Judgment.objects.exists()


def test_thousands_of_fields_get_a_sentence(client: Client) -> None:
    address = begin(client, a_study_of("text"))
    response = client.post(base_of(address) + "save/", {f"f{k}": "" for k in range(2000)})
    assert response.status_code == 413


@pytest.mark.parametrize("status", [Study.Status.DRAFT, Study.Status.PAUSED, Study.Status.CLOSED])
def test_study_that_is_not_open_lets_nobody_in(client: Client, status: str) -> None:
    study = a_study_of("slider")
    Study.objects.filter(pk=study.pk).update(status=status, closed_at=timezone.now() if status == "closed" else None)
    response = come_in(client, study)
    assert response.status_code in {403, 404}
    assert not Participation.objects.exists()


def test_full_study_says_so(client: Client) -> None:
    study = a_study_of("slider", capacity=1)
    begin(client, study)
    response = come_in(Client(), study)
    assert response.status_code == 403
    assert "lab@example.org" in response.text
    assert "Things" in response.text
    assert "saved" not in response.text, "nothing was begun that could be lost"
    assert "This study has all the participants it needs." in response.text


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"PROLIFIC_PID": "a"},
        {"PROLIFIC_PID": "{{%PROLIFIC_PID%}}", "SESSION_ID": "s"},
        {"PROLIFIC_PID": "a\x00", "SESSION_ID": "s"},
        {"PROLIFIC_PID": "a" * 201, "SESSION_ID": "s"},
    ],
)
def test_address_without_the_platforms_ids_is_told_so(client: Client, query: dict[str, str]) -> None:
    study = a_study_of("slider")
    for response in (client.get(f"/take/{study.slug}/", query), client.post(f"/take/{study.slug}/", query)):
        assert response.status_code == 400
        assert "Prolific" in response.text


@pytest.mark.parametrize(
    "code", ["47 11", "47+11", "47%C2%A011", "4711%00", "%EF%BC%94%EF%BC%97%EF%BC%91%EF%BC%91", "4" * 201]
)
@pytest.mark.parametrize(
    ("platform", "query", "name"),
    [("sona", "survey_code={}", "survey_code"), ("prolific", "PROLIFIC_PID={}&SESSION_ID=s", "PROLIFIC_PID"),
     ("connect", "participantId=p&assignmentId={}", "assignmentId")],
)  # fmt: skip
def test_code_with_spaces_in_it_is_called_damaged_and_not_missing(
    client: Client, platform: str, query: str, name: str, code: str
) -> None:
    where = f"/take/{a_study_of('slider', platform=platform).slug}/?{query.format(code)}"
    for response in (client.get(where), client.post(where)):
        assert response.status_code == 400
        said = f"This address is damaged: {name} contains spaces or other characters that don't belong there, or is"
        assert response.context["sentence"].startswith(said)
    assert not Participation.objects.exists()


def test_code_with_spaces_around_it_is_the_same_code(client: Client) -> None:
    study = a_study_of("slider", platform="sona")
    client.post(f"/take/{study.slug}/?survey_code=%204711+")
    assert Participation.objects.get().worker.platform_id == "4711"


def test_closed_assignment_takes_no_more_and_says_so(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    Assignment.objects.update(expires_at=timezone.now() - dt.timedelta(days=3))
    assert save(client, address, number="5").status_code == 410
    page = client.get(address, follow=True)
    assert here(page).endswith("/done/")
    assert "The time for these questions has run out." in page.text
    assert not Judgment.objects.exists()


def test_script_in_item_text_stays_text(client: Client) -> None:
    evil = "<script>alert(1)</script>{{ 7|add:7 }}{% load x %}"
    items = [{"item_id": "one", "fields": {"thing": evil, "left": evil, "right": '"><img src=x onerror=alert(1)>'}}]
    address = begin(client, a_study_of("slider", items=items, question="How {thing}, {left} {left.__class__} {0}?"))
    text = client.get(address).text
    assert "<script>alert" not in text
    assert "<img src=x" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert "{left.__class__} {0}" in text


def test_script_in_study_text_stays_text(client: Client) -> None:
    evil = "<script>alert(1)</script>"
    study = a_study_of("choice", title=evil, summary=evil, consent=evil, instructions=evil, contact=evil)
    study.labels.update(display_text=evil[:80], swatch='"/><b>')
    for response in (
        client.get(f"/take/{study.slug}/", arrival()),
        come_in(client, study),
        client.get(begin(Client(), study)),
    ):
        assert response.status_code == 200
        assert evil not in response.text
        assert "<b>" not in response.text


@pytest.mark.parametrize("number", [0, 4, 99999, 10**30])
def test_page_that_is_not_there(client: Client, number: int) -> None:
    address = begin(client, a_study_of("slider"))
    assert client.get(f"{base_of(address)}{number}/").status_code == 404


def test_address_that_is_not_there_has_a_plain_page(client: Client) -> None:
    response = client.get("/nowhere/")
    assert response.status_code == 404
    assert "<h1>" in response.text


def test_database_that_is_gone_is_a_503_and_a_sentence(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = begin(client, a_study_of("slider"))

    def gone(**_: object) -> None:
        raise OperationalError("the server closed the connection")

    monkeypatch.setattr("annotation.answering.saving_answers.load_question", gone)
    assert save(client, address, number="5").status_code == 503
    response = client.post(address, {"i1-key": str(uuid4()), "i1-number": "5"})
    assert response.status_code == 503
    assert "try again" in response.text
