"""The page that people will see, of a study as its form stands now: read from what would be saved, and not saved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.forms import BaseInlineFormSet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.cache import add_never_cache_headers

from agreement.files.question_fields import fields_of
from agreement.kinds.registry import KINDS
from agreement.stimuli.blocks import columns_of, every_block
from annotation.answering.practice import qualification_of
from annotation.answering.several_questions import Asked, condition_of, questions_asked
from annotation.answering.views.page_model import items_in_pages
from annotation.answering.views.previewing import PreviewVisit, landing_page, page_address, questions_page, shown_items
from annotation.models import Item, Label, Question, Study
from annotation.models.question import FIRST
from annotation.pages.admin.inlines import POSITION
from annotation.studies.questions import LABEL_COLUMNS, LabelFields, QuestionSettings, condition_columns, used_columns
from annotation.studies.study_form_fields import is_fixed
from annotation.web.security import OWN_PAGES, policy_allowing

if TYPE_CHECKING:
    from annotation.pages.admin.study import StudyAdmin

NO_STUDY = 0  # the key of none: what asks for its items gets nothing
MOST_ITEMS = 5
# Of blocks whose cells are JSON, for studies that have no items yet.
EXAMPLES = {
    "table": '[{"first": "1", "second": "2"}, {"first": "3", "second": "4"}]',
    "chat": '[{"role": "user", "content": "What people wrote."}, {"role": "assistant", "content": "A reply."}]',
}


@dataclass(frozen=True, slots=True)
class UnsavedVisit(PreviewVisit):
    """A study as its form stands now has no pages of its own: nothing leads anywhere."""

    def to(self, key: str) -> str:  # noqa: ARG002
        return "#"


QUESTION_PAGE = "question"
UNSAVED_PAGES = {
    QUESTION_PAGE: "Question",
    "landing": "First page",
    "consent": "Consent",
    "instructions": "Instructions",
}


def unsaved_page(
    request: HttpRequest, study: Study, asked: Sequence[Asked], items: Sequence[Item], key: str
) -> HttpResponse:
    """A page of a study as its form stands now. It is framed by that form, and sends nothing."""
    visit = UnsavedVisit(study)
    with translation.override(study.language):
        if key == "landing":
            response = landing_page(request, study)
        elif key in UNSAVED_PAGES and key != QUESTION_PAGE:
            context = {"visit": visit, "study": study, "has_begun": False, "qualification": qualification_of(study)}
            response = render(request, f"annotation/{key}.html", context)
        else:
            pages = items_in_pages(shown_items(asked, items), study.items_per_page)
            response = questions_page(request, visit, pages, 1, reverse("annotation:unsaved"))
    policy = policy_allowing(policy_allowing(OWN_PAGES, "frame-ancestors", "'self'"), "form-action", "'none'")
    response.headers["Content-Security-Policy"] = policy
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    add_never_cache_headers(response)
    return response


def unsaved_study_page(admin: StudyAdmin, request: HttpRequest, stored: Study | None) -> HttpResponse:
    """A field that can't be taken as it is shows what is stored, or nothing."""
    form = admin.get_form(request, stored, change=stored is not None)(request.POST, instance=stored)
    form.is_valid()
    study: Study = form.instance
    study.pk, study.kind = study.pk or NO_STUDY, study.kind or next(iter(KINDS))
    if stored is not None and is_fixed(stored):
        asked = questions_asked(study)
    else:
        sets = {
            inline.model: formset(request.POST, instance=study, prefix=formset.get_default_prefix())
            for formset, inline in admin.get_formsets_with_inlines(request, stored)
            if inline.model in (Label, Question)
        }
        asked = list(_asked(study, _labels(sets[Label]), list(_further(sets[Question]))))
    items = list(study.items.targets().order_by("position")[: min(study.items_per_page, MOST_ITEMS)])
    return unsaved_page(request, study, asked, items or [_example(asked)], request.POST.get("_page", ""))


def live_context(admin: StudyAdmin, request: HttpRequest, study: object) -> dict[str, object]:
    """What the form needs to show a page beside itself; who can't change the study sees its first page."""
    address, first = reverse("admin:annotation_study_live_preview_of_new"), ""
    if isinstance(study, Study):
        can_change = admin.has_change_permission(request, study)
        address = reverse("admin:annotation_study_live_preview", args=[study.pk]) if can_change else ""
        first = page_address(study, "landing")
    return {"live_address": address, "live_first": first, "live_pages": UNSAVED_PAGES}


def _rows(rows: BaseInlineFormSet) -> Iterator[tuple[int, dict[str, Any], Any]]:
    """The rows that can be read and stay, with their place in the order."""
    for number, row in enumerate(rows.forms, start=1):
        if row.has_changed() or row.instance.pk:
            row.is_valid()
            values = getattr(row, "cleaned_data", {})
            if not values.get("DELETE"):
                yield number, values, row


def _labels(rows: BaseInlineFormSet) -> list[LabelFields]:
    read = sorted(
        ((values.get(POSITION) or 1_000 + number, values) for number, values, _row in _rows(rows) if "value" in values),
        key=lambda pair: int(str(pair[0])),
    )
    return [{name: values[name] for name in LABEL_COLUMNS if name in values} for _position, values in read]  # type: ignore[misc]


def _further(rows: BaseInlineFormSet) -> Iterator[QuestionSettings]:
    placed = [(values.get("number") or 1_000 + number, row) for number, values, row in _rows(rows) if not row.errors]
    for _place, row in sorted(placed, key=lambda pair: int(str(pair[0]))):
        yield row.settings


def _asked(study: Study, labels: Sequence[LabelFields], further: Sequence[QuestionSettings]) -> Iterator[Asked]:
    yield Asked(study, _unsaved_labels(study, labels))
    numbers = {study.question_name: FIRST}
    for number, settings in enumerate(further, start=FIRST + 1):
        condition = settings.shown_if if settings.shown_if and settings.shown_if["question"] in numbers else None
        question = Question(
            study=study, number=number, **used_columns(settings), **condition_columns(condition, numbers)
        )
        numbers[settings.name] = number
        yield Asked(study.as_asked_by(question), _unsaved_labels(study, settings.labels), condition_of(question))


def _unsaved_labels(study: Study, labels: Sequence[LabelFields]) -> tuple[Label, ...]:
    return tuple(Label(study=study, position=position, **label) for position, label in enumerate(labels, start=1))


def _example(asked: Sequence[Asked]) -> Item:
    """In the place of items that are yet to come: each field shows its name."""
    study = asked[0].study
    names = dict.fromkeys(
        [*columns_of(study.blocks), *(name for each in asked for name in fields_of(each.study.question))]
    )
    cells = {each.column: EXAMPLES[each.block] for each in every_block(study.blocks) if each.block in EXAMPLES}
    return Item(study=study, item_id="example", fields={name: f"‹{name}›" for name in names} | cells)
