"""Stores one answer in two statements: what is asked and by whom it may be answered, then the row itself.

The statements are written out: this is the busiest door of the site, and composing them anew for each answer took
longer than the database does.
"""

import datetime as dt
from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import UUID, uuid4

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Field, Model, Q
from django.utils import timezone

from annotation.allocation import take_up_again
from annotation.errors import TouchstoneError
from annotation.models import AssignedItem, Assignment, Item, Judgment, Label, Participation, Study
from annotation.prepared import Statement
from questions.answers import Answer, Circumstances

# After its deadline an assignment's places are given away, but its answers are still taken for so long, as late ones.
GRACE = dt.timedelta(hours=24)
# What was begun may be finished: answers are taken whether the study is open, paused or closed by now, and after a
# return or a time-out too (as late ones, for their places have been given back). Not once they are handed in, nor from
# who was rejected or has withdrawn.
UNFINISHED = (Assignment.Status.OPEN, Assignment.Status.EXPIRED, Assignment.Status.RELEASED)
STILL_THERE = (Participation.Status.WORKING, Participation.Status.RETURNED, Participation.Status.TIMED_OUT)
OPEN = Q(assignment__status__in=UNFINISHED, participation__status__in=STILL_THERE)
# An answer may be changed so often. People change one a few times; a script that never stops would fill the disk, for
# every revision is kept.
MOST_REVISIONS = 50
BAR = "|"  # no label has one in it: a constraint of the database
GIVEN = ("number", "label", "labels", "numbers", "properties", "text", "could_not_see")
CIRCUMSTANCES = ("is_untouched_middle", "input_kind", "response_ms", "first_touch_ms", "moves")


def is_out_of_time(assignment: Assignment) -> bool:
    """Whether answers are missing and none is taken any more. Who has answered everything may hand in at any time."""
    if assignment.status == Assignment.Status.SUBMITTED or assignment.expires_at + GRACE >= timezone.now():
        return False
    return assignment.assigned_items.filter(judgments__isnull=True).exists()


class AssignmentClosed(TouchstoneError):
    """The assignment takes no more answers."""


class RevisedTooOften(TouchstoneError):
    """The answer has been changed as often as one may be; the last one that was stored stays."""


class NoSuchItem(TouchstoneError):
    """There is no such item in this assignment, or the link that names it was revoked."""


@dataclass(frozen=True, slots=True)
class Saved:
    revision: int
    is_late: bool
    is_repeat: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """All that is needed to check one answer and store it, read in one statement."""

    assigned_item: int
    kind: str
    scale_low: float | None
    scale_high: float | None
    labels: tuple[str, ...]
    slider_start: str
    has_image: bool
    is_open: bool
    has_lost_place: bool = False  # an unverified person's, for a long silence (release_silent)


def asked(*, assignment_uuid: UUID, token_version: int, position: int) -> Asked:
    """The item at this position of this assignment, if the link is still good."""
    database = connections[DEFAULT_DB_ALIAS]
    uuid = Assignment._meta.get_field("uuid").get_db_prep_value(assignment_uuid, database)
    earliest = database.ops.adapt_datetimefield_value(timezone.now() - GRACE)
    row = ASKING.fetch([earliest, uuid, token_version, position])
    if row is None:
        raise NoSuchItem("There is no such question in this assignment.")
    pk, kind, low, high, labels, slider_start, has_image, is_open, has_lost_place = row
    return Asked(
        assigned_item=pk,
        kind=kind,
        scale_low=None if low is None else float(low),
        scale_high=None if high is None else float(high),
        labels=tuple(labels.split(BAR)) if labels else (),
        slider_start=slider_start,
        has_image=bool(has_image),
        is_open=bool(is_open),
        has_lost_place=bool(has_lost_place),
    )


def store(*, question: Asked, client_key: UUID, answer: Answer, circumstances: Circumstances) -> Saved:
    """Adds the answer as the next revision; the same client key again changes nothing and says so."""
    if not question.is_open:
        return _repeat_or_closed(question, client_key)
    if question.has_lost_place:
        take_up_again(assigned_item=question.assigned_item)
    for _attempt in range(5):
        if inserted := _insert(question.assigned_item, client_key, answer, circumstances):
            revision, is_late = inserted
            return Saved(revision, bool(is_late), is_repeat=False)
        # Nothing was inserted: this key is stored already, or the person has gone since, or the answer was changed too
        # often, or another tab took the revision that we counted.
        if repeat := _stored(question, client_key):
            return repeat
        if not AssignedItem.objects.filter(OPEN, pk=question.assigned_item).exists():
            return _repeat_or_closed(question, client_key)
        if Judgment.objects.filter(assigned_item=question.assigned_item, revision__gte=MOST_REVISIONS).exists():
            raise RevisedTooOften(
                f"This answer has been changed {MOST_REVISIONS} times: it stays as it was last saved."
            )
    raise AssignmentClosed("This answer could not be saved just now. Please try again.")


