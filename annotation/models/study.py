"""Study: one to eight questions put to a crowd about many items, with form, texts, target and pay, and their limits."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, ClassVar
from uuid import uuid4

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q, UniqueConstraint
from django.forms import Field
from django.utils.functional import cached_property

from agreement.errors import Refused, option
from agreement.stimuli.blocks import Block, blocks_of, media_fields
from annotation import platforms
from annotation.database.triggers import FrozenOnceJudged
from annotation.models.expressions import both_or_neither, known_choices, ordered
from annotation.models.question import (
    ENDS_OF_SCALES,
    FIRST,
    LABELS_OF_AN_ANSWER,
    OF_EACH_QUESTION,
    AsksOneThing,
    Limits,
    Question,
)
from annotation.models.text_fields import LineField

MINUTES_A_WEEK, MINUTES_A_YEAR = 7 * 24 * 60, 365 * 24 * 60
DAYS_IN_A_THOUSAND_YEARS = 365_250


JUDGMENTS_PER_ITEM = Limits(1, 10_000)
PEOPLE = Limits(1, 1_000_000)
PEOPLE_PER_HOUR = Limits(1, 10_000)
CHECKS_PER_ASSIGNMENT = Limits(1, 1_000)

# By the field of a study.
OF_STUDIES = {
    "scale_low": ENDS_OF_SCALES,
    "scale_high": ENDS_OF_SCALES,
    "items_per_page": Limits(1, 50),
    "fewest": LABELS_OF_AN_ANSWER,
    "most": LABELS_OF_AN_ANSWER,
    "seed": Limits(0, 2**63 - 1),
    "judgments_per_item": JUDGMENTS_PER_ITEM,
    "items_per_assignment": Limits(1, 10_000),
    "assignments_per_worker": Limits(1, 1_000),
    "qualification_items": Limits(1, 1_000),
    "qualification_pass_mark": Limits(1, 1_000),
    "minutes_allowed": Limits(1, MINUTES_A_YEAR),
    "capacity": PEOPLE,
    "unverified_per_hour": PEOPLE_PER_HOUR,
    "pay": Limits(0, 999_999),
    "minutes_expected": Limits(1, MINUTES_A_WEEK),
    "fee_percent": Limits(0, 200),
    "retention_days": Limits(0, DAYS_IN_A_THOUSAND_YEARS),
}


def say_limits(fields: Mapping[str, Field], limits: Mapping[str, Limits] = OF_STUDIES) -> None:
    """A form's fields name both limits, wherever a number is beyond one of them."""
    for name in limits.keys() & fields.keys():
        fields[name].error_messages |= limits[name].messages


def new_seed() -> int:
    return secrets.randbelow(2**31)


def languages() -> list[tuple[str, str]]:
    """A setting, which migrations must not depend on."""
    return list(settings.LANGUAGES)


