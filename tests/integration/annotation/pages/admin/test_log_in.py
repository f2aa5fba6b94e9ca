"""Logging in: how many attempts are checked, what is kept of them, and what each is told."""

import datetime as dt
import re
import threading
from base64 import b64encode
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth import hashers
from django.core.management import call_command
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone
from rest_framework.views import APIView

from annotation.accounts.researcher_accounts import (
    MOST_FROM_ANYWHERE,
    MOST_PER_ACCOUNT,
    MOST_PER_NETWORK,
    Lockout,
    begin_attempt,
    end_attempt,
    unlock_account,
)
from annotation.models import AccountEntry, LogInAttempt, User
from annotation.pages.admin import log_in
from annotation.people.retention import purge
from tests.integration.annotation.at_once import at_once
from tests.integration.researchers import a_researcher, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.both, pytest.mark.concurrent]
Outcome = LogInAttempt.Outcome
PASSWORD, WRONG = "wall-nut-tree-9", "wrong"


def try_to_log_in(user: User | str, password: str = WRONG, **headers: str) -> Any:
    given = {"username": str(user), "password": password}
    return Client().post(reverse("admin:login"), given, **headers)  # type: ignore[arg-type]


def is_in(response: Any) -> bool:
    return bool(response.status_code == 302 and response.headers["Location"] == reverse("admin:index"))


def later(**by: float) -> None:
    """As if so much time had passed since every attempt."""
    for attempt in LogInAttempt.objects.all():
        LogInAttempt.objects.filter(pk=attempt.pk).update(at=attempt.at - dt.timedelta(**by))


def test_right_password_logs_in_and_is_recorded() -> None:
    user = a_researcher()
    assert is_in(try_to_log_in(user, PASSWORD))
    attempt = LogInAttempt.objects.get()
    assert (attempt.user, attempt.outcome) == (user, Outcome.LOGGED_IN)


def test_account_is_locked_after_ten_failures_even_for_the_right_password() -> None:
    user = a_researcher()
    for _ in range(MOST_PER_ACCOUNT):
        assert try_to_log_in(user).status_code == 200
    refused = try_to_log_in(user, PASSWORD)
    assert refused.status_code == 429
    assert "Too many failed log-ins for this account: wait 15 minutes and try again" in refused.text
    assert 850 < int(refused.headers["Retry-After"]) <= 900
    assert LogInAttempt.objects.count() == MOST_PER_ACCOUNT  # what is not checked fills no table


def test_who_mistypes_a_name_elsewhere_locks_nobody_out() -> None:
    user = a_researcher()
    for _ in range(MOST_PER_ACCOUNT + 1):
        try_to_log_in(user, REMOTE_ADDR="198.51.100.7")
    assert try_to_log_in(user, PASSWORD, REMOTE_ADDR="198.51.100.7").status_code == 429
    assert is_in(try_to_log_in(user, PASSWORD))


def test_account_is_locked_everywhere_after_a_hundred_failures_from_many_networks() -> None:
    user = a_researcher()
    for number in range(MOST_FROM_ANYWHERE):
        assert try_to_log_in(user, REMOTE_ADDR=f"198.51.100.{number}").status_code == 200
    assert try_to_log_in(user, PASSWORD).status_code == 429


def test_lock_ends_after_the_time_that_was_named() -> None:
    user = a_researcher()
    for _ in range(MOST_PER_ACCOUNT):
        try_to_log_in(user)
    later(minutes=14)
    refused = try_to_log_in(user, PASSWORD)
    assert "wait 1 minute and" in refused.text
    later(minutes=1)
    assert is_in(try_to_log_in(user, PASSWORD))


def test_name_that_nobody_has_is_locked_alike() -> None:
    for _ in range(MOST_PER_ACCOUNT):
        assert try_to_log_in("hunter2-typed-as-a-name").status_code == 200
    assert try_to_log_in("hunter2-typed-as-a-name").status_code == 429
    attempt = LogInAttempt.objects.first()
    assert attempt is not None
    assert attempt.user is None
    assert "hunter2" not in str(LogInAttempt.objects.values())


