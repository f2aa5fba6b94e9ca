"""Prolific's signed links: who comes is proven, and whatever is not signed by Prolific lets nobody in."""

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import jwt
import pytest
from django.db import connection
from django.test import Client

from annotation.models import Participation, Study
from annotation.platforms import prolific as prolific_keys
from tests.integration.annotation.answering.views.people import a_study_of, arrival, here
from tests.services.prolific import (
    PERSON,
    SESSION,
    STUDY_ID,
    StandIn,
    claims,
    private_key,
    public_pem,
    signed,
    stand_in,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture(autouse=True)
def prolific(settings: Any) -> Iterator[StandIn]:
    with stand_in() as here_it_is:
        settings.PROLIFIC_JWKS_URL = here_it_is.url
        yield here_it_is


def a_signed_study(**changes: Any) -> Study:
    return a_study_of("slider", **{"requires_signed_entry": True, "platform_study_id": STUDY_ID, **changes})


def address(study: Study, token: str = "", **plain: str) -> str:
    return f"/take/{study.slug}/?{urlencode({**plain, **({'prolific_token': token} if token else {})})}"


def come(client: Client, where: str) -> Any:
    """The first page, and its form sent as it stands."""
    first = client.get(where)
    if first.status_code != 200:
        return first
    fields = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]+)"', first.text))
    return client.post(where, fields, follow=True)


IDS = {"PROLIFIC_PID": PERSON, "STUDY_ID": STUDY_ID, "SESSION_ID": SESSION}


@pytest.mark.parametrize("plain", [{}, IDS, {"PROLIFIC_PID": PERSON}])
@pytest.mark.parametrize(
    "audience", ["https://testserver", "testserver", ["https://other.example", "http://testserver/"]]
)
def test_signed_link_lets_in_and_counts_as_verified(plain: dict[str, str], audience: Any) -> None:
    study = a_signed_study()
    response = come(Client(), address(study, signed(aud=audience), **plain))
    assert here(response).endswith("/consent/")
    person = Participation.objects.get()
    assert person.is_verified
    assert (person.worker.platform_id, person.payment.session_id) == (PERSON, SESSION)


def test_audience_may_be_the_studys_whole_address() -> None:
    study, other = a_signed_study(), a_signed_study()
    token = signed(aud=f"https://testserver/take/{study.slug}/?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}")
    assert come(Client(), address(other, token)).status_code == 403
    assert here(come(Client(), address(study, token))).endswith("/consent/")


def test_first_page_may_be_read_for_longer_than_the_signature_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    study, client = a_signed_study(), Client()
    where = address(study, signed())
    first = client.get(where)
    name, value = re.findall(r'type="hidden" name="([^"]+)" value="([^"]+)"', first.text)[0]
    expired = address(study, signed(exp=int(time.time()) - 600))
    assert here(client.post(expired, {name: value}, follow=True)).endswith("/consent/")
    assert client.post(expired).status_code == 403
    assert client.post(expired, {name: value[:-1] + "x"}).status_code == 403
    assert client.post(address(a_signed_study()), {name: value}).status_code == 403
    later = time.time() + 3 * 3600
    monkeypatch.setattr("django.core.signing.time.time", lambda: later)
    assert client.post(expired, {name: value}).status_code == 403


def _forged_with_the_public_key() -> str:
    """An HS256 token whose secret is the public key, made by hand: the library refuses to make one."""

    def part(value: Any) -> bytes:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=")

    text = part({"alg": "HS256", "typ": "JWT", "kid": "first"}) + b"." + part(claims())
    seal = hmac.new(public_pem("first"), text, hashlib.sha256).digest()
    return (text + b"." + base64.urlsafe_b64encode(seal).rstrip(b"=")).decode()


def _named(**changes: Any) -> dict[str, Any]:
    return {name: value for name, value in {**claims()["prolific"], **changes}.items() if value is not None}


