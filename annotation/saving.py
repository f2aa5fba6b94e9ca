"""Stores one answer in two statements: what is asked and by whom it may be answered, then the row itself."""

import datetime as dt
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.db import connection
from django.db.models import BooleanField, ExpressionWrapper, F, OuterRef, Q, Subquery, Value
from django.utils import timezone

from annotation.answers import Answer, Circumstances
from annotation.errors import TouchstoneError
from annotation.models import AssignedItem, Assignment, Judgment, Label, Participation
from annotation.models.expressions import JoinedTexts

# After its deadline an assignment's places are given away, but its answers are still taken for so long, as late ones.
GRACE = dt.timedelta(hours=24)
BAR = "|"


class AssignmentClosed(TouchstoneError):
    """The assignment takes no more answers."""


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
    is_direction_reversed: bool
    is_word_order_swapped: bool
    has_image: bool
    is_open: bool


# What was begun may be finished: answers are taken whether the study is open, paused or closed by now, and after a
# return or a time-out too (as late ones, for their places have been given back). Not once they are handed in, nor from
# who was rejected or has withdrawn.
STILL_THERE = (Participation.Status.WORKING, Participation.Status.RETURNED, Participation.Status.TIMED_OUT)
OPEN = Q(
    assignment__status__in=(Assignment.Status.OPEN, Assignment.Status.EXPIRED, Assignment.Status.RELEASED),
    participation__status__in=STILL_THERE,
)


def asked(*, assignment_uuid: UUID, token_version: int, position: int) -> Asked:
    """The item at this position of this assignment, if the link is still good."""
    labels = Label.objects.filter(study=OuterRef("item__study")).order_by().values("study")
    now = timezone.now()
    row = (
        AssignedItem.objects.filter(
            assignment__uuid=assignment_uuid, assignment__token_version=token_version, position=position
        )
        .annotate(
            is_open=ExpressionWrapper(Q(OPEN, assignment__expires_at__gt=now - GRACE), BooleanField()),
            has_image=ExpressionWrapper(Q(item__image__isnull=False), BooleanField()),
            label_values=Subquery(labels.annotate(all=JoinedTexts("value", Value(BAR))).values("all")),
            study_kind=F("item__study__kind"),
            low=F("item__study__scale_low"),
            high=F("item__study__scale_high"),
            start=F("item__study__slider_start"),
        )
        .values_list(
            "pk", "study_kind", "low", "high", "label_values", "start",
            "is_direction_reversed", "is_word_order_swapped", "has_image", "is_open",
        )
        .first()
    )  # fmt: skip
    if row is None:
        raise NoSuchItem("There is no such question in this assignment.")
    pk, kind, low, high, label_values, *shown = row
    return Asked(
        pk,
        kind,
        None if low is None else float(low),
        None if high is None else float(high),
        tuple(label_values.split(BAR)) if label_values else (),
        *shown,
    )


def store(*, question: Asked, client_key: UUID, answer: Answer, circumstances: Circumstances) -> Saved:
    """Adds the answer as the next revision; the same client key again changes nothing and says so."""
    if not question.is_open:
        return _repeat_or_closed(question, client_key)
    values = _values(question, client_key, answer, circumstances)
    for _attempt in range(5):
        if inserted := _insert(question.assigned_item, values):
            revision, is_late = inserted
            return Saved(revision, bool(is_late), is_repeat=False)
        # Nothing was inserted: this key is stored already, or the person has gone since, or another tab took the
        # revision that we counted.
        place = AssignedItem.objects.filter(pk=question.assigned_item)
        if (repeat := _stored(question, client_key)) or not place.filter(OPEN).exists():
            return repeat or _repeat_or_closed(question, client_key)
    raise AssignmentClosed("This answer could not be saved just now. Please try again.")


def _repeat_or_closed(question: Asked, client_key: UUID) -> Saved:
    if repeat := _stored(question, client_key):
        return repeat
    raise AssignmentClosed("This assignment is closed: it takes no more answers.")


def _stored(question: Asked, client_key: UUID) -> Saved | None:
    judgment = Judgment.objects.filter(assigned_item=question.assigned_item, client_key=client_key).first()
    return Saved(judgment.revision, judgment.is_late, is_repeat=True) if judgment else None


def _values(question: Asked, client_key: UUID, answer: Answer, circumstances: Circumstances) -> dict[str, Any]:
    parts = {part: getattr(answer, part) for part in Answer.__slots__}
    return {
        "uuid": uuid4(),
        "client_key": client_key,
        **parts,
        "is_direction_reversed": question.is_direction_reversed,
        "is_word_order_swapped": question.is_word_order_swapped,
        "is_untouched_middle": circumstances.is_untouched_middle,
        "input_kind": circumstances.input_kind,
        "response_ms": circumstances.response_ms,
        "first_touch_ms": circumstances.first_touch_ms,
        "moves": circumstances.moves,
        "created_at": timezone.now(),
    }


def _insert(assigned_item: int, values: dict[str, Any]) -> tuple[int, bool] | None:
    """One INSERT … SELECT: whether it may be stored, its revision and its lateness are decided as it is stored.

    FOR SHARE waits for whoever ends the participation, and then for whoever gives the place away (actions/ and
    allocation.py lock the two in this order FOR UPDATE), and then sees what they did: nothing of a person who has
    withdrawn is stored after the withdrawal. SQLite has one writer at a time and needs no such word.
    """
    lock = "FOR SHARE OF person, place" if connection.vendor == "postgresql" else ""
    fields = [Judgment._meta.get_field(name) for name in values]
    prepared = [
        field.get_db_prep_save(value, connection)  # type: ignore[union-attr]
        for field, value in zip(fields, values.values(), strict=True)
    ]
    columns = ", ".join(f'"{field.column}"' for field in fields)  # type: ignore[union-attr]
    marks = ", ".join(["%s"] * len(fields))
    judgments, places, people = (model._meta.db_table for model in (Judgment, AssignedItem, Participation))
    statement = (
        f"INSERT INTO {judgments} (assigned_item_id, revision, is_late, {columns}) "  # noqa: S608
        f"SELECT place.id, 1 + COALESCE((SELECT MAX(revision) FROM {judgments} WHERE assigned_item_id = place.id), 0), "
        f"place.released_at IS NOT NULL, {marks} "
        f"FROM {people} AS person JOIN {places} AS place ON place.participation_id = person.id "
        f"WHERE place.id = %s AND person.status IN ({', '.join(['%s'] * len(STILL_THERE))}) {lock} "
        "ON CONFLICT DO NOTHING RETURNING revision, is_late"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [*prepared, assigned_item, *STILL_THERE])
        row: tuple[int, bool] | None = cursor.fetchone()
    return row
