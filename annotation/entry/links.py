"""Links that let people into a study without a platform: invitations for one person each, and open ones; revoking."""

from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from agreement.errors import Refused
from annotation.models import AuditEntry, EntryLink, Study, User
from annotation.platforms import PLATFORMS

MOST_AT_ONCE = 1000


def make_invitations(*, study: Study, count: int, note: str = "", by: User | None = None) -> list[EntryLink]:
    """Links for one person each; what is recorded says how many, never the tokens."""
    if not 1 <= count <= MOST_AT_ONCE:
        raise Refused(f"{count} invitations can't be created at once: choose a number from 1 to {MOST_AT_ONCE}.")
    with transaction.atomic():
        links = EntryLink.objects.bulk_create(
            EntryLink(study=study, kind=EntryLink.Kind.INVITATION, note=note, capacity=1) for _ in range(count)
        )
        _record(study, by, {"invitations": count, "note": note})
    return links


def make_open_link(
    *, study: Study, capacity: int | None, most_per_hour: int = 20, note: str = "", by: User | None = None
) -> EntryLink:
    with transaction.atomic():
        link = EntryLink.objects.create(
            study=study, kind=EntryLink.Kind.OPEN, note=note, capacity=capacity, most_per_hour=most_per_hour
        )
        _record(study, by, {"open link": link.pk, "capacity": capacity, "note": note})
    return link


def revoke_link(*, link: EntryLink, by: User | None = None) -> bool:
    """Nobody new comes in by it; who is in already can go on. Revoking twice changes nothing."""
    with transaction.atomic():
        is_first = EntryLink.objects.filter(pk=link.pk, revoked_at__isnull=True).update(revoked_at=timezone.now()) == 1
        if is_first:
            _record(link.study, by, {"revoked link": link.pk, "note": link.note})
    return is_first


def _record(study: Study, by: User | None, detail: dict[str, object]) -> None:
    AuditEntry.objects.create(study=study, by=by, action=AuditEntry.Action.CHANGED, detail=detail)


def platform_url(request: HttpRequest, study: Study) -> str:
    """The address for the platform, with its placeholders as they are; empty where links are our own."""
    platform = PLATFORMS[study.platform]
    if platform.own_links:
        return ""
    address = request.build_absolute_uri(reverse("annotation:take", args=[study.slug]))
    return f"{address}?{platform.link_query}" if platform.link_query else address


def address_of(request: HttpRequest, link: EntryLink) -> str:
    return request.build_absolute_uri(reverse("annotation:join", args=[link.token]))
