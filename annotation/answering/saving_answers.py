"""Saving one answer: load the question, read the form, store the answer. The busiest write of the site."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, cast
from uuid import UUID, uuid4

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, Model, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from agreement.errors import TouchstoneError
from agreement.files.items_file import OUTSIDE_RESULTS
from agreement.kinds.answers import Answer, Circumstances, Fields
from agreement.kinds.registry import KINDS
from annotation.answering.kinds.form import BadAnswer, Facts, last_value, read_answer
from annotation.answering.media import media_asked
from annotation.answering.offered import OfferedItem, labels_offered
from annotation.answering.several_questions import (
    CIRCUMSTANCES,
    GIVEN,
    MOST_REVISIONS,
    WHERE_SHOWN,
    BadAnswers,
    ItemAnswers,
    changed_too_often,
    questions_asked,
    read_item,
    where_shown,
)
from annotation.answering.signs import keep_signs, read_signs
from annotation.models import AssignedItem, Assignment, Item, Judgment, Label, Participation, Study
from annotation.models.judgment import GRACE
from annotation.models.question import FIRST
from annotation.places.allocation import take_up_again

# What was begun may be finished: answers are taken whether the study is open, paused or closed by now, and after a
# return or a time-out too (as late ones, for their places have been given back). Not once they are handed in, nor from
# who was rejected or has withdrawn.
UNFINISHED = (Assignment.Status.OPEN, Assignment.Status.EXPIRED, Assignment.Status.RELEASED)
STILL_THERE = (Participation.Status.WORKING, Participation.Status.RETURNED, Participation.Status.TIMED_OUT)
OPEN = Q(assignment__status__in=UNFINISHED, participation__status__in=STILL_THERE)
ATTEMPTS = 5
WITH_LABELS = tuple(kind.name for kind in KINDS.values() if kind.has_labels)


class AssignmentClosed(TouchstoneError):
    """The assignment takes no more answers."""


class NoSuchItem(TouchstoneError):
    """There is no such item in this assignment, or the link that names it was revoked."""


@dataclass(frozen=True, slots=True)
class SavedAnswer:
    revision: int
    is_late: bool
    is_repeat: bool


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """All that is needed to check one answer and store it, read in one statement."""

    assigned_item: int
    kind: str
    facts: Facts
    is_open: bool
    has_lost_place: bool  # an unverified person's, for a long silence (release_silent)
    questions: int  # which the study asks of the item
    keeps_signs: bool  # the study counts them, and the person has agreed to it


def save_answer(
    *, assignment_uuid: UUID, token_version: int, fields: Fields, is_simulated: bool = False
) -> SavedAnswer:
    """Stores the answer in one item's form as its next revision; the same key again changes nothing and says so. Of an
    item with several questions: what its form answers of them.

    The form names the item's `position` in the assignment and carries a `key` of its own; the rest is for the kind of
    question to read. Raises `NoSuchItem`, `BadAnswer` or `AssignmentClosed`.
    """
    position, client_key = position_in(fields), _client_key(fields)
    question = load_question(assignment_uuid=assignment_uuid, token_version=token_version, position=position)
    if question.questions > FIRST:
        return _save_item(question, client_key, fields, is_simulated=is_simulated)
    answer, circumstances = read_answer(question.kind, question.facts, fields, is_simulated=is_simulated)
    signs = read_signs(fields) if question.keeps_signs else None
    return _store_with_signs(question, client_key, answer, circumstances, signs)


def _store_with_signs(
    question: QuestionAsked,
    client_key: UUID,
    answer: Answer,
    circumstances: Circumstances,
    signs: Mapping[str, int] | None,
) -> SavedAnswer:
    if signs is None:
        return _store_answer(question, client_key, answer, circumstances)
    with transaction.atomic():
        saved = _store_answer(question, client_key, answer, circumstances)
        if not saved.is_repeat:
            keep_signs(question.assigned_item, client_key, signs)
    return saved


def is_out_of_time(assignment: Assignment) -> bool:
    """Whether answers are missing and none is taken any more. Who has answered everything may hand in at any time."""
    if assignment.status == Assignment.Status.SUBMITTED or assignment.expires_at + GRACE >= timezone.now():
        return False
    return assignment.assigned_items.unanswered().exists()


def position_in(fields: Fields) -> int:
    digits = last_value(fields, "position")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 6):
        raise NoSuchItem("There is no such question in this assignment.")
    return int(digits)


def _client_key(fields: Fields) -> UUID:
    try:
        return UUID(last_value(fields, "key"))
    except ValueError:
        raise BadAnswer("key", _("This answer arrived incomplete. Please reload the page and answer again.")) from None


def load_question(*, assignment_uuid: UUID, token_version: int, position: int) -> QuestionAsked:
    """The item at this position of this assignment, if the link is still good."""
    database = connections[DEFAULT_DB_ALIAS]
    uuid = Assignment._meta.get_field("uuid").get_db_prep_value(assignment_uuid, database)
    earliest = database.ops.adapt_datetimefield_value(timezone.now() - GRACE)
    row = _fetch_row(database, _select_question(database.vendor), [earliest, uuid, token_version, position])
    if row is None:
        raise NoSuchItem("There is no such question in this assignment.")
    pk, kind, low, high, labels, slider_start, ordered, fewest, most, dont_know, confidence, *of_place = row
    is_reversed, has_image, stimulus, is_open, has_lost_place, questions, takes_notes, keeps_signs = of_place
    media = media_asked(stimulus) if stimulus else ()
    stored = json.loads(labels) if isinstance(labels, str) else labels or []  # SQLite gives text
    stored.sort(reverse=bool(ordered and is_reversed))  # by their positions
    has_own_labels = False
    if not stored and KINDS[kind].takes_options:
        place = AssignedItem.objects.select_related("item", "participation").get(pk=pk)
        offered, has_own_labels = labels_offered(kind, (), _offered_item(place), ordered=False)
        stored = [(0, label.value, label.display_text, False) for label in offered]
    facts = Facts(
        low=None if low is None else float(low),
        high=None if high is None else float(high),
        labels=tuple([value for _, value, _, _ in stored]),
        shown=tuple([shown for _, _, shown, _ in stored]),
        starts_in_middle=slider_start == Study.SliderStart.MIDDLE,
        has_image=bool(has_image or media),
        exclusive=frozenset([value for _, value, _, is_alone in stored if is_alone]),
        fewest=fewest,
        most=most,
        has_own_labels=has_own_labels,
        offers_dont_know=bool(dont_know),
        asks_confidence=bool(confidence),
        media=media,
        takes_notes=bool(takes_notes),
    )
    return QuestionAsked(pk, kind, facts, bool(is_open), bool(has_lost_place), questions, bool(keeps_signs))


def _offered_item(place: AssignedItem) -> OfferedItem:
    return OfferedItem(place.item_id, place.item.fields, place.is_direction_reversed, place.participation.seed)


def _store_answer(
    question: QuestionAsked, client_key: UUID, answer: Answer, circumstances: Circumstances
) -> SavedAnswer:
    if not question.is_open:
        return _earlier_answer_or_closed(question, client_key)
    if question.has_lost_place:
        take_up_again(assigned_item=question.assigned_item)
    for _attempt in range(ATTEMPTS):
        if saved := _insert_answer(question, client_key, answer, circumstances):
            return saved
        # Nothing was inserted: this key is stored already, or the person has gone since, or the answer was changed too
        # often, or another tab took the revision that we counted.
        if repeat := _stored_answer(question, client_key):
            return repeat
        if not AssignedItem.objects.filter(OPEN, pk=question.assigned_item).exists():
            return _earlier_answer_or_closed(question, client_key)
        if Judgment.objects.filter(assigned_item=question.assigned_item, revision__gte=MOST_REVISIONS).exists():
            raise changed_too_often()
    raise AssignmentClosed("This answer could not be saved just now. Please try again.")


def _earlier_answer_or_closed(question: QuestionAsked, client_key: UUID) -> SavedAnswer:
    if repeat := _stored_answer(question, client_key):
        return repeat
    raise AssignmentClosed("This assignment is closed: it takes no more answers.")


def _stored_answer(question: QuestionAsked, client_key: UUID) -> SavedAnswer | None:
    judgment = Judgment.objects.filter(assigned_item=question.assigned_item, client_key=client_key).first()
    return SavedAnswer(judgment.revision, judgment.is_late, is_repeat=True) if judgment else None


def _insert_answer(
    question: QuestionAsked, client_key: UUID, answer: Answer, circumstances: Circumstances
) -> SavedAnswer | None:
    database = connections[DEFAULT_DB_ALIAS]
    values: list[Any] = [uuid4(), client_key, timezone.now()]
    values += [getattr(answer, name) for name in GIVEN]
    values += where_shown(question.facts, answer)
    values += [getattr(circumstances, name) for name in CIRCUMSTANCES]
    stored = [(field, value) for field, value in zip(_answer_fields(), values, strict=True) if value is not None]
    statement = _insert_judgment(database.vendor, tuple([field.column for field, _ in stored]))
    values = [field.get_db_prep_save(value, database) for field, value in stored]
    row = _fetch_row(database, statement, [*values, question.assigned_item])
    return SavedAnswer(revision=row[0], is_late=bool(row[1]), is_repeat=False) if row else None


def _fetch_row(database: BaseDatabaseWrapper, statement: str, values: list[Any]) -> tuple[Any, ...] | None:
    with database.cursor() as cursor:
        cursor.execute(statement, values)
        row: tuple[Any, ...] | None = cursor.fetchone()  # as the driver has it, untyped
        return row


# Both statements are written out because the ORM composes a query anew at each call: for the first one that took
# 0.9 ms of a processor, thirty times what sending this text takes, and more than the rest of the request.


@cache
def _select_question(vendor: str) -> str:
    # As text, and nothing where the study has no blocks.
    stimulus = "NULLIF(CAST(study.stimulus AS text), '{}')"
    rows = "JSON_AGG(JSON_BUILD_ARRAY" if vendor == "postgresql" else "JSON_GROUP_ARRAY(JSON_ARRAY"
    assignments, places, people, items, studies, labels = _tables(
        Assignment, AssignedItem, Participation, Item, Study, Label
    )
    return f"""
        SELECT
            place.id, study.kind, study.scale_low, study.scale_high,
            CASE WHEN study.kind IN ({_quoted_name(WITH_LABELS)}) THEN
                (SELECT {rows}(position, value, display_text, exclusive))
                    FROM {labels} WHERE study_id = study.id AND question = {FIRST}) END,
            study.slider_start, study.ordered, study.fewest, study.most, study.offers_dont_know, study.asks_confidence,
            place.is_direction_reversed, item.image_id IS NOT NULL, {stimulus},
            assignment.status IN ({_quoted_name(UNFINISHED)}) AND person.status IN ({_quoted_name(STILL_THERE)})
                AND assignment.expires_at > %s,
            place.released_at IS NOT NULL AND assignment.status = '{Assignment.Status.OPEN}' AND NOT person.is_verified,
            place.questions,
            study.pace = '{Study.Pace.EXPERT}' AND item.kind NOT IN ({_quoted_name(OUTSIDE_RESULTS)}),
            study.counts_signs AND person.agreed_to_signs
        FROM {assignments} AS assignment
            JOIN {places} AS place ON place.assignment_id = assignment.id
            JOIN {people} AS person ON person.id = place.participation_id
            JOIN {items} AS item ON item.id = place.item_id
            JOIN {studies} AS study ON study.id = item.study_id
        WHERE assignment.uuid = %s AND assignment.token_version = %s AND place.position = %s
    """  # noqa: S608  names of our own tables and values of our own enumerations


@cache
def _insert_judgment(vendor: str, columns: tuple[str, ...]) -> str:
    """One INSERT … SELECT: whether it may be stored, its revision and its lateness are decided as it is stored.

    FOR SHARE waits for whoever ends the participation, and then for whoever gives the place away (actions/ and
    allocation.py lock the two in this order), and then sees what they did: nothing of a person who has withdrawn is
    stored after the withdrawal. SQLite has one writer at a time and needs no such word.
    """
    lock = "FOR SHARE OF person, place" if vendor == "postgresql" else ""
    judgments, places, people = _tables(Judgment, AssignedItem, Participation)
    earlier = f"{judgments} WHERE assigned_item_id = place.id AND question = {FIRST}"
    names = ", ".join(f'"{column}"' for column in columns)
    values = ", ".join(["%s"] * len(columns))
    return f"""
        INSERT INTO {judgments}
            (assigned_item_id, revision, is_late, is_direction_reversed, is_word_order_swapped, {names})
        SELECT
            place.id, 1 + COALESCE((SELECT MAX(revision) FROM {earlier}), 0),
            place.released_at IS NOT NULL, place.is_direction_reversed, place.is_word_order_swapped, {values}
        FROM {people} AS person JOIN {places} AS place ON place.participation_id = person.id
        WHERE place.id = %s AND person.status IN ({_quoted_name(STILL_THERE)}) AND NOT EXISTS
            (SELECT 1 FROM {earlier} AND revision >= {MOST_REVISIONS})
        {lock}
        ON CONFLICT DO NOTHING
        RETURNING revision, is_late
    """  # noqa: S608  names of our own tables and values of our own enumerations


@cache
def _answer_fields() -> list[Field[object, object]]:
    names = ("uuid", "client_key", "created_at", *GIVEN, *WHERE_SHOWN, *CIRCUMSTANCES)
    return [cast("Field[object, object]", Judgment._meta.get_field(name)) for name in names]


def _tables(*models: type[Model]) -> list[str]:
    return [f'"{model._meta.db_table}"' for model in models]


def _quoted_name(statuses: tuple[str, ...]) -> str:
    return ", ".join(f"'{status}'" for status in statuses)


# Items with several questions. Their answers come together, as many as there are yet: each that differs from what is
# stored is a revision of its own question.


def _save_item(question: QuestionAsked, client_key: UUID, fields: Fields, *, is_simulated: bool) -> SavedAnswer:
    """Stores what can be taken; `BadAnswers` says of the rest why it can't, and nothing holds back the answers beside
    it.
    """
    if not question.is_open:
        return _earlier_answer_or_closed(question, client_key)
    if question.has_lost_place:
        take_up_again(assigned_item=question.assigned_item)
    places = AssignedItem.objects.select_related("item__study", "participation")
    place = places.get(pk=question.assigned_item)
    asked, item = questions_asked(place.item.study), _offered_item(place)
    facts = {one.number: one.facts_for(item, question.facts) for one in asked}
    signs = read_signs(fields) if question.keeps_signs else None
    with transaction.atomic():
        place = locked_place(question)
        current = {row.question: row for row in Judgment.objects.current().filter(assigned_item=place)}
        answers = read_item(asked, facts, current, fields, is_simulated=is_simulated)
        repeat = _stored_answer(question, client_key)
        if not repeat:
            _store_item(place, client_key, answers)
            if signs is not None and answers.rows:
                keep_signs(place.pk, client_key, signs)
    if answers.problems:
        raise BadAnswers(answers.problems)
    latest = max((row.revision for row in answers.rows), default=0)
    return repeat or SavedAnswer(latest, place.released_at is not None, is_repeat=False)


def _store_item(place: AssignedItem, client_key: UUID, answers: ItemAnswers) -> None:
    for row in answers.rows:
        row.assigned_item, row.client_key, row.is_late = place, client_key, place.released_at is not None
        row.is_direction_reversed, row.is_word_order_swapped = place.is_direction_reversed, place.is_word_order_swapped
    Judgment.objects.bulk_create(answers.rows)
    if answers.is_done != (place.done_at is not None):
        AssignedItem.objects.filter(pk=place.pk).update(done_at=timezone.now() if answers.is_done else None)


def locked_place(question: QuestionAsked) -> AssignedItem:
    """The races: two tabs send the same item at once, or the person leaves meanwhile. The locks are in the order of
    allocation.py.
    """
    people = Participation.objects.select_for_update(no_key=True, of=("self",))
    if people.get(assigned_items=question.assigned_item).status not in STILL_THERE:
        raise AssignmentClosed("This assignment is closed: it takes no more answers.")
    return AssignedItem.objects.select_for_update(no_key=True, of=("self",)).get(pk=question.assigned_item)
