"""Researchers' accounts: attempts to log in and their limits, second factors with their codes (RFC 6238), tokens."""

import base64
import datetime as dt
import hashlib
import hmac
import logging
import math
import secrets
import time
import unicodedata
from base64 import b32encode
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from agreement.errors import Refused
from annotation.accounts.api_tokens import digest_of, is_own_token, new_text
from annotation.models import (
    AccountEntry,
    ApiToken,
    IdempotencyKey,
    LogInAttempt,
    RecoveryCode,
    Scope,
    SecondFactor,
    User,
)

STEP_SECONDS = 30
DIGITS = 6
SECRET_BYTES = 20  # RFC 4226, section 4: 160 bits
# A clock that is wrong by half a minute, or a code that was typed slowly, still works.
STEPS_OFF = 1


def secret_of(nonce: str) -> bytes:
    """The secret that an app is given: it follows from SECRET_KEY and a random nonce, so it is stored nowhere."""
    return salted_hmac("touchstone.second-factor", nonce, algorithm="sha256").digest()[:SECRET_BYTES]


def code_at(secret: bytes, step: int, digits: int = DIGITS) -> str:
    """The code of one step.

    >>> code_at(b"12345678901234567890", 59 // STEP_SECONDS, digits=8)  # RFC 6238, appendix B
    '94287082'
    """
    digest = hmac.digest(secret, step.to_bytes(8, "big"), hashlib.sha1)
    offset = digest[-1] & 0xF  # RFC 4226, section 5.3: where the last four bits point to
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**digits).zfill(digits)


