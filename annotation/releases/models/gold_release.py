"""GoldRelease: an immutable, numbered, content-hashed set of labels, and what it quotes of people."""

import json
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q

from agreement.kinds.statistics import statistics_of
from annotation.database.triggers import AppendOnly
from annotation.models import Study, Tombstone
from annotation.models.question import AskedForeignKey, OfAQuestion, question_number
from annotation.models.text_fields import LineField
from annotation.releases.models.decisions import CleaningRun, FrozenJudgments, withdrawn_from

if TYPE_CHECKING:
    from agreement.report.report import Report

# GoldRelease: an immutable, numbered, content-hashed set of labels made from one cleaning run.

MOST_NAMED = 10


class GoldReleaseQuerySet(models.QuerySet["GoldRelease"]):
    def newest_first(self) -> Self:
        return self.order_by("-number")


class GoldReleasesOfAQuestion(OfAQuestion["GoldRelease"]):
    pass


class GoldRelease(models.Model):
    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    study = AskedForeignKey(Study, models.PROTECT, related_name="releases")
    # One of each of the study's questions makes the release of this number.
    question = question_number()
    run = AskedForeignKey(CleaningRun, models.PROTECT, related_name="releases")
    number = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    columns = models.JSONField(help_text="The columns of gold.csv, in order.")
    report = models.JSONField(help_text="report.json as it was published with this release.")
    # The same byte for byte: JSONB keeps neither the order of its keys nor the sign of a zero.
    report_file = models.TextField(null=True, editable=False)
    methods = models.TextField(help_text="The methods paragraph.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = GoldReleasesOfAQuestion.from_queryset(GoldReleaseQuerySet)()

    triggers: ClassVar = [AppendOnly()]

    class Meta:
        ordering = ["study", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "question", "number"], name="%(class)s_number_once_a_question"),
            models.UniqueConstraint(fields=["run", "question"], name="%(class)s_once_a_run"),
            models.CheckConstraint(condition=Q(sha256__regex="^[0-9a-f]{64}$"), name="%(class)s_sha256_is_one"),
            models.CheckConstraint(condition=Q(number__gte=1), name="%(class)s_number_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.study}, release {self.number}"

    @cached_property
    def published(self) -> "Report":
        """What was published with this release, whatever version of Touchstone made it."""
        from agreement.report.report import read_report  # which loads the packages of analyses

        # As it was written: in a column of JSON PostgreSQL keeps no order of keys. Earlier releases have that alone.
        return read_report(self.report if self.report_file is None else json.loads(self.report_file))

    def erratum(self) -> str:
        """What withdrawals since have done to this release, in words; nothing where there were none."""
        erased, from_gold = self._erased()
        if not erased:
            return ""
        return (
            f"Erratum to release {self.number}: {erased:,} of the judgments that it was made from,"
            f" {from_gold:,} of them in its gold, have since been withdrawn by the people who gave them, and "
            f"are erased."
            f" {self.lost_lines_sentence() or 'It stands as it was published.'}"
            " It can't be recomputed from the database. Analyse the study again for a new release."
        )

    def _erased(self) -> tuple[int, int]:
        """How many judgments of its run and of its gold have a tombstone; nothing more is read where there is none."""
        withdrawn = set(Tombstone.objects.filter(study=self.study_id).values_list("judgment_uuid", flat=True))
        if not withdrawn:
            return 0, 0
        return withdrawn_from(self.run_id, withdrawn, release=self.pk)

    def lost_lines(self) -> dict[str, int]:
        """How many lines of each item are left out: a text of a person who withdrew, which is that person's line even
        where another wrote the same; a property that only people who withdrew had named.
        """
        quoting = statistics_of(self.study.kind).quoting
        if quoting is None:
            return {}
        quoting_column = self.columns.index(quoting.column.name)
        digests = set(self.quotes.values_list("digest", flat=True))
        lines = self.labels.order_by("position").values_list("item_id", "cells")
        return dict(Counter(item_id for item_id, cells in lines if cells[quoting_column] not in digests))

    def lost_lines_sentence(self) -> str:
        """Which lines are left out and why, in words; nothing where none is."""
        lost = self.lost_lines()
        if not lost:
            return ""
        lines, named = sum(lost.values()), ", ".join(list(lost)[:MOST_NAMED])
        more = f" and {len(lost) - MOST_NAMED:,} more" if len(lost) > MOST_NAMED else ""
        quoted = "quoted what nobody else had said"
        quoting = statistics_of(self.study.kind).quoting
        if quoting is not None and quoting.line_is_one_persons:
            quoted = "was a text of somebody who withdrew" if lines == 1 else "were texts of people who withdrew"
        return (
            f"{lines:,} {'line' if lines == 1 else 'lines'} of its gold.csv {quoted}, of"
            f" {'item' if len(lost) == 1 else 'items'} {named}{more}, and {'is' if lines == 1 else 'are'} left out"
            f" since: the file differs from the one that was published, whose SHA-256 is {self.sha256}."
        )


class GoldLabel(models.Model):
    """One line of gold.csv, its cells as the texts that the release's hash was taken of.

    What a line quotes of people is a digest here; the text is in `Quote` (release_quotes.py).
    """

    release = models.ForeignKey(GoldRelease, models.PROTECT, related_name="labels")
    position = models.PositiveIntegerField()
    item_id = models.CharField(max_length=200)
    cells = models.JSONField()

    triggers: ClassVar = [AppendOnly()]

    class Meta:
        ordering = ["release", "position"]
        constraints = [
            models.UniqueConstraint(fields=["release", "position"], name="%(class)s_position_once_a_release")
        ]

    def __str__(self) -> str:
        return self.item_id


class JudgmentsInGold(models.Model):
    """Which judgments of a portion that the run froze went into its release."""

    release = models.ForeignKey(GoldRelease, models.PROTECT, related_name="judgments_in_gold", db_index=False)
    frozen = models.ForeignKey(FrozenJudgments, models.PROTECT, related_name="in_gold")
    bits = models.BinaryField(help_text="A bit for each judgment of the portion; a byte begins with its highest bit.")

    triggers: ClassVar = [AppendOnly()]

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "frozen"], name="%(class)s_portion_once_a_release")]

    def __str__(self) -> str:
        return f"{self.frozen}, in {self.release}"


