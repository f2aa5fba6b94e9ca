"""Who judges what next: places are claimed, and given back, and never held twice.

Whoever needs several locks takes them in this order, so that nobody waits for somebody who waits for them: study,
worker, participation, payment, assignment, assigned items by number, open places. Several of one kind are locked by
number. None is held while a person thinks.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterator

import numpy as np
from django.db import connection, transaction
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotation.database.rows import insert_rows
from annotation.models import AssignedItem, Assignment, Judgment, OpenPlace, Participation, Study
from annotation.models.judgment import is_answered
from annotation.models.question import FIRST

# Whose answers given in time hold a place.
COUNTED = (Participation.Status.WORKING, Participation.Status.FINISHED)
# What one call ends at most; whoever calls it calls it again.
PORTION = 500
# After so long without an answer an unverified person's places are open to others.
SILENT_FOR = dt.timedelta(minutes=5)


def hold_status(study_id: int) -> None:
    """Keeps a study's status as it is until the transaction ends; change_status() waits for it, and people don't."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            table = Study._meta.db_table
            cursor.execute(f'SELECT 1 FROM "{table}" WHERE id = %s FOR KEY SHARE', [study_id])  # noqa: S608


def claim_places(*, participation: Participation, want: int, had: set[int], waits: bool = False) -> dict[int, int]:
    """Takes up to `want` open places of items that the person has never `had`: item -> slot, lowest slots first.

    Call it inside a transaction. The race it prevents: two people who come at once take the same place. On PostgreSQL
    the rows are locked and those that another has locked are passed over, or, with `waits`, waited for, because the
    other may not take them in the end; on SQLite transactions are immediate, so the second one waits. The unique
    constraint on (item, slot) stands behind both.
    """
    places: dict[int, tuple[int, int]] = {}  # item -> (open place, slot)
    free = OpenPlace.objects.filter(study=participation.study_id).order_by("slot", "rank", "item_id")
    while len(places) < want:
        others = free.exclude(item__in={*had, *places}).select_for_update(skip_locked=not waits, of=("self",))
        rows = list(others.values_list("pk", "item_id", "slot")[: want - len(places)])
        if not rows:
            break
        for pk, item, slot in rows:
            places.setdefault(item, (pk, slot))
    OpenPlace.objects.filter(pk__in=[pk for pk, _ in places.values()]).delete()
    return {item: slot for item, (_, slot) in places.items()}


def release_places(*, participation: Participation, moment: dt.datetime) -> int:
    """Gives back every place of an excluded or withdrawn person, answered or not."""
    return _release_places(Q(participation=participation), moment)


def release_places_of(*, people: Collection[int], moment: dt.datetime) -> int:
    """The same for several participations, by their numbers."""
    return _release_places(Q(participation__in=people), moment)


def take_back_places(*, participation: Participation, released_at: dt.datetime) -> tuple[int, int]:
    """Gives a person the places back that were released at that moment and that they had filled in time: how many are
    theirs again, and how many answers are beyond the target because others hold all places of their items by now.

    Call it inside a transaction that has locked the participation. Places are changed as little as can be: the same
    one if it is open, else the lowest open one of the item. The race: somebody claims such a place meanwhile; whoever
    locks its row first has it.
    """
    open_unanswered = Q(assignment__status=Assignment.Status.OPEN) & ~is_answered()
    either = AssignedItem.objects.filter(
        _was_answered_in_time() | open_unanswered, participation=participation, released_at=released_at
    )
    _take_back_checks(either)
    theirs = either.filter(slot__isnull=False)
    return _take_back_places(theirs), theirs.filter(_was_answered_in_time()).count()


def _was_answered_in_time() -> Q:
    """Of an assigned item: by its first question, which every answered item of one person has a judgment of."""
    first = Judgment.objects.current().filter(assigned_item=OuterRef("pk"), question=FIRST)
    in_time = first.filter(is_late=False, could_not_see__isnull=True).exclude(no_answer=Judgment.NoAnswer.SKIPPED)
    return is_answered() & Q(Exists(in_time))


def take_up_again(*, assigned_item: int) -> int:
    """A person who was silent answers: takes what is still open of the places that release_silent() gave back.

    The locks are in this file's order. Nothing comes back to who has ended, was excluded or whose time is over.
    """
    mine = Assignment.objects.filter(assigned_items=assigned_item, status=Assignment.Status.OPEN)
    with transaction.atomic():
        person = (
            Participation.objects.select_for_update(no_key=True, of=("self",))
            .select_related("study")
            .get(assigned_items=assigned_item)
        )
        is_pilot_now = person.study.status == Study.Status.PILOTING
        if person.status not in COUNTED or person.set_aside_at is not None or person.is_pilot != is_pilot_now:
            return 0
        assignment = mine.filter(expires_at__gt=timezone.now()).select_for_update(no_key=True, of=("self",)).first()
        if assignment is None:
            return 0
        given_back = AssignedItem.objects.unanswered().filter(assignment=assignment, released_at__isnull=False)
        _take_back_checks(given_back)
        return _take_back_places(given_back.filter(slot__isnull=False))


