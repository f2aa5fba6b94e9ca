"""What the questions of a study lack before they can be asked about its items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from agreement.files.cell_texts import is_blank, join_bars
from agreement.files.numbers import count_text
from agreement.files.question_fields import QUESTION, fields_of
from agreement.kinds.answers import MOST_POINTS
from agreement.kinds.data import given_bounds, wrong_right_answer
from agreement.kinds.options import OPTIONS, labels_of_item, wrong_options
from agreement.kinds.registry import KINDS
from agreement.stimuli.filling import lacking_fields
from annotation.models import Study
from annotation.models.question import FIRST
from annotation.studies.questions import QuestionSettings, questions_of
from annotation.studies.wrong_questions import wrong_settings

MOST_NAMED = 20  # items with wrong labels of their own


class Part(StrEnum):
    """Where a reason is mended."""

    ITEMS = "items"
    QUESTION = "question"
    LABELS = "labels"
    CHECKS = "checks"
    QUALIFICATION = "qualification"


def lacking_of_questions(study: Study) -> Iterator[tuple[Part, str]]:
    questions = questions_of(study)
    yield from ((Part.QUESTION, reason) for reason in _missing_fields(study, questions))
    yield from ((Part.ITEMS, reason) for reason in _unfilled_blocks(study))
    yield from ((Part.LABELS, reason) for reason in _wrong_number_of_labels(study, questions[0]))
    if len(questions) > FIRST:
        yield from _wrong_questions(study, questions)
    yield from ((Part.ITEMS, reason) for reason in _wrong_right_answers(study, questions))


def _wrong_number_of_labels(study: Study, first: QuestionSettings) -> Iterator[str]:
    labels, kind = len(first.labels), study.question_kind
    if not labels and kind.takes_options and _has_options(study):
        yield from _wrong_options(study)
    elif labels < kind.fewest_labels:
        yield f"{study} needs more labels for its kind of question."
    if study.ordered and labels > MOST_POINTS:
        yield (
            f"{study} has {labels} ordered labels, and a scale has 2 to {MOST_POINTS} points: leave some out, or say"
            " under Answer in Setup that the labels are not ordered."
        )
    together = labels - study.labels.filter(exclusive=True).count()
    limit = max(study.fewest or 0, study.most or 0)
    if kind.chooses_several and limit > together:
        yield (
            f"{study} asks for {limit} labels of an answer, and {together} can be chosen together: give a smaller"
            " number under Answer in Setup, or add labels."
        )
    if kind.most_labels is not None and labels > kind.most_labels:
        yield f"{study} has {labels} labels, and a question of kind {kind.name} takes {kind.most_labels} at most."


def _has_options(study: Study) -> bool:
    return study.items.filter(**{f"fields__{OPTIONS}__isnull": False}).exists()


def _wrong_questions(study: Study, questions: Sequence[QuestionSettings]) -> Iterator[tuple[Part, str]]:
    """What the first question was changed to may leave later ones without the answers that they depend on."""
    for wrong in wrong_settings(questions):
        if (wrong.number, wrong.field) != (FIRST, "labels"):  # which is said of the study as a whole
            part = Part.LABELS if wrong.field == "labels" else Part.QUESTION
            yield part, f"Question {wrong.number} ({questions[wrong.number - FIRST].name}): {wrong.sentence}"
    without = [each for each in questions[FIRST:] if not each.labels and KINDS[each.kind].takes_options]
    if without and _has_options(study):
        yield from ((Part.ITEMS, reason) for reason in _wrong_options(study))
    elif without:
        names = ", ".join(question.name for question in without)
        yield Part.LABELS, f"{names}: give labels, or a column {OPTIONS} with labels of each item's own."


def _wrong_options(study: Study) -> Iterator[str]:
    """Items whose own labels can't be offered, where they stand in the place of the study's."""
    wrong = (
        (item_id, why)
        for item_id, fields in study.items.order_by("position").values_list("item_id", "fields").iterator()
        if (why := wrong_options(fields))
    )
    for count, (item_id, (column, sentence)) in enumerate(wrong, start=1):
        if count > MOST_NAMED:
            yield "More items have wrong labels of their own."
            return
        yield f"Item {item_id}, {column}: {sentence}."


def _wrong_right_answers(study: Study, questions: Sequence[QuestionSettings]) -> Iterator[str]:
    """Right answers that nobody can give, since labels or the kind were changed after the items came in."""
    columns = ("item_id", "check_question", "expected", "min", "max", "fields")
    for item_id, number, expected, low, high, fields in study.items.beside_targets().values_list(*columns):
        if number > len(questions):
            yield f"Item {item_id}, check_question: the study has no question {number}."
            continue
        question = questions[number - FIRST]
        bounds, own = given_bounds(low, high), labels_of_item(question.kind, question.values, fields)
        for column, why in wrong_right_answer(question.kind, own, join_bars(expected or []), bounds):
            yield f"Item {item_id}, {column}: {why}."


def _missing_fields(study: Study, questions: Sequence[QuestionSettings]) -> Iterator[str]:
    for (number, field), items in _items_without(study, questions).items():
        question = "The question" if len(questions) == FIRST else f"The question {questions[number - FIRST].name}"
        yield (
            f"{question} uses {{{field}}}, which {len(items)} of the items don't have (the first is {items[0]}): "
            "people would see the braces or a gap. Correct the question, or add this column to the items."
        )


def _unfilled_blocks(study: Study) -> Iterator[str]:
    """Columns that blocks show and items lack, or hold what can't be shown; since the stimulus or an item changed."""
    blocks = study.blocks
    lacking: dict[tuple[str, str], list[str]] = {}
    for item_id, fields in study.items.values_list("item_id", "fields") if blocks else ():
        for name_and_reason in lacking_fields(blocks, fields):
            lacking.setdefault(name_and_reason, []).append(item_id)
    for count, ((name, reason), items) in enumerate(lacking.items(), start=1):
        if count > MOST_NAMED:
            yield "More items can't fill the stimulus."
            return
        yield (
            f"The stimulus shows the column {name}. In {count_text(len(items), 'item')} ({items[0]} is the first)"
            f" {reason}: correct the stimulus, or this column of the items."
        )


def _items_without(study: Study, questions: Sequence[QuestionSettings]) -> dict[tuple[int, str], list[str]]:
    """The items that lack a field which a question names, or have nothing in it, by question and field."""
    lacking: dict[tuple[int, str], list[str]] = {}
    used = {number: dict.fromkeys(fields_of(each.wording)) for number, each in enumerate(questions, start=FIRST)}
    items = study.items.all() if any(used.values()) else study.items.filter(**{f"fields__{QUESTION}__isnull": False})
    for item_id, fields in items.values_list("item_id", "fields"):
        for number, names in used.items():
            own = fields.get(QUESTION) if number == FIRST else ""
            for name in dict.fromkeys(fields_of(own)) if own else names:
                if is_blank(str(fields.get(name, ""))):
                    lacking.setdefault((number, name), []).append(item_id)
    return lacking
