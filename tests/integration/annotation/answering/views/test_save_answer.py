"""The save endpoint: one answer at a time, in two statements, with nothing of the visitor looked up."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import close_old_connections, connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from agreement.kinds.answers import Lines, Options, Writing
from annotation.models import Assignment, Judgment, User
from annotation.web.security import OWN_PAGES
from tests.integration.annotation.answering.views.people import a_picture, a_study_of, base_of, begin, save

pytestmark = [pytest.mark.django_db, pytest.mark.both]
TRANSACTION_WORDS = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")


def test_save_says_saved_and_stores_answer_with_its_circumstances(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    response = save(
        client, address, number="61.5", response_ms="2100", first_touch_ms="900", moves="3", input_kind="touch"
    )
    assert response.json() == {"saved": True}
    judgment = Judgment.objects.get()
    assert (judgment.number, judgment.input_kind) == (61.5, "touch")
    assert (judgment.response_ms, judgment.first_touch_ms, judgment.moves) == (2100, 900, 3)


@pytest.mark.parametrize("signed_in", [False, True])
def test_save_takes_two_statements_and_looks_up_no_session_or_user(client: Client, *, signed_in: bool) -> None:
    address = begin(client, a_study_of("slider"))
    if signed_in:
        client.force_login(User.objects.create_superuser("researcher"))
    with CaptureQueriesContext(
        connection,
    ) as context:
        assert save(client, address, number="50").status_code == 200
    statements = [query["sql"] for query in context if not query["sql"].startswith(TRANSACTION_WORDS)]
    assert len(statements) == 2, statements
    assert not any("session" in sql or "annotation_user" in sql for sql in statements)


def test_save_sets_no_cookie(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    assert not save(client, address, number="50").cookies
    assert not client.cookies


def test_same_key_twice_is_one_answer(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    key = str(uuid4())
    first = save(client, address, number="50", key=key)
    again = save(client, address, number="50", key=key)
    assert first.json() == again.json()
    assert Judgment.objects.count() == 1


def test_changed_answer_is_a_new_revision(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    save(client, address, number="50")
    assert save(client, address, number="80").json() == {"saved": True}
    assert Judgment.objects.current().get().revision == 2
    assert list(Judgment.objects.order_by("pk").values_list("number", flat=True)) == [50.0, 80.0]


KINDS = [
    ("slider", {"number": "7"}, {"number": 7.0}),
    (
        "sliders",
        {"number:red": "1", "number:green": "2", "number:blue": "3"},
        {"numbers": {"red": 1, "green": 2, "blue": 3}},
    ),
    ("choice", {"label": "red"}, {"label": "red"}),
    ("verify", {"label": "false"}, {"label": "false"}),
    ("choices", {"labels": ["red", "blue"]}, {"labels": ["blue", "red"]}),
    ("list", {"properties": " is green \r\n\r\nhas  leaves\nis green"}, {"properties": ["is green", "has leaves"]}),
    ("text", {"text": "Two ferns.\r\nOne is big."}, {"text": "Two ferns.\nOne is big."}),
]


@pytest.mark.parametrize(("kind", "form", "stored"), KINDS, ids=[kind for kind, *_ in KINDS])
def test_each_kind_is_saved_in_its_own_column(
    client: Client, kind: str, form: dict[str, Any], stored: dict[str, Any]
) -> None:
    address = begin(client, a_study_of(kind))
    assert save(client, address, **form).status_code == 200
    judgment = Judgment.objects.get()
    for column, value in stored.items():
        assert getattr(judgment, column) == value


def as_shown(inputs: object) -> dict[str, Any]:
    """What a browser would send of a page as it stands."""
    match inputs:
        case Lines(lines):
            return {line.name: line.value for line in lines}
        case Options(options):
            chosen = [option.value for option in options if option.is_chosen]
            return {"label": chosen[:1], "labels": chosen}
        case Writing(text):
            return {"text": text, "properties": text}
    raise AssertionError(inputs)


@pytest.mark.parametrize(("kind", "form", "stored"), KINDS, ids=[kind for kind, *_ in KINDS])
def test_each_kind_is_shown_again_and_sent_again_without_change(
    client: Client, kind: str, form: dict[str, Any], stored: dict[str, Any]
) -> None:
    address = begin(client, a_study_of(kind))
    save(client, address, **form)
    page = client.get(address)
    assert page.status_code == 200
    shown = page.context["page"].items[0]
    assert shown.is_answered
    again: dict[str, Any] = {"i1-key": str(uuid4())}
    again |= {f"i1-{name}": values for name, values in as_shown(shown.question.inputs).items()}
    client.post(address, again)
    latest = Judgment.objects.get()  # saying the same again is no new revision
    for column, value in stored.items():
        assert getattr(latest, column) == value


def test_unseen_picture_is_an_answer_of_its_own(client: Client) -> None:
    items = [{"item_id": "one", "fields": {"thing": "fern"}, "image": a_picture()}]
    address = begin(client, a_study_of("choice", items=items))
    assert save(client, address, could_not_see="1").status_code == 200
    assert Judgment.objects.get().could_not_see is True


def test_unseen_is_no_answer_where_there_is_no_picture(client: Client) -> None:
    address = begin(client, a_study_of("choice"))
    assert save(client, address, could_not_see="1").status_code == 422
    assert not Judgment.objects.exists()


def test_untouched_slider_is_no_answer(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    response = save(client, address, number="")
    assert response.status_code == 422
    assert response.json()["field"] == "number"
    assert not Judgment.objects.exists()


def test_untouched_slider_is_the_middle_where_the_study_says_so(client: Client) -> None:
    address = begin(client, a_study_of("slider", slider_start="middle", scale_low=1, scale_high=5))
    assert save(client, address, number="").status_code == 200
    judgment = Judgment.objects.get()
    assert (judgment.number, judgment.is_untouched_middle) == (3.0, True)


def test_slider_moved_to_the_middle_is_not_untouched(client: Client) -> None:
    address = begin(client, a_study_of("slider", slider_start="middle"))
    save(client, address, number="50")
    assert Judgment.objects.get().is_untouched_middle is False


def test_sentences_come_in_the_language_that_the_page_asks_for(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    assert "Bitte" in save(client, address, number="").json()["sentence"]


def test_revoked_version_saves_nothing(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    Assignment.objects.update(token_version=2)
    assert save(client, address, number="50").status_code == 404
    assert client.get(address).status_code == 404
    assert not Judgment.objects.exists()


def test_save_has_the_headers_of_every_page_and_no_cookie(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    response = save(client, address, number="50")
    assert response.headers["Content-Length"] == str(len(response.content))
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert response.headers["Content-Security-Policy"] == OWN_PAGES
    assert "Set-Cookie" not in response.headers


def test_save_needs_no_csrf_token() -> None:
    client = Client(enforce_csrf_checks=True)
    address = begin(client, a_study_of("slider"))
    assert save(client, address, number="50").json() == {"saved": True}


def test_save_checks_the_host_the_method_and_the_address(client: Client) -> None:
    address = base_of(begin(client, a_study_of("slider"))) + "save/"
    assert client.post(address, {"position": 1}, headers={"host": "elsewhere.example"}).status_code == 400
    assert client.get(address).status_code == 405
    assert client.post(address.replace("/save/", "/x/save/")).status_code == 404
    assert Judgment.objects.count() == 0


def test_refusal_is_told_in_the_browsers_language(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    refused = client.post(base_of(address) + "save/", {"position": 1}, headers={"accept-language": "de"})
    assert refused.json()["sentence"].startswith("Diese Antwort kam unvollständig an. Bitte laden Sie die Seite neu")


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_answer_is_saved_though_the_server_has_ended_the_kept_connection(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        ours = cursor.fetchone()[0]
    other = connections.create_connection("default")
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [ours])
    other.close()
    close_old_connections()  # as a request begins, which the test's client leaves out
    assert save(client, address, number="50").json() == {"saved": True}
    assert Judgment.objects.count() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_kept_connection_that_nothing_was_said_on_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    connection.ensure_connection()
    monkeypatch.setattr(
        type(connections["default"]), "is_usable", lambda _self: pytest.fail("asked whether it is usable")
    )
    close_old_connections()  # as a request begins
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
