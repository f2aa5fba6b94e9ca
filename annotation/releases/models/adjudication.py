"""Adjudication: a researcher's own answer to an item, beside the crowd's. A change is another row."""

from typing import ClassVar, Self
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q

from annotation.database.triggers import AppendOnly
from annotation.models import Item, Study
from annotation.models.constraints import filled, one_answer


class AdjudicationQuerySet(models.QuerySet["Adjudication"]):
    def current(self) -> Self:
        """The latest revision for each item, also where it removes the answer."""
        later = Adjudication.objects.filter(item=OuterRef("item"), revision__gt=OuterRef("revision"))
        return self.filter(~Exists(later))

    def in_force(self) -> Self:
        """The answers that stand now."""
        return self.current().filter(is_removed=None)


class Adjudication(models.Model):
    """It never enters gold, agreement or scores: it is shown and exported in a column or a table of its own."""

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    # Repeated from the item, so that a study's are read without its items.
    study = models.ForeignKey(Study, models.CASCADE, related_name="adjudications")
    item = models.ForeignKey(Item, models.CASCADE, related_name="adjudications")
    revision = models.PositiveIntegerField(default=1)

    # The answer: exactly one of these is filled, in the columns that a judgment has.
    number = models.FloatField(null=True)
    label = models.CharField(max_length=80, null=True)
    labels = models.JSONField(null=True)
    numbers = models.JSONField(null=True)
    properties = models.JSONField(null=True)
    text = models.TextField(null=True)
    is_removed = models.BooleanField(null=True, help_text="The researcher's answer was removed again.")

    why = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = AdjudicationQuerySet.as_manager()
    # A draft that is deleted takes its items with it, and what was said of them.
    triggers: ClassVar = [AppendOnly(allows_delete=True)]

    class Meta:
        ordering = ["item", "revision"]
        constraints = [
            models.UniqueConstraint(fields=["item", "revision"], name="%(class)s_revision_once"),
            models.CheckConstraint(condition=Q(revision__gte=1), name="%(class)s_revision_from_one"),
            *one_answer(besides="is_removed"),
            filled("why"),
            models.CheckConstraint(condition=Q(is_removed__isnull=True) | Q(is_removed=True), name="%(class)s_removed"),
        ]

    def __str__(self) -> str:
        return f"adjudication of {self.item}, revision {self.revision}"
