"""How many judgments and people a study needs: for a wanted precision, from its own judgments or simulated people."""

from collections.abc import Mapping
from typing import ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from agreement.errors import Refused
from agreement.estimation.estimate import Undefined
from agreement.planning.advice import Advice, advice_between
from agreement.planning.further_data import said_plan
from agreement.planning.precision import (
    ASSURANCE,
    LEAST_ASSURANCE,
    MOST_ASSURANCE,
    Goal,
    Point,
    curve,
    first_within,
    why_no_plan,
)
from annotation.accounts.permissions import Right
from annotation.api.parsing import Strict, read
from annotation.api.schema import describe
from annotation.api.views import StudyView
from annotation.models import Scope
from annotation.simulating import crowds

PILOT, SIMULATED = "judgments", "simulated"


class Wanted(Strict):
    """`target` is a half-width, of alpha's interval or of one item's gold; the least difference of two models; the
    reliability of an item's gold; or epsilon of the alternative annotator test.
    """

    goal = serializers.ChoiceField(choices=[(str(goal), str(goal)) for goal in Goal])
    target = serializers.FloatField(min_value=0.0001, max_value=1_000_000)
    source = serializers.ChoiceField(choices=[(PILOT, PILOT), (SIMULATED, SIMULATED)])  # type: ignore[assignment]
    items = serializers.IntegerField(min_value=2, max_value=1_000_000)
    items_per_person = serializers.IntegerField(min_value=1, max_value=100_000)
    people = serializers.IntegerField(
        min_value=1, max_value=1_000_000, allow_null=True, required=False, default=None, help_text="At most so many."
    )
    assurance = serializers.FloatField(
        min_value=LEAST_ASSURANCE,
        max_value=MOST_ASSURANCE,
        required=False,
        default=ASSURANCE,
        help_text="The share of studies, or of items' intervals, that get what is promised.",
    )


class PlanPoint(serializers.Serializer[Point]):
    judgments_per_item = serializers.IntegerField()
    workers = serializers.IntegerField()
    precision = serializers.FloatField()


class PlanAdvice(serializers.Serializer[Advice]):
    least = serializers.IntegerField(allow_null=True)
    most = serializers.IntegerField(allow_null=True)
    fewest_people = serializers.IntegerField(allow_null=True)
    most_people = serializers.IntegerField(allow_null=True)


class PlanShown(serializers.Serializer[dict[str, object]]):
    best = PlanPoint(allow_null=True, help_text="The fewest judgments that are precise enough; null: none are.")
    curve = PlanPoint(many=True)
    assurance = serializers.FloatField(help_text="The share of studies that get what `precision` says.")
    advice = PlanAdvice(
        allow_null=True,
        help_text="Judgments per item that nine in ten pilots like this one would advise; an end of null: over 60.",
    )
    sentence = serializers.CharField(help_text="All of that in words, with what it assumes.")


class Plan(StudyView):
    name = "plan"
    # It changes nothing: whoever may look may plan.
    scopes: ClassVar[Mapping[str, Scope]] = {"POST": Scope.READ}
    rights: ClassVar[Mapping[str, Right]] = {"POST": Right.LOOK}

    @describe("Judgments per item and people for a wanted precision", request=Wanted, responses=PlanShown)
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        wanted = read(Wanted, request.data)
        source = crowds.pilot_components if wanted["source"] == PILOT else crowds.simulated_components
        components = source(self.study)
        if isinstance(components, Undefined):
            raise Refused(components.why)
        goal, size = Goal(wanted["goal"]), {"items": wanted["items"], "items_per_worker": wanted["items_per_person"]}
        if why := why_no_plan(components, goal, **size):
            raise Refused(why)
        assurance = wanted["assurance"]
        points = curve(components, goal, **size, assurance=assurance)
        best = first_within(points, wanted["target"], wanted["people"], goal)
        advice = advice_between(components, goal, wanted["target"], **size, assurance=assurance)
        sentence = said_plan(
            goal, wanted["target"], size, wanted["people"], components, points, lambda _people: "", advice, assurance
        )
        plan = {"best": best, "curve": points, "assurance": assurance, "advice": advice, "sentence": sentence}
        return Response(PlanShown(plan).data)
