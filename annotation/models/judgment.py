"""Assignments, their items, and judgments: a changed answer is a new revision, and nothing is ever overwritten."""

import datetime as dt
from typing import ClassVar, Self
from uuid import uuid4

from django.db import models
from django.db.models import Exists, OuterRef, Q

from agreement.files.items_file import OUTSIDE_RESULTS
from annotation.database.triggers import AppendOnly
from annotation.models.expressions import json_is, known_choices, one_answer
from annotation.models.item import Item
from annotation.models.participation import Participation
from annotation.models.question import FIRST, MOST_QUESTIONS, question_number
from annotation.models.study import Study

# After its deadline an assignment's places are given away, but its answers are still taken for so long, as late ones.
GRACE = dt.timedelta(hours=24)


# Why somebody at expert pace has left an item without an answer: as NoAnswer stores it.
PASSED_OVER = ("skipped", "taken-back")

# The number of the qualification round, an assignment that comes before those with places.
QUALIFICATION = 0


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def to_judge(self) -> Self:
        """All but qualification rounds, which hold no places."""
        return self.exclude(number=QUALIFICATION)

    def overdue(self, now: dt.datetime) -> Self:
        return self.filter(status=Assignment.Status.OPEN, expires_at__lt=now)


@known_choices
class Assignment(models.Model):
    class Status(models.TextChoices):
        OPEN = "open"
        SUBMITTED = "submitted"
        EXPIRED = "expired"
        RELEASED = "released", "Its items were given back"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    participation = models.ForeignKey(Participation, models.PROTECT, related_name="assignments")
    number = models.PositiveSmallIntegerField(default=1)
    status = models.CharField(max_length=9, choices=Status, default=Status.OPEN)
    token_version = models.PositiveSmallIntegerField(
        default=1, help_text="Raising it revokes all earlier links to the assignment."
    )
    items_per_page = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The study's number of items per page when the assignment started."
    )
    claimed_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["participation", "number"], name="%(class)s_number_once_a_participation"),
            models.UniqueConstraint(
                fields=["participation"], condition=Q(status="open"), name="%(class)s_one_open_a_participation"
            ),
            models.CheckConstraint(
                condition=Q(status="open", ended_at__isnull=True) | (~Q(status="open") & Q(ended_at__isnull=False)),
                name="%(class)s_ended_has_time",
            ),
        ]
        indexes = [
            models.Index(fields=["expires_at"], condition=Q(status="open"), name="%(class)s_open_by_expiry"),
        ]

    def __str__(self) -> str:
        return f"{self.participation}, assignment {self.number}"

    @property
    def is_qualification(self) -> bool:
        return self.number == QUALIFICATION

    @property
    def is_passed_qualification(self) -> bool:
        """Of a person who is still at work: who fails it has ended."""
        return self.is_qualification and self.status == Assignment.Status.SUBMITTED


# AssignedItem: one item in one assignment, with the place it holds; OpenPlace: a place that nobody holds.

# AssignedItem: one item in one assignment, and the place (slot) that it holds until that is released.


def is_answered() -> Q:
    """Of an assigned item: all that its study asks of it has an answer, or needs none."""
    judgments = Judgment.objects.filter(assigned_item=OuterRef("pk"))
    taken_back = judgments.current().filter(no_answer=Judgment.NoAnswer.TAKEN_BACK)
    return Q(done_at__isnull=False) | Q(questions=FIRST) & Q(Exists(judgments)) & ~Q(Exists(taken_back))


class AssignedItemQuerySet(models.QuerySet["AssignedItem"]):
    def answered(self) -> Self:
        return self.filter(is_answered())

    def unanswered(self) -> Self:
        return self.filter(~is_answered())


