"""`@column("status", ordering="status", colours={...})`: what a list or a page shows of a row, under which heading."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


def column(
    heading: str, *, ordering: str = "", colours: Mapping[str, str] | None = None, if_none: str = ""
) -> Callable[[Method], Method]:
    """With colours the method returns (value, words), and the words are shown on the value's colour."""
    attributes = {"short_description": heading, "admin_order_field": ordering, "label": colours}
    if if_none:
        attributes["empty_value_display"] = if_none

    def decorate(method: Method) -> Method:
        for name, value in attributes.items():
            if value:
                setattr(method, name, value)
        if not heading:
            method.short_description = " "  # type: ignore[attr-defined]  # a column of links needs no heading
        return method

    return decorate