def test_network_is_locked_over_all_accounts_and_others_are_not() -> None:
    user = a_researcher()
    for number in range(MOST_PER_NETWORK):
        assert try_to_log_in(f"name-{number}").status_code == 200
    refused = try_to_log_in(user, PASSWORD)
    assert refused.status_code == 429
    assert "from your network" in refused.text
    assert is_in(try_to_log_in(user, PASSWORD, REMOTE_ADDR="198.51.100.7"))


def test_network_behind_a_proxy_is_what_the_proxy_saw(settings: Any) -> None:
    """The last address of X-Forwarded-For; those before it anybody can make up."""
    settings.BEHIND_PROXY = True
    for number in range(MOST_PER_NETWORK):
        try_to_log_in(f"name-{number}", HTTP_X_FORWARDED_FOR=f"203.0.113.{number}, 198.51.100.7")
    assert try_to_log_in("name", HTTP_X_FORWARDED_FOR="192.0.2.1, 198.51.100.7").status_code == 429
    assert try_to_log_in("name", HTTP_X_FORWARDED_FOR="198.51.100.7, 192.0.2.1").status_code == 200


def test_log_in_that_works_forgives_its_own_account_alone() -> None:
    mine, other = a_researcher(), a_researcher()
    for user in (mine, other):
        for _ in range(MOST_PER_ACCOUNT - 1):
            try_to_log_in(user)
    assert is_in(try_to_log_in(mine, PASSWORD))
    assert try_to_log_in(mine).status_code == 200
    try_to_log_in(other)
    assert try_to_log_in(other, PASSWORD).status_code == 429


def test_accounts_in_other_letters_are_the_same_as_the_form_holds_them() -> None:
    """The form takes "ﬁ" for "fi" and drops spaces at the ends: so does the count."""
    User.objects.create_user("fig", password=PASSWORD, is_staff=True)
    for _ in range(MOST_PER_ACCOUNT):
        try_to_log_in("ﬁg")
    assert try_to_log_in(" fig ", PASSWORD).status_code == 429


def test_empty_or_impossible_form_is_no_attempt() -> None:
    for name, password in (("", "x"), ("x", ""), ("a\0b", "x")):
        assert Client().post(reverse("admin:login"), {"username": name, "password": password}).status_code == 200
    assert not LogInAttempt.objects.exists()


