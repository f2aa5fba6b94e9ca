"""Lists by cursor: a page costs the same wherever it is, and no row is given twice or passed over between two pages."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import TypedDict, TypeVar

from django.db.models import Model, QuerySet
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

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