class AssignedItem(models.Model):
    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="assigned_items")
    # Repeated from the assignment, so that "once per worker" is a constraint of the database.
    participation = models.ForeignKey(Participation, models.PROTECT, related_name="assigned_items")
    item = models.ForeignKey(Item, models.PROTECT, related_name="assigned_items")
    slot = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="From 1 to the number of judgments per item; empty for all but items to judge."
    )
    position = models.PositiveIntegerField()
    released_at = models.DateTimeField(null=True, blank=True)
    # What is shown, for judgments are stored in the canonical direction whatever was shown.
    is_direction_reversed = models.BooleanField(default=False)
    is_word_order_swapped = models.BooleanField(default=False)
    questions = models.PositiveSmallIntegerField(
        default=1, db_default=1, help_text="How many questions the study asks of it."
    )
    done_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Of several questions: since when none lacks an answer. One needs no such time.",
    )

    objects = AssignedItemQuerySet.as_manager()

    class Meta:
        ordering = ["assignment", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "slot"],
                condition=Q(released_at__isnull=True, slot__isnull=False),
                name="%(class)s_place_held_once",
            ),
            models.UniqueConstraint(fields=["participation", "item"], name="%(class)s_once_a_worker"),
            models.UniqueConstraint(fields=["assignment", "position"], name="%(class)s_position_once"),
            models.CheckConstraint(condition=Q(slot__isnull=True) | Q(slot__gte=1), name="%(class)s_slot_from_one"),
            models.CheckConstraint(
                condition=Q(questions__gte=FIRST, questions__lte=MOST_QUESTIONS), name="%(class)s_questions_few"
            ),
            models.CheckConstraint(
                condition=Q(done_at__isnull=True) | Q(questions__gt=FIRST), name="%(class)s_done_of_several_questions"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item} at {self.position}"


# OpenPlace: a place (slot) of an item that nobody holds. Claiming removes its row, giving back adds it again.


class OpenPlace(models.Model):
    study = models.ForeignKey(Study, models.CASCADE, related_name="open_places")
    item = models.ForeignKey(Item, models.CASCADE, related_name="open_places")
    slot = models.PositiveSmallIntegerField()
    rank = models.IntegerField(help_text="Random, by the study's seed: the order in which open places are given out.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "slot"], name="%(class)s_once"),
            models.CheckConstraint(condition=Q(slot__gte=1), name="%(class)s_slot_from_one"),
        ]
        # The order in which places are claimed: all first slots before any second one, so that items fill evenly.
        indexes = [models.Index(fields=["study", "slot", "rank", "item"], name="%(class)s_claim_order")]

    def __str__(self) -> str:
        return f"place {self.slot} of {self.item}"


class JudgmentQuerySet(models.QuerySet["Judgment"]):
    def current(self) -> Self:
        """The latest revision of each answer."""
        later = Judgment.objects.filter(
            assigned_item=OuterRef("assigned_item"), question=OuterRef("question"), revision__gt=OuterRef("revision")
        )
        return self.filter(~Exists(later))

    def of_done_items(self) -> Self:
        """Not of items of several questions that somebody began and left."""
        return self.filter(Q(assigned_item__questions=FIRST) | Q(assigned_item__done_at__isnull=False))

    def could_not_be_seen(self) -> Self:
        """Where a person's last word is that the picture can't be seen; practice and qualification don't matter."""
        return self.current().filter(could_not_see=True).exclude(assigned_item__item__kind__in=OUTSIDE_RESULTS)

    def passed_by(self) -> Self:
        """Where a person's last word is no answer that counts: a picture not seen, an item skipped."""
        return self.current().filter(Q(could_not_see=True) | Q(no_answer=Judgment.NoAnswer.SKIPPED))

    def of_study(self, study_id: int) -> Self:
        return self.filter(assigned_item__item__study=study_id)


