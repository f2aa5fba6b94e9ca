"""What jobs compute of a study: scores of probes, leaderboards that compare them, and the summary of a large study."""

import secrets
from typing import ClassVar, Self
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q

from agreement.estimation.estimate import Estimate, Figure, Undefined
from agreement.scoring.answer_mapping.mapping_table import AnswerCounts
from agreement.typed_json import from_json
from annotation.database.triggers import AppendOnly
from annotation.models import Blob, Study
from annotation.models.expressions import both_or_neither, filled, finite, known_choices, ordered
from annotation.models.question import AskedForeignKey, OfAQuestion, question_number
from annotation.models.text_fields import LineField
from annotation.releases.models.gold_release import GoldRelease

# Probe: a model's outputs on a study's items, as the file that came in.


class Probe(models.Model):
    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    study = AskedForeignKey(Study, models.PROTECT, related_name="probes")
    question = question_number()
    name = LineField(max_length=120)
    file = models.ForeignKey(Blob, models.PROTECT, related_name="+")
    group = LineField(max_length=80, blank=True, help_text="Models of one group are averaged.")
    options = models.JSONField(default=dict, help_text="How the file is read: log base, normalise, ...")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = OfAQuestion["Probe"]()

    class Meta:
        ordering = ["study", "name"]
        constraints = [
            models.UniqueConstraint(fields=["study", "question", "name"], name="%(class)s_name_once_a_question"),
            filled("name"),
        ]

    def __str__(self) -> str:
        return self.name


@known_choices
class AnswerDecision(models.Model):
    """What a researcher decided that an answer of models stands for, in all models of the study alike; or that the
    rules have it right.
    """

    class Checked(models.TextChoices):
        NO = "", "not of a sample"
        RIGHT = "right"
        WRONG = "wrong"

    study = AskedForeignKey(Study, models.CASCADE, related_name="answer_decisions")
    question = question_number()
    answer = models.TextField(help_text="As the models gave it.")
    answer_sha256 = models.CharField(max_length=64)
    value = models.TextField(blank=True, help_text="A label, a number, a list, refusal, or empty: none of these.")
    checked = models.CharField(
        max_length=5,
        choices=Checked,
        blank=True,
        default=Checked.NO,
        help_text="Of a random sample: whether the rules had it right.",
    )
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(auto_now=True)

    objects = OfAQuestion["AnswerDecision"]()

    class Meta:
        ordering = ["study", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "question", "answer_sha256"], name="%(class)s_answer_once_a_question"
            ),
            models.CheckConstraint(condition=Q(answer_sha256__regex="^[0-9a-f]{64}$"), name="%(class)s_sha256_is_one"),
        ]

    def __str__(self) -> str:
        return f"{self.answer[:60]}: {self.value or 'nothing'}"


# Scoring: one probe against one release, pinned to its hash for ever; its figures are `Score` rows. A model whose
# answers are mapped otherwise later is scored again, and both stand.


class ScoringQuerySet(models.QuerySet["Scoring"]):
    def shown_on(self, board: "Leaderboard") -> Self:
        """Of each model the scoring by the newest decisions on answers."""
        return self.filter(release=board.release_id, **({"pk__in": board.scorings} if board.scorings else {}))

    def shown_of(self, release: GoldRelease) -> Self:
        """The same of a release's leaderboard, if it has one."""
        board = Leaderboard.objects.filter(release=release).first()
        return self.none() if board is None else self.shown_on(board)


