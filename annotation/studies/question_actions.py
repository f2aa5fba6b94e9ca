"""A study's questions added, changed, moved, removed, or all replaced: in a draft that nobody has judged yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import Case, F, Q, Value, When

from agreement.errors import Refused
from agreement.files.question_fields import with_fields
from annotation.models import AuditEntry, Item, Question, Study, User
from annotation.models.question import FIRST
from annotation.studies.questions import (
    QuestionSettings,
    questions_of,
    write_first,
    write_further,
)
from annotation.studies.study_form_fields import is_fixed
from annotation.studies.wrong_questions import refuse_wrong_questions

# What of a question may change at any time: how its results are reported, and what nobody's answer depends on.
NEVER_FIXED = frozenset({"metrics", "synonyms", "slider_shows_number"})


def add_question(*, study: Study, question: QuestionSettings, by: User | None) -> None:
    """As the last one."""
    _change(study, by, lambda before: [*before, question])


def change_question(*, study: Study, name: str, changes: Mapping[str, Any], by: User | None) -> None:
    """Changes these of its settings, its labels, its condition or its name, which conditions on it follow."""

    def changed(before: Sequence[QuestionSettings]) -> Iterator[QuestionSettings]:
        place = _place_of(name, before)
        new = QuestionSettings.of({**before[place].as_fields(), **changes}, former=before[place].former)
        for number, question in enumerate(before):
            condition = question.shown_if
            if number == place:
                yield new
            elif condition is not None and condition["question"] == name:
                yield replace(question, shown_if={**condition, "question": new.name})
            else:
                yield question

    _change(study, by, lambda before: list(changed(before)))


def rename_fields(*, study: Study, names: Mapping[str, str], by: User | None) -> None:
    """Calls the fields of items otherwise, wherever a question names them."""

    def renamed(question: QuestionSettings) -> QuestionSettings:
        return replace(question, settings={**question.settings, "question": with_fields(question.wording, names)})

    _change(study, by, lambda before: [renamed(question) for question in before])


def remove_question(*, study: Study, name: str, by: User | None) -> None:
    def rest(before: Sequence[QuestionSettings]) -> list[QuestionSettings]:
        place = _place_of(name, before)
        return [*before[:place], *before[place + 1 :]]

    _change(study, by, rest)


def move_question(*, study: Study, name: str, to: int, by: User | None) -> None:
    """To this place in the order, the first being 1."""

    def moved(before: Sequence[QuestionSettings]) -> list[QuestionSettings]:
        if not FIRST <= to <= len(before):
            raise Refused(f"The study has {len(before)} questions: move one to a place from {FIRST} to {len(before)}.")
        rest = [question for question in before if question.name != name]
        rest.insert(to - FIRST, before[_place_of(name, before)])
        return rest

    _change(study, by, moved)


def _place_of(name: str, questions: Sequence[QuestionSettings]) -> int:
    names = [question.name for question in questions]
    if name not in names:
        raise Refused(f"There is no question '{name}': there are {', '.join(names)}.")
    return names.index(name)


def _change(
    study: Study, by: User | None, change: Callable[[list[QuestionSettings]], Sequence[QuestionSettings]]
) -> None:
    with transaction.atomic():
        # The race: the study is opened in between. Whoever opens it holds this lock while it looks at its questions.
        now = Study.objects.select_for_update(no_key=True, of=("self",)).get(pk=study.pk)
        store_questions(now, change(questions_of(now)))
        Study.objects.filter(pk=now.pk).update(edits=F("edits") + 1)
        AuditEntry.objects.create(study=now, by=by, action=AuditEntry.Action.CHANGED, detail={"fields": ["questions"]})


def store_questions(study: Study, questions: Sequence[QuestionSettings], *, has_first: bool = True) -> None:
    """The questions are these from now on, in this order; one that keeps its name keeps its checks.

    For who holds the study's lock and records the change. Without `has_first` the first is stored already.
    """
    before = questions_of(study)
    after = _with_former(before, questions)
    refuse_wrong_questions(after, begin=FIRST if has_first else FIRST + 1)
    if is_fixed(study):
        _refuse_fixed(before, after)
        for number, question in enumerate(after, start=FIRST):
            rows = Question.objects.filter(study=study, number=number)
            values = {name: question.settings[name] for name in NEVER_FIXED}
            if number > FIRST:
                rows.update(**values)
            elif has_first:
                Study.objects.filter(pk=study.pk).update(**values)
        return
    numbers = {question.former: number for number, question in enumerate(after, start=FIRST) if question.former}
    _renumber_checks(study, before, numbers)
    if has_first:
        write_first(study, after[0])
    write_further(study, after)


def _with_former(before: Sequence[QuestionSettings], after: Sequence[QuestionSettings]) -> list[QuestionSettings]:
    """Each with the number that it had. One whose name is new is the one that stood in its place, if that has gone."""
    numbers = {question.name: number for number, question in enumerate(before, start=FIRST)}
    known = {question.former for question in after if question.former}
    named = [
        question if question.former else replace(question, former=_unless(numbers.get(question.name), known))
        for question in after
    ]
    known |= {question.former for question in named if question.former}
    rows = []
    for number, question in enumerate(named, start=FIRST):
        stood_there = number if number <= len(before) and number not in known else None
        rows.append(question if question.former else replace(question, former=stood_there))
    return rows


def _unless(number: int | None, known: set[int]) -> int | None:
    return None if number in known else number


def _refuse_fixed(before: Sequence[QuestionSettings], after: Sequence[QuestionSettings]) -> None:
    former = [question.former for question in after]
    if removed := [question.name for question in before if question.former not in former]:
        raise Refused(
            f"{', '.join(removed)} can't be removed: the study is open, or somebody has answered its questions."
        )
    if None in former:
        raise Refused("No question can be added once a study is open, or somebody has answered its questions.")
    if former != sorted(number for number in former if number):
        raise Refused("The questions stay in their order once a study is open, or somebody has answered them.")
    reasons = []
    for old, new in zip(before, after, strict=True):
        was, becomes = old.as_fields(), new.as_fields()
        differs = [name for name in was if name not in NEVER_FIXED and was[name] != becomes[name]]
        reasons += [f"{old.name}: {', '.join(differs)} can't change once the study is open."] if differs else []
    if reasons:
        raise Refused(reasons)


def _renumber_checks(study: Study, before: Sequence[QuestionSettings], numbers: Mapping[int, int]) -> None:
    """Checks and practice stay with their question, wherever it goes; one that has some is not removed."""
    items = Item.everything.filter(study=study).beside_targets()
    with_answer = Q(kind=Item.Kind.CHECK) | Q(expected__isnull=False) | Q(min__isnull=False) | Q(max__isnull=False)
    reasons = []
    for number, question in enumerate(before, start=FIRST):
        count = 0 if number in numbers else items.filter(with_answer, check_question=number).count()
        if count:
            are = "1 check or practice item is" if count == 1 else f"{count} check or practice items are"
            reasons.append(f"{question.name} can't be removed: {are} about it. Delete them first.")
    if reasons:
        raise Refused(reasons)
    moved = {old: new for old, new in numbers.items() if old != new}
    if moved or len(numbers) < len(before):
        kept = [When(check_question=old, then=Value(new)) for old, new in numbers.items()]
        items.update(check_question=Case(*kept, default=Value(FIRST)))
