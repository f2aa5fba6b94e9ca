"""Item: one thing to judge. A check item has a known right answer or repeats another; practice and qualification enter
nothing.
"""

from typing import ClassVar, Self
from uuid import uuid4

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q

from agreement.files.items_file import OUTSIDE_RESULTS
from annotation.database.triggers import AppendOnly, FrozenOnceJudged
from annotation.models.expressions import filled, finite, json_is, known_choices, ordered
from annotation.models.job import ItemImport
from annotation.models.question import question_number
from annotation.models.study import JUDGMENTS_PER_ITEM, Study

# Blob: the bytes of an upload or a medium, found by their SHA-256 and never changed.


class Blob(models.Model):
    sha256 = models.CharField(max_length=64, primary_key=True)
    content_type = models.CharField(max_length=80)
    content = models.BinaryField(help_text="Empty where the bytes lie in the folder of media.")
    in_folder = models.BooleanField(default=False, db_default=False)
    size = models.PositiveBigIntegerField(null=True, help_text="In bytes; empty: as many as its content has.")
    width = models.PositiveIntegerField(null=True, help_text="In pixels, of a picture or a video.")
    height = models.PositiveIntegerField(null=True)
    duration_ms = models.PositiveIntegerField(null=True, help_text="Of a sound or a video.")
    created_at = models.DateTimeField(auto_now_add=True)

    triggers: ClassVar = [AppendOnly(allows_delete=True)]

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(sha256__regex="^[0-9a-f]{64}$"), name="%(class)s_sha256_is_one"),
            models.CheckConstraint(
                condition=Q(in_folder=False) | Q(size__isnull=False), name="%(class)s_in_folder_has_size"
            ),
        ]

    def __str__(self) -> str:
        return self.sha256[:12]


LOOKED_AT_FOR_FIELDS = 200


class ItemQuerySet(models.QuerySet["Item"]):
    def targets(self) -> Self:
        return self.filter(kind=Item.Kind.TARGET)

    def checks(self) -> Self:
        return self.filter(kind=Item.Kind.CHECK)

    def within_results(self) -> Self:
        """All but practice and qualification items."""
        return self.exclude(kind__in=OUTSIDE_RESULTS)

    def asked_about(self, question: int) -> Self:
        """What may say something of this question of their study: targets, and the checks of it."""
        return self.within_results().exclude(~Q(check_question=question), kind=Item.Kind.CHECK)

    def names_of_fields(self) -> list[str]:
        """The fields that the first of them have; items of one study mostly have the same."""
        first = self.order_by("position").values_list("fields", flat=True)[:LOOKED_AT_FOR_FIELDS]
        return list(dict.fromkeys(name for fields in first for name in fields))

    def without_right_answer(self) -> Self:
        """Checks that came without bounds or labels of their own, and repeat no other item."""
        return self.checks().filter(min=None, max=None, expected__isnull=True, repeats=None)

    def without_right_answer_in_words(self) -> str:
        """What to expect of an analysis of them; nothing where there are none."""
        count = self.without_right_answer().count()
        if not count:
            return ""
        return (
            f"{count} of the check items have no right answer of their own (min, max or expected): an analysis will"
            " need rules that give one, such as spatial-2019."
        )

    def beside_targets(self) -> Self:
        """Checks, practice and qualification: few, beside any number of targets, and asked for at every claim."""
        return self.exclude(kind=Item.Kind.TARGET)


class PublishedItems(models.Manager["Item"]):
    """All but those of an import that is still under way: what every reader of items wants."""

    def get_queryset(self) -> ItemQuerySet:
        return ItemQuerySet(self.model, using=self._db).exclude(
            in_import__in=ItemImport.objects.unpublished().values("pk")
        )


