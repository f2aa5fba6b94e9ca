"""What researchers decide item by item: answers of their own, beside the crowd's judgments, and codes of properties."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from django.db import transaction
from django.db.models import FloatField, Max

from agreement.errors import Refused
from agreement.files.cell_texts import normalised_name
from agreement.files.numbers import decimal_of
from agreement.files.problems import Problems, quote_cell, refuse_if_any
from agreement.files.reading import required_table
from agreement.files.table import Column, encode
from agreement.judgments import property_coding
from agreement.judgments.property_coding import REVISION, Code, code_errors, coded_rows, proposed_code
from agreement.kinds.answers import Answer, Fields
from agreement.kinds.data import data_of
from agreement.kinds.options import options_of_item
from annotation.answering.kinds.form import BadAnswer, Facts, form_of
from annotation.database.rows import chunks
from annotation.models import AuditEntry, Item, Study, User
from annotation.releases.from_database.judgment_rows import counted_judgments
from annotation.releases.models import Adjudication, CleaningRun, PropertyCode


def adjudications_of(study: Study, until: dt.datetime | None = None) -> list[Adjudication]:
    """Those that stand now, or that stood at a moment, in the order of the items; made by hand, they are few."""
    rows = study.adjudications.select_related("item", "by")
    if until is not None:
        rows = rows.filter(created_at__lte=until)
    last = {row.item_id: row for row in rows.order_by("revision")}
    return sorted((row for row in last.values() if not row.is_removed), key=lambda row: row.item.position)


def texts_of(study: Study, rows: Sequence[Adjudication]) -> list[str]:
    """Each answer in one text, with labels as people see them; "removed" where there is none any more."""
    answered = [row for row in rows if not row.is_removed]
    if not answered:
        return ["removed" for _ in rows]
    data, labels = data_of(study.kind), _labels(study)
    answers, values = data.from_database(_answer_values(study, answered), tuple(labels))
    texts = iter(data.text(data.cells(answers, tuple(labels.get(value, value) for value in values))))
    return ["removed" if row.is_removed else str(next(texts)) for row in rows]


def adjudications_table(study: Study, rows: Sequence[Adjudication]) -> dict[str, Column]:
    """The columns of adjudications.csv: the item, the answer as judgments.csv has it, why, who, when."""
    data = data_of(study.kind)
    answers, labels = data.from_database(_answer_values(study, rows), tuple(_labels(study)))
    return {
        "item_id": _column([row.item.item_id for row in rows]),
        **data.cells(answers, labels),
        "why": _column([row.why for row in rows]),
        "by": _column(["" if row.by is None else row.by.get_username() for row in rows]),
        "at": _column([row.created_at.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ") for row in rows]),
    }


def _labels(study: Study) -> dict[str, str]:
    return dict(study.labels.order_by("position").values_list("value", "display_text"))


def _answer_values(study: Study, rows: Sequence[Adjudication]) -> npt.NDArray[np.object_] | npt.NDArray[np.float64]:
    column = study.question_kind.column
    values = [getattr(row, column) for row in rows]
    if isinstance(Adjudication._meta.get_field(column), FloatField):
        return np.array(values, dtype=np.float64)
    objects = np.empty(len(rows), dtype=object)
    objects[:] = values
    return objects


def _column(texts: Sequence[str]) -> Column:
    return encode(texts, len(texts))


# A researcher's own answer to an item, in a table of its own: the crowd's judgments and gold stay as they are.

LONGEST_REASON = 2_000


class SavedMeanwhile(Refused):
    """Somebody else adjudicated the item since the page was read."""


def facts_of(item: Item) -> Facts:
    """What limits an answer here; a field that is left empty has no default, and a set of labels any size."""
    study = item.study
    labels = _labels(study) or (dict(options_of_item(item.fields)) if study.question_kind.takes_options else {})
    return Facts(
        low=None if study.scale_low is None else float(study.scale_low),
        high=None if study.scale_high is None else float(study.scale_high),
        labels=tuple(labels),
        shown=tuple(labels.values()),
    )


def adjudicate(*, item: Item, fields: Fields, why: str, by: User | None, seen: int) -> Adjudication:
    """Stores the answer in a form's fields as the item's next revision; `seen` is the revision that the form was of.

    Raises `BadAnswer` with the field that it is about, `Refused`, `SavedMeanwhile`.
    """
    study = item.study
    if item.kind != Item.Kind.TARGET:
        raise Refused(f"{item} is a check or for practice: only items that are judged for gold are adjudicated.")
    answer = form_of(study.kind).read(fields, facts_of(item))
    return _store_adjudication(item, answer, why, by, seen)


def remove_adjudication(*, item: Item, why: str, by: User | None, seen: int) -> Adjudication:
    """The item has no answer of a researcher's any more; what there was stays in its history."""
    return _store_adjudication(item, None, why, by, seen)


ANSWERS = ("number", "label", "labels", "numbers", "properties", "text")


