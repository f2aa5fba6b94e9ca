"""Direct: people come by an invitation or an open link of our own, and leave with a code where there is one."""

import secrets
from collections.abc import Mapping

from django.utils.translation import gettext as _

from annotation.models import EntryLink
from annotation.platforms.shape import Arrival, BadArrival, Ending, Handback, Platform


def _arrive(parameters: Mapping[str, str]) -> Arrival:  # noqa: ARG001  every platform is asked the same way
    raise BadArrival(_("This study is open to invited people only. Please use the link that you were sent."))


def arrive_by_link(link: EntryLink) -> Arrival:
    """An invitation names one person, who may come back by it; an open link makes somebody new of everyone."""
    if link.kind == EntryLink.Kind.INVITATION:
        return Arrival(platform_id=f"invitation:{link.pk}")
    return Arrival(platform_id=f"open:{secrets.token_urlsafe(18)}")


def _end(handback: Handback) -> Ending:
    return Ending(code=handback.code, link=handback.finish_url)


DIRECT = Platform("", _arrive, _end)