@known_choices
class Item(models.Model):
    class Kind(models.TextChoices):
        TARGET = "target"
        CHECK = "check"
        PRACTICE = "practice"
        QUALIFICATION = "qualification"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    study = models.ForeignKey(Study, models.CASCADE, related_name="items")
    item_id = models.CharField(max_length=200)
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=13, choices=Kind, default=Kind.TARGET)
    fields = models.JSONField(default=dict, encoder=DjangoJSONEncoder, help_text="The fields that the question uses.")
    image = models.ForeignKey(Blob, models.PROTECT, null=True, blank=True, related_name="+")

    # What makes a check: its name, the question it checks, the right answer (labels, bounds, another item's answer).
    check_question = question_number()
    check_name = models.CharField(max_length=40, null=True, blank=True)
    expected = models.JSONField(null=True, blank=True, help_text="The right labels, as a list.")
    min = models.FloatField(null=True, blank=True)
    max = models.FloatField(null=True, blank=True)
    repeats = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="repeated_by")
    reference = models.TextField(blank=True, help_text="Labels from another source, separated by |.")
    judgments_per_item = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=JUDGMENTS_PER_ITEM.validators,
        help_text="Replaces the study's judgments per item.",
    )

    in_import = models.ForeignKey(
        ItemImport,
        models.CASCADE,
        null=True,
        blank=True,
        editable=False,
        related_name="items",
        help_text="The large import that brought the item.",
    )

    objects = PublishedItems.from_queryset(ItemQuerySet)()
    everything = ItemQuerySet.as_manager()

    triggers: ClassVar = [
        FrozenOnceJudged(
            ("item_id", "kind", "fields", "image", "check_question", "check_name", "expected", "min", "max", "repeats"),
            items=("id", "id"),
        )
    ]

    class Meta:
        ordering = ["study", "position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "item_id"], name="%(class)s_id_once_a_study"),
            models.UniqueConstraint(fields=["study", "position"], name="%(class)s_position_once_a_study"),
            filled("item_id"),
            finite("min"),
            finite("max"),
            ordered("min", "max"),
            models.CheckConstraint(
                condition=Q(kind="check", check_name__isnull=False) | (~Q(kind="check") & Q(check_name__isnull=True)),
                name="%(class)s_check_has_name",
            ),
            models.CheckConstraint(
                condition=~Q(kind="target") | Q(expected__isnull=True, min__isnull=True, max__isnull=True),
                name="%(class)s_target_has_no_right_answer",
            ),
            models.CheckConstraint(
                condition=~Q(kind="qualification")
                | Q(expected__isnull=False)
                | Q(min__isnull=False)
                | Q(max__isnull=False),
                name="%(class)s_qualification_has_right_answer",
                violation_error_message="A qualification item needs its right answer: expected, min or max.",
            ),
            models.CheckConstraint(
                condition=Q(kind="check") | Q(repeats__isnull=True), name="%(class)s_only_checks_repeat"
            ),
            models.CheckConstraint(condition=~Q(repeats=models.F("pk")), name="%(class)s_repeats_another"),
            models.CheckConstraint(
                condition=Q(expected__isnull=True) | json_is("expected", "array"), name="%(class)s_expected_is_list"
            ),
            models.CheckConstraint(
                condition=Q(judgments_per_item__isnull=True) | Q(judgments_per_item__gte=1),
                name="%(class)s_judgments_per_item_positive",
            ),
        ]
        indexes = [
            models.Index(fields=["study", "position"], condition=~Q(kind="target"), name="%(class)s_beside_targets"),
        ]

    def __str__(self) -> str:
        return self.item_id


# ItemMedium: a file that a column of an item names, for a block of the study's stimulus to show.


class ItemMedium(models.Model):
    item = models.ForeignKey(Item, models.CASCADE, related_name="media", db_index=False)
    column = models.CharField(max_length=200)
    blob = models.ForeignKey(Blob, models.PROTECT, related_name="+")

    triggers: ClassVar = [FrozenOnceJudged(("item", "column", "blob"), items=("id", "item_id"))]

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "column"], name="%(class)s_once_a_column")]

    def __str__(self) -> str:
        return f"{self.column} of {self.item}"
