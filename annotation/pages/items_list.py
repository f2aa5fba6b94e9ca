"""A study's items with how far people differ on them: one page of a sorted table, the contested ones first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from django.http import QueryDict

from agreement.kinds.statistics import statistics_of
from annotation.models import Study
from annotation.pages.item_display import AsShown, as_shown
from annotation.pages.sorted_pages import Heading, PageBounds, Sorting
from annotation.releases.models import Adjudication
from annotation.releases.summaries import Figures

SHOW = {"all": "All items", "judged": "Two judgments or more", "adjudicated": "Adjudicated"}


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
        list(Adjudication.objects.filter(study=study).in_force().values_list("item", flat=True)), dtype=np.int64
    )
    chosen = np.flatnonzero(_shown(study, figures, adjudicated, query))
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
            item=as_shown(study, items[int(keys[position])]),
            judgments=int(figures.items["judgments"][position]),
            contested=_number(values["contested"][position]),
            seconds=_number(values["seconds"][position]),
            is_adjudicated=int(keys[position]) in with_answer,
        )
        for position in shown
        if int(keys[position]) in items
    ]
    return ItemsPage(rows, sorting.headings(columns, query), cut, sorting)


def _shown(
    study: Study, figures: Figures, adjudicated: npt.NDArray[np.int64], query: QueryDict
) -> npt.NDArray[np.bool_]:
    keys = figures.items["item"]
    match query.get("show", ""):
        case "judged":
            shown = figures.items["judgments"] >= 2
        case "adjudicated":
            shown = np.isin(keys, adjudicated)
        case _:
            shown = np.ones(len(keys), dtype=np.bool_)
    if text := query.get("q", "").strip():
        matching = study.items.targets().filter(item_id__icontains=text).order_by().values_list("pk", flat=True)
        shown = shown & np.isin(keys, np.fromiter(matching, dtype=np.int64))
    return shown


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
