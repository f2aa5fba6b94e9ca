"""Personal tokens: made on a page and shown once, with scopes, an end and a last use; nothing else signs in."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from agreement.errors import Refused
from annotation.accounts.api_tokens import is_own_token
from annotation.accounts.researcher_accounts import create_token, revoke_token
from annotation.models import AccountEntry, ApiToken, Role
from tests.factories import a_study
from tests.integration.annotation.api.scripts import V1, Script
from tests.integration.researchers import a_researcher, signed_in

pytestmark = pytest.mark.django_db


def status_of(script: Script, path: str = "me/") -> int:
    return int(script.get(path).status_code)


def test_page_shows_a_new_token_once_and_stores_its_hash() -> None:
    user = a_researcher()
    client = signed_in(user)
    shown = client.post(
        "/admin/tokens/", {"name": "laptop", "days": "30", "scopes": ["read", "write"]}
    ).content.decode()
    token = ApiToken.objects.get()
    text = next(part for part in shown.split('"') if part.startswith("tst_"))
    assert is_own_token(text)
    assert text not in client.get("/admin/tokens/").content.decode()
    assert text not in str(ApiToken.objects.values())
    assert token.scopes == ["read", "write"]
    assert Client().get(f"{V1}me/", headers={"Authorization": f"Bearer {text}"}).status_code == 200
    assert AccountEntry.objects.filter(user=user, action="token-made").count() == 1


@pytest.mark.parametrize(("field", "value"), [("name", ""), ("scopes", []), ("scopes", ["all"]), ("days", "5000")])
def test_page_refuses_a_token_without_what_it_needs(field: str, value: Any) -> None:
    client = signed_in(a_researcher())
    form = {"name": "laptop", "days": "30", "scopes": ["read"], field: value}
    assert client.post("/admin/tokens/", form).status_code == 422
    assert not ApiToken.objects.exists()


def test_last_use_is_noted_to_the_minute() -> None:
    script = Script(a_researcher())
    assert status_of(script) == 200
    first = ApiToken.objects.get().last_used_at
    assert first is not None
    assert status_of(script) == 200
    assert ApiToken.objects.get().last_used_at == first


def test_revoked_expired_and_orphaned_tokens_sign_in_nobody() -> None:
    revoked, expired, orphaned, made_up = (Script(a_researcher()) for _ in range(4))
    assert revoke_token(token=revoked.token, by=revoked.token.user)
    assert not revoke_token(token=revoked.token, by=revoked.token.user)
    ApiToken.objects.filter(pk=expired.token.pk).update(expires_at=timezone.now() - dt.timedelta(seconds=1))
    orphaned.token.user.is_active = False
    orphaned.token.user.save()
    made_up.text = made_up.text[:-1] + ("0" if made_up.text[-1] != "0" else "1")
    for script in (revoked, expired, orphaned, made_up):
        answer = script.get("me/")
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_researcher_revokes_their_own_and_an_administrator_anybodys() -> None:
    own, other = Script(a_researcher()), a_researcher()
    assert signed_in(other).post(f"/admin/tokens/{own.token.pk}/revoke/").status_code == 404
    assert signed_in(a_researcher(is_superuser=True)).post(f"/admin/tokens/{own.token.pk}/revoke/").status_code == 302
    assert status_of(own) == 401


def test_sessions_and_passwords_do_not_sign_in() -> None:
    assert signed_in(a_researcher()).get(f"{V1}me/").status_code == 401
    assert Client().get(f"{V1}me/", headers={"Authorization": "Basic cm9vdDpyb290"}).status_code == 401
    assert Client().get(f"{V1}me/").status_code == 401


def test_no_page_of_another_site_may_ask() -> None:
    answer = Script(a_researcher()).get("me/", headers={"Origin": "https://example.org"})
    assert not [name for name in answer.headers if name.startswith("Access-Control")]


def test_tokens_end_within_a_year_and_are_limited_in_number() -> None:
    user = a_researcher()
    with pytest.raises(Refused, match="366 days"):
        create_token(user=user, name="x", scopes=["read"], lives=dt.timedelta(days=367))
    for number in range(50):
        create_token(user=user, name=f"t{number}", scopes=["read"], lives=dt.timedelta(days=1))
    with pytest.raises(Refused, match="50 tokens"):
        create_token(user=user, name="one more", scopes=["read"], lives=dt.timedelta(days=1))


def test_others_studies_are_not_there_and_a_viewers_role_holds() -> None:
    study, stranger, viewer = a_study(owner=a_researcher()), a_researcher(), a_researcher()
    Role.objects.create(study=study, user=viewer, level="viewer")
    assert status_of(Script(stranger), f"studies/{study.slug}/") == 404
    assert status_of(Script(stranger), "studies/nothing-of-that-name/") == 404
    assert status_of(Script(viewer), f"studies/{study.slug}/") == 200
    assert Script(viewer).post(f"studies/{study.slug}/status/", {"to": "paused"}).status_code == 403


def test_too_many_requests_wait(settings: Any) -> None:
    settings.API_READS_PER_MINUTE = 2
    script = Script(a_researcher())
    assert [status_of(script) for _ in range(3)] == [200, 200, 429]
    answer = script.get("me/")
    assert int(answer.headers["Retry-After"]) > 0
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("text", ["tst_made-up", "", "revoked"])
def test_requests_with_a_bad_token_are_limited_by_network(text: str, settings: Any) -> None:
    settings.API_VISITS_PER_MINUTE = 3
    if text == "revoked":
        script = Script(a_researcher())
        revoke_token(token=script.token, by=script.token.user)
        text = script.text

    def ask(address: str) -> int:
        return Client(REMOTE_ADDR=address).get(f"{V1}me/", headers={"Authorization": f"Bearer {text}"}).status_code

    assert [ask(f"2001:db8:0:7::{number}") for number in range(1, 5)] == [401, 401, 401, 429]
    assert [ask("2001:db8:0:8::1"), ask("192.0.2.7")] == [401, 401]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("me/?colour=red", "colour"), ("studies/?statsu=live", "statsu"), ("studies/{slug}/?cursor=x", "cursor"),
        ("studies/{slug}/items/?kind=target&limits=3", "limits"), ("studies/{slug}/judgments/?Since=x", "Since"),
        ("studies/{slug}/exports/gold/?only-kept=true", "only-kept"),
    ],
)  # fmt: skip
def test_a_parameter_that_an_address_does_not_know_is_refused_by_name(path: str, name: str) -> None:
    script = Script(a_researcher())
    study = a_study(owner=script.token.user)
    answer = script.get(path.format(slug=study.slug))
    assert answer.status_code == 422, answer.content
    assert [error["field"] for error in answer.json()["errors"]] == [name]
    assert "There is no such parameter here" in answer.json()["detail"]


def test_a_parameter_of_reading_is_not_one_of_changing() -> None:
    script = Script(a_researcher())
    assert script.post("studies/?limit=3", {"slug": "a", "preset": "typicality"}).status_code == 422
    assert script.ask("HEAD", "studies/?limit=3").status_code == 200
