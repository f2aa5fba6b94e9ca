"""The properties that people named in a study, as the coding page lists them: how many people, how many items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from django.db import transaction

from agreement.errors import Refused
from agreement.files.numbers import decimal_of
from agreement.files.problems import Problems, refuse_if_any, shown
from agreement.files.reading import required_table
from agreement.judgments.property_coding import (
    COLUMNS,
    REVISION,
    Code,
    coded_rows,
    csv_of,
    normalised,
    proposed,
    wrong_in,
)
from annotation.database.bulk import chunks
from annotation.models import AuditEntry, Item, Study, User
from annotation.releases.from_database.counted_judgments import counted
from annotation.releases.models import CleaningRun, PropertyCode

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
        return proposed(self.spelling) if self.row is None else self.row.code

    @property
    def revision(self) -> int:
        return 0 if self.row is None else self.row.revision


def properties_of(study: Study) -> list[NamedProperty]:
    """Every spelling of the judgments that count on items to judge, the commonest first; then what nobody names."""
    people: dict[str, set[int]] = {}
    items: dict[str, set[int]] = {}
    answers = counted(study).filter(assigned_item__item__kind=Item.Kind.TARGET).order_by()
    given = answers.values_list("properties", "assigned_item__participation_id", "assigned_item__item_id")
    for properties, person, item in given.iterator(2_000):
        for name in map(normalised, properties or ()):
            if name:
                people.setdefault(name, set()).add(person)
                items.setdefault(name, set()).add(item)
    rows = PropertyCode.objects.of_study(study).in_force()
    names = sorted({*people, *rows}, key=lambda name: (-len(people.get(name, ())), name))
    return [NamedProperty(name, len(people.get(name, ())), len(items.get(name, ())), rows.get(name)) for name in names]


def found_in(named: Iterable[NamedProperty], show: str, text: str) -> list[NamedProperty]:
    """Those that a filter shows, and whose spelling or property has the text in it."""
    wanted = normalised(text)
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
        f"{change.spelling}: {name}: {said}." for change in changes for name, said in wrong_in(change.code)
    ] + _mixed_types(changes)
    if reasons:
        raise Refused(reasons)
    with transaction.atomic():
        # The race: two people save at once. The lock on the study lets the second see the first's rows.
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        rows = PropertyCode.objects.of_study(study)
        in_force, last = rows.in_force(), _last_revision(study)
        meanwhile = {
            change.spelling: row
            for change in changes
            if (row := in_force.get(change.spelling)) and row.revision > change.seen and row.code != change.code
        }
        wanted = {each.spelling: each.code for each in changes if each.spelling not in meanwhile}
        now = {spelling: row.code for spelling, row in in_force.items()}
        new = {spelling: code for spelling, code in _with_types(wanted, now).items() if now.get(spelling) != code}
        if not new:
            return CodingResult(0, {}, meanwhile)
        revision = last + 1
        _add(study, new, revision, by)
    return CodingResult(revision, new, meanwhile)


def import_coding(*, study: Study, file: Path, by: User | None) -> CodingResult:
    """A coding from a file, all of it or nothing. A row that says its `revision` is refused if a later one is there."""
    problems = Problems(file.name)
    table = required_table(file, problems)
    found = coded_rows(table, problems)
    if not found:
        refuse_if_any(problems)
    given = table.columns[REVISION].text().tolist() if REVISION in table.columns else [""] * len(table)
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        rows = PropertyCode.objects.of_study(study)
        in_force, last = rows.in_force(), _last_revision(study)
        for (row, spelling, code), text in zip(found, given, strict=True):
            there = in_force.get(spelling)
            if not str(text).strip() or there is None or there.code == code:
                continue
            seen = decimal_of(str(text))
            if seen is None or seen != int(seen) or seen < 0:
                problems.row(row, f"column {REVISION}: {shown(str(text))} is not the number of a revision")
            elif there.revision > seen:
                who = "somebody" if there.by is None else str(there.by)
                problems.row(
                    row, f"{shown(spelling)} was coded by {who} since the file was exported (revision {there.revision})"
                )
        refuse_if_any(problems)
        now = {spelling: row.code for spelling, row in in_force.items()}
        wanted = _with_types({spelling: code for _, spelling, code in found}, now)
        new = {spelling: code for spelling, code in wanted.items() if now.get(spelling) != code}
        if new:
            _add(study, new, last + 1, by)
    return CodingResult(last + 1 if new else 0, new, {})


def coding_as_csv(study: Study) -> bytes:
    """The coding in force, with the revision of each row; it can be imported again."""
    rows = sorted(PropertyCode.objects.of_study(study).in_force().items())
    cells = [
        (spelling, row.relation, row.feature, row.type, "1" if row.is_left_out else "0", str(row.revision))
        for spelling, row in rows
    ]
    return csv_of(cells, (*COLUMNS, REVISION))


def _last_revision(study: Study) -> int:
    """The last number that a save or a run has had: rows can be erased, and no number is ever given again."""
    of_runs = CleaningRun.objects.filter(study=study).values_list("counts__coding", flat=True)
    return max([PropertyCode.objects.of_study(study).last_revision(), *(int(given or 0) for given in of_runs)])


def _add(study: Study, new: Mapping[str, Code], revision: int, by: User | None) -> None:
    rows = (
        PropertyCode(
            study=study,
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


def _mixed_types(changes: Iterable[Change]) -> list[str]:
    """Spellings that are one property and come with two types at once."""
    types: dict[str, dict[str, str]] = {}
    for change in changes:
        if change.code.type and not change.code.is_left_out:
            types.setdefault(change.code.name, {}).setdefault(change.code.type, change.spelling)
    return [
        f"{name} is one property and has one type: {' and '.join(f'{kind} ({of})' for kind, of in given.items())}."
        for name, given in types.items()
        if len(given) > 1
    ]


def _with_types(wanted: Mapping[str, Code], now: Mapping[str, Code]) -> dict[str, Code]:
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
