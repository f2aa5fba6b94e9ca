"""Whether a person who is about to begin finds the study taken: by its capacity, or by others of the same network."""

from django.db.models import Exists, OuterRef, Q

from annotation.models import AssignedItem, EntryLink, Judgment, OpenEntry, Participation

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
    per_hour = person.entry_link.most_an_hour if person.entry_link else person.study.unverified_per_hour
    at_once = max(1, per_hour // SHARE_AT_ONCE)
    entries = OpenEntry.objects.filter(Q(study=person.study) | Q(link__study=person.study), network=entry.network)
    # Numbers first: joined in one query, a database without statistics compares every place with every answer.
    came = set(entries.exclude(participation=None).values_list("participation", flat=True)) - {person.pk}
    if len(came) < at_once:
        return False
    answered = Judgment.objects.filter(assigned_item__participation=OuterRef("pk"))
    silent = Participation.objects.filter(~Exists(answered), pk__in=came, study=person.study)
    held = AssignedItem.objects.filter(
        participation__in=list(silent.values_list("pk", flat=True)), slot__isnull=False, released_at__isnull=True
    )
    if held.values("participation").distinct().count() < at_once:
        return False
    # held + want <= (held + open) / 2, without counting a million open places
    needed = held.count() + 2 * person.study.items_an_assignment
    return person.study.open_places.order_by()[:needed].count() < needed
