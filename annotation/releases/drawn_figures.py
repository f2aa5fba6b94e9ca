"""The figures of a release as its report has them, for a page to draw: read back from the report's files."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from uuid import UUID

import pandas as pd
from django.urls import reverse

from agreement.figures.figure import LINK, Figure
from annotation.models import Study
from annotation.releases.models import ReleaseReport

# A larger one is shown as its picture: a map of two hundred terms by two hundred has 40,000 cells.
MOST_BYTES = 1_000_000
ITEM, WORKER = "item_id", "worker"  # columns whose rows have a page
OF_ANY_FIGURE = ("$schema", "usermeta", "description", "padding", "data")


@dataclass(frozen=True, slots=True, eq=False)
class DrawnFigure:
    """`figure` is None where it is too large for a page."""

    name: str
    title: str
    caption: str
    description: str
    figure: Figure | None


def drawn_figures(report: ReleaseReport) -> list[DrawnFigure]:
    """In one query, for where the items' pages are."""
    with zipfile.ZipFile(io.BytesIO(bytes(report.content))) as archive:
        found = [DrawnFigure(**said, figure=_read(archive, said)) for said in report.figures]
    study = report.release.study
    named = {item for each in found if each.figure is not None for item in _items(each.figure)}
    uuids = dict(study.items.filter(item_id__in=named).values_list("item_id", "uuid"))
    return [each if each.figure is None else replace(each, figure=_linked(each.figure, study, uuids)) for each in found]


def _items(figure: Figure) -> list[str]:
    return [str(item) for item in figure.rows[ITEM]] if ITEM in figure.rows else []


def _linked(figure: Figure, study: Study, uuids: Mapping[str, UUID]) -> Figure:
    """With the page of each row's worker or item."""
    if WORKER in figure.rows and "other" not in figure.rows:
        links = [reverse("agreement:person", args=[study.uuid, name]) for name in figure.rows[WORKER]]
    elif ITEM in figure.rows:
        pages = {item: reverse("agreement:item", args=[study.uuid, uuid]) for item, uuid in uuids.items()}
        links = [pages.get(item, "") for item in figure.rows[ITEM]]
    else:
        return figure
    return replace(figure, rows=figure.rows.assign(**{LINK: links}))


def _read(archive: zipfile.ZipFile, said: dict[str, str]) -> Figure | None:
    name = f"figures/{said['name']}.vl.json"
    if archive.getinfo(name).file_size > MOST_BYTES:
        return None
    whole = json.loads(archive.read(name))
    rows = pd.DataFrame(whole["data"]["values"])
    specification = {key: part for key, part in whole.items() if key not in OF_ANY_FIGURE}
    return Figure(**said, rows=rows, specification=specification)
