"""What speaks for and against a person having answered: signs counted beside answers, and a platform's own checks."""

from typing import ClassVar

from django.db import models
from django.db.models import Count, F, Max, Q

from agreement.kinds.signs import LONG_PASTE, NAMES, SIGNS
from annotation.database.triggers import AppendOnly
from annotation.models.expressions import known_choices
from annotation.models.judgment import AssignedItem
from annotation.models.participation import Participation


class AnswerSignsQuerySet(models.QuerySet["AnswerSigns"]):
    def by_item(self, study_id: int) -> list[tuple[str | int, ...]]:
        """Of each person and item the largest counts that came with any of its answers, for a page that is loaded again
        counts anew: pseudonym, item, answers, then each sign. By pseudonym, then in the order in which items were
        shown.
        """
        theirs = self.filter(assigned_item__participation__study=study_id)
        rows = (
            theirs.order_by()
            .values("assigned_item")
            .annotate(answers=Count("pk"), **{f"most_{name}": Max(name) for name in NAMES})
            .order_by(
                "assigned_item__participation__pseudonym",
                "assigned_item__assignment__number",
                "assigned_item__position",
            )
        )
        return list(
            rows.values_list(
                "assigned_item__participation__pseudonym",
                "assigned_item__item__item_id",
                "answers",
                *(f"most_{name}" for name in NAMES),
            )
        )

    def sums(self, study_id: int, *, participation: int | None = None) -> dict[int, dict[str, int]]:
        """Of each person, or of one, the sum over items. One statement."""
        theirs = self.filter(assigned_item__participation__study=study_id)
        if participation is not None:
            theirs = theirs.filter(assigned_item__participation=participation)
        of_items = theirs.order_by().values("assigned_item", "assigned_item__participation")
        columns = [f"most_{name}" for name in NAMES]
        rows = of_items.annotate(**{column: Max(name) for column, name in zip(columns, NAMES, strict=True)})
        sums: dict[int, dict[str, int]] = {}
        for person, *counts in rows.values_list("assigned_item__participation", *columns).iterator(2_000):
            of_person = sums.setdefault(person, dict.fromkeys(NAMES, 0))
            for name, count in zip(NAMES, counts, strict=True):
                of_person[name] += count
        return sums


class AnswerSigns(models.Model):
    """Sent beside one answer to an item: what was counted since the page with it was loaded."""

    # The unique constraint begins with the assigned item, and is an index of it already.
    assigned_item = models.ForeignKey(AssignedItem, models.PROTECT, related_name="signs", db_index=False)
    client_key = models.UUIDField(help_text="The key of the answer beside which it came.")
    hidden_ms = models.PositiveIntegerField()
    copied_and_left = models.PositiveIntegerField()
    long_pastes = models.PositiveIntegerField()
    pasted_characters = models.PositiveIntegerField()
    clicks = models.PositiveIntegerField()
    unmoved_clicks = models.PositiveIntegerField()
    untrusted_events = models.PositiveIntegerField()
    webdriver = models.PositiveSmallIntegerField()

    objects = AnswerSignsQuerySet.as_manager()

    triggers: ClassVar = [AppendOnly(allows_delete=True)]

    class Meta:
        verbose_name_plural = "answer signs"
        constraints = [
            models.UniqueConstraint(fields=["assigned_item", "client_key"], name="%(class)s_once_an_answer"),
            *(
                models.CheckConstraint(
                    condition=Q(**{f"{sign.name}__lte": sign.most}), name=f"%(class)s_{sign.name}_within"
                )
                for sign in SIGNS
            ),
            models.CheckConstraint(condition=Q(unmoved_clicks__lte=F("clicks")), name="%(class)s_unmoved_of_clicks"),
            models.CheckConstraint(
                condition=Q(long_pastes=0, pasted_characters=0)
                | Q(long_pastes__gte=1, pasted_characters__gte=LONG_PASTE * F("long_pastes")),
                name="%(class)s_pastes_are_long",
            ),
        ]

    def __str__(self) -> str:
        return f"beside {self.client_key}"


class AuthenticityResultQuerySet(models.QuerySet["AuthenticityResult"]):
    def rows(self, study_id: int) -> list[tuple[str, str, str, str]]:
        """As they are exported, by pseudonym."""
        theirs = self.filter(participation__study=study_id).order_by("participation__pseudonym", "check_name")
        listed = theirs.values_list("participation__pseudonym", "check_name", "result", "imported_at")
        return [(who, check, result, f"{moment:%Y-%m-%dT%H:%MZ}") for who, check, result, moment in listed]


@known_choices
class AuthenticityResult(models.Model):
    """What a platform's own check said of a submission, as its file had it: a platform's word, and no decision here."""

    class Check(models.TextChoices):
        TEXTS = "texts"  # own words, or taken from elsewhere
        AUTOMATION = "automation"  # worked by a person, or by a program

    class Result(models.TextChoices):
        HIGH = "high"
        MIXED = "mixed"
        LOW = "low"

    participation = models.ForeignKey(Participation, models.PROTECT, related_name="authenticity_results")
    check_name = models.CharField(max_length=10, choices=Check)
    result = models.CharField(max_length=5, choices=Result)
    imported_at = models.DateTimeField()

    objects = AuthenticityResultQuerySet.as_manager()

    class Meta:
        ordering = ["participation", "check_name"]
        constraints = [
            models.UniqueConstraint(fields=["participation", "check_name"], name="%(class)s_once_a_check"),
        ]

    def __str__(self) -> str:
        return f"{self.get_result_display()} ({self.check_name})"
