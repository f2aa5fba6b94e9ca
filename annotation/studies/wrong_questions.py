"""Why a study can't have certain questions: every reason, with the question and the field that it is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, isfinite

from django.core.exceptions import ValidationError

from agreement.errors import Refused
from agreement.files.cell_texts import is_blank
from agreement.files.problems import quote_cell
from agreement.judgments.synonyms_file import wrong_synonyms
from agreement.kinds.answers import MOST_POINTS
from agreement.kinds.kind import Kind
from agreement.kinds.registry import KINDS
from agreement.scoring.metric import unknown_metrics
from annotation.models import Label, Question
from annotation.models.question import FIRST, MOST_QUESTIONS
from annotation.studies.questions import COLUMN_OF_NAME, NAME, LabelFields, QuestionSettings, ShownIf, used_columns
from annotation.studies.study_form_fields import NO_BAR, NO_NAME


@dataclass(frozen=True, slots=True)
class WrongSetting:
    number: int
    field: str
    sentence: str


def refuse_wrong_questions(questions: Sequence[QuestionSettings], *, begin: int = FIRST) -> None:
    """What is wrong with those from `begin` on: what is said of a study's first question keeps no form from saving."""
    if len(questions) > MOST_QUESTIONS:
        raise Refused(f"A study has at most {MOST_QUESTIONS} questions, not {len(questions)}.")
    if not questions:
        raise Refused("A study has at least one question.")
    if wrong := [each for each in wrong_settings(questions) if each.number >= begin]:
        raise Refused(
            [f"Question {each.number} ({questions[each.number - FIRST].name}): {each.sentence}" for each in wrong]
        )


def wrong_settings(questions: Sequence[QuestionSettings]) -> Iterator[WrongSetting]:
    """Every reason why a study can't have these questions in this order."""
    for number, question in enumerate(questions, start=FIRST):
        earlier = questions[: number - FIRST]
        for name, sentence in (
            *_wrong_columns(question),
            *_wrong_labels(question),
            *_wrong_name(question, earlier),
            *_wrong_condition(question, questions, number),
        ):
            yield WrongSetting(number, name, sentence)


def _wrong_name(question: QuestionSettings, earlier: Iterable[QuestionSettings]) -> Iterator[tuple[str, str]]:
    if question.name in [other.name for other in earlier]:
        yield NAME, f"An earlier question is called {quote_cell(question.name)} already; each needs a name of its own."


def _wrong_columns(question: QuestionSettings) -> Iterator[tuple[str, str]]:
    row = Question(**used_columns(question))
    try:
        row.clean_fields(exclude={"study", "number", "shown_if", "shown_if_labels"})
    except ValidationError as error:
        for name, sentences in error.message_dict.items():
            if name == COLUMN_OF_NAME:
                yield NAME, f"{quote_cell(question.name)} is no name of a question. {NO_NAME}"
            else:
                yield from ((name, sentence) for sentence in sentences)
        return
    if is_blank(question.wording):
        yield "question", "Write what is asked."
    kind, low, high = KINDS[question.kind], row.scale_low, row.scale_high
    if (low is None) != (high is None):
        yield "scale_high" if high is None else "scale_low", "Give both ends of the scale, or neither."
    elif low is not None and high is not None and low >= high:
        yield "scale_high", f"The high end must be above the low end, {low}."
    elif kind.has_scale and low is None:
        yield "scale_low", "A slider needs a scale, such as 0 to 100."
    yield from (("metrics", sentence) for sentence in unknown_metrics(question.settings["metrics"]))
    wrong = wrong_synonyms(question.settings["synonyms"], question.kind, question.values)
    yield from (("synonyms", sentence) for sentence in wrong)


def _wrong_labels(question: QuestionSettings) -> Iterator[tuple[str, str]]:
    kind, labels = KINDS.get(question.kind), question.labels
    if kind is None:
        return
    if labels and not kind.has_labels:
        yield "labels", f"A question of kind {kind.name} has no labels."
        return
    if len(labels) < kind.fewest_labels and (labels or not kind.takes_options):  # without: each item's own
        several = "1 label" if kind.fewest_labels == 1 else f"{kind.fewest_labels} labels"
        yield "labels", f"A question of kind {kind.name} needs at least {several}, and has {len(labels)}."
    if kind.most_labels is not None and len(labels) > kind.most_labels:
        yield (
            "labels",
            f"A question of kind {kind.name} takes {kind.most_labels} labels at most, and has {len(labels)}.",
        )
    if question.settings["ordered"] and kind.labels_may_be_ordered and len(labels) > MOST_POINTS:
        yield "labels", f"A scale of ordered labels has 2 to {MOST_POINTS} points, and this one has {len(labels)}."
    yield from _wrong_sizes(question, kind)
    yield from (("labels", sentence) for sentence in _wrong_texts(labels))


