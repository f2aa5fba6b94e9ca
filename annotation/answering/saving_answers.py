"""Saving one answer: load the question, read the form, store the answer. The busiest write of the site."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from operator import itemgetter
from typing import Any, cast
from uuid import UUID, uuid4

from django.db import connection
from django.db.models import Count, Exists, Field, Model, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from agreement.errors import TouchstoneError
from agreement.kinds.answers import Answer, Circumstances, Fields
from agreement.kinds.options import OPTION_TEXTS, OPTIONS, in_shown_order, options_of_item
from agreement.kinds.registry import KINDS
from annotation.answering.kinds.form import BadAnswer, Facts, form_of, last_value, read_circumstances
from annotation.models import AssignedItem, Assignment, Item, Judgment, Label, Participation, Payment, Study
from annotation.models.judgment import GRACE
from annotation.places.allocation import take_up_again

# What was begun may be finished: answers are taken whether the study is open, paused or closed by now, and after a
# return or a time-out too (as late ones, for their places have been given back). Not once they are handed in, nor from
# who was rejected or has withdrawn.
UNFINISHED = (Assignment.Status.OPEN, Assignment.Status.EXPIRED, Assignment.Status.RELEASED)
STILL_THERE = (Participation.Status.WORKING, Participation.Status.RETURNED, Participation.Status.TIMED_OUT)
OPEN = Q(assignment__status__in=UNFINISHED, participation__status__in=STILL_THERE)
# An answer may be changed so often. People change one a few times; a script that never stops would fill the disk, for
# every revision is kept.
MOST_REVISIONS = 50
ATTEMPTS = 5
# What comes from outside, in the order of the insert's values.
GIVEN = ("number", "label", "labels", "numbers", "properties", "text", "could_not_see")
WHERE_SHOWN = ("shown_position", "shown_order")
CIRCUMSTANCES = ("is_untouched_middle", "input_kind", "response_ms", "first_touch_ms", "moves")


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
    has_own_labels: bool = False  # the item's, in an order of the person's own


def save_answer(
    *, assignment_uuid: UUID, token_version: int, fields: Fields, is_simulated: bool = False
) -> SavedAnswer:
    """Stores the answer in one item's form as its next revision; the same key again changes nothing and says so.

    The form names the item's `position` in the assignment and carries a `key` of its own; the rest is for the kind of
    question to read. Raises `NoSuchItem`, `BadAnswer` or `AssignmentClosed`.
    """
    position, client_key = _position(fields), _client_key(fields)
    question = load_question(assignment_uuid=assignment_uuid, token_version=token_version, position=position)
    form = form_of(question.kind)
    answer = form.read(fields, question.facts)
    circumstances = read_circumstances(form, fields, question.facts, answer)
    if is_simulated:  # which no form may say of itself
        circumstances = replace(circumstances, input_kind=Judgment.InputKind.SIMULATED)
    return _store_answer(question, client_key, answer, circumstances)


def is_out_of_time(assignment: Assignment) -> bool:
    """Whether answers are missing and none is taken any more. Who has answered everything may hand in at any time."""
    if assignment.status == Assignment.Status.SUBMITTED or assignment.expires_at + GRACE >= timezone.now():
        return False
    return assignment.assigned_items.filter(judgments__isnull=True).exists()


def _position(fields: Fields) -> int:
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
    uuid = Assignment._meta.get_field("uuid").get_db_prep_value(assignment_uuid, connection)
    earliest = connection.ops.adapt_datetimefield_value(timezone.now() - GRACE)
    row = _fetch_row(_select_question(connection.vendor), [earliest, uuid, token_version, position])
    if row is None:
        raise NoSuchItem("There is no such question in this assignment.")
    pk, kind, low, high, stored_labels, slider_start, fewest, most, *of_place = row
    is_turned, own, own_texts, item, seed, has_image, is_open, has_lost_place = of_place
    labels = json.loads(stored_labels) if isinstance(stored_labels, str) else stored_labels or []  # SQLite gives text
    labels.sort(key=itemgetter(0), reverse=bool(is_turned))
    has_own_labels = not labels and KINDS[kind].takes_options
    if has_own_labels:
        options = options_of_item({OPTIONS: own, OPTION_TEXTS: own_texts})
        labels = [(0, value, shown, False) for value, shown in in_shown_order(options, seed=seed, item=item)]
    facts = Facts(
        low=None if low is None else float(low),
        high=None if high is None else float(high),
        labels=tuple(value for _, value, _, _ in labels),
        shown=tuple(shown for _, _, shown, _ in labels),
        starts_in_middle=slider_start == Study.SliderStart.MIDDLE,
        has_image=bool(has_image),
        exclusive=frozenset(value for _, value, _, is_exclusive in labels if is_exclusive),
        fewest=fewest,
        most=most,
    )
    return QuestionAsked(
        pk, kind, facts, is_open=bool(is_open), has_lost_place=bool(has_lost_place), has_own_labels=has_own_labels
    )


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
            sentence = _(
                "You have changed this answer too often to change it again. Your last saved answer is kept: reload the"
                " page to see it."
            )
            raise BadAnswer("revision", sentence)
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
    values: list[Any] = [uuid4(), client_key, timezone.now()]
    values += [getattr(answer, name) for name in GIVEN]
    values += _where_shown(question, answer)
    values += [getattr(circumstances, name) for name in CIRCUMSTANCES]
    values = [
        None if value is None else field.get_db_prep_save(value, connection)
        for field, value in zip(_answer_fields(), values, strict=True)
    ]
    row = _fetch_row(_insert_judgment(connection.vendor), [*values, question.assigned_item])
    return SavedAnswer(revision=row[0], is_late=bool(row[1]), is_repeat=False) if row else None


def _where_shown(question: QuestionAsked, answer: Answer) -> list[Any]:
    """Where the label that was chosen stood among those offered, and an item's own labels in the order shown."""
    labels = question.facts.labels
    position = None if answer.label is None else labels.index(answer.label) + 1
    return [position, list(labels) if question.has_own_labels else None]


