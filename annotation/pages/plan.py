"""The page Plan: how many judgments per item, people and money a wanted precision needs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING
from uuid import UUID

import pandas as pd
from django import forms
from django.http import HttpRequest, HttpResponse
from unfold.widgets import UnfoldAdminDecimalFieldWidget, UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget

from agreement.cleaning.check_items import SLIP, SPREAD, chance_of_all, passes_by_chance, slips_by_bounds
from agreement.estimation.estimate import Undefined
from agreement.figures.collecting import PRECISION, draw_plan_curve
from agreement.figures.figure import Figure
from agreement.kinds.options import labels_of_item
from agreement.planning.advice import OF_MODELS, advice_between
from agreement.planning.further_data import BY_FORMULA, said_exclusions, said_plan
from agreement.planning.precision import (
    ASSURANCE,
    LEAST_ASSURANCE,
    MOST_ASSURANCE,
    MOST_ITEMS,
    Components,
    Goal,
    Point,
    curve,
    first_within,
    why_no_plan,
)
from annotation.accounts.permissions import Right
from annotation.models import Study
from annotation.pages.admin.base import study_asked, study_page
from annotation.simulating import crowds
from annotation.studies.completeness import cost_of

if TYPE_CHECKING:
    from annotation.models import Study

# What a study's check items will do to random clickers and to careful people, before anybody has answered.


@dataclass(frozen=True, slots=True)
class PlannedChecks:
    """Chances for one assignment, each check drawn from the items of its name, failing one means being excluded."""

    quotas: tuple[tuple[str, int], ...]  # name, how many of it in an assignment
    clicker_passes: float
    careful_fails: float
    without_right_answer: int
    has_bounds: bool

    @property
    def per_assignment(self) -> int:
        return sum(count for _, count in self.quotas)

    @property
    def assumption(self) -> str:
        """What `careful_fails` rests on."""
        slip = f"it is assumed that a careful person makes a mistake in {SLIP:.0%} of checks"
        distance = f" and otherwise stops a slider {SPREAD:g} per cent of the scale from the right end on average"
        return slip + (distance if self.has_bounds else "")


def planned_checks(study: Study) -> PlannedChecks:
    """Three statements. A check without a right answer of its own is passed by everybody."""
    quotas = tuple(study.check_quotas.order_by("check_name").values_list("check_name", "per_assignment"))
    of_study = tuple(study.labels.values_list("value", flat=True)) if study.question_kind.has_labels else ()
    passes, slips = defaultdict(list), defaultdict(list)
    without, has_bounds = 0, False
    rows = study.items.checks().values_list("check_name", "expected", "min", "max", "fields")
    for name, expected, low, high, fields in rows:
        if expected is None and low is None and high is None:
            without += 1
            passes[name].append(1.0)
            slips[name].append(0.0)
            continue
        has_bounds |= low is not None or high is not None
        labels = len(labels_of_item(study.kind, of_study, fields))
        known = labels or not study.question_kind.has_labels  # a draft may have no labels yet
        passes[name].append(passes_by_chance(study.kind, low, high, len(expected or []), labels) if known else 0.0)
        slips[name].append(slips_by_bounds(low, high))
    there = [(name, count) for name, count in quotas if passes[name]]
    return PlannedChecks(
        quotas=quotas,
        clicker_passes=chance_of_all([(sum(passes[name]) / len(passes[name]), count) for name, count in there]),
        careful_fails=1 - chance_of_all([(1 - sum(slips[name]) / len(slips[name]), count) for name, count in there]),
        without_right_answer=without,
        has_bounds=has_bounds,
    )


PILOT, SIMULATED = "pilot", "simulated"
SOURCES = {PILOT: "this study's judgments", SIMULATED: "simulated people"}
MEASURES = {
    Goal.ALPHA: "Half-width of alpha's printed interval",
    Goal.GOLD: "Half-width of an item's printed interval",
    Goal.MODELS: "Least difference between two models that is found",
    Goal.RELIABILITY: "Reliability of the gold as printed",
    Goal.ALT_TEST: "Least epsilon at which a model passes",
}
GOALS = {
    Goal.ALPHA: "alpha within ±",
    Goal.GOLD: "each item's gold within ±",
    Goal.RELIABILITY: "gold with a reliability of",
    Goal.MODELS: "two models that differ by",
    Goal.ALT_TEST: "alternative annotator test with epsilon",
}
FIRST_TARGET = Decimal("0.05")


class PlanForm(forms.Form):
    source = forms.ChoiceField(choices=list(SOURCES.items()), label="From", widget=UnfoldAdminSelectWidget)
    goal = forms.ChoiceField(
        choices=[(str(goal), words) for goal, words in GOALS.items()], label="Goal", widget=UnfoldAdminSelectWidget
    )
    target = forms.DecimalField(
        min_value=Decimal("0.0001"),
        max_digits=12,
        widget=UnfoldAdminDecimalFieldWidget,
        help_text="Alpha and models: a number such as 0.05. Gold: in units of the scale, or a share of a label."
        " Reliability: such as 0.8. Epsilon: such as 0.1 of a crowd, 0.2 of experts.",
    )
    items = forms.IntegerField(min_value=2, max_value=1_000_000, widget=UnfoldAdminIntegerFieldWidget)
    items_per_person = forms.IntegerField(min_value=1, max_value=100_000, widget=UnfoldAdminIntegerFieldWidget)
    people = forms.IntegerField(
        min_value=1,
        max_value=1_000_000,
        required=False,
        label="People that you can get at most",
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="Leave it empty for no limit.",
    )
    assurance = forms.DecimalField(
        min_value=Decimal(str(LEAST_ASSURANCE)),
        max_value=Decimal(str(MOST_ASSURANCE)),
        required=False,
        label="Share of studies that get it",
        widget=UnfoldAdminDecimalFieldWidget,
        help_text=f"What is promised is what so many studies print: {ASSURANCE:g} if empty.",
    )


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """What the form asks; `people` are those that can be had at most, None without a limit."""

    source: str
    goal: Goal
    target: float
    items: int
    items_per_person: int
    people: int | None
    assurance: float = ASSURANCE

    @classmethod
    def of(cls, form: PlanForm) -> PlanRequest:
        values = form.cleaned_data
        return cls(
            source=values["source"],
            goal=Goal(values["goal"]),
            target=float(values["target"]),
            items=values["items"],
            items_per_person=values["items_per_person"],
            people=values["people"],
            assurance=float(values["assurance"] or ASSURANCE),
        )


def plan(request: HttpRequest, study: UUID) -> HttpResponse:
    this_study = study_asked(request, Right.LOOK, study)
    initial = _initial(this_study)
    form = PlanForm({**initial, **request.GET.dict()}) if "goal" in request.GET else PlanForm(initial=initial)
    context: dict[str, object] = {"form": form}
    if form.is_valid():
        context |= planned(this_study, PlanRequest.of(form))
    status = 422 if form.errors else 200
    return study_page(request, this_study, "pages/plan.html", context, section="plan", title="Plan", status=status)


def _initial(study: Study) -> dict[str, object]:
    has_judged = study.participations.filter(assigned_items__judgments__isnull=False).exists()
    items = study.items.targets().count()
    return {
        "source": PILOT if has_judged else SIMULATED,
        "goal": str(Goal.ALPHA),
        "target": FIRST_TARGET,
        "items": max(items, 2),
        "items_per_person": study.items_per_assignment * study.assignments_per_worker,
        "people": study.capacity or "",
        "assurance": ASSURANCE,
    }


def planned(study: Study, asked: PlanRequest) -> dict[str, object]:
    """What the page shows of a plan: a sentence, the curve, the components; or why there is none."""
    components = crowds.pilot_components(study) if asked.source == PILOT else crowds.simulated_components(study)
    if isinstance(components, Undefined):
        return {"why_not": components.why}
    goal, target = asked.goal, asked.target
    size = {"items": asked.items, "items_per_worker": asked.items_per_person}
    if why := why_no_plan(components, goal, **size):
        return {"why_not": why}
    points = curve(components, goal, **size, assurance=asked.assurance)
    advice = advice_between(components, goal, target, **size, assurance=asked.assurance)
    best = first_within(points, target, asked.people, goal)
    excluded, judged = crowds.excluded_and_judged(study) if asked.source == PILOT else (0, 0)
    return {
        "components": components,
        "exclusions": said_exclusions(
            excluded, judged, None if best is None else best.workers, lambda people: price(study, people)
        ),
        "is_simulated": asked.source == SIMULATED,
        "answer": said_plan(
            goal,
            target,
            size,
            asked.people,
            components,
            points,
            lambda people: price(study, people),
            advice,
            asked.assurance,
        ),
        "is_reached": best is not None,
        "figure": _figure(study, components, asked, points),
    }


def price(study: Study, people: int) -> str:
    cost = cost_of(study, people)
    return f", {cost.total:,.2f} {cost.currency} with the platform's fee" if cost else ""


def _figure(study: Study, components: Components, asked: PlanRequest, points: list[Point]) -> Figure:
    goal = asked.goal
    columns: dict[str, list[float]] = {
        "judgments_per_item": [point.judgments_per_item for point in points],
        PRECISION: [round(point.precision, 4) for point in points],
        "people": [point.workers for point in points],
    }
    costs = [cost_of(study, point.workers) for point in points]
    if cost := costs[0]:
        columns[f"cost_{cost.currency}"] = [float(each.total) for each in costs if each]
    method = BY_FORMULA.get(goal, "simulated studies")
    caption = (
        f"By {method}, with items crossed by people: variances {components.item:.3g} between items,"
        f" {components.worker:.3g} between people and {components.residual:.3g} besides, from"
        f" {SOURCES[asked.source]} ({components.judgments:,} judgments of {components.items:,} items by"
        f" {components.workers:,} people), by {components.method}."
    )
    if goal == Goal.MODELS:
        caption += f" {OF_MODELS}"
    if goal == Goal.RELIABILITY:
        everybody = asked.items_per_person >= asked.items
        caption += (
            " The same people judge all items, so that their biases shift all means alike."
            if everybody
            else " Different people judge different items, so that their biases count as noise."
        )
    if goal == Goal.ALT_TEST:
        caption += (
            " The model is taken to answer as one more person would; half of the people must be won, each with power"
            f" .8. More than {len(components.ties) + 1} judgments per item are taken as so many."
        )
    if asked.items > MOST_ITEMS and goal not in BY_FORMULA:
        caption += f" Studies of {MOST_ITEMS} items are simulated: more items are more precise than shown."
    return draw_plan_curve(
        pd.DataFrame(columns), target=asked.target, measure=MEASURES[goal], caption=caption, rises=goal.rises
    )
