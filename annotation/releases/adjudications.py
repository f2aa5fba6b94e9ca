"""A study's adjudications as people read them, and as the table that is exported."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from django.db.models import FloatField

from agreement.files.table import Column, encode
from agreement.kinds.data import data_of
from annotation.models import Study
from annotation.releases.models import Adjudication


def adjudications_of(study: Study, until: dt.datetime | None = None) -> list[Adjudication]:
    """Those that stand now, or that stood at a moment, in the order of the items; made by hand, they are few."""
    rows = Adjudication.objects.filter(study=study).select_related("item", "by")
    if until is not None:
        rows = rows.filter(created_at__lte=until)
    last = {row.item_id: row for row in rows.order_by("revision")}
    return sorted((row for row in last.values() if not row.is_removed), key=lambda row: row.item.position)


def texts_of(study: Study, rows: Sequence[Adjudication]) -> list[str]:
    """Each answer in one text, with labels as people see them; "removed" where there is none any more."""
    answered = [row for row in rows if not row.is_removed]
    texts = dict(zip([row.pk for row in answered], _texts(study, answered), strict=True))
    return [texts.get(row.pk, "removed") for row in rows]


def _texts(study: Study, rows: Sequence[Adjudication]) -> list[str]:
    if not rows:
        return []
    data, labels = data_of(study.kind), _labels(study)
    answers, values = data.from_database(_given(study, rows), tuple(labels))
    shown = tuple(labels.get(value, value) for value in values)
    return [str(text) for text in data.text(data.cells(answers, shown))]


def adjudications_table(study: Study, rows: Sequence[Adjudication]) -> dict[str, Column]:
    """The columns of adjudications.csv: the item, the answer as judgments.csv has it, why, who, when."""
    data = data_of(study.kind)
    answers, labels = data.from_database(_given(study, rows), tuple(_labels(study)))
    return {
        "item_id": _column([row.item.item_id for row in rows]),
        **data.cells(answers, labels),
        "why": _column([row.why for row in rows]),
        "by": _column(["" if row.by is None else row.by.get_username() for row in rows]),
        "at": _column([row.created_at.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ") for row in rows]),
    }


def _labels(study: Study) -> dict[str, str]:
    return dict(study.labels.order_by("position").values_list("value", "display_text"))


def _given(study: Study, rows: Sequence[Adjudication]) -> npt.NDArray[np.object_] | npt.NDArray[np.float64]:
    column = study.question_kind.column
    is_number = isinstance(Adjudication._meta.get_field(column), FloatField)
    if is_number:
        return np.array([getattr(row, column) for row in rows], dtype=np.float64)
    given = np.empty(len(rows), dtype=object)
    given[:] = [getattr(row, column) for row in rows]
    return given


def _column(texts: Sequence[str]) -> Column:
    return encode(texts, len(texts))
