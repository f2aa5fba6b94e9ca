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