@known_choices
class Judgment(models.Model):
    class InputKind(models.TextChoices):
        MOUSE = "mouse"
        TOUCH = "touch"
        PEN = "pen"
        KEYBOARD = "keyboard"
        NO_SCRIPT = "no-script"
        SIMULATED = "simulated"
        IMPORTED = "imported"
        UNKNOWN = "unknown"

    class NoAnswer(models.TextChoices):
        DONT_KNOW = "dont-know", "I don't know"
        NOT_ASKED = "not-asked", "Not asked, for an earlier answer hides the question"
        LEFT_EMPTY = "left-empty", "Not required, and left empty"
        SKIPPED = "skipped", "Passed over, with a reason, at expert pace"
        TAKEN_BACK = "taken-back", "Undone at expert pace, where there was no answer before"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    # A unique constraint that begins with the assigned item is an index of it already; a second is one write more.
    assigned_item = models.ForeignKey(AssignedItem, models.PROTECT, related_name="judgments", db_index=False)
    question = question_number()
    revision = models.PositiveIntegerField(default=1)
    client_key = models.UUIDField(
        default=uuid4,
        help_text="The browser's key for this answer, so that an answer that is sent twice is stored once.",
    )

    # The answer: exactly one of these is filled. Numbers are in the study's canonical direction.
    number = models.FloatField(null=True)
    label = models.CharField(max_length=80, null=True)
    labels = models.JSONField(null=True)
    numbers = models.JSONField(null=True)
    properties = models.JSONField(null=True)
    text = models.TextField(null=True)
    could_not_see = models.BooleanField(
        null=True, help_text="The person could not see the picture, so the answer is not counted."
    )
    no_answer = models.CharField(max_length=10, choices=NoAnswer, null=True)
    confidence = models.PositiveSmallIntegerField(null=True, help_text="How sure the person is, from 1 to 5.")

    # What was shown, and how the answer came about.
    is_direction_reversed = models.BooleanField(default=False)
    is_word_order_swapped = models.BooleanField(default=False)
    shown_position = models.PositiveSmallIntegerField(
        null=True, help_text="Where the chosen label stood among those that were offered, from 1."
    )
    shown_order = models.JSONField(null=True, help_text="An item's own labels in the order in which they were offered.")
    is_untouched_middle = models.BooleanField(default=False)
    is_late = models.BooleanField(
        default=False, help_text="The answer arrived after its place had been given to somebody else."
    )
    input_kind = models.CharField(max_length=9, choices=InputKind, default=InputKind.UNKNOWN)
    response_ms = models.PositiveIntegerField(null=True)
    first_touch_ms = models.PositiveIntegerField(null=True)
    moves = models.PositiveIntegerField(null=True)
    media_use = models.JSONField(
        null=True, help_text="How often each sound and video was started and ended, and what could not be perceived."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = JudgmentQuerySet.as_manager()

    triggers: ClassVar = [AppendOnly(allows_delete=True)]

    class Meta:
        ordering = ["assigned_item", "question", "revision"]
        indexes = [
            models.Index(fields=["assigned_item"], condition=Q(could_not_see=True), name="%(class)s_could_not_see"),
            models.Index(
                fields=["assigned_item"], condition=Q(no_answer__in=PASSED_OVER), name="%(class)s_passed_over"
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["assigned_item", "question", "revision"], name="%(class)s_revision_once"),
            models.UniqueConstraint(
                fields=["assigned_item", "question", "client_key"], name="%(class)s_client_key_once"
            ),
            models.CheckConstraint(
                condition=Q(question__gte=FIRST, question__lte=MOST_QUESTIONS), name="%(class)s_question_known"
            ),
            models.CheckConstraint(
                condition=Q(confidence__isnull=True)
                | Q(confidence__gte=1, confidence__lte=5, no_answer__isnull=True, could_not_see__isnull=True),
                name="%(class)s_confidence_in_an_answer",
            ),
            models.CheckConstraint(condition=Q(revision__gte=1), name="%(class)s_revision_from_one"),
            *one_answer("could_not_see", "no_answer"),
            models.CheckConstraint(
                condition=Q(could_not_see__isnull=True) | Q(could_not_see=True), name="%(class)s_not_seen"
            ),
            models.CheckConstraint(
                condition=Q(media_use__isnull=True) | json_is("media_use", "object"),
                name="%(class)s_media_use_is_object",
            ),
        ]

    def __str__(self) -> str:
        return f"answer {self.uuid}"


# Tombstone: what is left of a judgment that its giver withdrew: that there was one, and when it went.


class Tombstone(models.Model):
    judgment_uuid = models.UUIDField(unique=True)
    study = models.ForeignKey(Study, models.PROTECT, related_name="tombstones")
    erased_at = models.DateTimeField(auto_now_add=True)

    triggers: ClassVar = [AppendOnly()]

    def __str__(self) -> str:
        return f"erased {self.judgment_uuid}"
