"""A researcher's own answer to an item, in a table of its own: the crowd's judgments and gold stay as they are."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
import numpy.typing as npt
from django.db import transaction
from django.db.models import FloatField, Max

from agreement.errors import Refused
from agreement.files.table import Column, encode
from agreement.kinds.answers import Answer, Fields
from agreement.kinds.data import data_of
from annotation.answering.kinds.form import BadAnswer, Facts, form_of
from annotation.models import AuditEntry, Item, Study, User
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


# A researcher's own answer to an item, in a table of its own: the crowd's judgments and gold stay as they
# are.

LONGEST_REASON = 2_000


class SavedMeanwhile(Refused):
    """Somebody else adjudicated the item since the page was read."""


def facts_of(study: Study) -> Facts:
    """What limits an answer here; a field that is left empty has no default."""
    labels = list(study.labels.order_by("position").values_list("value", "display_text"))
    return Facts(
        low=None if study.scale_low is None else float(study.scale_low),
        high=None if study.scale_high is None else float(study.scale_high),
        labels=tuple(value for value, _ in labels),
        shown=tuple(shown for _, shown in labels),
    )


def adjudicate(*, item: Item, fields: Fields, why: str, by: User | None, seen: int) -> Adjudication:
    """Stores the answer in a form's fields as the item's next revision; `seen` is the revision that the form was of.

    Raises `BadAnswer` with the field that it is about, `Refused` without a reason, `SavedMeanwhile`.
    """
    study = item.study
    if item.kind != Item.Kind.TARGET:
        raise Refused(f"{item} is a check or for practice: only items that are judged for gold are adjudicated.")
    answer = form_of(study.kind).read(fields, facts_of(study))
    return _store(item, answer, why, by, seen)


def remove_adjudication(*, item: Item, why: str, by: User | None, seen: int) -> Adjudication:
    """The item has no answer of a researcher's any more; what there was stays in its history."""
    return _store(item, None, why, by, seen)


def _store(item: Item, answer: Answer | None, why: str, by: User | None, seen: int) -> Adjudication:
    reason = why.strip()
    if not reason:
        raise BadAnswer("why", "Please say why. The reason is recorded and exported with the answer.")
    if len(reason) > LONGEST_REASON or "\x00" in reason:
        raise BadAnswer("why", f"Please write at most {LONGEST_REASON} characters, and no zero bytes.")
    values = {"is_removed": True} if answer is None else {**asdict(answer)}
    values.pop("could_not_see", None)
    with transaction.atomic():
        # The race: two researchers adjudicate the same item at once. The lock lets the second see the first one's.
        Item.objects.select_for_update(no_key=True, of=("self",)).get(pk=item.pk)
        last = Adjudication.objects.filter(item=item).aggregate(last=Max("revision"))["last"] or 0
        if last != seen:
            raise SavedMeanwhile(
                "Somebody else adjudicated this item in the meantime: what they said is shown below. What you typed is"
                " kept; save again to put it in its place."
            )
        made = Adjudication.objects.create(study=item.study, item=item, revision=last + 1, why=reason, by=by, **values)
        detail = {"removed adjudication of" if answer is None else "adjudicated": item.item_id, "revision": last + 1}
        AuditEntry.objects.create(study=item.study, by=by, action=AuditEntry.Action.CHANGED, why=reason, detail=detail)
    return made
