"""A person judges: gets an assignment, saves answers, finishes."""

import datetime as dt
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.allocation import claim_places, items_by_kind
from annotation.answers import Answer, Circumstances
from annotation.errors import TouchstoneError
from annotation.mixing import generator, mixed, shuffled
from annotation.models import AssignedItem, Assignment, Item, Judgment, Participation, Study
from annotation.saving import Saved, asked, store

# Others may hold the last places for the milliseconds of their own claim: look again before saying that none is left.
LOOKS = 3


class NothingLeft(TouchstoneError):
    """There is nothing more for this person to judge in this study."""


class Unanswered(TouchstoneError):
    """Not every question has an answer yet; `positions` says which."""

    def __init__(self, positions: list[int]) -> None:
        self.positions = positions
        super().__init__(_("Some questions have no answer yet."))


def open_assignment(*, participation: Participation) -> Assignment:
    """The person's open assignment, or a new one with places claimed for it."""
    for _look in range(LOOKS):
        existing = participation.assignments.filter(status=Assignment.Status.OPEN).first()
        if existing:
            return existing
        try:
            with transaction.atomic():
                return _claim(participation)
        except IntegrityError:
            continue  # two tabs asked at once: the constraint let one through, and the next look finds it
        except NothingLeft:
            if not participation.study.open_places.exists():
                raise
    raise NothingLeft(_("There is nothing left to judge in this study. Thank you."))


def _claim(participation: Participation) -> Assignment:
    study = participation.study
    number = participation.assignments.count() + 1
    if number > study.assignments_a_worker:
        raise NothingLeft(_("You have judged all that one person may judge in this study. Thank you."))
    assignment = Assignment.objects.create(
        participation=participation,
        number=number,
        expires_at=timezone.now() + dt.timedelta(minutes=study.minutes_allowed),
    )
    places = dict(claim_places(participation=participation, want=study.items_an_assignment))
    if not places:
        raise NothingLeft(_("There is nothing left to judge in this study. Thank you."))
    order = _order(participation, number, list(places))
    AssignedItem.objects.bulk_create(_assigned(assignment, study, order, places))
    return assignment


def _order(participation: Participation, number: int, targets: list[int]) -> list[int]:
    """Practice first, then the targets with the checks of this assignment among them."""
    study, seed = participation.study, participation.seed
    had = set(participation.assigned_items.values_list("item__pk", flat=True))
    checks: list[int] = []
    for quota in study.check_quotas.order_by("check_name"):
        named = [pk for pk, name in items_by_kind(study, Item.Kind.CHECK) if name == quota.check_name and pk not in had]
        checks += shuffled(named, generator(seed, f"check {quota.check_name} {number}"))[: quota.an_assignment]
    practice = [pk for pk, _name in items_by_kind(study, Item.Kind.PRACTICE) if pk not in had]
    shuffled_targets = shuffled(sorted(targets), generator(seed, f"items {number}"))
    shuffled_checks = shuffled(checks, generator(seed, f"checks {number}"))
    return practice + mixed(shuffled_targets, shuffled_checks, generator(seed, f"mix {number}"))


def _assigned(assignment: Assignment, study: Study, order: list[int], places: dict[int, int]) -> list[AssignedItem]:
    participation = assignment.participation
    flips = generator(participation.seed, f"flips {assignment.number}")
    return [
        AssignedItem(
            assignment=assignment,
            participation=participation,
            item_id=item,
            slot=places.get(item),
            position=position,
            is_direction_reversed=_flipped(
                study.scale_direction, drawn=flips.random(), is_turn=participation.is_direction_reversed
            ),
            is_word_order_swapped=_flipped(
                study.word_order, drawn=flips.random(), is_turn=participation.is_word_order_swapped
            ),
        )
        for position, item in enumerate(order, start=1)
    ]


def _flipped(order: str, *, drawn: float, is_turn: bool) -> bool:
    ways = {Study.Order.FIXED: False, Study.Order.COUNTERBALANCED: is_turn, Study.Order.RANDOM: drawn < 0.5}
    return ways[Study.Order(order)]


def save_answer(
    *,
    assignment_uuid: UUID,
    token_version: int,
    position: int,
    client_key: UUID,
    answer: Answer,
    circumstances: Circumstances,
) -> Saved:
    """Stores an answer that has been checked against its question; sent again with the same key it changes nothing."""
    question = asked(assignment_uuid=assignment_uuid, token_version=token_version, position=position)
    return store(question=question, client_key=client_key, answer=answer, circumstances=circumstances)


def finish(*, assignment: Assignment) -> Participation:
    """Ends an assignment whose every question has an answer; finishing twice changes nothing."""
    now = timezone.now()
    participation = assignment.participation
    answered = Judgment.objects.filter(assigned_item=OuterRef("pk"))
    missing = (
        assignment.assigned_items.filter(~Exists(answered)).order_by("position").values_list("position", flat=True)
    )
    with transaction.atomic():
        if positions := list(missing):
            raise Unanswered(positions)
        # Compare-and-set, so that a double click finishes once. An expired one may finish too: late, thanked, payable.
        unfinished = Assignment.objects.filter(pk=assignment.pk).exclude(status=Assignment.Status.SUBMITTED)
        if unfinished.update(status=Assignment.Status.SUBMITTED, ended_at=now):
            Participation.objects.filter(pk=participation.pk, status=Participation.Status.WORKING).update(
                status=Participation.Status.FINISHED, finished_at=now, ended_at=now
            )
    participation.refresh_from_db()
    return participation