BAD: dict[str, tuple[Any, str]] = {
    "missing": (lambda: "", "only signed links from Prolific"),
    "expired": (lambda: signed(exp=int(time.time()) - 60), "This link has expired"),
    "other study": (lambda: signed(prolific=_named(STUDY_ID="other")), "for another study"),
    "no study": (lambda: signed(prolific=_named(STUDY_ID=None)), "for another study"),
    "no ids": (lambda: signed(prolific=None), "for another study"),
    "ids of another shape": (lambda: signed(prolific=[PERSON]), "for another study"),
    "other site": (lambda: signed(aud="https://elsewhere.example"), "for another study"),
    "site that only ends like ours": (lambda: signed(aud="https://nottestserver"), "for another study"),
    "audience of another shape": (lambda: signed(aud=[7, "https://["]), "for another study"),
    "no audience": (lambda: signed(aud=None), "not Prolific"),
    "no expiry": (lambda: signed(exp=None), "not Prolific"),
    "no session": (lambda: signed(sub=None), "not Prolific"),
    "other issuer": (lambda: signed(iss="https://www.prolific.com.evil.example"), "not Prolific"),
    "no person": (lambda: signed(prolific=_named(PROLIFIC_PID=None)), "match"),
    "person with a space": (lambda: signed(prolific=_named(PROLIFIC_PID="5f1d 2e3c")), "match"),
    "two sessions": (lambda: signed(prolific=_named(SESSION_ID="another")), "match"),
    "none": (lambda: jwt.encode(claims(), "", algorithm="none", headers={"kid": "first"}), "not Prolific"),
    "HS256 with the public key": (_forged_with_the_public_key, "not Prolific"),
    "other key": (lambda: signed(key="second"), "not Prolific"),
    "other key of the same id": (lambda: signed(key="second", key_id="first"), "not Prolific"),
    "no key id": (lambda: jwt.encode(claims(), private_key("first"), algorithm="RS256"), "not Prolific"),
    "RS512": (
        lambda: jwt.encode(claims(), private_key("first"), algorithm="RS512", headers={"kid": "first"}),
        "not Prolific",
    ),
    "changed": (lambda: signed()[:-6] + "AAAAAA", "not Prolific"),
    "garbage": (lambda: "garbage", "not Prolific"),
    "dots": (lambda: "a.b.c", "not Prolific"),
    "letters": (lambda: "ä.é.\x00", "not Prolific"),
    "very long": (lambda: "x" * 60_000, "not Prolific"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_token_gets_one_sentence_and_lets_nobody_in(name: str) -> None:
    make, sentence = BAD[name]
    study, token = a_signed_study(), make()
    for response in (come(Client(), address(study, token, **IDS)), Client().post(address(study, token, **IDS))):
        assert response.status_code == 403
        assert sentence in response.context["sentence"]
        assert response.context["sentence"].count(".") <= 2
        assert "lab@example.org" in response.text
    assert not Participation.objects.exists()


@pytest.mark.parametrize("name", IDS)
def test_plain_id_that_differs_from_the_signed_one_lets_nobody_in(name: str) -> None:
    response = come(Client(), address(a_signed_study(), signed(), **{**IDS, name: "another"}))
    assert response.status_code == 403
    assert "match" in response.context["sentence"]


def test_plain_ids_with_spaces_around_them_are_still_the_same() -> None:
    response = come(Client(), address(a_signed_study(), f" {signed()} ", PROLIFIC_PID=f"{PERSON} "))
    assert here(response).endswith("/consent/")


def test_plain_arrival_at_a_study_that_requires_no_signature_counts_as_unverified() -> None:
    study = a_study_of("slider")
    come(Client(), address(study, **arrival()))
    assert not Participation.objects.get().is_verified


def test_signed_person_comes_back_and_once_alone() -> None:
    study = a_signed_study()
    first = here(come(Client(), address(study, signed())))
    assert here(come(Client(), address(study, signed()))) == first
    again = come(Client(), address(study, signed(sub="later", prolific=_named(SESSION_ID="later"))))
    assert again.status_code == 403
    assert "You have taken part in this study before." in again.text


def test_signed_link_leads_to_the_persons_own_ending_with_its_code() -> None:
    study = a_signed_study()
    declined = Client().post(here(come(Client(), address(study, signed()))), {"consent": "no"}, follow=True)
    assert "cc=NOCON45" in declined.text
    again = come(Client(), address(study, signed()))
    assert here(again).endswith("/done/")
    assert "cc=NOCON45" in again.text


def test_signed_person_is_not_limited_by_the_network() -> None:
    study = a_signed_study(unverified_per_hour=0)
    assert here(come(Client(), address(study, signed()))).endswith("/consent/")


def test_impostor_of_before_the_signature_was_required_shuts_nobody_out() -> None:
    study = a_study_of("slider")
    come(Client(), address(study, **{**IDS, "SESSION_ID": "invented"}))
    Study.objects.filter(pk=study.pk).update(requires_signed_entry=True, platform_study_id=STUDY_ID)
    assert here(come(Client(), address(study, signed()))).endswith("/consent/")
    assert [person.is_verified for person in Participation.objects.order_by("pk")] == [False, True]


def test_keys_out_of_reach_make_people_wait_and_let_nobody_in(
    prolific: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, prolific.status = a_signed_study(), 500
    where = address(study, signed(), **IDS)
    for response in (Client().get(where), Client().post(where)):
        assert response.status_code == 503
        assert response.headers["Retry-After"] == "60"
        assert "can't be checked with Prolific at the moment" in response.context["sentence"]
        assert f'href="{where.replace("&", "&amp;")}"' in response.text
    assert prolific.asked == 1, "a server in trouble is not asked for each arrival"
    assert not Participation.objects.exists()

    prolific.status = 200
    passes(monkeypatch, seconds=11)
    assert here(come(Client(), where)).endswith("/consent/")


@pytest.mark.parametrize(
    "answer", [b"", b"<html>", b"[]", b'{"keys": 7}', b'{"keys": [{"kid": "first", "kty": "RSA"}]}']
)
def test_answer_without_keys_is_out_of_reach(answer: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StandIn, "answer", lambda _self: answer)
    assert Client().get(address(a_signed_study(), signed())).status_code == 503


def test_nobody_waits_for_another_who_asks_while_prolific_is_out_of_reach(
    prolific: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, prolific.status = a_signed_study(), 500
    assert Client().get(address(study, signed())).status_code == 503
    passes(monkeypatch, seconds=11)
    keys = prolific_keys.keys_at(prolific.url)
    with keys._lock:  # as if another thread were asking, and had no answer yet
        assert Client().get(address(study, signed())).status_code == 503
    assert prolific.asked == 1


def test_nobody_listening_is_out_of_reach(settings: Any) -> None:
    settings.PROLIFIC_JWKS_URL = "http://127.0.0.1:9/jwks.json"
    assert Client().get(address(a_signed_study(), signed())).status_code == 503


def passes(monkeypatch: pytest.MonkeyPatch, *, seconds: float) -> None:
    now = time.monotonic() + seconds
    monkeypatch.setattr(prolific_keys, "time", type("Clock", (), {"monotonic": staticmethod(lambda: now)}))


def test_new_key_is_fetched_and_unknown_ones_once_a_minute(prolific: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    study = a_signed_study()
    for _ in range(3):
        assert Client().get(address(study, signed())).status_code == 200
    assert prolific.asked == 1

    prolific.key_names = ["second"]
    assert Client().get(address(study, signed(key="second"))).status_code == 403
    assert prolific.asked == 1, "not more often than once a minute"
    passes(monkeypatch, seconds=61)
    assert Client().get(address(study, signed(key="second"))).status_code == 200
    for number in range(5):
        assert Client().get(address(study, signed(key="second", key_id=f"unknown{number}"))).status_code == 403
    assert prolific.asked == 2
    assert Client().get(address(study, signed())).status_code == 403, "a key that was withdrawn is good no more"


def test_known_keys_serve_on_while_prolific_is_out_of_reach(prolific: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    study = a_signed_study()
    assert Client().get(address(study, signed())).status_code == 200
    prolific.status = 500
    passes(monkeypatch, seconds=25 * 3600)
    assert Client().get(address(study, signed())).status_code == 200
    assert prolific.asked == 2
    assert Client().get(address(study, signed(key="second"))).status_code == 503


def test_token_without_its_algorithm_asks_prolific_nothing(prolific: StandIn) -> None:
    study = a_signed_study()
    for token in ("garbage", _forged_with_the_public_key()):
        Client().get(address(study, token))
    assert prolific.asked == 0


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_keys_are_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    fetched, found = prolific_keys._fetched_json, []

    def watched(url: str) -> Any:
        found.append(connection.in_atomic_block)
        return fetched(url)

    monkeypatch.setattr(prolific_keys, "_fetched_json", watched)
    study = a_signed_study()
    assert Client().post(address(study, signed())).status_code == 302
    assert found == [False]


def test_other_platforms_require_no_signature() -> None:
    from django.db import IntegrityError, transaction

    for changes in ({"platform": "mturk"}, {"platform_study_id": ""}):
        study = a_signed_study()
        with pytest.raises(IntegrityError), transaction.atomic():
            Study.objects.filter(pk=study.pk).update(**changes)
