"""What rules and researchers decide: of workers by rule sets, runs and exclusions; of items by hand."""

from collections.abc import Collection
from copy import copy
from typing import ClassVar, Self
from uuid import UUID, uuid4

import numpy as np
from django.conf import settings
from django.db import models
from django.db.models import Exists, FilteredRelation, Max, OuterRef, Q

from agreement.judgments.property_coding import LONGEST, TYPES, Code, Coding
from annotation.database.triggers import AppendOnly
from annotation.models import Item, Job, Participation, Study
from annotation.models.expressions import filled, known_choices, one_answer
from annotation.models.question import AskedForeignKey, OfAQuestion, question_number
from annotation.models.text_fields import LineField


class StoredRuleSetQuerySet(models.QuerySet["StoredRuleSet"]):
    def of_studies_or_shared(self, studies: models.QuerySet[Study]) -> Self:
        """Those that a run of one of these studies used, and those that are shared with everybody."""
        used = StoredRuleSet.objects.filter(cleaning_runs__study__in=studies.order_by().values("pk"))
        shared = SharedRuleSet.objects.values("rule_set")
        return self.filter(Q(pk__in=used.values("pk")) | Q(pk__in=shared))


class StoredRuleSet(models.Model):
    name = LineField(max_length=80)
    sha256 = models.CharField(max_length=64, unique=True)
    toml = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    objects = StoredRuleSetQuerySet.as_manager()
    triggers: ClassVar = [AppendOnly()]

    class Meta:
        verbose_name = "rule set"
        constraints = [filled("name"), filled("toml")]

    def __str__(self) -> str:
        return f"{self.name} ({self.sha256[:8]})"


class SharedRuleSet(models.Model):
    """That a study's managers share a rule set which the study used with every researcher of the site.

    Which studies a rule set belongs to is said by their cleaning runs; only the sharing needs a row of its own.
    """

    rule_set = models.ForeignKey(StoredRuleSet, models.PROTECT, related_name="shares")
    study = models.ForeignKey(Study, models.PROTECT, related_name="shared_rule_sets")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["rule_set", "study"], name="%(class)s_once_a_study")]

    def __str__(self) -> str:
        return f"{self.rule_set}, shared by {self.study}"


# CleaningRun: a rule set applied to a frozen set of judgments, with a verdict for each worker. It deletes nothing.

BYTES_OF_UUID = 16


class CleaningRun(models.Model):
    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    study = models.ForeignKey(Study, models.PROTECT, related_name="cleaning_runs")
    rule_set = models.ForeignKey(StoredRuleSet, models.PROTECT, related_name="cleaning_runs")
    job = models.OneToOneField(Job, models.PROTECT, null=True, blank=True, related_name="cleaning_run")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    completed_at = models.DateTimeField(null=True, blank=True)
    counts = models.JSONField(default=dict)

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return f"cleaning of {self.study} by {self.rule_set}"

    @property
    def release_number(self) -> int | None:
        """Of the release that was made of it, which all questions share."""
        return next((release.number for release in self.releases.all()), None)

    @property
    def asked_number(self) -> int:
        """Of the question that it looks at."""
        return self.study.asked_number

    def asked(self, number: int) -> Self:
        """The run as it looks at this question of its study."""
        if number == self.study.asked_number:
            return self
        run = copy(self)
        run.study = self.study.asked(number)
        return run


class FrozenJudgments(models.Model):
    """A portion of the judgments that a run looks at, in order: their keys and UUIDs and no foreign key, so that a
    person can withdraw. freezing.py reads them and writes them.
    """

    run = models.ForeignKey(CleaningRun, models.CASCADE, related_name="frozen", db_index=False)
    position = models.PositiveIntegerField()
    last_key = models.BigIntegerField(help_text="The highest of the keys.")
    keys = models.JSONField(help_text="0 for a judgment that was withdrawn before keys were kept.")
    uuids = models.BinaryField(help_text="16 bytes for each of the keys, in the same order.")

    triggers: ClassVar = [AppendOnly(allows_delete=True)]

    class Meta:
        ordering = ["run", "position"]
        constraints = [models.UniqueConstraint(fields=["run", "position"], name="%(class)s_position_once_a_run")]

    def __str__(self) -> str:
        return f"portion {self.position} of {self.run}"


@known_choices
class Verdict(models.Model):
    class Outcome(models.TextChoices):
        PASSED = "passed"
        FAILED = "failed"
        NOT_APPLICABLE = "not applicable"

    run = models.ForeignKey(CleaningRun, models.CASCADE, related_name="verdicts")
    participation = models.ForeignKey(Participation, models.PROTECT, related_name="verdicts")
    question = question_number()
    rule = models.CharField(max_length=200)
    outcome = models.CharField(max_length=14, choices=Outcome)
    evidence = models.JSONField(default=list, help_text="Item, answer and bound of each failure.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "participation", "question", "rule"], name="%(class)s_once_a_rule"),
        ]

    def __str__(self) -> str:
        return f"{self.participation}: {self.rule} {self.get_outcome_display()}"