def undo_adjudication(*, item: Item, by: User | None, seen: int) -> Adjudication:
    """The answer before the last one stands again, or none where that was the first."""
    question = item.study.asked_number
    before = Adjudication.objects.filter(item=item, question=question, revision=seen - 1, is_removed=None).first()
    answer = None if before is None else Answer(**{name: getattr(before, name) for name in ANSWERS})
    return _store_adjudication(item, answer, "undone" if before is None else before.why, by, seen)


def _store_adjudication(item: Item, answer: Answer | None, why: str, by: User | None, seen: int) -> Adjudication:
    reason = why.strip()
    if len(reason) > LONGEST_REASON or "\x00" in reason:
        raise BadAnswer("why", f"Please write at most {LONGEST_REASON} characters, and no zero bytes.")
    values = {"is_removed": True} if answer is None else {name: getattr(answer, name) for name in ANSWERS}
    question = item.study.asked_number
    with transaction.atomic():
        # The race: two researchers adjudicate the same item at once. The lock lets the second see the first one's.
        Item.objects.select_for_update(no_key=True, of=("self",)).get(pk=item.pk)
        last = Adjudication.objects.filter(item=item, question=question).aggregate(last=Max("revision"))["last"] or 0
        if last != seen:
            raise SavedMeanwhile(
                "Somebody else adjudicated this item in the meantime: what they said is shown below. What you typed is"
                " kept; save again to put it in its place."
            )
        adjudication = Adjudication.objects.create(
            study=item.study, question=question, item=item, revision=last + 1, why=reason, by=by, **values
        )
        detail = {"removed adjudication of" if answer is None else "adjudicated": item.item_id, "revision": last + 1}
        AuditEntry.objects.create(study=item.study, by=by, action=AuditEntry.Action.CHANGED, why=reason, detail=detail)
    return adjudication


# The properties that people named in a study, as the coding page lists them: how many people, how many items.

SHOW = {"all": "all", "open": "not coded yet", "coded": "coded", "left-out": "left out"}


@dataclass(frozen=True, slots=True)
class NamedProperty:
    """A spelling with how many `people` named it on how many `items`, its row in force, and what it counts as."""

    spelling: str
    people: int
    items: int
    row: PropertyCode | None

    @property
    def code(self) -> Code:
        return proposed_code(self.spelling) if self.row is None else self.row.code

    @property
    def revision(self) -> int:
        return 0 if self.row is None else self.row.revision


def properties_of(study: Study) -> list[NamedProperty]:
    """Every spelling of the judgments that count on items to judge, the commonest first; then what nobody names."""
    people: dict[str, set[int]] = {}
    items: dict[str, set[int]] = {}
    answers = counted_judgments(study).filter(assigned_item__item__kind=Item.Kind.TARGET).order_by()
    answered_properties = answers.values_list("properties", "assigned_item__participation_id", "assigned_item__item_id")
    for properties, person, item in answered_properties.iterator(2_000):
        for name in map(normalised_name, properties or ()):
            if name:
                people.setdefault(name, set()).add(person)
                items.setdefault(name, set()).add(item)
    rows = PropertyCode.objects.of_study(study).in_force()
    names = sorted({*people, *rows}, key=lambda name: (-len(people.get(name, ())), name))
    return [NamedProperty(name, len(people.get(name, ())), len(items.get(name, ())), rows.get(name)) for name in names]


def filtered_properties(named: Iterable[NamedProperty], show: str, text: str) -> list[NamedProperty]:
    """Those that a filter shows, and whose spelling or property has the text in it."""
    wanted = normalised_name(text)
    return [each for each in named if _is_shown(each, show) and (wanted in each.spelling or wanted in each.code.name)]


def _is_shown(each: NamedProperty, show: str) -> bool:
    if show == "open":
        return each.row is None
    if show == "coded":
        return each.row is not None and not each.row.is_left_out
    return show != "left-out" or (each.row is not None and each.row.is_left_out)


# Codes the properties of a study: every save is new rows, so that two researchers at once lose nothing.

ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Change:
    """What somebody wants a spelling to count as, having seen the row of revision `seen` (0: none)."""

    spelling: str
    code: Code
    seen: int


@dataclass(frozen=True, slots=True)
class CodingResult:
    """What was saved as which revision (0: nothing), and the rows that somebody else had saved in between."""

    revision: int
    saved: Mapping[str, Code]
    meanwhile: Mapping[str, PropertyCode]


def code_properties(*, study: Study, changes: Sequence[Change], by: User | None) -> CodingResult:
    """Saves the changes; one of a spelling that was coded since it was seen is not saved, and given back.

    The type is the property's: spellings that are one property get it too.
    """
    reasons = [
        f"{change.spelling}: {name}: {mistake}." for change in changes for name, mistake in code_errors(change.code)
    ] + _mixed_types(changes)
    if reasons:
        raise Refused(reasons)
    with transaction.atomic():
        # The race: two people save at once. The lock on the study lets the second see the first's rows.
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        in_force = PropertyCode.objects.of_study(study).in_force()
        meanwhile = {
            change.spelling: row
            for change in changes
            if (row := in_force.get(change.spelling)) and row.revision > change.seen and row.code != change.code
        }
        wanted = {each.spelling: each.code for each in changes if each.spelling not in meanwhile}
        revision, new = _save_codes(study, wanted, in_force, by)
    return CodingResult(revision, new, meanwhile)


