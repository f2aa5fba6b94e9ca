"""Who answered "I can't see the picture", and at how many items: no judgments, and no ground for anything by itself."""

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef

from annotation.models import AssignedItem, Item, Judgment, Payment, Study

MANY = 0.5


@dataclass(frozen=True, slots=True)
class SawLittle:
    """A person who could not see the pictures of so many of the items that they answered."""

    pk: int
    pseudonym: str
    unseen: int
    items: int


def unseen_by_participation(study: Study) -> dict[int, int]:
    """How many items each participation could not see, by its key; nobody who saw them all."""
    unseen = Judgment.objects.of_study(study.pk).could_not_be_seen().order_by()
    return dict(unseen.values_list("assigned_item__participation").annotate(items=Count("pk")))


def paid_for_little(study: Study) -> list[SawLittle]:
    """Of those who finished and whose payment is open, who could not see half of the pictures or more."""
    unseen = unseen_by_participation(study)
    if not unseen:
        return []
    open_payments = Payment.objects.open().filter(participation__study=study, participation__in=list(unseen))
    finished = open_payments.filter(participation__finished_at__isnull=False)
    people = dict(finished.values_list("participation", "participation__pseudonym"))
    items = _answered(people)
    found = [SawLittle(pk, people[pk], unseen[pk], items[pk]) for pk in people if unseen[pk] >= MANY * items[pk]]
    return sorted(found, key=lambda one: (-one.unseen / one.items, one.pseudonym))


def _answered(people: dict[int, str]) -> dict[int, int]:
    """How many items each participation answered in any way, without practice."""
    given = AssignedItem.objects.filter(Exists(Judgment.objects.filter(assigned_item=OuterRef("pk"))))
    theirs = given.filter(participation__in=list(people)).exclude(item__kind=Item.Kind.PRACTICE).order_by()
    return dict(theirs.values_list("participation").annotate(items=Count("pk")))
