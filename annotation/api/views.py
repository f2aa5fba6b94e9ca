"""What every view of the API does: the token, its scopes, the limits and the role first; lists by cursor."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import ClassVar, TypedDict, TypeVar, cast

from django.db.models import Model, QuerySet
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import MethodNotAllowed, NotAuthenticated, ValidationError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.accounts.permissions import Right, right_on, study_or_404
from annotation.api.authentication import PerToken, TokenAuthentication
from annotation.api.parsing import MOST_JSON, Problem, StrictJson, refuse_too_large
from annotation.api.schema import query_parameters
from annotation.models import ApiToken, Scope, Study, User

READS = {"GET", "HEAD"}
QUESTION = OpenApiParameter("question", str, description="Its name, which is wanted where the study has several.")


class OneAnswer(BaseContentNegotiation):
    """The API has one form of answer at each address, whatever a client says that it takes."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        content_type = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == content_type), None)

    def select_renderer(
        self,
        request: Request,  # noqa: ARG002
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,  # noqa: ARG002
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, str(first.media_type)


class ApiView(APIView):
    authentication_classes = (TokenAuthentication,)
    permission_classes = ()
    throttle_classes = (PerToken,)
    parser_classes: Sequence[type[BaseParser]] = (StrictJson,)
    content_negotiation_class = OneAnswer
    metadata_class = None
    most_bytes: ClassVar[int] = MOST_JSON
    name: ClassVar[str]  # of its address, and of its operations in the description
    # By method; what isn't named is read with `read` and changed with `write`.
    scopes: ClassVar[Mapping[str, Scope]] = {}

    def initial(self, request: Request, *_args: object, **_kwargs: object) -> None:
        self.format_kwarg = None
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)
        try:
            self.perform_authentication(request)
        finally:
            self.check_throttles(request)  # of a token that isn't in force too: as a visitor without one
        if not isinstance(request.auth, ApiToken):
            raise NotAuthenticated("Send a token: Authorization: Bearer tst_…")
        method = request.method or ""
        if not hasattr(self, method.lower()) or method == "OPTIONS":
            raise MethodNotAllowed(method)
        self.refuse_missing(self.scope_of(method))
        self._refuse_unknown_parameters(request)
        refuse_too_large(request, self.most_bytes)

    def _refuse_unknown_parameters(self, request: Request) -> None:
        """A name that is misspelt would be ignored, and every row taken for those that were asked for."""
        known = query_parameters(getattr(self, (request.method or "").lower()))
        names = ", ".join(known) or "none"
        told = f"There is no such parameter here. The parameters are: {names}."
        if unknown := {name[:100]: [told] for name in request.query_params if name not in known}:
            raise ValidationError(unknown)

    @classmethod
    def scope_of(cls, method: str) -> Scope:
        method = "GET" if method == "HEAD" else method
        return cls.scopes.get(method, Scope.READ if method in READS else Scope.WRITE)

    def refuse_missing(self, scope: Scope) -> None:
        if not self.has_scope(scope):
            raise Problem(HTTPStatus.FORBIDDEN, f"This token doesn't have the scope {scope}.")

    def has_scope(self, scope: Scope) -> bool:
        return scope in cast("ApiToken", self.request.auth).scopes

    @property
    def user(self) -> User:
        return cast("User", self.request.user)


class StudyView(ApiView):
    """An address under a study: for whoever has the right on it; others are not told that there is such a study."""

    rights: ClassVar[Mapping[str, Right]] = {}
    # Whether an address with `question` is about all questions where none is named.
    is_of_all_questions: ClassVar[bool] = False
    study: Study  # as the question that is meant asks it

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        super().initial(request, *args, **kwargs)
        self.study = study_or_404(request.user, self.right_of(request.method or ""), slug=str(kwargs["study"]))
        known = query_parameters(getattr(self, (request.method or "").lower()))
        if QUESTION.name in known and not self.is_of_all_questions:
            self.study = self.study.named(request.query_params.get(QUESTION.name, ""))

    @classmethod
    def right_of(cls, method: str) -> Right:
        method = "GET" if method == "HEAD" else method
        return cls.rights.get(method, Right.LOOK if method in READS else Right.CHANGE)

    def may(self, right: Right) -> bool:
        had = right_on(self.user, self.study)
        return had is not None and had >= right


