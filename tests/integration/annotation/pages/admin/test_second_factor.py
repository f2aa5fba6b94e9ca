"""The second factor: set up with an app, asked for at log-in, replaced by recovery codes, removed and reset."""

import re
import time
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from agreement.errors import Refused
from annotation.accounts import researcher_accounts
from annotation.accounts.researcher_accounts import (
    MOST_PER_ACCOUNT,
    check_code,
    code_at,
    new_nonce,
    secret_of,
    set_second_factor,
)
from annotation.models import AccountEntry, LogInAttempt, RecoveryCode, SecondFactor, User
from annotation.pages.admin import log_in
from tests.integration.annotation.at_once import at_once
from tests.integration.researchers import a_researcher, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.both, pytest.mark.concurrent]
PAGE, PASSWORD = "/admin/second-factor/", "wall-nut-tree-9"


class Clock:
    """The time that codes are checked at, moved by hand."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def time(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(researcher_accounts, "time", clock)
    return clock


def code_now(nonce: str, clock: Clock) -> str:
    return code_at(secret_of(nonce), int(clock.now // 30))


def with_factor(clock: Clock) -> tuple[User, str, list[str]]:
    """A researcher, the app's nonce, and the recovery codes; and a minute later."""
    user, nonce = a_researcher(), new_nonce()
    codes = set_second_factor(user=user, nonce=nonce, code=code_now(nonce, clock))
    clock.now += 60
    return user, nonce, codes


def password_given(user: User) -> tuple[Client, Any]:
    client = Client()
    return client, client.post(reverse("admin:login"), {"username": str(user), "password": PASSWORD}, follow=True)


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def actions_of(user: User) -> list[str]:
    return list(AccountEntry.objects.filter(user=user).order_by("pk").values_list("action", flat=True))


def test_page_shows_a_key_and_sets_up_with_the_apps_code(clock: Clock) -> None:
    user = a_researcher()
    client = signed_in(user)
    page = client.get(PAGE)
    assert "<svg" in page.text
    nonce = client.session["second_factor_nonce"]
    assert re.sub(r"\s", "", re.findall(r"Key: <code>(.*?)</code>", page.text)[0]) in page.context["secret"].replace(
        " ", ""
    )
    done = client.post(PAGE, {"code": code_now(nonce, clock)})
    codes = re.findall(r"<li><code>([A-Z2-7-]+)</code></li>", done.text)
    assert len(codes) == len(set(codes)) == 10
    assert actions_of(user) == ["factor-set"]
    again = client.get(PAGE)
    assert "10 of your recovery codes are unused" in again.text
    assert not any(code in again.text for code in codes)


def test_wrong_first_code_sets_nothing_up_and_keeps_the_key(clock: Clock) -> None:
    client = signed_in(a_researcher())
    client.get(PAGE)
    nonce = client.session["second_factor_nonce"]
    page = client.post(PAGE, {"code": "000000" if code_now(nonce, clock) != "000000" else "000001"})
    assert "That is not the code which the app shows now." in page.text
    assert client.session["second_factor_nonce"] == nonce
    assert not SecondFactor.objects.exists()


def test_neither_secret_nor_recovery_codes_are_stored(clock: Clock) -> None:
    _user, nonce, codes = with_factor(clock)
    stored = str([*SecondFactor.objects.values(), *RecoveryCode.objects.values()])
    assert secret_of(nonce).hex() not in stored
    assert not any(code in stored or code.replace("-", "") in stored for code in codes)


def test_second_set_up_is_refused(clock: Clock) -> None:
    user, _nonce, _codes = with_factor(clock)
    other = new_nonce()
    with pytest.raises(Refused, match="remove that one first"):
        set_second_factor(user=user, nonce=other, code=code_now(other, clock))
    assert RecoveryCode.objects.count() == 10


def test_log_in_asks_for_the_code_and_lets_nobody_in_before(clock: Clock) -> None:
    user, nonce, _codes = with_factor(clock)
    client, page = password_given(user)
    assert page.redirect_chain == [(reverse("log_in_code"), 302)]
    assert not is_in(client)
    assert client.get(reverse("admin:index")).status_code == 302
    answer = client.post(reverse("log_in_code"), {"code": code_now(nonce, clock)})
    assert answer.headers["Location"] == reverse("admin:index")
    assert is_in(client)
    outcomes = LogInAttempt.objects.order_by("pk").values_list("outcome", flat=True)
    assert list(outcomes) == ["code-asked", "logged-in"]


def test_log_in_goes_on_to_where_the_person_wanted(clock: Clock) -> None:
    user, nonce, _codes = with_factor(clock)
    client, wanted = Client(), reverse("agreement:index")
    client.post(f"{reverse('admin:login')}?next={wanted}", {"username": str(user), "password": PASSWORD})
    answer = client.post(reverse("log_in_code"), {"code": code_now(nonce, clock)})
    assert answer.headers["Location"] == wanted


def test_code_page_without_a_password_leads_back_to_log_in(clock: Clock) -> None:
    user, nonce, _codes = with_factor(clock)
    for answer in (Client().get(reverse("log_in_code")), Client().post(reverse("log_in_code"), {"code": "1"})):
        assert answer.headers["Location"].startswith(reverse("admin:login"))
    client, _page = password_given(user)
    session = client.session
    session[log_in.PENDING] = {**session[log_in.PENDING], "at": time.time() - log_in.PENDING_SECONDS - 1}
    session.save()
    late = client.post(reverse("log_in_code"), {"code": code_now(nonce, clock)}, follow=True)
    assert "You then have five minutes to enter the code" in late.text
    assert not is_in(client)