def _take_back_checks(given_back: QuerySet[AssignedItem]) -> None:
    """Checks and practice have no place that anybody else could have claimed."""
    checks = given_back.filter(slot__isnull=True)
    AssignedItem.objects.filter(pk__in=list(checks.values_list("pk", flat=True))).update(released_at=None)


def _take_back_places(places: QuerySet[AssignedItem]) -> int:
    """Takes back those of these released places that are open, or another of the same item; returns how many."""
    given_up = list(places.order_by("pk").select_for_update(of=("self",), no_key=True).select_related("item__study"))
    open_ones = OpenPlace.objects.filter(item__in=[place.item_id for place in given_up])
    free: dict[int, dict[int, int]] = defaultdict(dict)  # item -> slot -> open place
    for pk, item, slot in open_ones.order_by("pk").select_for_update(of=("self",)).values_list("pk", "item_id", "slot"):
        free[item][slot] = pk
    taken, back = [], []
    for place in given_up:
        slots = free[place.item_id]
        if slots:
            place.slot = place.slot if place.slot in slots else min(slots)
            place.released_at = None
            taken.append(slots.pop(place.slot))
            back.append(place)
    OpenPlace.objects.filter(pk__in=taken).delete()
    AssignedItem.objects.bulk_update(back, ["slot", "released_at"], batch_size=500)
    return len(back)


def answers_beyond_target(study: Study) -> int:
    """Answers given in time by people who count, whose places others hold: the surplus that lifted exclusions left.

    It begins with the few whose exclusion was lifted: to go through all places takes half a second of a million.
    """
    restored = study.participations.filter(
        exclusions__lifted_at__isnull=False, set_aside_at__isnull=True, status__in=COUNTED
    )
    if study.status != Study.Status.PILOTING:
        restored = restored.filter(is_pilot=False)
    people = set(restored.order_by().values_list("pk", flat=True))
    released = AssignedItem.objects.filter(participation__in=people, slot__isnull=False, released_at__isnull=False)
    return released.filter(_was_answered_in_time()).count()


def release_unanswered(*, assignment: Assignment, moment: dt.datetime) -> int:
    """Gives back what an assignment has ended without: an answer, or a picture that could be seen, or
    with a skip.
    """
    return _release_places(Q(assignment=assignment), moment, only_unanswered=True)


def release_pilots(*, study: Study, moment: dt.datetime) -> int:
    """Gives back the pilot's places: its answers are kept and marked, and don't count once the study is live."""
    return _release_places(Q(participation__study=study, participation__is_pilot=True), moment)


def _release_places(which: Q, moment: dt.datetime, *, only_unanswered: bool = False) -> int:
    """Returns how many places opened again. Checks and practice are released with them, though nobody else needs
    those: else an answer to a check would never be late, and lateness would tell which they are.
    """
    held_places = AssignedItem.objects.filter(which, released_at__isnull=True)
    with transaction.atomic():
        # The race this prevents: an answer comes while its place is given away. Locking first makes us wait for an
        # answer that is being stored; only the next statement sees it (saving_answers.py takes this lock's other half).
        locked = held_places.order_by("pk").select_for_update(of=("self",), no_key=True)
        released = dict(locked.values_list("pk", "slot"))
        if only_unanswered:
            passed_by = Judgment.objects.passed_by().filter(assigned_item=OuterRef("pk"))
            unanswered = AssignedItem.objects.filter(~is_answered() | Exists(passed_by), pk__in=released)
            released = dict(unanswered.values_list("pk", "slot"))
        if released:
            given_back = AssignedItem.objects.filter(pk__in=released)
            given_back.update(released_at=moment)
            _open_again(given_back)
    return sum(slot is not None for slot in released.values())


def _open_again(given_back: QuerySet[AssignedItem]) -> None:
    """Within the database: an excluded worker may have had thousands of places, and a run excludes many.

    Rank 0: what was given back is first of its layer, so that no item stays short. A place beyond the target, which may
    have been lowered since, stays closed.
    """
    target = Coalesce("item__judgments_per_item", "item__study__judgments_per_item")
    places = (
        given_back.filter(slot__lte=target).order_by("pk").values_list("item__study_id", "item_id", "slot", Value(0))
    )
    select, parameters = places.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {OpenPlace._meta.db_table} (study_id, item_id, slot, rank) {select} ON CONFLICT DO NOTHING",
            parameters,
        )