class Scoring(models.Model):
    probe = models.ForeignKey(Probe, models.PROTECT, related_name="scorings")
    release = models.ForeignKey(GoldRelease, models.PROTECT, related_name="scorings")
    release_sha256 = models.CharField(max_length=64)
    seed = models.BigIntegerField()
    coverage = models.JSONField(
        help_text="The number of items in gold and of those covered, and the ids that are missing or not in gold."
    )
    notes = models.JSONField(default=list)
    matched_share = models.JSONField(
        help_text="The share of a typical person, on each worker's own items, or why there is none."
    )
    answers = models.JSONField(null=True, help_text="How many of its answers were mapped, refused, truncated, …")
    answers_sha256 = models.CharField(max_length=64, blank=True, default="", db_default="", help_text="Of their table.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ScoringQuerySet.as_manager()
    triggers: ClassVar = [AppendOnly()]

    class Meta:
        ordering = ["release", "probe"]
        constraints = [
            models.UniqueConstraint(fields=["probe", "release", "answers_sha256"], name="%(class)s_once_a_mapping"),
            models.CheckConstraint(condition=Q(release_sha256__regex="^[0-9a-f]{64}$"), name="%(class)s_sha256_is_one"),
        ]

    def __str__(self) -> str:
        return f"{self.probe} on {self.release}"

    @property
    def answer_counts(self) -> AnswerCounts | None:
        """How many of its answers were mapped; None where none was in the model's own words."""
        return None if self.answers is None else from_json(AnswerCounts, self.answers)


class Score(models.Model):
    scoring = models.ForeignKey(Scoring, models.PROTECT, related_name="scores")
    metric = models.CharField(max_length=80)
    breakdown = models.CharField(max_length=200, blank=True, help_text="The column of the breakdown; empty: all items.")
    group = models.CharField(max_length=400, blank=True)
    estimate = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    n = models.PositiveIntegerField(null=True)
    method = models.TextField(blank=True)
    undefined = models.TextField(blank=True, help_text="Why there is no figure.")
    chance = models.FloatField(null=True)

    triggers: ClassVar = [AppendOnly()]

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["scoring", "metric", "breakdown", "group"], name="%(class)s_once_a_scoring"
            ),
            both_or_neither("low", "high"),
            finite("estimate"),
            finite("low"),
            finite("high"),
            finite("chance"),
            ordered("low", "high"),
            models.CheckConstraint(
                condition=Q(estimate__isnull=False, undefined="") | (Q(estimate__isnull=True) & ~Q(undefined="")),
                name="%(class)s_figure_or_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scoring}: {self.metric}"

    @property
    def figure(self) -> Figure:
        if self.undefined or self.estimate is None:
            return Undefined(self.undefined)
        return Estimate(self.estimate, self.low, self.high, self.n or 0, self.method)


class Leaderboard(models.Model):
    release = models.OneToOneField(GoldRelease, models.PROTECT, related_name="leaderboard")
    metric = models.CharField(max_length=80)
    comparisons = models.JSONField(
        help_text="Every pair of probes: difference, interval, p, and p corrected by Holm in two ways."
    )
    groups = models.JSONField(default=list, help_text="The mean scores of each group of models.")
    against_reference = models.JSONField(
        default=dict, help_text="Models and people against the items' own references, as in report.json."
    )
    scorings = models.JSONField(default=list, help_text="The scorings that it shows; empty: all of the release.")
    made_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"leaderboard of {self.release}"


def new_token() -> str:
    return secrets.token_urlsafe(24)


class PublicLeaderboard(models.Model):
    """A link by which anybody may read a study's leaderboard, until it is revoked."""

    study = models.OneToOneField(Study, models.CASCADE, related_name="public_leaderboard")
    token = models.CharField(max_length=64, unique=True, default=new_token)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        constraints = [both_or_neither("revoked_at", "revoked_by")]

    def __str__(self) -> str:
        return f"public leaderboard of {self.study}"


class LeaderboardColumns(models.Model):
    """By which columns a study's scores are broken down on its leaderboard, and which of them are drawn as a curve."""

    study = models.OneToOneField(Study, models.CASCADE, related_name="leaderboard_columns")
    tables = models.JSONField(default=list, help_text="Columns whose groups stand in a table.")
    curves = models.JSONField(default=list, help_text="Those of them that are drawn as a curve.")
    changed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"columns of the leaderboard of {self.study}"


# StudySummary: what the pages of a large study show, computed by a job and shown with its age.


class StudySummary(models.Model):
    """One row per question of a study, replaced by each job. It holds no answer and no pseudonym: keys of people and
    items only.

    A person's withdrawal deletes it (leaving.py), and the next page or the clock has it made again.
    """

    study = AskedForeignKey(Study, models.CASCADE, related_name="stored_summaries")
    question = question_number()
    made_at = models.DateTimeField()
    judgments = models.PositiveIntegerField(help_text="How many judgments counted when it was made.")
    last_judgment = models.BigIntegerField(help_text="The highest number of a judgment that it looked at.")
    basis = models.CharField(
        max_length=64, help_text="Digest of all else that it depends on: rules, exclusions, status."
    )
    facts = models.JSONField(help_text="Agreement, the distribution of answers, judgments over time, times.")
    workers = models.BinaryField(help_text="Columns of numbers with a row per person, as numpy writes them.")
    items = models.BinaryField(help_text="The same with a row per item.")

    objects = OfAQuestion["StudySummary"]()

    class Meta:
        verbose_name_plural = "study summaries"
        constraints = [
            models.UniqueConstraint(fields=["study", "question"], name="%(class)s_once_a_question"),
            models.CheckConstraint(condition=Q(last_judgment__gte=0), name="%(class)s_last_judgment_from_zero"),
        ]

    def __str__(self) -> str:
        return f"summary of {self.study}"
