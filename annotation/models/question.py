"""What a study asks of an item. Its first question stands on the study itself, and each further one is a row here."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q, UniqueConstraint
from django.db.models.fields.related_descriptors import ForwardManyToOneDescriptor

from agreement.kinds.kind import Kind
from agreement.kinds.registry import KINDS
from annotation.database.triggers import FrozenOnceJudged
from annotation.models.expressions import both_or_neither, filled, finite, json_has_members, json_is, ordered
from annotation.models.expressions import known_choices as _known_choices
from annotation.models.text_fields import LineField


@dataclass(frozen=True, slots=True)
class Limits:
    least: int
    most: int

    def __str__(self) -> str:
        return f"Give a number from {self.least:,} to {self.most:,}."

    @property
    def validators(self) -> list[MinValueValidator | MaxValueValidator]:
        return [MinValueValidator(self.least), MaxValueValidator(self.most)]

    @property
    def messages(self) -> dict[str, str]:
        """What a form says of a number beyond them, by Django's codes."""
        codes = ("min_value", "max_value", "max_digits", "max_whole_digits")
        return dict.fromkeys(codes, str(self))


ENDS_OF_SCALES = Limits(-99_999_999, 99_999_999)
LABELS_OF_AN_ANSWER = Limits(1, 1_000)
FIRST, MOST_QUESTIONS = 1, 8
# Both stand in constraints: a new kind of question is a migration.
KINDS_OF_QUESTION = [(kind.name, kind.title) for kind in KINDS.values()]
WITH_SCALE = tuple(kind.name for kind in KINDS.values() if kind.has_scale)
# What a study's first question is called, until somebody gives it another name.
FIRST_NAME = "answer"


class AsksOneThing(models.Model):
    """One question: its kind, its words, its scale, and how its results are reported."""

    class SliderStart(models.TextChoices):
        HIDDEN = "hidden", "Hidden until the line is touched"
        MIDDLE = "middle", "In the middle; an untouched slider counts as the middle"

    kind = models.CharField(max_length=8, choices=KINDS_OF_QUESTION)
    question_name = models.CharField(
        max_length=40,
        default=FIRST_NAME,
        db_default=FIRST_NAME,
        validators=[RegexValidator("^[a-z][a-z0-9_]*$", "Use small letters, digits and _, a letter first.")],
        help_text="What files and addresses call the question, where a study has several.",
    )
    # A template with the item's fields in braces.
    question = models.TextField()
    is_required = models.BooleanField(default=True, db_default=True, help_text="Nobody goes on without an answer.")
    offers_dont_know = models.BooleanField(
        default=False, db_default=False, help_text="Offer “I don't know”, which is counted apart and never in gold."
    )
    asks_confidence = models.BooleanField(
        default=False, db_default=False, help_text="Ask how sure the person is, from 1 to 5, beside the answer."
    )

    # How results are reported: the metrics that come first, and spellings that stand for labels.
    metrics = models.JSONField(default=list, blank=True)
    synonyms = models.JSONField(default=dict, blank=True)

    # The scale of sliders, in the study's canonical direction.
    scale_low = models.DecimalField(
        max_digits=12, decimal_places=4, null=True, blank=True, validators=ENDS_OF_SCALES.validators
    )
    scale_high = models.DecimalField(
        max_digits=12, decimal_places=4, null=True, blank=True, validators=ENDS_OF_SCALES.validators
    )
    low_label = LineField(max_length=80, blank=True)
    high_label = LineField(max_length=80, blank=True)
    # Labels that are the points of a scale, and how many labels one answer may have.
    ordered = models.BooleanField(
        default=False, db_default=False, help_text="The labels are the points of a scale, from its low to its high end."
    )
    shows_points = models.BooleanField(
        default=False, db_default=False, help_text="A number stands above each point of the scale."
    )
    fewest = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=LABELS_OF_AN_ANSWER.validators, help_text="Fewest labels of one answer."
    )
    most = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=LABELS_OF_AN_ANSWER.validators, help_text="Most labels of one answer."
    )
    slider_start = models.CharField(max_length=6, choices=SliderStart, default=SliderStart.HIDDEN)
    slider_shows_number = models.BooleanField(default=False)

    # Which of its study's questions this object shows: the first, but in what `Study.asked` gives.
    asked_number = FIRST

    class Meta:
        abstract = True
        constraints: ClassVar = [
            both_or_neither("scale_low", "scale_high"),
            ordered("scale_low", "scale_high", strictly=True),
            ordered("fewest", "most"),
            filled("question"),
            models.CheckConstraint(
                condition=~Q(kind__in=WITH_SCALE) | Q(scale_low__isnull=False),
                name="%(class)s_slider_has_scale",
            ),
            models.CheckConstraint(
                condition=Q(question_name__regex="^[a-z][a-z0-9_]*$"), name="%(class)s_question_name_is_one"
            ),
        ]

    @property
    def question_kind(self) -> Kind:
        """What the kind of the question declares."""
        return KINDS[self.kind]


