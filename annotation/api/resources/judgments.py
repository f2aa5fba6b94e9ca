"""Judgments: every revision of every answer, by a cursor that never passes one over; and those that were withdrawn."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.schema import PAGED, describe, page_of
from annotation.api.views import StudyView, after, cursor_text, limit_of, page
from annotation.database.rows import chunks, last_settled_key
from annotation.models import Judgment, Study, Tombstone

MOST = 5_000
# So many rows of all studies are looked through for one page: it costs the same wherever it is.
ROWS_LOOKED_THROUGH = 50_000
LEAST_STEP = 20
# For more, PostgreSQL reads a table of all studies from end to end and not the rows that it needs.
KEYS_PER_QUERY = 1_000
COLUMNS = (
    "pk", "uuid", "question", "revision", "number", "label", "labels", "numbers", "properties", "text",
    "could_not_see", "no_answer", "confidence", "is_late",
    "input_kind", "response_ms", "first_touch_ms", "moves", "is_direction_reversed", "is_word_order_swapped",
    "is_untouched_middle", "shown_position", "shown_order", "created_at",
    "assigned_item__uuid", "assigned_item__item__item_id",
    "assigned_item__item__kind", "assigned_item__item__check_name", "assigned_item__participation__pseudonym",
    "assigned_item__assignment__uuid",
)  # fmt: skip
ANSWERS = ("number", "label", "labels", "numbers", "properties", "text")
SINCE = OpenApiParameter("since", str, description="`since` of a page before: what has come after it.")


class JudgmentShown(serializers.Serializer[dict[str, object]]):
    id = serializers.UUIDField()
    item_id = serializers.CharField()
    kind = serializers.CharField()
    check = serializers.CharField(allow_null=True)
    participant = serializers.CharField(help_text="The pseudonym.")
    assignment = serializers.UUIDField()
    answer_of = serializers.UUIDField(help_text="The same for every revision of one answer; the highest one counts.")
    revision = serializers.IntegerField()
    value = serializers.JSONField(
        allow_null=True, help_text="A number, a label, labels, properties, a text, or a number for each label."
    )
    could_not_see = serializers.BooleanField()
    is_late = serializers.BooleanField()
    input_kind = serializers.ChoiceField(choices=Judgment.InputKind.choices)
    response_ms = serializers.IntegerField(allow_null=True)
    first_touch_ms = serializers.IntegerField(allow_null=True)
    moves = serializers.IntegerField(allow_null=True)
    is_direction_reversed = serializers.BooleanField()
    is_word_order_swapped = serializers.BooleanField()
    is_untouched_middle = serializers.BooleanField()
    shown_position = serializers.IntegerField(
        allow_null=True, help_text="Where the chosen label stood among those offered, from 1."
    )
    shown_order = serializers.ListField(
        child=serializers.CharField(), allow_null=True, help_text="An item's own labels in the order shown."
    )
    submitted_at = serializers.DateTimeField()
    question = serializers.CharField(help_text="The name of the question that it answers.")
    no_answer = serializers.ChoiceField(
        choices=Judgment.NoAnswer.choices, allow_null=True, help_text="Why there is no value."
    )
    confidence = serializers.IntegerField(allow_null=True, help_text="How sure the person is, from 1 to 5.")


class JudgmentPage(serializers.Serializer[dict[str, object]]):
    results = JudgmentShown(many=True, help_text="May be fewer than `limit` before the end.")
    next_cursor = serializers.CharField(allow_null=True, help_text="Where to go on; null at the end.")
    since = serializers.CharField(help_text="Where this page ends: give it as `since` later for what has come since.")


class Judgments(StudyView):
    name = "judgments"

    @describe(
        "Every revision of every answer, in the order in which they came",
        parameters=[*PAGED, SINCE],
        responses=JudgmentPage,
    )
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        if "cursor" in request.query_params and "since" in request.query_params:
            raise ValidationError({"since": ["Give a cursor or since, not both."]})
        start, limit = after(request) or after(request, "since") or 0, limit_of(request, MOST)
        settled = max(start, last_settled_key(Judgment))
        end = min(settled, start + ROWS_LOOKED_THROUGH)
        keys = keys_between(self.study, start, end, limit)
        rows = (row for portion in chunks(keys, KEYS_PER_QUERY) for row in _rows_of(portion))
        names = {each.asked_number: each.question_name for each in self.study.questions()}
        reached = keys[-1] if len(keys) == limit else end
        has_more = reached < settled
        return Response(
            {
                "results": [_judgment_fields(row, names) for row in rows],
                "next_cursor": cursor_text(reached) if has_more else None,
                "since": cursor_text(reached),
            }
        )


def keys_between(study: Study, start: int, end: int, limit: int) -> list[int]:
    """The keys of the study's first `limit` judgments after `start` and up to `end`.

    They are looked through in the order of their keys, and Python picks the study's. If the query named the study, a
    database could begin at the study's items and read all of its judgments for every page. Each step is as long as the
    study's share of the steps before it suggests.
    """
    in_order = Judgment.objects.order_by("pk").values_list("pk", "assigned_item__participation__study")
    keys: list[int] = []
    looked_through, step = 0, limit
    while len(keys) < limit and start < end:
        rows = list(in_order.filter(pk__gt=start, pk__lte=end)[:step])
        keys += [key for key, study_id in rows if study_id == study.pk]
        start = rows[-1][0] if len(rows) == step else end
        looked_through += len(rows)
        step = max(LEAST_STEP, (limit - len(keys)) * looked_through // max(len(keys), 1))
    return keys[:limit]


def _rows_of(keys: Sequence[int]) -> QuerySet[Judgment, dict[str, object]]:
    rows: QuerySet[Judgment, dict[str, object]] = Judgment.objects.filter(pk__in=keys).order_by("pk").values(*COLUMNS)
    return rows


def _judgment_fields(row: dict[str, Any], names: Mapping[int, str]) -> dict[str, object]:
    """As the serializer describes it; written out, for its own machinery takes three times as long as the query."""
    return {
        "id": row["uuid"],
        "item_id": row["assigned_item__item__item_id"],
        "kind": row["assigned_item__item__kind"],
        "check": row["assigned_item__item__check_name"],
        "participant": row["assigned_item__participation__pseudonym"],
        "assignment": row["assigned_item__assignment__uuid"],
        "answer_of": row["assigned_item__uuid"],
        "revision": row["revision"],
        "value": next((row[name] for name in ANSWERS if row[name] is not None), None),
        "could_not_see": bool(row["could_not_see"]),
        "submitted_at": row["created_at"],
        **{name: row[name] for name in AS_STORED},
        "question": names[row["question"]],
    }


AS_STORED = (
    "is_late", "input_kind", "response_ms", "first_touch_ms", "moves", "is_direction_reversed", "is_word_order_swapped",
    "is_untouched_middle", "shown_position", "shown_order", "no_answer", "confidence",
)  # fmt: skip


class WithdrawnShown(serializers.ModelSerializer[Tombstone]):
    id = serializers.UUIDField(source="judgment_uuid")

    class Meta:
        model = Tombstone
        fields = ("id", "erased_at")


class WithdrawnJudgments(StudyView):
    name = "withdrawn_judgments"

    @describe(
        "Judgments that their givers have withdrawn: delete them wherever you keep them",
        parameters=PAGED,
        responses=page_of(WithdrawnShown),
    )
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        rows = Tombstone.objects.filter(study=self.study)

        def show(withdrawn: Sequence[Tombstone]) -> object:
            return WithdrawnShown(withdrawn, many=True).data

        return Response(page(request, rows, show))