def import_coding(*, study: Study, file: Path, by: User | None) -> CodingResult:
    """A coding from a file, all of it or nothing. A row that says its `revision` is refused if a later one is there."""
    problems = Problems(file.name)
    table = required_table(file, problems)
    rows = coded_rows(table, problems)
    if not rows:
        refuse_if_any(problems)
    revisions = table.columns[REVISION].text().tolist() if REVISION in table.columns else [""] * len(table)
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        in_force = PropertyCode.objects.of_study(study).in_force()
        for (row, spelling, code), text in zip(rows, revisions, strict=True):
            current = in_force.get(spelling)
            if not str(text).strip() or current is None or current.code == code:
                continue
            seen = decimal_of(str(text))
            if seen is None or seen != int(seen) or seen < 0:
                problems.row(row, f"column {REVISION}: {quote_cell(str(text))} is not the number of a revision")
            elif current.revision > seen:
                who = "somebody" if current.by is None else str(current.by)
                problems.row(
                    row,
                    f"{quote_cell(spelling)} was coded by {who} since the file was exported"
                    f" (revision {current.revision})",
                )
        refuse_if_any(problems)
        revision, new = _save_codes(study, {spelling: code for _, spelling, code in rows}, in_force, by)
    return CodingResult(revision, new, {})


def coding_as_csv(study: Study) -> bytes:
    """The coding in force, with the revision of each row; it can be imported again."""
    rows = sorted(PropertyCode.objects.of_study(study).in_force().items())
    cells = [
        (spelling, row.relation, row.feature, row.type, "1" if row.is_left_out else "0", str(row.revision))
        for spelling, row in rows
    ]
    return property_coding.csv_of(cells, (*property_coding.COLUMNS, REVISION))


def _last_revision(study: Study) -> int:
    """The last number that a save or a run has had: rows can be erased, and no number is ever given again."""
    of_runs = CleaningRun.objects.filter(study=study).values_list("counts__coding", flat=True)
    return max([PropertyCode.objects.of_study(study).last_revision(), *(int(number or 0) for number in of_runs)])


def _save_codes(
    study: Study, wanted: Mapping[str, Code], in_force: Mapping[str, PropertyCode], by: User | None
) -> tuple[int, dict[str, Code]]:
    """Adds what differs from the rows in force as the next revision: which one (0: nothing differs), and what."""
    now = {spelling: row.code for spelling, row in in_force.items()}
    new = {spelling: code for spelling, code in _codes_with_types(wanted, now).items() if now.get(spelling) != code}
    if not new:
        return 0, {}
    revision = _last_revision(study) + 1
    rows = (
        PropertyCode(
            study=study,
            question=study.asked_number,
            revision=revision,
            spelling=spelling,
            relation=code.relation,
            feature=code.feature,
            type=code.type,
            is_left_out=code.is_left_out,
            by=by,
        )
        for spelling, code in sorted(new.items())
    )
    for portion in chunks(rows, ROWS_AT_ONCE):
        PropertyCode.objects.bulk_create(portion)
    # The record counts and quotes nothing: what people wrote can be erased, the record can't.
    detail = {"coding": revision, "spellings": len(new)}
    AuditEntry.objects.create(study=study, by=by, action=AuditEntry.Action.CHANGED, detail=detail)
    return revision, new


def _mixed_types(changes: Iterable[Change]) -> list[str]:
    """Spellings that are one property and come with two types at once."""
    types: dict[str, dict[str, str]] = {}
    for change in changes:
        if change.code.type and not change.code.is_left_out:
            types.setdefault(change.code.name, {}).setdefault(change.code.type, change.spelling)
    mixed = {name: spellings for name, spellings in types.items() if len(spellings) > 1}
    return [
        f"{name} is one property and has one type: "
        + " and ".join(f"{kind} ({spelling})" for kind, spelling in spellings.items())
        + "."
        for name, spellings in mixed.items()
    ]


def _codes_with_types(wanted: Mapping[str, Code], now: Mapping[str, Code]) -> dict[str, Code]:
    """The codes that are wanted, and those of other spellings whose property gets another type by them.

    Who joins a property without saying a type takes its type; who stays in it and says another, or none, changes it.
    """
    types: dict[str, str] = {}
    for spelling, code in wanted.items():
        if code.is_left_out:
            continue
        before = now.get(spelling)
        stays = before is not None and not before.is_left_out and before.name == code.name
        if code.type or (stays and before is not None and before.type):
            types[code.name] = code.type or types.get(code.name, "")
    for code in now.values():
        if code.type and not code.is_left_out:
            types.setdefault(code.name, code.type)
    joined = {**now, **wanted}
    return {
        spelling: replace(code, type=types.get(code.name, code.type)) if not code.is_left_out else code
        for spelling, code in joined.items()
    }