def step_of(secret: bytes, code: str, now: float) -> int | None:
    """The step whose code this is, among those that may be meant now; None where it is none of them."""
    current = int(now // STEP_SECONDS)
    steps = range(current - STEPS_OFF, current + STEPS_OFF + 1)
    matching_steps = [step for step in steps if hmac.compare_digest(code_at(secret, step).encode(), code.encode())]
    return matching_steps[-1] if matching_steps else None


def shown_secret(secret: bytes) -> str:
    """As apps take it, for those who can't scan: base32 in groups of four."""
    text = base64.b32encode(secret).decode()
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def address_for_apps(secret: bytes, name: str, site: str) -> str:
    """What the QR code says: the `otpauth` address that all authenticator apps read."""
    query = {"secret": base64.b32encode(secret).decode().rstrip("="), "issuer": site}
    return f"otpauth://totp/{quote(site)}:{quote(name)}?{urlencode(query, quote_via=quote)}"


# Researchers' accounts: attempts to log in and their limits, and the second factor.

# Attempts to log in: how many are allowed, what is kept of them, and unlocking.

WORKED = {LogInAttempt.Outcome.LOGGED_IN, LogInAttempt.Outcome.CONFIRMED}
logger = logging.getLogger(__name__)
WINDOW = dt.timedelta(minutes=15)
# A person mistypes now and then; a laboratory behind one address has many persons. From one network nobody locks an
# account for its owner elsewhere: that takes ten networks.
MOST_PER_ACCOUNT = 10
MOST_PER_NETWORK = 40
MOST_FROM_ANYWHERE = 100


@dataclass(frozen=True, slots=True)
class Lockout:
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


def begin_attempt(*, name: str, network: str) -> LogInAttempt | Lockout:
    """The row of an attempt that may now be checked, or how long to wait.

    The race: forty attempts at once would all find fewer failures than are allowed, and all be checked. So each row is
    committed before the rows are counted, and counts itself: the one that comes eleventh sees eleven.
    """
    now, account = timezone.now(), account_digest(name)
    if locked := _current_lockout(account, network, now, allowed_before=0):
        return locked
    user = User.objects.filter(username=unicodedata.normalize("NFKC", name).strip()).first()
    attempt = LogInAttempt.objects.create(account=account, network=network, user=user, at=now)
    if locked := _current_lockout(account, network, now, allowed_before=1):
        LogInAttempt.objects.filter(pk=attempt.pk).update(outcome=LogInAttempt.Outcome.REFUSED)
        return locked
    return attempt


def attempt_by_provider(*, user: User, network: str) -> LogInAttempt:
    """The row of a log-in that a provider vouches for: it guesses no password, so that no limit holds it back."""
    account = account_digest(user.get_username())
    return LogInAttempt.objects.create(account=account, network=network, user=user, at=timezone.now())


def end_attempt(*, attempt: LogInAttempt, outcome: LogInAttempt.Outcome) -> None:
    """Records how an attempt ended. A log-in that worked wipes out what counts against its account, and no other's."""
    now = timezone.now()
    with transaction.atomic():
        LogInAttempt.objects.filter(pk=attempt.pk).update(outcome=outcome)
        if outcome in WORKED:
            _counting_attempts(now).filter(account=attempt.account).update(forgiven_at=now)
    if outcome in {LogInAttempt.Outcome.WRONG, LogInAttempt.Outcome.WRONG_CODE}:
        who = repr(attempt.user.get_username()) if attempt.user else "a name that nobody has"
        wrong_part = "code" if outcome == LogInAttempt.Outcome.WRONG_CODE else "password"
        logger.warning("failed log-in as %s: wrong %s (network %s)", who, wrong_part, attempt.network[:8] or "unknown")


def unlock_account(*, user: User, by: User | None) -> int:
    """Failed log-ins of this account no longer count, for itself or for a network. Returns how many there were."""
    now = timezone.now()
    with transaction.atomic():
        count = _counting_attempts(now).filter(account=account_digest(user.get_username())).update(forgiven_at=now)
        AccountEntry.objects.create(user=user, by=by, action=AccountEntry.Action.UNLOCKED)
    return count


def _counting_attempts(now: dt.datetime) -> QuerySet[LogInAttempt]:
    return LogInAttempt.objects.failures_since(now - WINDOW)


def _current_lockout(account: str, network: str, now: dt.datetime, *, allowed_before: int) -> Lockout | None:
    """Whether so many failed in the last quarter of an hour that it is not this one's turn; `allowed_before` is 1 where
    the attempt itself is among the rows.
    """
    limits = [
        (Q(account=account, network=network), MOST_PER_ACCOUNT, True),
        (Q(account=account), MOST_FROM_ANYWHERE, True),
    ]
    if network:  # else the server doesn't tell, and everybody would share one
        limits.append((Q(network=network), MOST_PER_NETWORK, False))
    for which, most, is_account in limits:
        times = list(
            _counting_attempts(now).filter(which).order_by("-at").values_list("at", flat=True)[: most + allowed_before]
        )
        if len(times) == most + allowed_before:
            return Lockout(times[-1] + WINDOW - now, is_account)
    return None


# A researcher's second factor: set up, checked at log-in, removed, reset by an administrator.

RECOVERY_CODES = 10
RECOVERY_BYTES = 10  # 80 bits: nobody guesses one, so a plain keyed digest is enough


class WrongCode(Refused):
    """The code is none of those that the app shows at this time, or was used before."""


def new_nonce() -> str:
    return secrets.token_hex(16)


def set_second_factor(*, user: User, nonce: str, code: str) -> list[str]:
    """Has log-in ask for codes from now on, once a code has shown that the app knows the secret.

    Returns the recovery codes, of which only digests are kept.
    """
    step = step_of(secret_of(nonce), normalised_code(code), time.time())
    if step is None:
        raise WrongCode(
            "That is not the code which the app shows now. Check that the clocks of the app and this site agree."
        )
    codes = [_new_recovery_code() for _ in range(RECOVERY_CODES)]
    try:
        with transaction.atomic():
            # The race: two windows set one up at once. The second meets the unique user, and is told.
            factor = SecondFactor.objects.create(user=user, nonce=nonce, last_step=step)
            RecoveryCode.objects.bulk_create(RecoveryCode(factor=factor, digest=_digest(each)) for each in codes)
            AccountEntry.objects.create(user=user, by=user, action=AccountEntry.Action.SECOND_FACTOR_SET)
    except IntegrityError:
        raise Refused("You have set up a second factor already: remove that one first.") from None
    return codes


def check_code(*, user: User, code: str) -> bool:
    """Whether this code logs the person in; a code of the app or a recovery code, and each of them once."""
    factor = SecondFactor.objects.filter(user=user).first()
    if factor is None:
        return False
    tidy_code = normalised_code(code)
    if len(tidy_code) == DIGITS and tidy_code.isdecimal():
        step = step_of(secret_of(factor.nonce), tidy_code, time.time())
        # The race: a code that was read over a shoulder is sent twice at once. One update finds the older step.
        older = SecondFactor.objects.filter(pk=factor.pk, last_step__lt=-1 if step is None else step)
        return step is not None and older.update(last_step=step) == 1
    with transaction.atomic():
        unused = RecoveryCode.objects.filter(factor=factor, digest=_digest(tidy_code), used_at__isnull=True)
        if unused.update(used_at=timezone.now()) != 1:
            return False
        AccountEntry.objects.create(user=user, by=user, action=AccountEntry.Action.RECOVERY_CODE_USED)
    return True


def remove_second_factor(*, user: User, code: str) -> None:
    """By the person alone, with a code: an unattended browser is not enough."""
    with transaction.atomic():
        if not check_code(user=user, code=code):
            raise WrongCode("That is not the code which the app shows now, nor an unused recovery code.")
        SecondFactor.objects.filter(user=user).delete()
        AccountEntry.objects.create(user=user, by=user, action=AccountEntry.Action.SECOND_FACTOR_REMOVED)


def reset_second_factor(*, user: User, by: User | None) -> bool:
    """For who has lost the app and the recovery codes. Says whether there was a second factor."""
    with transaction.atomic():
        deleted, _ = SecondFactor.objects.filter(user=user).delete()
        if deleted:
            AccountEntry.objects.create(user=user, by=by, action=AccountEntry.Action.SECOND_FACTOR_RESET)
    return bool(deleted)


def recovery_codes_left(user: User) -> int:
    return RecoveryCode.objects.filter(factor__user=user, used_at__isnull=True).count()


def normalised_code(code: str) -> str:
    """A code as it is compared: apps show it in two groups, people write it in capitals or not."""
    return "".join(code.split()).replace("-", "").upper()


def _new_recovery_code() -> str:
    text = b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode()
    return "-".join(text[start : start + 4] for start in range(0, len(text), 4))


def _digest(code: str) -> str:
    return salted_hmac("touchstone.recovery-code", normalised_code(code), algorithm="sha256").hexdigest()


# Personal API tokens: made by their researcher, shown once, found by their hash, revoked.

LONGEST = dt.timedelta(days=366)
MOST_IN_FORCE = 50
# So often a token's last use is written down: each writing is a transaction.
NOTED_EVERY = dt.timedelta(minutes=1)
KEYS_KEPT = dt.timedelta(days=2)


def create_token(*, user: User, name: str, scopes: Collection[str], lives: dt.timedelta) -> tuple[ApiToken, str]:
    """The token's row, and its text, which is nowhere else from now on."""
    name = name.strip()
    if not name:
        raise Refused("A token needs a name, so that you can tell what uses it.")
    if unknown := sorted(set(scopes) - set(Scope.values)):
        raise Refused(f"There is no scope {', '.join(unknown)}. The scopes are: {', '.join(Scope.values)}.")
    if not scopes:
        raise Refused("Choose at least one scope: a token without one could do nothing.")
    if not dt.timedelta() < lives <= LONGEST:
        raise Refused(f"A token lives for 1 to {LONGEST.days} days.")
    text = new_text()
    with transaction.atomic():
        # The race: two pages at once would both find room for one more token.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if ApiToken.objects.in_force(timezone.now()).filter(user=user).count() >= MOST_IN_FORCE:
            raise Refused(f"You have {MOST_IN_FORCE} tokens already: revoke some that nothing uses.")
        token = ApiToken.objects.create(
            user=user,
            name=name,
            scopes=[scope for scope in Scope.values if scope in scopes],
            digest=digest_of(text),
            ending=text[-4:],
            expires_at=timezone.now() + lives,
        )
        AccountEntry.objects.create(user=user, by=user, action=AccountEntry.Action.TOKEN_CREATED)
    return token, text


def revoke_token(*, token: ApiToken, by: User) -> bool:
    """It signs in nobody from now on. Says whether it did before; twice changes nothing."""
    with transaction.atomic():
        now = timezone.now()
        is_first = ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=now) == 1
        if is_first:
            AccountEntry.objects.create(user=token.user, by=by, action=AccountEntry.Action.TOKEN_REVOKED)
    return is_first


def token_of(text: str) -> ApiToken | None:
    """The token of that text that is in force, its use noted; None where there is none."""
    if not is_own_token(text):
        return None
    now = timezone.now()
    token = ApiToken.objects.in_force(now).select_related("user").filter(digest=digest_of(text)).first()
    if token is not None and (token.last_used_at is None or now - token.last_used_at >= NOTED_EVERY):
        stale = Q(last_used_at=None) | Q(last_used_at__lte=now - NOTED_EVERY)
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
    return token


def forget_old_keys(*, now: dt.datetime) -> None:
    IdempotencyKey.objects.filter(created_at__lt=now - KEYS_KEPT).delete()