@known_choices
class Study(AsksOneThing):
    class Status(models.TextChoices):
        DRAFT = "draft"
        PILOTING = "piloting"
        LIVE = "live"
        PAUSED = "paused"
        CLOSED = "closed"

    class Order(models.TextChoices):
        FIXED = "fixed", "As written"
        COUNTERBALANCED = "counterbalanced", "Reversed for half of the workers"
        RANDOM = "random", "Random for each item"

    class WordLayout(models.TextChoices):
        STACKED = "stacked"
        SIDE_BY_SIDE = "side-by-side"

    class Pace(models.TextChoices):
        CALM = "calm", "Calm: people go on by Next"
        EXPERT = "expert", "Expert: by keys, with undo, skip, flag and comment"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    slug = models.SlugField(max_length=80, unique=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="studies")
    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT)
    created_at = models.DateTimeField(auto_now_add=True)
    # Hidden from lists, and closed to new people, until it is restored.
    archived_at = models.DateTimeField(null=True, blank=True, editable=False)
    # A deleted draft keeps its row, for the record of who did what; nobody is shown it any more.
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    # How often its set-up was saved: whoever saves a form that began from an older number is refused.
    edits = models.PositiveIntegerField(default=0, db_default=0, editable=False)

    title = LineField(max_length=200)
    language = models.CharField(max_length=12, choices=languages, default="en")
    translation_of = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="translations")
    preset = models.CharField(max_length=80, blank=True)
    preset_version = models.CharField(max_length=20, blank=True)
    preset_sha256 = models.CharField(max_length=64, blank=True)

    # What annotators read beside the question.
    summary = models.TextField(blank=True, help_text="What the study asks people to do, shown on the first page.")
    consent = models.TextField(blank=True)
    consent_version = LineField(max_length=20, default="1")
    instructions = models.TextField(blank=True)
    contact = LineField(max_length=200, blank=True)
    # Who asks; what is empty is not shown.
    researchers = LineField(max_length=300, blank=True)
    institution = LineField(max_length=200, blank=True)
    ethics = LineField(max_length=200, blank=True)

    # How it is shown.
    stimulus = models.JSONField(
        default=dict,
        db_default=models.Value({}, models.JSONField()),
        blank=True,
        help_text="What an item shows apart from its questions, as blocks; empty: nothing but the questions.",
    )
    scale_direction = models.CharField(max_length=15, choices=Order, default=Order.FIXED)
    word_order = models.CharField(max_length=15, choices=Order, default=Order.FIXED)
    word_layout = models.CharField(max_length=12, choices=WordLayout, default=WordLayout.STACKED)
    items_per_page = models.PositiveSmallIntegerField(default=1, validators=OF_STUDIES["items_per_page"].validators)

    pace = models.CharField(max_length=6, choices=Pace, default=Pace.CALM, db_default=Pace.CALM)

    # Who judges how much, and by when.
    seed = models.BigIntegerField(
        default=new_seed,
        validators=OF_STUDIES["seed"].validators,
        help_text="Decides in which order items are given out.",
    )
    judgments_per_item = models.PositiveSmallIntegerField(
        default=10, validators=OF_STUDIES["judgments_per_item"].validators, help_text="Judgments per item."
    )
    items_per_assignment = models.PositiveIntegerField(
        default=20, validators=OF_STUDIES["items_per_assignment"].validators
    )
    assignments_per_worker = models.PositiveSmallIntegerField(
        default=1, validators=OF_STUDIES["assignments_per_worker"].validators
    )
    # Before all that: items with known answers, and how many of them somebody has to answer right to go on.
    qualification_pass_mark = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=OF_STUDIES["qualification_pass_mark"].validators
    )
    qualification_items = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=OF_STUDIES["qualification_items"].validators,
        help_text="How many of the qualification items each person answers; empty: all of them.",
    )
    qualification_feedback = models.BooleanField(default=False, db_default=False)
    minutes_allowed = models.PositiveIntegerField(
        default=60,
        validators=OF_STUDIES["minutes_allowed"].validators,
        help_text="After this time other people can answer what is still unanswered.",
    )
    refills_after_exclusion = models.BooleanField(default=True)
    counts_late_answers = models.BooleanField(default=False, help_text="Answers that arrive late may enter gold.")
    capacity = models.PositiveIntegerField(
        null=True, blank=True, validators=OF_STUDIES["capacity"].validators, help_text="How many people may take part."
    )
    starts_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    shuts_out = models.ManyToManyField("self", symmetrical=False, blank=True, related_name="shut_out_by")
    unverified_per_hour = models.PositiveSmallIntegerField(
        default=20,
        validators=OF_STUDIES["unverified_per_hour"].validators,
        help_text="How many unverified participants may start per network (a household, a lab) and hour.",
    )

    # Pay, and how the person gets back to where they came from.
    platform = models.CharField(max_length=8, choices=platforms.choices(), default=platforms.OWN_LINKS)
    platform_study_id = LineField(
        max_length=60, blank=True, help_text="The study's id on Prolific; a signed link must be for this study."
    )
    requires_signed_entry = models.BooleanField(
        default=False, help_text="Accept only signed links from Prolific (Secured External URL)."
    )
    pay = models.DecimalField(
        max_digits=8, decimal_places=2, null=True, blank=True, validators=OF_STUDIES["pay"].validators
    )
    currency = models.CharField(max_length=3, null=True, blank=True, validators=[RegexValidator("^[A-Z]{3}$")])
    minutes_expected = models.PositiveSmallIntegerField(
        default=10, validators=OF_STUDIES["minutes_expected"].validators
    )
    fee_percent = models.DecimalField(
        max_digits=5,
        decimal_places=2,
        null=True,
        blank=True,
        validators=OF_STUDIES["fee_percent"].validators,
        help_text="What the platform charges on top of the pay, in per cent. Empty: its usual fee.",
    )
    code_completed = LineField(max_length=40, blank=True)
    code_no_consent = LineField(max_length=40, blank=True)
    code_failed_comprehension = LineField(max_length=40, blank=True)
    code_failed_qualification = LineField(max_length=40, blank=True, default="", db_default="")
    finish_url = models.URLField(
        max_length=400,
        blank=True,
        help_text="Where people go at the end (Connect, SONA, direct). XXXX in SONA's address becomes the survey code.",
    )
    asks_comments = models.BooleanField(default=True, help_text="A field for comments on the last page.")
    counts_signs = models.BooleanField(
        "signs that a person answered",
        default=False,
        db_default=False,
        help_text="Counted beside each answer: time hidden, copying before leaving, long pastes, clicks that no person"
        " made; never what was written. The consent page says so.",
    )
    retention_days = models.PositiveIntegerField(
        default=365,
        validators=OF_STUDIES["retention_days"].validators,
        help_text="Platform ids are purged this many days after the study is closed.",
    )
    closed_at = models.DateTimeField(null=True, blank=True)
    pay_warned_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when its researchers are told that ids of undecided payments will go."
    )

    triggers: ClassVar = [
        FrozenOnceJudged(
            (
                "kind", "question_name", "question", "stimulus", "scale_low", "scale_high", "low_label", "high_label",
                "slider_start",
            ),
            items=("study_id", "id"),
        )
    ]  # fmt: skip

    class Meta(AsksOneThing.Meta):
        verbose_name_plural = "studies"
        ordering = ["-created_at"]
        constraints: ClassVar = [
            *AsksOneThing.Meta.constraints,
            both_or_neither("pay", "currency"),
            ordered("starts_at", "ends_at", strictly=True),
            models.CheckConstraint(
                condition=Q(judgments_per_item__gte=1), name="%(class)s_judgments_per_item_at_least_one"
            ),
            models.CheckConstraint(condition=Q(items_per_assignment__gte=1), name="%(class)s_assignment_has_items"),
            models.CheckConstraint(
                condition=Q(qualification_pass_mark__isnull=True) | Q(qualification_pass_mark__gte=1),
                name="%(class)s_pass_mark_at_least_one",
            ),
            models.CheckConstraint(
                condition=Q(qualification_items__isnull=True)
                | Q(qualification_pass_mark__isnull=False, qualification_items__gte=F("qualification_pass_mark")),
                name="%(class)s_pass_mark_can_be_reached",
            ),
            models.CheckConstraint(condition=Q(pay__isnull=True) | Q(pay__gte=0), name="%(class)s_pay_not_negative"),
            models.CheckConstraint(condition=~Q(translation_of=F("pk")), name="%(class)s_no_translation_of_itself"),
            models.CheckConstraint(
                condition=Q(requires_signed_entry=False) | (Q(platform="prolific") & ~Q(platform_study_id="")),
                name="%(class)s_signed_entry_names_its_study",
                violation_error_message=(
                    "Signed links are for Prolific alone, and need the study's id on Prolific: choose Prolific and fill"
                    " in the id, or don't require signed links."
                ),
            ),
            UniqueConstraint(
                fields=["translation_of", "language"],
                condition=Q(translation_of__isnull=False),
                name="%(class)s_one_translation_a_language",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def is_open_at(self, now: dt.datetime) -> bool:
        """Whether anything new may be begun: a participation, an assignment."""
        return (
            self.archived_at is None
            and self.status in {self.Status.PILOTING, self.Status.LIVE}
            and (self.starts_at is None or now >= self.starts_at)
            and (self.ends_at is None or now < self.ends_at)
        )

    @property
    def is_at_expert_pace(self) -> bool:
        return self.pace == self.Pace.EXPERT

    # The names of its questions, where a page lets one choose among them.
    shown_questions: Sequence[str] = ()
    # The row of the question that this object shows; the first has none of its own.
    further_question: Question | None = None

    def asked(self, number: int) -> Study:
        """The study as its question of this number asks it: its kind, words, scale and labels are that question's.

        Whatever takes a study takes this too. It is never saved.
        """
        if number == self.asked_number:
            return self
        if self.asked_number != FIRST:
            return Study.objects.get(pk=self.pk).asked(number)
        return self.as_asked_by(self.further_questions.get(number=number))

    def as_asked_by(self, question: Question) -> Study:
        """The study as this further question asks it; neither need be stored."""
        asked = copy(self)
        for name in OF_EACH_QUESTION:
            setattr(asked, name, getattr(question, name))
        asked.asked_number, asked.further_question = question.number, question
        return asked

    def questions(self) -> list[Study]:
        """The study as each of its questions asks it, in their order. One statement."""
        first, further = self.asked(FIRST), list(self.further_questions.order_by("number"))
        first.__dict__["has_several_questions"] = bool(further)  # as the cached property keeps it
        return [first, *map(first.as_asked_by, further)]

    def named(self, name: str) -> Study:
        """The study as its question of that name asks it; without a name its only one."""
        questions = self.questions()
        if not name and len(questions) == 1:
            return self
        for each in questions:
            if each.question_name == name:
                return each
        names = ", ".join(each.question_name for each in questions)
        if name:
            raise Refused(f"{self.slug} has no question {name!r}. Its questions are: {names}.")
        raise Refused(f"{self.slug} has several questions. Say which one is meant, with {option('question')}: {names}.")

    @property
    def media_columns(self) -> list[tuple[str, str]]:
        """The columns that name files for the blocks, each with what they are."""
        words = {"image": "a picture", "audio": "a sound", "video": "a video"}
        return [(column, words[kind]) for column, kind in media_fields(self.blocks).items()]

    @property
    def blocks(self) -> tuple[Block, ...]:
        """What an item shows apart from its questions."""
        return blocks_of(self.stimulus)

    @cached_property
    def has_several_questions(self) -> bool:
        return self.asked_number != FIRST or self.further_questions.exists()

    def save(self, *args: Any, **options: Any) -> None:
        if self.asked_number != FIRST:
            raise TypeError("a question of a study is saved as a Question, not as its study")
        super().save(*args, **options)


# While people can come in.
OPEN_NOW = {Study.Status.PILOTING, Study.Status.LIVE}