@pytest.fixture
def hashing(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Each time a password was hashed."""
    times: list[int] = []
    encode = hashers.MD5PasswordHasher.encode

    def counted(*args: Any, **kwargs: Any) -> Any:
        times.append(1)
        return encode(*args, **kwargs)

    monkeypatch.setattr(hashers.MD5PasswordHasher, "encode", counted)
    return times


def test_locked_attempt_hashes_nothing(hashing: list[int]) -> None:
    user = a_researcher()
    for _ in range(MOST_PER_ACCOUNT):
        try_to_log_in(user)
    assert hashing
    hashing.clear()
    assert try_to_log_in(user, PASSWORD).status_code == 429
    assert hashing == []


def test_attempt_beside_another_is_turned_away_before_hashing(hashing: list[int]) -> None:
    user = a_researcher()
    hashing.clear()
    with log_in.hashing_slot():
        refused = try_to_log_in(user, PASSWORD)
    assert (refused.status_code, refused.headers["Retry-After"], hashing) == (429, "2", [])
    assert log_in.BUSY in refused.text
    assert not LogInAttempt.objects.exists()
    assert is_in(try_to_log_in(user, PASSWORD))


def test_slot_is_free_again_after_a_failure() -> None:
    user = a_researcher()
    for _ in range(3):
        assert try_to_log_in(user).status_code == 200


def test_basic_authentication_checks_no_password(hashing: list[int]) -> None:
    """An interface that took HTTP Basic would tell right passwords from wrong ones, past the limits of the page."""
    a_researcher()
    hashing.clear()
    for password in ("wrong", PASSWORD):
        header = {"HTTP_AUTHORIZATION": "Basic " + b64encode(f"x:{password}".encode()).decode()}
        assert APIView.as_view()(RequestFactory().get("/", **header)).status_code == 401  # type: ignore[arg-type]
    assert hashing == []


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level("WARNING"):
        yield caplog


def test_failure_is_logged_without_the_password(said: pytest.LogCaptureFixture) -> None:
    user = a_researcher()
    try_to_log_in(user, "open-sesame-7")
    try_to_log_in("typed-in-the-wrong-field")
    assert re.search(rf"failed log-in as '{user}': wrong password \(network [0-9a-f]{{8}}\)", said.text)
    assert "failed log-in as a name that nobody has" in said.text
    assert "open-sesame-7" not in said.text
    assert "typed-in-the-wrong-field" not in said.text


def test_administrator_reads_the_record_and_unlocks() -> None:
    user, chief = a_researcher(), a_researcher(is_superuser=True)
    for _ in range(MOST_PER_ACCOUNT):
        try_to_log_in(user)
    client = signed_in(chief)
    assert "Wrong name or password" in client.get(reverse("admin:annotation_loginattempt_changelist")).text
    asked = {"action": "unlock_log_in", "_selected_action": [user.pk]}
    page = client.post(reverse("admin:annotation_user_changelist"), asked, follow=True)
    assert f"{user} can log in again: 10 failed log-ins are no longer counted." in page.text
    entry = AccountEntry.objects.get()
    assert (entry.user, entry.by, entry.action) == (user, chief, "unlocked")
    assert is_in(try_to_log_in(user, PASSWORD))


@pytest.mark.parametrize("section", ["annotation_loginattempt", "annotation_accountentry"])
def test_records_are_for_superusers_alone(section: str) -> None:
    unlock_account(user=a_researcher(), by=None)
    assert signed_in(a_researcher()).get(reverse(f"admin:{section}_changelist")).status_code == 403
    assert signed_in(a_researcher(is_superuser=True)).get(reverse(f"admin:{section}_changelist")).status_code == 200


def test_command_unlocks() -> None:
    user, out = a_researcher(), StringIO()
    for _ in range(MOST_PER_ACCOUNT):
        try_to_log_in(user)
    call_command("unlock_log_in", str(user), stdout=out)
    assert out.getvalue().strip() == f"{user} can log in again: 10 failed log-ins are no longer counted."
    assert is_in(try_to_log_in(user, PASSWORD))


def test_command_says_who_is_not_there() -> None:
    err = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("unlock_log_in", "nobody-here", stderr=err)
    assert ended.value.code == 1
    assert "There is no researcher 'nobody-here'" in err.getvalue()


def test_attempts_are_purged_after_ninety_days() -> None:
    old = begin_attempt(name="a", network="n")
    assert isinstance(old, LogInAttempt)
    LogInAttempt.objects.update(at=timezone.now() - dt.timedelta(days=91))
    begin_attempt(name="b", network="n")
    purge(now=timezone.now())
    assert list(LogInAttempt.objects.values_list("pk", flat=True)) != [old.pk]
    assert LogInAttempt.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_forty_attempts_at_once_check_no_more_than_ten() -> None:
    """Whatever the site's processes and threads are: each row is there before the rows are counted."""
    got: list[LogInAttempt | Lockout] = []
    lock = threading.Lock()

    def attempt() -> None:
        one = begin_attempt(name="somebody", network="")
        with lock:
            got.append(one)

    assert at_once(*[attempt] * 40) == []
    assert len(got) == 40
    assert sum(isinstance(one, LogInAttempt) for one in got) <= MOST_PER_ACCOUNT


def test_attempt_that_never_ended_counts_as_failed() -> None:
    """Else a client that hangs up before the answer has as many tries as it likes."""
    for _ in range(MOST_PER_ACCOUNT):
        assert isinstance(begin_attempt(name="somebody", network=""), LogInAttempt)
    assert isinstance(begin_attempt(name="somebody", network=""), Lockout)


def test_refused_attempts_do_not_lengthen_the_wait() -> None:
    for _ in range(MOST_PER_ACCOUNT):
        attempt = begin_attempt(name="somebody", network="")
        assert isinstance(attempt, LogInAttempt)
        end_attempt(attempt=attempt, outcome=Outcome.WRONG)
    later(minutes=10)
    waits = [begin_attempt(name="somebody", network="") for _ in range(5)]
    assert all(isinstance(wait, Lockout) and wait.seconds <= 300 for wait in waits)


def test_next_page_elsewhere_is_not_followed() -> None:
    user = a_researcher()
    given = {"username": str(user), "password": PASSWORD, "next": "https://evil.example/"}
    assert is_in(Client().post(reverse("admin:login"), given))
    given["next"] = reverse("agreement:index")
    assert Client().post(reverse("admin:login"), given).headers["Location"] == reverse("agreement:index")