def expire_overdue(*, now: dt.datetime, study: Study | None = None) -> int:
    """Ends the assignments whose time is over and opens their unanswered places again; returns how many it ended."""
    overdue = Assignment.objects.overdue(now).order_by("expires_at")
    if study is not None:
        overdue = overdue.filter(participation__study=study)
    ended = 0
    for assignment in list(overdue[:PORTION]):
        with transaction.atomic():
            # Compare-and-set: another process may have ended it, or the person finished, since it was read.
            still_open = Assignment.objects.filter(pk=assignment.pk, status=Assignment.Status.OPEN)
            if still_open.update(status=Assignment.Status.EXPIRED, ended_at=now):
                release_unanswered(assignment=assignment, moment=now)
                ended += 1
    return ended


def release_silent(*, now: dt.datetime, study: Study | None = None) -> int:
    """Gives back the unanswered places of unverified people who have saved nothing for a while; of how many people.

    Their assignments stay open: with the next answer they take up again what is still open (take_up_again).
    """
    since = now - SILENT_FOR
    unanswered = AssignedItem.objects.unanswered().filter(
        assignment=OuterRef("pk"),
        slot__isnull=False,
        released_at__isnull=True,
    )
    lately = Judgment.objects.filter(assigned_item__assignment=OuterRef("pk"), created_at__gt=since)
    silent = Assignment.objects.filter(
        Exists(unanswered),
        ~Exists(lately),
        status=Assignment.Status.OPEN,
        claimed_at__lt=since,
        participation__is_verified=False,
    )
    if study is not None:
        silent = silent.filter(participation__study=study)
    silent_assignments = list(silent.order_by("claimed_at")[:PORTION])
    for assignment in silent_assignments:
        release_unanswered(assignment=assignment, moment=now)
    return len(silent_assignments)


# Opens the places that a study's targets ask for, and closes those that they no longer ask for.

PLACE_COLUMNS = ("study_id", "item_id", "slot", "rank")
PLACES_AT_ONCE = 10_000  # or one layer, if that is more; ten layers of 50 items opened one by one took twice as long
WANTED = Coalesce("judgments_per_item", F("study__judgments_per_item"))  # of an item


def open_places(*, study: Study) -> int:
    """Brings a study's places in line with its targets, and returns how many it opened. Twice opens none twice.

    A few layers at once: a study of a million places keeps nobody waiting for longer than one layer takes, and a
    process that dies on the way leaves whole layers, which the next call completes.
    """
    targets = study.items.targets().aggregate(most=Max(WANTED), items=Count("pk"))
    most = targets["most"] or 0
    at_once = max(1, PLACES_AT_ONCE // max(1, targets["items"]))
    opened = sum(
        _open_layers(study, range(first, min(first + at_once, most + 1))) for first in range(1, most + 1, at_once)
    )
    _close_surplus(study, most)
    return opened


def _close_surplus(study: Study, most: int) -> None:
    """Removes the open places above the targets.

    Two statements: layers above every target go by the index alone. The join over the rest is asked only if targets
    differ, for right after a large study was opened PostgreSQL has no statistics of it and joins row by row.
    """
    open_ones = OpenPlace.objects.filter(study=study)
    open_ones.filter(slot__gt=most).delete()
    targets = study.items.targets()
    if targets.filter(judgments_per_item__lt=most).exists() or (
        study.judgments_per_item < most and targets.filter(judgments_per_item=None).exists()
    ):
        open_ones.filter(slot__gt=Coalesce("item__judgments_per_item", F("study__judgments_per_item"))).delete()


def _open_layers(study: Study, slots: range) -> int:
    with transaction.atomic():
        # The race this prevents: two calls at once (the target is raised while items are imported) find the same place
        # missing; the first opens it, somebody claims it, and the second opens it again although it is held.
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        return insert_rows(OpenPlace, PLACE_COLUMNS, _missing_places(study, slots))


def _missing_places(study: Study, slots: range) -> Iterator[tuple[int, int, int, int]]:
    targets = study.items.targets().annotate(wanted=WANTED)
    items = list(targets.order_by("position").values_list("pk", "wanted"))
    stored_places = _stored_places(study, slots)
    for slot in slots:
        ranks = np.random.default_rng([study.seed, slot]).permutation(len(items)).tolist()
        for rank, (item, wanted) in zip(ranks, items, strict=True):
            if wanted >= slot and (item, slot) not in stored_places:
                yield study.pk, item, slot, rank


def _stored_places(study: Study, slots: range) -> set[tuple[int, int | None]]:
    """One statement: asked in two, a place that is claimed in between would be seen as neither."""
    layers = {"slot__gte": slots[0], "slot__lte": slots[-1]}
    held_places = AssignedItem.objects.filter(item__study=study, released_at__isnull=True, **layers)
    still_open = OpenPlace.objects.filter(study=study, **layers)
    both = [each.order_by().values_list("item_id", "slot") for each in (held_places, still_open)]
    return set(both[0].union(both[1], all=True))
