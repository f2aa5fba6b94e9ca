"""Judgment: one answer to one assigned item. A changed answer is a new revision; nothing is ever overwritten."""

from typing import ClassVar, Self
from uuid import uuid4

from django.db import models
from django.db.models import Exists, OuterRef, Q

from annotation.database.triggers import AppendOnly
from annotation.models.assignment import AssignedItem
from annotation.models.constraints import known_choices, one_answer
from annotation.models.item import Item
from annotation.models.study import Study


class JudgmentQuerySet(models.QuerySet["Judgment"]):
    def current(self) -> Self:
        """The latest revision of each answer."""
        later = Judgment.objects.filter(assigned_item=OuterRef("assigned_item"), revision__gt=OuterRef("revision"))
        return self.filter(~Exists(later))

    def could_not_be_seen(self) -> Self:
        """Where a person's last word is that the picture can't be seen; practice doesn't matter."""
        return self.current().filter(could_not_see=True).exclude(assigned_item__item__kind=Item.Kind.PRACTICE)

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

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    # The unique constraint on (assigned item, revision) is an index of it already; a second would be one write more.
    assigned_item = models.ForeignKey(AssignedItem, models.PROTECT, related_name="judgments", db_index=False)
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

    # What was shown, and how the answer came about.
    is_direction_reversed = models.BooleanField(default=False)
    is_word_order_swapped = models.BooleanField(default=False)
    is_untouched_middle = models.BooleanField(default=False)
    is_late = models.BooleanField(
        default=False, help_text="The answer arrived after its place had been given to somebody else."
    )
    input_kind = models.CharField(max_length=9, choices=InputKind, default=InputKind.UNKNOWN)
    response_ms = models.PositiveIntegerField(null=True)
    first_touch_ms = models.PositiveIntegerField(null=True)
    moves = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = JudgmentQuerySet.as_manager()

    triggers: ClassVar = [AppendOnly(allows_delete=True)]

    class Meta:
        ordering = ["assigned_item", "revision"]
        indexes = [
            models.Index(fields=["assigned_item"], condition=Q(could_not_see=True), name="%(class)s_could_not_see")
        ]
        constraints = [
            models.UniqueConstraint(fields=["assigned_item", "revision"], name="%(class)s_revision_once"),
            models.UniqueConstraint(fields=["assigned_item", "client_key"], name="%(class)s_client_key_once"),
            models.CheckConstraint(condition=Q(revision__gte=1), name="%(class)s_revision_from_one"),
            *one_answer(besides="could_not_see"),
            models.CheckConstraint(
                condition=Q(could_not_see__isnull=True) | Q(could_not_see=True), name="%(class)s_not_seen"
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