def withdrawn_from(run: int, withdrawn: Collection[UUID], *, release: int) -> tuple[int, int]:
    """How many of these judgments the run with this key looked at, and how many of those are in the release's gold."""
    uuids = {uuid.bytes for uuid in withdrawn}
    beginnings = np.frombuffer(b"".join(uuid[:8] for uuid in uuids), dtype=np.int64)
    of_run = of_gold = 0
    of_release = FilteredRelation("in_gold", condition=Q(in_gold__release=release))
    portions = FrozenJudgments.objects.filter(run=run).annotate(of_release=of_release).order_by("position")
    for stored, bits in portions.values_list("uuids", "of_release__bits").iterator(chunk_size=1):
        frozen = bytes(stored)
        # Numbers first: to compare 16 bytes each with each takes several times as long.
        likely = np.flatnonzero(np.isin(np.frombuffer(frozen, dtype=np.int64)[::2], beginnings)).tolist()
        places = [place for place in likely if frozen[place * BYTES_OF_UUID : (place + 1) * BYTES_OF_UUID] in uuids]
        of_run += len(places)
        if bits is not None:
            of_gold += int(np.unpackbits(np.frombuffer(bytes(bits), dtype=np.uint8))[places].sum())
    return of_run, of_gold


# Exclusion: a worker excluded from a study, by a run or by hand, with the reason. It can be lifted.


class ExclusionQuerySet(models.QuerySet["Exclusion"]):
    def in_force(self) -> Self:
        return self.filter(lifted_at__isnull=True)


class Exclusion(models.Model):
    participation = models.ForeignKey(Participation, models.PROTECT, related_name="exclusions")
    run = models.ForeignKey(CleaningRun, models.PROTECT, null=True, blank=True, related_name="exclusions")
    reason = models.TextField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    lifted_by_run = models.ForeignKey(
        CleaningRun,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="lifted_exclusions",
        help_text="The later run whose rules the worker passed.",
    )
    lift_reason = models.TextField(blank=True)

    objects = ExclusionQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            filled("reason"),
            models.UniqueConstraint(
                fields=["participation"], condition=Q(lifted_at__isnull=True), name="%(class)s_one_in_force"
            ),
            models.CheckConstraint(
                condition=Q(lifted_at__isnull=True, lift_reason="") | (Q(lifted_at__isnull=False) & ~Q(lift_reason="")),
                name="%(class)s_lifted_with_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.participation}: {self.reason}"


# What researchers decide item by item: adjudications and codes of properties.


class AdjudicationQuerySet(models.QuerySet["Adjudication"]):
    def current(self) -> Self:
        """The latest revision for each item, also where it removes the answer."""
        later = Adjudication.objects.filter(
            item=OuterRef("item"), question=OuterRef("question"), revision__gt=OuterRef("revision")
        )
        return self.filter(~Exists(later))

    def in_force(self) -> Self:
        """The answers that stand now."""
        return self.current().filter(is_removed=None)


class AdjudicationsOfAQuestion(OfAQuestion["Adjudication"]):
    pass


class Adjudication(models.Model):
    """It never enters gold, agreement or scores: it is shown and exported in a column or a table of its own."""

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    # Repeated from the item, so that a study's are read without its items.
    study = AskedForeignKey(Study, models.CASCADE, related_name="adjudications")
    question = question_number()
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

    why = models.TextField(blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = AdjudicationsOfAQuestion.from_queryset(AdjudicationQuerySet)()
    # A draft that is deleted takes its items with it, and what was said of them.
    triggers: ClassVar = [AppendOnly(allows_delete=True)]

    class Meta:
        ordering = ["item", "question", "revision"]
        constraints = [
            models.UniqueConstraint(fields=["item", "question", "revision"], name="%(class)s_revision_once"),
            models.CheckConstraint(condition=Q(revision__gte=1), name="%(class)s_revision_from_one"),
            *one_answer("is_removed"),
            models.CheckConstraint(condition=Q(is_removed__isnull=True) | Q(is_removed=True), name="%(class)s_removed"),
        ]

    def __str__(self) -> str:
        return f"adjudication of {self.item}, revision {self.revision}"


# PropertyCode: what a researcher says that one spelling of a property counts as. A change is another row.


class PropertyCodeQuerySet(models.QuerySet["PropertyCode"]):
    def of_study(self, study: Study, revision: int | None = None) -> Self:
        """All rows of a study, or those of its coding as it was at that revision."""
        rows = self.filter(study=study, question=study.asked_number)
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


class PropertyCodesOfAQuestion(OfAQuestion["PropertyCode"]):
    pass


@known_choices
class PropertyCode(models.Model):
    study = AskedForeignKey(Study, models.PROTECT, related_name="property_codes")
    question = question_number()
    revision = models.PositiveIntegerField(help_text="The number of the save, within the study, that this row is of.")
    spelling = models.TextField(help_text="What people wrote, normalised.")
    relation = models.CharField(max_length=LONGEST, blank=True)
    feature = models.CharField(max_length=LONGEST, blank=True)
    type = models.CharField(max_length=20, choices=[("", "not said"), *((kind, kind) for kind in TYPES)], blank=True)
    is_left_out = models.BooleanField(default=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = PropertyCodesOfAQuestion.from_queryset(PropertyCodeQuerySet)()
    # A row quotes what people wrote: with the last person who wrote it, it goes (leaving.py).
    triggers: ClassVar = [AppendOnly(allows_delete=True)]

    class Meta:
        constraints = [
            filled("spelling"),
            models.UniqueConstraint(
                fields=["study", "question", "revision", "spelling"], name="%(class)s_once_a_revision"
            ),
            models.CheckConstraint(condition=Q(revision__gte=1), name="%(class)s_revision_from_one"),
            models.CheckConstraint(condition=Q(is_left_out=True) | ~Q(feature=""), name="%(class)s_has_a_feature"),
        ]

    def __str__(self) -> str:
        return f"{self.spelling}: left out" if self.is_left_out else f"{self.spelling}: {self.code.name}"

    @property
    def code(self) -> Code:
        return Code(self.relation, self.feature, self.type, self.is_left_out)