def test_password_changed_meanwhile_ends_the_pending_log_in(clock: Clock) -> None:
    user, nonce, _codes = with_factor(clock)
    client, _page = password_given(user)
    user.set_password("another-tree-7")
    user.save()
    client.post(reverse("log_in_code"), {"code": code_now(nonce, clock)})
    assert not is_in(client)


def test_researcher_made_inactive_meanwhile_is_not_let_in(clock: Clock) -> None:
    user, nonce, _codes = with_factor(clock)
    client, _page = password_given(user)
    User.objects.filter(pk=user.pk).update(is_active=False)
    client.post(reverse("log_in_code"), {"code": code_now(nonce, clock)})
    assert not is_in(client)


def test_code_works_once(clock: Clock) -> None:
    user, nonce, _codes = with_factor(clock)
    code = code_now(nonce, clock)
    assert [check_code(user=user, code=code) for _ in range(2)] == [True, False]
    clock.now += 30
    assert not check_code(user=user, code=code)
    assert check_code(user=user, code=code_now(nonce, clock))


def test_code_that_set_it_up_does_not_log_in(clock: Clock) -> None:
    user, nonce = a_researcher(), new_nonce()
    code = code_now(nonce, clock)
    set_second_factor(user=user, nonce=nonce, code=code)
    assert not check_code(user=user, code=code)


def test_code_is_taken_in_groups_and_recovery_code_in_small_letters(clock: Clock) -> None:
    user, nonce, codes = with_factor(clock)
    code = code_now(nonce, clock)
    assert check_code(user=user, code=f" {code[:3]} {code[3:]}")
    assert check_code(user=user, code=codes[0].lower().replace("-", " "))


def test_recovery_code_logs_in_once_and_is_recorded(clock: Clock) -> None:
    user, _nonce, codes = with_factor(clock)
    for is_first in (True, False):
        client, _page = password_given(user)
        client.post(reverse("log_in_code"), {"code": codes[0]})
        assert is_in(client) == is_first
    assert actions_of(user) == ["factor-set", "code-used"]


def test_recovery_code_of_another_person_does_not_work(clock: Clock) -> None:
    user, _nonce, _codes = with_factor(clock)
    _other, _other_nonce, others = with_factor(clock)
    assert not check_code(user=user, code=others[0])


def test_wrong_codes_lock_the_account_though_the_password_was_right(clock: Clock) -> None:
    user, nonce, _codes = with_factor(clock)
    for _ in range(MOST_PER_ACCOUNT):
        client, _page = password_given(user)
        page = client.post(reverse("log_in_code"), {"code": "12345"})
        assert "That is not the code" in page.text
    assert password_given(user)[1].status_code == 429
    refused = client.post(reverse("log_in_code"), {"code": code_now(nonce, clock)})
    assert refused.status_code == 429
    assert "Too many failed log-ins for this account" in refused.text
    assert not is_in(client)


def test_removing_takes_a_code_and_is_recorded(clock: Clock) -> None:
    user, nonce, _codes = with_factor(clock)
    client = signed_in(user)
    assert client.post(f"{PAGE}remove/", {"code": "12345"}).status_code == 422
    assert SecondFactor.objects.exists()
    client.post(f"{PAGE}remove/", {"code": code_now(nonce, clock)})
    assert not SecondFactor.objects.exists()
    assert not RecoveryCode.objects.exists()
    assert actions_of(user) == ["factor-set", "factor-removed"]
    assert is_in(password_given(user)[0])


def test_removing_is_held_to_the_limits_of_log_ins(clock: Clock) -> None:
    user, nonce, _codes = with_factor(clock)
    client = signed_in(user)
    for _ in range(MOST_PER_ACCOUNT):
        client.post(f"{PAGE}remove/", {"code": "12345"})
    assert client.post(f"{PAGE}remove/", {"code": code_now(nonce, clock)}).status_code == 429
    assert SecondFactor.objects.exists()


def test_administrator_resets_and_it_is_recorded(clock: Clock) -> None:
    user, _nonce, _codes = with_factor(clock)
    chief = a_researcher(is_superuser=True)
    asked = {"action": "reset_second_factors", "_selected_action": [user.pk]}
    signed_in(chief).post(reverse("admin:annotation_user_changelist"), asked)
    entry = AccountEntry.objects.get(action="factor-reset")
    assert (entry.user, entry.by) == (user, chief)
    assert is_in(password_given(user)[0])


def test_command_resets(clock: Clock) -> None:
    user, _nonce, _codes = with_factor(clock)
    out = StringIO()
    call_command("unlock_log_in", str(user), "--second-factor", stdout=out)
    assert "The second factor is removed." in out.getvalue()
    assert is_in(password_given(user)[0])


def test_record_of_accounts_can_not_be_changed(clock: Clock) -> None:
    with_factor(clock)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        AccountEntry.objects.update(action="unlocked")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        AccountEntry.objects.all().delete()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["app", "recovery"])
def test_code_sent_twice_at_once_works_once(kind: str, clock: Clock) -> None:
    user, nonce, codes = with_factor(clock)
    code, got = (code_now(nonce, clock) if kind == "app" else codes[0]), []
    assert at_once(*[lambda: got.append(check_code(user=user, code=code))] * 6) == []
    assert sorted(got) == [False] * 5 + [True]
