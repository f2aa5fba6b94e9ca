"""Requests with an idempotency key: begun once, finished with their answer, or forgotten where they failed."""

from collections.abc import Mapping

from django.db import IntegrityError, transaction

from agreement.errors import Refused, TouchstoneError
from annotation.models import IdempotencyKey, User


class StillUnderWay(TouchstoneError):
    """The first request with this key has not ended, or its process died: nobody knows whether it took effect."""


def begin_once(*, user: User, key: str, request: str) -> tuple[IdempotencyKey, bool]:
    """The key's row, and whether this request is the first that brings it and is to be carried out.

    The race: a script sends the same request twice at once. The constraint lets one of them store the row.
    """
    try:
        with transaction.atomic():
            return IdempotencyKey.objects.create(user=user, key=key, request=request), True
    except IntegrityError:
        begun = IdempotencyKey.objects.filter(user=user, key=key).first()
    if begun is None:  # the first one failed at this moment
        return begin_once(user=user, key=key, request=request)
    if begun.request != request:
        raise Refused("This idempotency key was used for another request: give each request a key of its own.")
    if begun.status is None:
        raise StillUnderWay(
            f"A request with this idempotency key began at {begun.created_at:%H:%M:%S} UTC and has not ended. Wait; if"
            " it still hasn't after some minutes, look whether it took effect before you send it with another key."
        )
    return begun, False


def finish_once(*, begun: IdempotencyKey, status: int, answer: Mapping[str, object]) -> None:
    IdempotencyKey.objects.filter(pk=begun.pk).update(status=status, answer=answer)


def forget_once(*, begun: IdempotencyKey) -> None:
    """The request changed nothing: it may come again, mended, with the same key."""
    IdempotencyKey.objects.filter(pk=begun.pk, status=None).delete()
