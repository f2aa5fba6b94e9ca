"""Links that let people in without a platform, made and revoked; and whether a link or a study can take one more."""

import ipaddress

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from agreement.errors import Refused
from annotation.models import AssignedItem, AuditEntry, EntryLink, Judgment, OpenEntry, Participation, Study, User
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
        _record_change(study, by, {"invitations": count, "note": note})
    return links


def make_open_link(
    *, study: Study, capacity: int | None, most_per_hour: int = 20, note: str = "", by: User | None = None
) -> EntryLink:
    with transaction.atomic():
        link = EntryLink.objects.create(
            study=study, kind=EntryLink.Kind.OPEN, note=note, capacity=capacity, most_per_hour=most_per_hour
        )
        _record_change(study, by, {"open link": link.pk, "capacity": capacity, "note": note})
    return link


def revoke_link(*, link: EntryLink, by: User | None = None) -> bool:
    """Nobody new comes in by it; who is in already can go on. Revoking twice changes nothing."""
    with transaction.atomic():
        is_first = EntryLink.objects.filter(pk=link.pk, revoked_at__isnull=True).update(revoked_at=timezone.now()) == 1
        if is_first:
            _record_change(link.study, by, {"revoked link": link.pk, "note": link.note})
    return is_first


def _record_change(study: Study, by: User | None, detail: dict[str, object]) -> None:
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


# Whether a person who is about to begin finds the study taken: by its capacity, or by others of the same network.

# From which network a request came, as a digest that names nobody and can't be joined with another day's.

# One household or machine has a whole /64 of IPv6, and changes its address within it at will.
IPV6_NETWORK = 64


def network_of(request: HttpRequest) -> str:
    """The digest of an IPv4 address, or of an IPv6 address's /64; nothing where the server doesn't tell."""
    text = request.META.get("REMOTE_ADDR", "")
    if settings.BEHIND_PROXY:
        # The last one is what our own proxy has seen; those before it anybody can make up.
        text = request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip() or text
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or ipaddress.ip_network((address, IPV6_NETWORK), strict=False).network_address
    today = timezone.now().date().isoformat()
    return salted_hmac("touchstone.network", f"{today} {address}", algorithm="sha256").hexdigest()


# Whether there is room for one more.

# That share of the people whom a network may send in an hour may begin at once, however few places there are: whoever
# raises the limit for a class says that its people may begin together.
SHARE_AT_ONCE = 5


def is_full(person: Participation) -> bool:
    """Whether all that a study or an open link takes are at work or have finished; called under the study's lock.

    It is asked here once more, because nobody counts for long who has not begun.
    """
    others = Participation.objects.exclude(pk=person.pk).finished_or_at_work()
    study, link = person.study, person.entry_link
    if study.capacity is not None and others.filter(study=study).count() >= study.capacity:
        return True
    if link is None or link.kind != EntryLink.Kind.OPEN or link.capacity is None:
        return False
    return others.filter(entry_link=link).count() >= link.capacity


def has_network_taken_half(person: Participation) -> bool:
    """Whether unverified people of this person's network, none of whom has answered anything yet, would hold more than
    half of the places that are left; called under the study's lock.

    One program can pretend to be twenty people who take everything and answer nothing.
    """
    entry = person.open_entries.order_by("-pk").first()
    if person.is_verified or entry is None:
        return False
    per_hour = person.entry_link.most_per_hour if person.entry_link else person.study.unverified_per_hour
    at_once = max(1, per_hour // SHARE_AT_ONCE)
    entries = OpenEntry.objects.filter(Q(study=person.study) | Q(link__study=person.study), network=entry.network)
    # Numbers first: joined in one query, a database without statistics compares every place with every answer.
    entered = set(entries.exclude(participation=None).values_list("participation", flat=True)) - {person.pk}
    if len(entered) < at_once:
        return False
    answered = Judgment.objects.filter(assigned_item__participation=OuterRef("pk"))
    silent = Participation.objects.filter(~Exists(answered), pk__in=entered, study=person.study)
    held_places = AssignedItem.objects.filter(
        participation__in=list(silent.values_list("pk", flat=True)), slot__isnull=False, released_at__isnull=True
    )
    if held_places.values("participation").distinct().count() < at_once:
        return False
    # held + want <= (held + open) / 2, without counting a million open places
    needed = held_places.count() + 2 * person.study.items_per_assignment
    return person.study.open_places.order_by()[:needed].count() < needed