# What a study has of each of its questions: what `Study.asked` takes from one of them.
OF_EACH_QUESTION = tuple(field.name for field in AsksOneThing._meta.local_fields)


@_known_choices
class Question(AsksOneThing):
    """A question after the first. With `shown_if` it is asked only where that earlier question has such an answer."""

    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="further_questions")
    number = models.PositiveSmallIntegerField()
    shown_if = models.PositiveSmallIntegerField(null=True, blank=True, help_text="The number of an earlier question.")
    shown_if_labels = models.JSONField(null=True, blank=True, help_text="Shown where the answer has one of these.")
    shown_if_low = models.FloatField(null=True, blank=True)
    shown_if_high = models.FloatField(null=True, blank=True)

    triggers: ClassVar = [
        FrozenOnceJudged(
            (
                "kind", "number", "question_name", "question", "scale_low", "scale_high", "low_label", "high_label",
                "slider_start", "shown_if", "shown_if_labels", "shown_if_low", "shown_if_high",
            ),
            items=("study_id", "study_id"),
        )
    ]  # fmt: skip

    class Meta(AsksOneThing.Meta):
        ordering = ["study", "number"]
        constraints: ClassVar = [
            *AsksOneThing.Meta.constraints,
            UniqueConstraint(fields=["study", "number"], name="%(class)s_number_once_a_study"),
            UniqueConstraint(fields=["study", "question_name"], name="%(class)s_name_once_a_study"),
            models.CheckConstraint(
                condition=Q(number__gt=FIRST, number__lte=MOST_QUESTIONS), name="%(class)s_number_after_the_first"
            ),
            models.CheckConstraint(
                condition=Q(shown_if__isnull=True) | Q(shown_if__gte=FIRST, shown_if__lt=F("number")),
                name="%(class)s_shown_if_an_earlier_one",
            ),
            models.CheckConstraint(
                condition=Q(
                    shown_if__isnull=True, shown_if_labels=None, shown_if_low__isnull=True, shown_if_high__isnull=True
                )
                | Q(shown_if__isnull=False, shown_if_low__isnull=True, shown_if_high__isnull=True)
                & json_is("shown_if_labels", "array")
                & json_has_members("shown_if_labels")
                | Q(shown_if__isnull=False, shown_if_labels=None, shown_if_low__isnull=False)
                | Q(shown_if__isnull=False, shown_if_labels=None, shown_if_high__isnull=False),
                name="%(class)s_shown_if_labels_or_a_range",
            ),
            finite("shown_if_low"),
            finite("shown_if_high"),
            ordered("shown_if_low", "shown_if_high"),
        ]

    def __str__(self) -> str:
        return self.question_name


# Rows that belong to one question of a study see the study as that question asks it, and it sees its own rows alone.


M = TypeVar("M", bound=models.Model)


class OfAQuestion(models.Manager[M]):
    """`study.labels`, `study.releases`, …: those of the question that this study object shows. Elsewhere all rows."""

    def get_queryset(self) -> models.QuerySet[M]:
        rows = super().get_queryset()
        study = getattr(self, "instance", None)  # which Django's managers of related rows have
        return rows if not isinstance(study, AsksOneThing) else rows.filter(question=study.asked_number)


if TYPE_CHECKING:
    AskedForeignKey = models.ForeignKey
    _SmallInteger = models.PositiveSmallIntegerField[Any, Any]
else:
    _SmallInteger = models.PositiveSmallIntegerField

    class _AskedStudy(ForwardManyToOneDescriptor):
        def __get__(self, instance: Any, cls: type | None = None) -> Any:
            value = super().__get__(instance, cls)
            if instance is None or value is None or value.asked_number == instance.question:
                return value
            asked = value.asked(instance.question)
            self.field.set_cached_value(instance, asked)  # asked for once: an export may not, while it copies
            return asked

    class AskedForeignKey(models.ForeignKey):
        """To a study, or to what has an `asked` of its own: `question` of the row is the number of the question."""

        forward_related_accessor_class = _AskedStudy

        def deconstruct(self) -> Any:
            """To migrations it is the ForeignKey that its column is."""
            name, _, arguments, options = super().deconstruct()
            return name, "django.db.models.ForeignKey", arguments, options


def question_number() -> _SmallInteger:
    return models.PositiveSmallIntegerField(default=FIRST, db_default=FIRST, help_text="The number of the question.")
