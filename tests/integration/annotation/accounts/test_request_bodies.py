"""Large bodies and files are refused by their headers before a byte is read, but from researchers and with tokens."""

from typing import Any, NoReturn

import pytest
from django.test import Client

from annotation.models import User
from tests.addresses import routes
from tests.integration.annotation.answering.views.people import a_study_of, begin, links_of, save

pytestmark = pytest.mark.django_db
FORM, PARTS = "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"
ALL = [route.replace("{}", "1") for route in routes() if not route.startswith("/admin/")]
SCRIPTS = [path for path in ALL if path.startswith("/api/")]
PUBLIC = [path for path in ALL if path not in SCRIPTS]


class Unreadable:
    """A body that somebody has announced and that must not be waited for."""

    def read(self, *_: object) -> NoReturn:
        raise AssertionError("the body was read")

    readline = __iter__ = read


def announced(client: Client, path: str, content_type: str, length: int, **headers: Any) -> Any:
    client.cookies["csrftoken"] = "x" * 32  # with one, the check of a form's token would look into the body
    body: dict[str, Any] = {"wsgi.input": Unreadable(), "CONTENT_LENGTH": str(length), **headers}
    return client.generic("POST", path, b"-", content_type=content_type, **body)


def test_large_body_is_refused_unread_with_a_sentence(subtests: pytest.Subtests) -> None:
    assert PUBLIC
    for path in PUBLIC:
        with subtests.test(path=path):
            response = announced(Client(enforce_csrf_checks=True), path, FORM, 1_000_001, HTTP_ACCEPT="text/html,*/*")
            assert response.status_code == 413
            assert "What you sent is larger than this page accepts." in response.text
            assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize("content_type", [PARTS, "Multipart/Mixed; boundary=x"])
def test_files_are_refused_unread_with_a_sentence(content_type: str, subtests: pytest.Subtests) -> None:
    assert PUBLIC
    for path in PUBLIC:
        with subtests.test(path=path):
            response = announced(Client(enforce_csrf_checks=True), path, content_type, 100, HTTP_ACCEPT="text/html,*/*")
            assert response.status_code == 415
            assert "This page accepts no files." in response.text


@pytest.mark.parametrize(
    ("content_type", "length"), [(FORM, 300_000_000), (PARTS, 100), ("application/json", 3_000_000)]
)
def test_api_reads_nothing_of_who_has_no_token(content_type: str, length: int, subtests: pytest.Subtests) -> None:
    assert SCRIPTS
    for path in SCRIPTS:
        with subtests.test(path=path):
            response = announced(Client(), path, content_type, length)
            assert response.status_code in {401, 404, 405, 413, 429}


@pytest.mark.parametrize("length", ["9" * 30, "1" + "0" * 5000])
def test_length_of_many_digits_is_too_large(length: str) -> None:
    response = announced(Client(), "/join/x/", FORM, 0, CONTENT_LENGTH=length)
    assert response.status_code == 413


@pytest.mark.parametrize("length", ["", "-5", "ten", "²"])
def test_length_that_is_no_number_is_an_empty_body(length: str) -> None:
    assert announced(Client(), "/join/x/", FORM, 0, CONTENT_LENGTH=length).status_code == 404


@pytest.mark.parametrize("where", ["/", "/save/", "/finish/"])
def test_files_for_an_assignment_are_refused_and_its_answers_stay(client: Client, where: str) -> None:
    study = a_study_of("slider")
    address = begin(client, study)
    assert save(client, address, number="5").status_code == 200
    link = links_of(study.participations.get())["assignment"].rstrip("/")

    assert announced(client, link + where, PARTS, 100_000_000).status_code in {413, 415}
    assert save(client, address, position=2, number="6").json()["saved"] is True


def test_refusal_speaks_the_browsers_language_and_a_script_reads_json(client: Client) -> None:
    response = announced(client, "/a/x/save/", PARTS, 10, HTTP_ACCEPT="*/*", HTTP_ACCEPT_LANGUAGE="de")
    assert response.json() == {"saved": False, "sentence": "Diese Seite nimmt keine Dateien an."}


@pytest.mark.parametrize("path", ["/admin/login/", "/admin/", "/admin/annotation/study/1/import-items/"])
def test_researchers_pages_take_files_of_those_who_are_signed_in_alone(path: str, client: Client) -> None:
    assert announced(client, path, PARTS, 100).status_code == 415
    assert announced(client, path, FORM, 2_000_000).status_code == 413

    client.force_login(User.objects.create_superuser("researcher"))
    with pytest.raises(AssertionError, match="the body was read"):
        announced(client, "/admin/annotation/study/add/", PARTS, 100)