def _fetch_row(statement: str, values: list[Any]) -> tuple[Any, ...] | None:  # as the driver has it, untyped
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        row: tuple[Any, ...] | None = cursor.fetchone()
        return row


# Both statements are written out because the ORM composes a query anew at each call: for the first one that took
# 0.9 ms of a processor, thirty times what sending this text takes, and more than the rest of the request.


@cache
def _select_question(vendor: str) -> str:
    rows = "JSON_AGG(JSON_BUILD_ARRAY" if vendor == "postgresql" else "JSON_GROUP_ARRAY(JSON_ARRAY"
    assignments, places, people, items, studies, labels = _tables(
        Assignment, AssignedItem, Participation, Item, Study, Label
    )
    return f"""
        SELECT
            place.id, study.kind, study.scale_low, study.scale_high,
            (SELECT {rows}(position, value, display_text, exclusive)) FROM {labels} WHERE study_id = study.id),
            study.slider_start, study.fewest, study.most, study.ordered AND place.is_direction_reversed,
            item.fields ->> '{OPTIONS}', item.fields ->> '{OPTION_TEXTS}', item.id, person.seed,
            item.image_id IS NOT NULL,
            assignment.status IN ({_quoted_name(UNFINISHED)}) AND person.status IN ({_quoted_name(STILL_THERE)})
                AND assignment.expires_at > %s,
            place.released_at IS NOT NULL AND assignment.status = '{Assignment.Status.OPEN}' AND NOT person.is_verified
        FROM {assignments} AS assignment
            JOIN {places} AS place ON place.assignment_id = assignment.id
            JOIN {people} AS person ON person.id = place.participation_id
            JOIN {items} AS item ON item.id = place.item_id
            JOIN {studies} AS study ON study.id = item.study_id
        WHERE assignment.uuid = %s AND assignment.token_version = %s AND place.position = %s
    """  # noqa: S608  names of our own tables and values of our own enumerations


@cache
def _insert_judgment(vendor: str) -> str:
    """One INSERT … SELECT: whether it may be stored, its revision and its lateness are decided as it is stored.

    FOR SHARE waits for whoever ends the participation, and then for whoever gives the place away (actions/ and
    allocation.py lock the two in this order), and then sees what they did: nothing of a person who has withdrawn is
    stored after the withdrawal. SQLite has one writer at a time and needs no such word.
    """
    lock = "FOR SHARE OF person, place" if vendor == "postgresql" else ""
    judgments, places, people = _tables(Judgment, AssignedItem, Participation)
    columns = ", ".join(f'"{field.column}"' for field in _answer_fields())
    values = ", ".join(["%s"] * len(_answer_fields()))
    return f"""
        INSERT INTO {judgments}
            (assigned_item_id, revision, is_late, is_direction_reversed, is_word_order_swapped, {columns})
        SELECT
            place.id, 1 + COALESCE((SELECT MAX(revision) FROM {judgments} WHERE assigned_item_id = place.id), 0),
            place.released_at IS NOT NULL, place.is_direction_reversed, place.is_word_order_swapped, {values}
        FROM {people} AS person JOIN {places} AS place ON place.participation_id = person.id
        WHERE place.id = %s AND person.status IN ({_quoted_name(STILL_THERE)}) AND NOT EXISTS
            (SELECT 1 FROM {judgments} WHERE assigned_item_id = place.id AND revision >= {MOST_REVISIONS})
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


# Who answered "I can't see the picture", and at how many items: no judgments, and no ground for anything by itself.

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
    items = _answered_items(people)
    people_who_saw_little = [
        SawLittle(pk, people[pk], unseen[pk], items[pk]) for pk in people if unseen[pk] >= MANY * items[pk]
    ]
    return sorted(people_who_saw_little, key=lambda one: (-one.unseen / one.items, one.pseudonym))


def _answered_items(people: dict[int, str]) -> dict[int, int]:
    """How many items each participation answered in any way, without practice."""
    answered = AssignedItem.objects.filter(Exists(Judgment.objects.filter(assigned_item=OuterRef("pk"))))
    theirs = answered.filter(participation__in=list(people)).exclude(item__kind=Item.Kind.PRACTICE).order_by()
    return dict(theirs.values_list("participation").annotate(items=Count("pk")))
