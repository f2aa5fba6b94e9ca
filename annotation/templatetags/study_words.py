"""Filters that write a share and a length of time as people read them."""

import datetime as dt

from django import template

register = template.Library()


@register.filter
def per_cent(share: float) -> str:
    """A share from 0 to 1.

    >>> per_cent(0.4567)
    '45.7%'
    """
    return f"{100 * share:.3g}%"


@register.filter
def number(value: float | None, digits: int) -> str:
    """A number with so many decimals; a dash where there is none.

    >>> number(1234.567, 1), number(0.5, 2), number(None, 0)
    ('1,234.6', '0.50', '–')
    """
    return "–" if value is None else f"{value:,.{digits}f}"


@register.filter
def signed(value: float | None) -> str:
    """By how much something changes, with three decimals and its sign.

    >>> signed(0.1694), signed(-0.02), signed(0.00001), signed(None)
    ('+0.169', '−0.020', '±0.000', '–')
    """
    if value is None:
        return "–"
    sign = "±" if abs(value) < 0.0005 else "+" if value > 0 else "−"
    return f"{sign}{abs(value):.3f}"


@register.filter
def share(value: float) -> str:
    """A share as a length in a drawing: with a point, whatever the language."""
    return f"{value:.4f}"


@register.filter
def duration(time: dt.timedelta) -> str:
    """Minutes and seconds, or hours and minutes.

    >>> duration(dt.timedelta(seconds=192))
    '3 min 12 s'
    """
    seconds = round(time.total_seconds())
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60:02d} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60:02d} min"
