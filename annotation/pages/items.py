"""The items of a study, the contested ones first; and one item with every answer and the researcher's own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect

from agreement.errors import Refused
from agreement.figures.figure import Figure
from agreement.figures.of_items import draw_item_answers
from agreement.files.trap_columns import trap_of
from agreement.kinds.answers import Fields, html_number
from agreement.kinds.data import form_fields_of
from agreement.kinds.statistics import statistics_of
from annotation.accounts.permissions import Right, may
from annotation.answering.kinds.form import BadAnswer, form_of, plain_template_of
from annotation.answering.offered import OfferedItem, offered_of
from annotation.models import Item, Judgment, Note, Study
from annotation.pages.admin.base import posted, study_asked, study_page, user_of
from annotation.pages.lists import (
    AsShown,
    Heading,
    PageBounds,
    Sorting,
    answer_row,
    check_bounds,
    figures_and_age,
    item_as_shown,
)
from annotation.pages.people import person_address
from annotation.releases.actions.adjudicating import adjudicate, facts_of, remove_adjudication, texts_of
from annotation.releases.exports.export_choice import file_name, record_export, stream
from annotation.releases.from_database.reading_judgments import AnswersOfItems, answers_of_items
from annotation.releases.models import Adjudication, Exclusion
from annotation.releases.summaries import Figures, settings_of
from annotation.web.responses import Download

FILTERS = ("between", "answer")
BIN = re.compile(
    r"(-?\d{1,18}(?:\.\d{1,18})?)\.\.(-?\d{1,18}(?:\.\d{1,18})?)"
)  # of numbers, as a figure's bar names it
SHOW = {"all": "All items", "judged": "Two judgments or more", "adjudicated": "Adjudicated"}
NOTED = {"noted": "Flagged, commented on or skipped"}  # at expert pace


@dataclass(frozen=True, slots=True)
class ItemRow:
    item: AsShown
    judgments: int
    contested: float | None
    seconds: float | None
    is_adjudicated: bool


@dataclass(frozen=True, slots=True)
class ItemsPage:
    rows: list[ItemRow]
    headings: list[Heading]
    cut: PageBounds
    sorting: Sorting


def columns_of(study: Study) -> dict[str, tuple[str, bool]]:
    return {
        "item": ("Item", False),
        "judgments": ("Judgments", True),
        "contested": (statistics_of(study.kind).contested_in, True),
        "seconds": ("Seconds per answer", True),
    }


def page_of(study: Study, figures: Figures, query: QueryDict) -> ItemsPage:
    """`sort`, `show`, `q` (part of an item's id) and `page` of an address. By item is in the order of the study."""
    columns = columns_of(study)
    sorting = Sorting.of(query.get("sort", ""), tuple(columns), "-contested")
    keys = figures.items["item"]
    adjudicated = np.array(
        list(
            Adjudication.objects.filter(study=study, question=study.asked_number)
            .in_force()
            .values_list("item", flat=True)
        ),
        dtype=np.int64,
    )
    chosen = np.flatnonzero(_is_shown(study, figures, adjudicated, query))
    values: dict[str, npt.NDArray[np.float64]] = {
        "item": np.arange(len(keys), dtype=np.float64),
        "judgments": figures.items["judgments"].astype(np.float64),
        "contested": figures.items["contested"].astype(np.float64),
        "seconds": figures.items["median_seconds"].astype(np.float64),
    }
    order = chosen[sorting.order(values[sorting.key][chosen])]
    cut = PageBounds.of(query.get("page", ""), len(order))
    shown = order[cut.rows].tolist()
    items = {item.pk: item for item in study.items.filter(pk__in=keys[shown].tolist())}
    with_answer = set(adjudicated.tolist())
    rows = [
        ItemRow(
            item=item_as_shown(study, items[int(keys[position])]),
            judgments=int(figures.items["judgments"][position]),
            contested=_number(values["contested"][position]),
            seconds=_number(values["seconds"][position]),
            is_adjudicated=int(keys[position]) in with_answer,
        )
        for position in shown
        if int(keys[position]) in items
    ]
    return ItemsPage(rows, sorting.headings(columns, query), cut, sorting)


def _is_shown(
    study: Study, figures: Figures, adjudicated: npt.NDArray[np.int64], query: QueryDict
) -> npt.NDArray[np.bool_]:
    keys = figures.items["item"]
    match query.get("show", ""):
        case "judged":
            shown = figures.items["judgments"] >= 2
        case "adjudicated":
            shown = np.isin(keys, adjudicated)
        case "noted":
            noted = Note.objects.filter(assigned_item__item__study=study).values_list("assigned_item__item", flat=True)
            shown = np.isin(keys, np.fromiter(noted, dtype=np.int64))
        case _:
            shown = np.ones(len(keys), dtype=np.bool_)
    if query.get("between") or query.get("answer"):
        shown = shown & np.isin(keys, np.array(sorted(_items_behind(study, query)), dtype=np.int64))
    if text := query.get("q", "").strip():
        matching = study.items.targets().filter(item_id__icontains=text).order_by().values_list("pk", flat=True)
        shown = shown & np.isin(keys, np.fromiter(matching, dtype=np.int64))
    return shown


def _items_behind(study: Study, query: QueryDict) -> set[int]:
    """The items that two people answered differently, or of which somebody gave an answer: what a cell or a bar of a
    figure counts.
    """
    column = study.question_kind.column
    judgments = Judgment.objects.current().of_study(study.pk).filter(question=study.asked_number).order_by()
    if pair := query.get("between"):
        one, _, other = (part.strip() for part in pair.partition(","))
        rows = judgments.filter(assigned_item__participation__pseudonym__in=[one, other])
        values: dict[int, list[object]] = {}
        for item, value in rows.values_list("assigned_item__item_id", column):
            values.setdefault(item, []).append(value)
        return {item for item, both in values.items() if len(both) == 2 and both[0] != both[1]}
    answer = query.get("answer", "")
    if column == "label":
        judgments = judgments.filter(label=answer)
    elif column == "number" and (ends := BIN.fullmatch(answer)):
        judgments = judgments.filter(number__gte=float(ends[1]), number__lte=float(ends[2]))
    else:
        return set()
    return set(judgments.values_list("assigned_item__item_id", flat=True))


def filter_sentence(query: QueryDict) -> str:
    """What an address that came from a figure shows, in words; nothing of any other."""
    if pair := query.get("between"):
        one, _, other = (part.strip() for part in pair.partition(","))
        return f"Items that {one} and {other} answered differently."
    if answer := query.get("answer"):
        ends = BIN.fullmatch(answer)
        between = f"from {ends[1]} to {ends[2]}" if ends else f"“{answer}”"
        return f"Items of which somebody answered {between}."
    return ""


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


# The items of a study, the contested ones first; and one item with every answer and the researcher's own.

MOST_ANSWERS = 500
PREFIX = "a-"


def items(request: HttpRequest, study: UUID) -> HttpResponse:
    this_study = study_asked(request, Right.LOOK, study)
    figures, age = figures_and_age(request, this_study)
    context: dict[str, object] = {
        **age,
        "show": SHOW | NOTED if this_study.is_at_expert_pace else SHOW,
        "shown": request.GET.get("show", "all"),
    }
    context |= {"query": request.GET.get("q", ""), "contested_in": statistics_of(this_study.kind).contested_in}
    context |= {
        "filtered": filter_sentence(request.GET),
        "kept": {name: request.GET[name] for name in FILTERS if name in request.GET},
    }
    if figures is not None:
        page = page_of(this_study, figures, request.GET)
        context |= {"page": page, "links": page.cut.links(request.GET)}
    template, title = "pages/items.html", "Answers by item"
    return study_page(request, this_study, template, context, section="answers", title=title)


def item(request: HttpRequest, study: UUID, item: UUID) -> HttpResponse:
    """One item. What is posted is the researcher's own answer to it, or the wish to remove that."""
    needs = Right.CHANGE if request.method == "POST" else Right.LOOK
    this_study = study_asked(request, needs, study)
    one = get_object_or_404(this_study.items.select_related("study"), uuid=item)
    sent = posted(request)
    if sent is None:
        return _item_page(request, this_study, one)
    revision, why, by = seen_revision(sent), sent.get("why", ""), user_of(request)
    try:
        if "remove" in sent:
            remove_adjudication(item=one, why=why, by=by, seen=revision)
        else:
            adjudicate(item=one, fields=adjudication_fields(sent), why=why, by=by, seen=revision)
    except BadAnswer as bad:
        return _item_page(request, this_study, one, sent, problem=bad)
    except Refused as refused:
        return _item_page(request, this_study, one, sent, refusal=str(refused))
    messages.success(request, "Your answer is removed." if "remove" in sent else "Your answer is saved.")
    return redirect("agreement:item", this_study.uuid, one.uuid)


def download_adjudications(request: HttpRequest, study: UUID) -> Download:
    this_study = study_asked(request, Right.LOOK, study)
    file = Download(
        stream(this_study, "adjudications", release=None), name=file_name(this_study, "adjudications", None)
    )
    record_export(study=this_study, export="adjudications", release=None, by=user_of(request))
    return file


def seen_revision(sent: QueryDict) -> int:
    """Of the answer that the form showed; 0 where there was none."""
    seen = sent.get("seen", "")
    return int(seen) if seen.isdecimal() and len(seen) < 9 else 0


def adjudication_fields(sent: QueryDict) -> Fields:
    return {name.removeprefix(PREFIX): values for name, values in sent.lists() if name.startswith(PREFIX)}


def _item_page(
    request: HttpRequest,
    study: Study,
    one: Item,
    sent: QueryDict | None = None,
    *,
    problem: BadAnswer | None = None,
    refusal: str = "",
) -> HttpResponse:
    """With what was sent in the fields, where it was refused."""
    history = list(study.adjudications.filter(item=one).select_related("by").order_by("-revision"))
    context: dict[str, object] = {
        **item_answers(study, one),
        "may_change": may(request.user, Right.CHANGE, study) and one.kind == Item.Kind.TARGET,
        "history": list(zip(history, texts_of(study, history), strict=True)),
        "refusal": refusal,
        "problem": problem,
        **adjudication_form(study, one, sent, history),
    }
    status = 422 if problem or refusal else 200
    page, title = "pages/item.html", f"Item {one.item_id}"
    return study_page(request, study, page, context, section="answers", title=title, status=status)


def item_answers(study: Study, one: Item) -> dict[str, Any]:
    """The item as people saw it, and every answer to it."""
    answers = answers_of_items(study, [one.pk], MOST_ANSWERS)
    in_force = Exclusion.objects.in_force().filter(participation__study=study)
    excluded = set(in_force.values_list("participation", flat=True))
    bounds = check_bounds(answers, settings_of(study).rules)
    places = [judgment.assigned_item for judgment in answers.judgments]
    rows = [
        answer_row(study, answers, judgment, bounds, number=number, others="")
        for number, judgment in enumerate(answers.judgments, start=1)
    ]
    return {
        "item": item_as_shown(study, one),
        "trap": trap_of(one.item_id, one.check_name or "", one.fields),
        "rows": rows,
        "is_cut": len(rows) == MOST_ANSWERS,
        "excluded": {each.participation.pseudonym for each in places if each.participation_id in excluded},
        "in_words": answers.in_words(one.pk, excluded),
        "drawing": _drawing(study, answers, excluded),
    }


def adjudication_form(
    study: Study, one: Item, sent: QueryDict | None = None, history: Sequence[Adjudication] | None = None
) -> dict[str, object]:
    """What the fields hold: what was sent, or the answer that stands; `history` is the newest first."""
    if history is None:
        history = list(study.adjudications.filter(item=one).order_by("-revision")[:1])
    last = history[0] if history else None
    fields = adjudication_fields(sent) if sent is not None else {} if last is None else form_fields_of(study.kind, last)
    facts = facts_of(one)
    offered = offered_of(study, list(study.labels.order_by("position")), OfferedItem(one.pk, one.fields))
    return {
        "inputs": form_of(study.kind).show(offered, fields),
        "ends": (html_number(facts.low), html_number(facts.high)),
        "template": plain_template_of(study.kind),
        "why": "" if sent is None else sent.get("why", ""),
        "seen": 0 if last is None else last.revision,
        "stands": last if last is not None and not last.is_removed else None,
    }


def _drawing(study: Study, answers: AnswersOfItems, excluded: set[int]) -> Figure | None:
    if not answers.counts.any():
        return None
    names = {judgment.pk: judgment.assigned_item.participation.pseudonym for judgment in answers.judgments}
    workers = [names[pk] for pk in sorted(answers.place_of, key=answers.place_of.__getitem__)]
    return draw_item_answers(
        answers.crowd,
        answers.counts,
        np.isin(answers.participations, list(excluded))[answers.crowd.worker],
        statistics_of(study.kind).distribution,
        workers,
        [person_address(study, name) for name in workers],
    )
