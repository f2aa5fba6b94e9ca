"""`@once`: a creation with a header `Idempotency-Key` happens once, however often it is sent."""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping
from functools import wraps
from http import HTTPStatus
from typing import TypedDict, TypeVar, cast

from django.core.files.base import File
from django.db import IntegrityError, transaction
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from agreement.errors import Refused, TouchstoneError
from annotation.accounts.permissions import right_on
from annotation.api.parsing import Problem
from annotation.models import ApiToken, IdempotencyKey, Scope, Study, User


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


# `@once`: a creation with a header `Idempotency-Key` happens once, however often it is sent.

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
LONGEST = 200
KEPT_HEADERS = ("Location", "ETag")
SHOWN_ONCE = "It was shown once, in the first answer, and is not kept. If it is lost, delete this and create another."
Method = TypeVar("Method", bound=Callable[..., Response])


class SeenWith(TypedDict, total=False):
    """The token's scopes and the role in the study that an answer was made for."""

    scopes: list[str]
    study: int | None
    right: int | None


def once(*, is_required: bool = False, secrets: Collection[str] = ()) -> Callable[[Method], Method]:
    """`secrets` are the fields of the answer that are shown once: the stored answer has a sentence in their place."""

    def decorate(method: Method) -> Method:
        @wraps(method)
        def answer(view: APIView, request: Request, **parts: object) -> Response:
            key = request.headers.get(HEADER, "")
            if not key and not is_required:
                return method(view, request, **parts)
            _refuse_bad_key(key)
            begun, is_first = begin_once(user=cast("User", request.user), key=key, request=_digest(request))
            if not is_first:
                stored = begun.answer or {}
                _refuse_who_saw_more(request, stored.get("seen_with", {}))
                headers = {**stored.get("headers", {}), REPLAYED: "true"}
                return Response(stored.get("body"), status=begun.status, headers=headers)
            try:
                response = method(view, request, **parts)
            except BaseException:
                forget_once(begun=begun)
                raise
            kept = {name: response.headers[name] for name in KEPT_HEADERS if name in response.headers}
            body = json.loads(json.dumps(response.data, default=str))
            if secrets:
                body |= dict.fromkeys(secrets, SHOWN_ONCE)
            answered = {"body": body, "headers": kept, "seen_with": _seen_with(view, request)}
            finish_once(begun=begun, status=response.status_code, answer=answered)
            return response

        answer.idempotency = "required" if is_required else "optional"  # type: ignore[attr-defined]  # for the schema
        return cast("Method", answer)

    return decorate


def _seen_with(view: APIView, request: Request) -> SeenWith:
    """What the answer was made for: it may hold addresses and codes that not every token and role is shown."""
    study, user = getattr(view, "study", None), cast("User", request.user)
    right = None if study is None else right_on(user, study)
    return {"scopes": _scopes(request), "study": None if study is None else study.pk, "right": right}


def _refuse_who_saw_more(request: Request, seen_with: SeenWith) -> None:
    """The stored answer is for whoever may see no less than was seen when it was given first."""
    lacking = set(seen_with.get("scopes", Scope.values)) - set(_scopes(request))
    study = Study.objects.filter(pk=seen_with.get("study") or 0).first()
    right = None if study is None else right_on(cast("User", request.user), study)
    if lacking or (right or 0) < (seen_with.get("right") or 0):
        told = (
            "This request was carried out already, by a token with more scopes or before your role in the study"
            " changed: its answer is not given again."
        )
        raise Problem(HTTPStatus.FORBIDDEN, told)


def _scopes(request: Request) -> list[str]:
    return list(cast("ApiToken", request.auth).scopes)


def _refuse_bad_key(key: str) -> None:
    if not key:
        told = f"Send a header {HEADER}: a text of your own, new for each request, such as a UUID."
        raise Problem(HTTPStatus.BAD_REQUEST, told)
    if len(key) > LONGEST or not (key.isascii() and key.isprintable()):
        raise Problem(HTTPStatus.BAD_REQUEST, f"{HEADER} has {LONGEST} printable ASCII characters at most.")


def _digest(request: Request) -> str:
    """Of all that was asked; of files, their bytes."""
    digest = hashlib.sha256(f"{request.method} {request.get_full_path()}\n".encode("utf-8", "surrogatepass"))
    _add(digest, request.data)
    return digest.hexdigest()


def _add(digest: "hashlib._Hash", value: object) -> None:
    if isinstance(value, File):
        for chunk in value.chunks():
            digest.update(chunk)
        value.seek(0)
    elif isinstance(value, dict):
        for name in sorted(value):
            digest.update(json.dumps(name).encode())
            _add(digest, value[name])
    elif isinstance(value, list):
        for one in value:
            digest.update(b",")
            _add(digest, one)
    else:
        digest.update(json.dumps(value, default=str).encode())
