"""What researchers decide item by item: adjudications and codes of properties."""

from typing import ClassVar, Self
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Exists, Max, OuterRef, Q

from agreement.judgments.property_coding import LONGEST, TYPES, Code, Coding
from annotation.database.triggers import AppendOnly
from annotation.models import Item, Study
from annotation.models.expressions import filled, known_choices, one_answer


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


# PropertyCode: what a researcher says that one spelling of a property counts as. A change is another row.


class PropertyCodeQuerySet(models.QuerySet["PropertyCode"]):
    def of_study(self, study: Study, revision: int | None = None) -> Self:
        """All rows of a study, or those of its coding as it was at that revision."""
        rows = self.filter(study=study)
        return rows if revision is None else rows.filter(revision__lte=revision)

    def last_revision(self) -> int:
        """The number of the last save, 0 before the first."""
        last: int | None = self.aggregate(last=Max("revision"))["last"]
        return last or 0

    def in_force(self) -> dict[str, "PropertyCode"]:
        """The newest row of each spelling."""
        return {row.spelling: row for row in self.select_related("by").order_by("revision", "pk")}

    def as_coding(self, name: str) -> Coding | None:
        """What the newest rows say together; None where there is none."""
        codes = {spelling: row.code for spelling, row in self.in_force().items()}
        return Coding(codes, name) if codes else None


@known_choices
class PropertyCode(models.Model):
    study = models.ForeignKey(Study, models.PROTECT, related_name="property_codes")
    revision = models.PositiveIntegerField(help_text="The number of the save, within the study, that this row is of.")
    spelling = models.TextField(help_text="What people wrote, normalised.")
    relation = models.CharField(max_length=LONGEST, blank=True)
    feature = models.CharField(max_length=LONGEST, blank=True)
    type = models.CharField(max_length=20, choices=[("", "not said"), *((kind, kind) for kind in TYPES)], blank=True)
    is_left_out = models.BooleanField(default=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = PropertyCodeQuerySet.as_manager()
    # A row quotes what people wrote: with the last person who wrote it, it goes (erasing.py).
    triggers: ClassVar = [AppendOnly(allows_delete=True)]

    class Meta:
        constraints = [
            filled("spelling"),
            models.UniqueConstraint(fields=["study", "revision", "spelling"], name="%(class)s_once_a_revision"),
            models.CheckConstraint(condition=Q(revision__gte=1), name="%(class)s_revision_from_one"),
            models.CheckConstraint(condition=Q(is_left_out=True) | ~Q(feature=""), name="%(class)s_has_a_feature"),
        ]

    def __str__(self) -> str:
        return f"{self.spelling}: left out" if self.is_left_out else f"{self.spelling}: {self.code.name}"

    @property
    def code(self) -> Code:
        return Code(self.relation, self.feature, self.type, self.is_left_out)
