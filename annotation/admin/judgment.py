"""Judgments in the admin: every revision as it was given, under pseudonyms. Append-only, so read-only."""

import json
from typing import Any

from django.contrib import admin

from annotation.admin.columns import column
from annotation.admin.scoped import ReadOnlyAdmin, study_filter
from annotation.models import Judgment

MARKS = (
    ("is_late", "late"),
    ("is_untouched_middle", "untouched middle"),
    ("is_direction_reversed", "scale shown the other way round"),
    ("is_word_order_swapped", "words shown the other way round"),
)
ANSWERS = ("number", "label", "text", "labels", "numbers", "properties")


def answer_text(judgment: Judgment) -> str:
    """The one field that is filled, as a text."""
    if judgment.could_not_see:
        return "could not see it"
    given = next((getattr(judgment, name) for name in ANSWERS if getattr(judgment, name) is not None), "")
    if isinstance(given, float):
        return f"{given:g}"
    if isinstance(given, list):
        return ", ".join(map(str, given))
    return json.dumps(given, ensure_ascii=False) if isinstance(given, dict) else str(given)


@admin.register(Judgment)
class JudgmentAdmin(ReadOnlyAdmin):
    study_path = "assigned_item__item__study"
    list_display = ("item", "answer", "worker", "revision", "seconds", "marks", "created_at")
    list_filter = (study_filter("assigned_item__item__study"), "assigned_item__item__kind", "is_late", "input_kind")
    search_fields = ("=assigned_item__item__item_id", "=assigned_item__participation__pseudonym")
    search_help_text = "An item's id or a worker's pseudonym, whole"
    list_select_related = ("assigned_item__item__study", "assigned_item__participation")
    ordering = ("-pk",)
    fields = (
        "item", "answer", "worker", "revision", "created_at", "seconds", "first_touch_ms", "moves", "input_kind",
        "marks", "uuid",
    )  # fmt: skip

    def get_readonly_fields(self, request: Any, obj: Any = None) -> tuple[str, ...]:  # noqa: ARG002
        return self.fields

    @column("item", ordering="assigned_item__item__item_id")
    def item(self, judgment: Judgment) -> str:
        return judgment.assigned_item.item.item_id

    @column("worker")
    def worker(self, judgment: Judgment) -> str:
        return judgment.assigned_item.participation.pseudonym

    @column("answer")
    def answer(self, judgment: Judgment) -> str:
        return answer_text(judgment)

    @column("marks")
    def marks(self, judgment: Judgment) -> str:
        return ", ".join(words for name, words in MARKS if getattr(judgment, name))

    @column("seconds", ordering="response_ms")
    def seconds(self, judgment: Judgment) -> str:
        return "–" if judgment.response_ms is None else f"{judgment.response_ms / 1000:.1f}"