def _wrong_texts(labels: Sequence[LabelFields]) -> Iterator[str]:
    for name in ("value", "display_text"):
        texts = [str(label[name]).strip() for label in labels]
        for text in dict.fromkeys(text for text in texts if texts.count(text) > 1):
            yield f"Two labels have the same {name.replace('_', ' ')}, {quote_cell(text)}."
    for label in labels:
        if "|" in label["value"]:
            yield NO_BAR
        try:
            Label(**label).clean_fields(exclude={"study", "question", "position"})
        except ValidationError as error:
            yield f"{quote_cell(label['value'])}: {' '.join(error.messages)}"


def _wrong_sizes(question: QuestionSettings, kind: Kind) -> Iterator[tuple[str, str]]:
    """Of how many labels an answer may have."""
    fewest, most = question.settings["fewest"], question.settings["most"]
    together = sum(not label.get("exclusive") for label in question.labels)
    if not kind.chooses_several:
        return
    if fewest is not None and most is not None and fewest > most:
        yield "most", f"An answer has {fewest} labels or more: give a number from {fewest}, or none."
    elif max(fewest or 0, most or 0) > together and question.labels:
        yield "most" if most else "fewest", f"Only {together} of the labels can be chosen together."


def _wrong_condition(
    question: QuestionSettings, questions: Sequence[QuestionSettings], number: int
) -> Iterator[tuple[str, str]]:
    condition = question.shown_if
    if condition is None:
        return
    wanted, names = condition.get("question", ""), [other.name for other in questions]
    if number == FIRST:
        yield "shown_if", "The first question is shown to everybody: no other comes before it."
        return
    if wanted not in names[: number - FIRST]:
        earlier = ", ".join(names[: number - FIRST])
        if wanted == question.name:
            why = "a question can't depend on its own answer"
        elif wanted in names:
            why = f"{quote_cell(wanted)} comes later"
        else:
            why = f"there is no question {quote_cell(wanted)}"
        yield "shown_if", f"{why[:1].upper()}{why[1:]}: name an earlier one of the study ({earlier})."
        return
    yield from (("shown_if", sentence) for sentence in _wrong_answers(condition, questions[names.index(wanted)]))


def _wrong_answers(condition: ShownIf, of: QuestionSettings) -> Iterator[str]:
    """Of the answers to an earlier question for which another is to be shown."""
    labels, low, high = condition.get("labels"), condition.get("low"), condition.get("high")
    has_range = low is not None or high is not None
    kind = KINDS.get(of.kind)
    if kind is None:
        return
    if bool(labels) == has_range:
        yield (
            f"Give labels of {of.name} or a range of it, and not both."
            if labels
            else (f"Say for which answers to {of.name} it is shown: labels, or a range from low to high.")
        )
    elif labels:
        if not _is_chosen(kind):
            yield f"{of.name} is of kind {kind.name}, which has no labels that somebody chooses."
        elif of.labels and (unknown := [label for label in labels if label not in of.values]):
            names = ", ".join(map(quote_cell, of.values))
            yield f"{of.name} has no label {quote_cell(unknown[0])}; it has {names}."
    elif kind.column != "number":
        yield f"{of.name} is of kind {kind.name}, whose answers are no numbers: give labels in the place of a range."
    else:
        yield from _wrong_range(low, high, of)


def _wrong_range(low: float | None, high: float | None, of: QuestionSettings) -> Iterator[str]:
    begin, end = -inf if low is None else low, inf if high is None else high
    if not all(isfinite(number) for number in (low, high) if number is not None):
        yield "The ends of the range must be numbers."
    elif begin > end:
        yield f"The range ends at {end:g}, which is below its beginning, {begin:g}."
    elif (scale := (of.settings["scale_low"], of.settings["scale_high"])) != (None, None) and (
        begin > float(scale[1]) or end < float(scale[0])
    ):
        yield f"No answer to {of.name} is in this range: its scale is from {float(scale[0]):g} to {float(scale[1]):g}."


def _is_chosen(kind: Kind) -> bool:
    """A ranking has every label in every answer, and sliders give each a number."""
    return kind.column == "label" or (kind.column == "labels" and kind.several_labels)