# Quote: what a release quotes of one judgment, word for word. It can be erased; the release keeps a hash alone.


class Quote(models.Model):
    release = models.ForeignKey(GoldRelease, models.PROTECT, related_name="quotes")
    # No foreign key, as everywhere beside judgments: whoever erases them names what goes with them (leaving.py).
    judgment_uuid = models.UUIDField(db_index=True)
    digest = models.CharField(max_length=64, help_text="What the release's row holds instead of the text.")
    salt = models.CharField(
        max_length=32, help_text="Added before hashing, so that nobody can guess a short text from its digest."
    )
    text = models.TextField()

    triggers: ClassVar = [AppendOnly(allows_delete=True)]

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["release", "digest", "judgment_uuid"], name="%(class)s_once_a_judgment_and_line"
            )
        ]

    def __str__(self) -> str:
        return f"quoted in {self.release}"


# ReleaseReport: the report page, figures and tables of a release, drawn by a job.


class ReleaseReport(models.Model):
    """Made of what the database has when it is drawn; somebody's withdrawal removes it with what it shows of them."""

    release = models.OneToOneField(GoldRelease, models.PROTECT, related_name="drawn")
    figures = models.JSONField(help_text="Name, title, caption and description of every figure, in order.")
    content = models.BinaryField(help_text="report.html, figures/ and tables/ as one zip.")
    drawn_at = models.DateTimeField(auto_now_add=True)

    triggers: ClassVar = [AppendOnly(allows_delete=True)]

    def __str__(self) -> str:
        return f"report of {self.release}"


# DatasetCard: what only researchers know of a study's data. PublishedNames: what a published bundle calls people.


class DatasetCard(models.Model):
    """Goes into croissant.json, README.md and zenodo.json; what is empty reads "to be filled in" there."""

    study = models.OneToOneField(Study, models.CASCADE, related_name="dataset_card")
    title = LineField(max_length=200, blank=True)
    description = models.TextField(blank=True)
    license = LineField(max_length=200, blank=True)
    url = models.URLField(blank=True)
    creators = models.JSONField(default=list, blank=True)
    published = models.DateField(null=True, blank=True)
    version = LineField(max_length=20, default="1.0.0")
    keywords = models.JSONField(default=list, blank=True)
    language = LineField(max_length=20, blank=True)
    collection = models.TextField(blank=True)
    limitations = models.TextField(blank=True)
    biases = models.TextField(blank=True)
    sensitive_information = models.TextField(blank=True)
    social_impact = models.TextField(blank=True)
    use_cases = models.TextField(blank=True)
    maintenance = models.TextField(blank=True)
    derived_from = LineField(max_length=200, blank=True)
    synthetic = models.BooleanField(null=True, blank=True)
    citation = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"data card of {self.study}"


class PublishedNames(models.Model):
    """Given when a release is first published and kept, so that every copy calls a person the same."""

    release = models.OneToOneField(GoldRelease, models.PROTECT, related_name="published_names")
    names = models.JSONField(help_text="The name in published bundles (w01, w02, …) of each pseudonym.")
    made_at = models.DateTimeField(auto_now_add=True)

    triggers: ClassVar = [AppendOnly(allows_delete=True)]

    def __str__(self) -> str:
        return f"published names of {self.release}"
