"""AssignedItem: one item in one assignment, with the place it holds; OpenPlace: a place that nobody holds."""

from uuid import uuid4

from django.db import models
from django.db.models import Q

from annotation.models.assignment import Assignment
from annotation.models.item import Item
from annotation.models.participation import Participation
from annotation.models.study import Study

# AssignedItem: one item in one assignment, and the place (slot) that it holds until that is released.


class AssignedItem(models.Model):
    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="assigned_items")
    # Repeated from the assignment, so that "once per worker" is a constraint of the database.
    participation = models.ForeignKey(Participation, models.PROTECT, related_name="assigned_items")
    item = models.ForeignKey(Item, models.PROTECT, related_name="assigned_items")
    slot = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="From 1 to the number of judgments per item; empty for checks and practice."
    )
    position = models.PositiveIntegerField()
    released_at = models.DateTimeField(null=True, blank=True)
    # What is shown, for judgments are stored in the canonical direction whatever was shown.
    is_direction_reversed = models.BooleanField(default=False)
    is_word_order_swapped = models.BooleanField(default=False)

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
