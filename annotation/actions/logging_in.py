"""Attempts to log in: how many are allowed, what is kept of them, and unlocking."""

import datetime as dt
import logging
import math
import unicodedata
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from annotation.models import AccountEntry, LogInAttempt, User

WORKED = {LogInAttempt.Outcome.LOGGED_IN, LogInAttempt.Outcome.CONFIRMED}
logger = logging.getLogger(__name__)
WINDOW = dt.timedelta(minutes=15)
# A person mistypes now and then; a laboratory behind one address has many persons.
MOST_PER_ACCOUNT = 10
MOST_PER_NETWORK = 40


@dataclass(frozen=True, slots=True)
class Locked:
    """Too many attempts failed: nothing is checked, not even the right password, until the wait is over."""

    wait: dt.timedelta
    is_account: bool

    @property
    def seconds(self) -> int:
        return max(1, math.ceil(self.wait.total_seconds()))

    def __str__(self) -> str:
        minutes = math.ceil(self.seconds / 60)
        whose = "for this account" if self.is_account else "from your network"
        wait = "1 minute" if minutes == 1 else f"{minutes} minutes"
        return f"Too many failed log-ins {whose}: wait {wait} and try again, or ask an administrator to unlock it."


def account_digest(name: str) -> str:
    """A name as log-in forms compare it, whether or not there is such an account."""
    normal = unicodedata.normalize("NFKC", name).strip()
    return salted_hmac("touchstone.account", normal, algorithm="sha256").hexdigest()


def begin_attempt(*, name: str, network: str) -> LogInAttempt | Locked:
    """The row of an attempt that may now be checked, or how long to wait.

    The race: forty attempts at once would all find fewer failures than are allowed, and all be checked. So each row is
    committed before the rows are counted, and counts itself: the one that comes eleventh sees eleven.
    """
    now, account = timezone.now(), account_digest(name)
    if locked := _locked(account, network, now, allowed_before=0):
        return locked
    user = User.objects.filter(username=unicodedata.normalize("NFKC", name).strip()).first()
    attempt = LogInAttempt.objects.create(account=account, network=network, user=user, at=now)
    if locked := _locked(account, network, now, allowed_before=1):
        LogInAttempt.objects.filter(pk=attempt.pk).update(outcome=LogInAttempt.Outcome.REFUSED)
        return locked
    return attempt


def end_attempt(*, attempt: LogInAttempt, outcome: LogInAttempt.Outcome) -> None:
    """Records how an attempt ended. A log-in that worked wipes out what counts against its account, and no other's."""
    now = timezone.now()
    with transaction.atomic():
        LogInAttempt.objects.filter(pk=attempt.pk).update(outcome=outcome)
        if outcome in WORKED:
            _counting(now).filter(account=attempt.account).update(forgiven_at=now)
    if outcome in {LogInAttempt.Outcome.WRONG, LogInAttempt.Outcome.WRONG_CODE}:
        who = repr(attempt.user.get_username()) if attempt.user else "a name that nobody has"
        what = "code" if outcome == LogInAttempt.Outcome.WRONG_CODE else "password"
        logger.warning("failed log-in as %s: wrong %s (network %s)", who, what, attempt.network[:8] or "unknown")


def unlock(*, user: User, by: User | None) -> int:
    """Failed log-ins of this account no longer count, for itself or for a network. Returns how many there were."""
    now = timezone.now()
    with transaction.atomic():
        count = _counting(now).filter(account=account_digest(user.get_username())).update(forgiven_at=now)
        AccountEntry.objects.create(user=user, by=by, action=AccountEntry.Action.UNLOCKED)
    return count


def _counting(now: dt.datetime) -> QuerySet[LogInAttempt]:
    return LogInAttempt.objects.failures_since(now - WINDOW)


def _locked(account: str, network: str, now: dt.datetime, *, allowed_before: int) -> Locked | None:
    """Whether so many failed in the last quarter of an hour that it is not this one's turn; `allowed_before` is 1 where
    the attempt itself is among the rows.
    """
    limits = [(Q(account=account), MOST_PER_ACCOUNT, True)]
    if network:  # else the server doesn't tell, and everybody would share one
        limits.append((Q(network=network), MOST_PER_NETWORK, False))
    for which, most, is_account in limits:
        times = list(_counting(now).filter(which).order_by("-at").values_list("at", flat=True)[: most + allowed_before])
        if len(times) == most + allowed_before:
            return Locked(times[-1] + WINDOW - now, is_account)
    return None