def _repeat_or_closed(question: Asked, client_key: UUID) -> Saved:
    if repeat := _stored(question, client_key):
        return repeat
    raise AssignmentClosed("This assignment is closed: it takes no more answers.")


def _stored(question: Asked, client_key: UUID) -> Saved | None:
    judgment = Judgment.objects.filter(assigned_item=question.assigned_item, client_key=client_key).first()
    return Saved(judgment.revision, judgment.is_late, is_repeat=True) if judgment else None


def _insert(
    assigned_item: int, client_key: UUID, answer: Answer, circumstances: Circumstances
) -> tuple[int, bool] | None:
    values: list[Any] = [uuid4(), client_key, timezone.now()]
    values += [getattr(answer, name) for name in GIVEN]
    values += [getattr(circumstances, name) for name in CIRCUMSTANCES]
    database = connections[DEFAULT_DB_ALIAS]
    prepared = [
        None if value is None else field.get_db_prep_save(value, database)
        for field, value in zip(_fields(), values, strict=True)
    ]
    row = INSERTING.fetch([*prepared, assigned_item])
    return (row[0], bool(row[1])) if row else None


def _asking(vendor: str) -> str:
    joined = "STRING_AGG" if vendor == "postgresql" else "GROUP_CONCAT"
    tasks, places, people, items, studies, labels = _tables(Assignment, AssignedItem, Participation, Item, Study, Label)
    return (
        "SELECT place.id, study.kind, study.scale_low, study.scale_high, "  # noqa: S608
        f"(SELECT {joined}(value, '{BAR}') FROM {labels} WHERE study_id = study.id), "
        "study.slider_start, item.image_id IS NOT NULL, "
        f"task.status IN ({_quoted(UNFINISHED)}) AND person.status IN ({_quoted(STILL_THERE)}) "
        "AND task.expires_at > %s, "
        f"place.released_at IS NOT NULL AND task.status = '{Assignment.Status.OPEN}' AND NOT person.is_verified "
        f"FROM {tasks} AS task JOIN {places} AS place ON place.assignment_id = task.id "
        f"JOIN {people} AS person ON person.id = place.participation_id "
        f"JOIN {items} AS item ON item.id = place.item_id JOIN {studies} AS study ON study.id = item.study_id "
        "WHERE task.uuid = %s AND task.token_version = %s AND place.position = %s"
    )


def _inserting(vendor: str) -> str:
    """One INSERT … SELECT: whether it may be stored, its revision and its lateness are decided as it is stored.

    FOR SHARE waits for whoever ends the participation, and then for whoever gives the place away (actions/ and
    allocation.py lock the two in this order), and then sees what they did: nothing of a person who has withdrawn is
    stored after the withdrawal. SQLite has one writer at a time and needs no such word.
    """
    lock = "FOR SHARE OF person, place" if vendor == "postgresql" else ""
    judgments, places, people = _tables(Judgment, AssignedItem, Participation)
    columns = ", ".join(f'"{field.column}"' for field in _fields())
    marks = ", ".join(["%s"] * len(_fields()))
    return (
        "INSERT INTO "  # noqa: S608
        f"{judgments} (assigned_item_id, revision, is_late, is_direction_reversed, is_word_order_swapped, {columns}) "
        f"SELECT place.id, 1 + COALESCE((SELECT MAX(revision) FROM {judgments} WHERE assigned_item_id = place.id), 0), "
        f"place.released_at IS NOT NULL, place.is_direction_reversed, place.is_word_order_swapped, {marks} "
        f"FROM {people} AS person JOIN {places} AS place ON place.participation_id = person.id "
        f"WHERE place.id = %s AND person.status IN ({_quoted(STILL_THERE)}) AND NOT EXISTS "
        f"(SELECT 1 FROM {judgments} WHERE assigned_item_id = place.id AND revision >= {MOST_REVISIONS}) {lock} "
        "ON CONFLICT DO NOTHING RETURNING revision, is_late"
    )


@cache
def _fields() -> "list[Field[Any, Any]]":
    """What comes from outside, in the order of `_insert`'s values."""
    names = ("uuid", "client_key", "created_at", *GIVEN, *CIRCUMSTANCES)
    return [field for name in names for field in Judgment._meta.local_concrete_fields if field.name == name]


def _tables(*models: type[Model]) -> list[str]:
    return [f'"{model._meta.db_table}"' for model in models]


def _quoted(statuses: tuple[str, ...]) -> str:
    return ", ".join(f"'{status}'" for status in statuses)


ASKING = Statement("touchstone_asking", lambda: ("timestamptz", "uuid", "integer", "integer"), cache(_asking))
INSERTING = Statement(
    "touchstone_inserting",
    lambda: (*(field.db_type(connection) or "" for field in _fields()), "bigint"),
    cache(_inserting),
)
