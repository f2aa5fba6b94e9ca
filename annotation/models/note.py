"""What a person at expert pace says of an item beside the answer: a flag, a comment, why it was skipped."""

from django.db import models
from django.db.models import Exists, OuterRef, Q

from annotation.models.expressions import known_choices
from annotation.models.judgment import AssignedItem, Judgment

LONGEST_COMMENT = 1_000


def is_skipped() -> Exists:
    """Of a note: the person's last word on the item is a skip."""
    skips = Judgment.objects.current().filter(no_answer=Judgment.NoAnswer.SKIPPED)
    return Exists(skips.filter(assigned_item=OuterRef("assigned_item")))


@known_choices
class Note(models.Model):
    """One for each assigned item at most, and so one for each item and person."""

    class Reason(models.TextChoices):
        UNCLEAR = "unclear", "The question is unclear"
        UNDECIDABLE = "undecidable", "It can't be decided"
        BROKEN = "broken", "Something is missing or broken"
        OTHER = "other", "Another reason"

    assigned_item = models.OneToOneField(AssignedItem, models.PROTECT, related_name="note")
    # Of the last skip. Whether the item is skipped, its last judgment says: an answer may have followed.
    skip_reason = models.CharField(max_length=11, choices=Reason, null=True, blank=True)
    is_flagged = models.BooleanField(default=False)
    comment = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["assigned_item"]
        constraints = [
            models.CheckConstraint(
                condition=Q(skip_reason__isnull=False) | Q(is_flagged=True) | ~Q(comment=""),
                name="%(class)s_says_something",
            )
        ]

    def __str__(self) -> str:
        return f"note on {self.assigned_item}"
