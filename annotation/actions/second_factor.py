"""A researcher's second factor: set up, checked at log-in, removed, reset by an administrator."""

import secrets
import time
from base64 import b32encode

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from annotation.errors import Refused
from annotation.models import AccountEntry, RecoveryCode, SecondFactor, User
from annotation.totp import DIGITS, secret_of, step_of

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
    step = step_of(secret_of(nonce), tidy(code), time.time())
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
    given = tidy(code)
    if len(given) == DIGITS and given.isdecimal():
        step = step_of(secret_of(factor.nonce), given, time.time())
        # The race: a code that was read over a shoulder is sent twice at once. One update finds the older step.
        older = SecondFactor.objects.filter(pk=factor.pk, last_step__lt=-1 if step is None else step)
        return step is not None and older.update(last_step=step) == 1
    with transaction.atomic():
        unused = RecoveryCode.objects.filter(factor=factor, digest=_digest(given), used_at__isnull=True)
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


def tidy(code: str) -> str:
    """A code as it is compared: apps show it in two groups, people write it in capitals or not."""
    return "".join(code.split()).replace("-", "").upper()


def _new_recovery_code() -> str:
    text = b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode()
    return "-".join(text[start : start + 4] for start in range(0, len(text), 4))


def _digest(code: str) -> str:
    return salted_hmac("touchstone.recovery-code", tidy(code), algorithm="sha256").hexdigest()