# Conditional requests: what a client has seen, and whether it is still so.


def etag_of(shown: object) -> str:
    """A strong validator of what is shown, as a header has it."""
    content = json.dumps(shown, sort_keys=True, default=str).encode()
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def with_etag(request: Request, shown: object) -> Response | HttpResponse:
    """The representation under its ETag, or 304 for whoever has it already."""
    etag = etag_of(shown)
    if request.method in READS and _matches(etag, request.headers.get("If-None-Match", "")):
        return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers={"ETag": etag})
    return Response(shown, headers={"ETag": etag})


def tagged(shown: object) -> Response:
    """The representation of what has just been changed, under its new ETag."""
    return Response(shown, headers={"ETag": etag_of(shown)})


def refuse_stale(request: Request, shown: object) -> str:
    """The ETag that the client has seen, which must be that of the thing as it is now."""
    if_match = request.headers.get("If-Match", "")
    if not if_match:
        told = "Send a header If-Match with the ETag that you have read, so that nobody's change is overwritten."
        raise Problem(HTTPStatus.PRECONDITION_REQUIRED, told)
    etag = etag_of(shown)
    if not _matches(etag, if_match):
        raise Problem(HTTPStatus.PRECONDITION_FAILED, "It has been changed since you read it: read it again.")
    return etag


def _matches(etag: str, header: str) -> bool:
    """Whether the header names it; a star stands for whatever is there (RFC 9110)."""
    return bool({etag, "*"} & {one.strip().removeprefix("W/") for one in header.split(",")})


# Lists by cursor: a page costs the same wherever it is, and no row is given twice or passed over between two pages.

LIMIT, MOST = 100, 1_000
LARGEST = 2**63 - 1


def cursor_text(key: int) -> str:
    """A place in a list, as clients carry it: to be handed back, and not to be read."""
    return base64.urlsafe_b64encode(f"k{key}".encode()).decode().rstrip("=")


def key_of_cursor(text: str, name: str = "cursor") -> int:
    try:
        decoded = base64.urlsafe_b64decode((text + "=" * (-len(text) % 4)).encode("ascii", "strict")).decode("ascii")
        key = int(decoded[1:]) if decoded[:1] == "k" and decoded[1:].isdecimal() and len(decoded) <= 20 else None
    except (ValueError, binascii.Error):
        key = None
    if key is None or key > LARGEST:
        raise ValidationError({name: ["This is no cursor that a page of this list has given."]})
    return key


def after(request: Request, name: str = "cursor") -> int | None:
    text = request.query_params.get(name, "")
    return key_of_cursor(text, name) if text else None


def limit_of(request: Request, most: int = MOST) -> int:
    text = request.query_params.get("limit", "")
    if not text:
        return LIMIT
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and 1 <= int(text) <= most):
        raise ValidationError({"limit": [f"Give a whole number from 1 to {most:,}."]})
    return int(text)


SWITCHES = {"": False, "false": False, "true": True}


def switch(request: Request, name: str) -> bool:
    """Whether a part of the address behind the question mark is true."""
    text = request.query_params.get(name, "").lower()
    if text not in SWITCHES:
        raise ValidationError({name: ["Write true or false."]})
    return SWITCHES[text]


Row = TypeVar("Row", bound=Model)


class Page(TypedDict):
    results: object  # the rows as they are shown
    next_cursor: str | None


def page(
    request: Request,
    rows: QuerySet[Row],
    show: Callable[[Sequence[Row]], object],
    *,
    by: str = "pk",
    is_newest_first: bool = False,
) -> Page:
    """One page of rows, in the order of a column that is unique within them."""
    limit, key = limit_of(request), after(request)
    if key is not None:
        rows = rows.filter(**{f"{by}__lt" if is_newest_first else f"{by}__gt": key})
    one_more = list(rows.order_by(f"-{by}" if is_newest_first else by)[: limit + 1])
    shown, has_more = one_more[:limit], len(one_more) > limit
    next_cursor = cursor_text(int(getattr(shown[-1], by))) if has_more else None
    return {"results": show(shown), "next_cursor": next_cursor}
