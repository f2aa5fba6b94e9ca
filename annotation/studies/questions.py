"""What each question of a study is set to: read from its rows, checked, and written to them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from math import inf, isfinite
from typing import Any, Required, Self, TypedDict

from django.core.exceptions import ValidationError
from django.db import models

from agreement.errors import Refused
from agreement.files.cell_texts import is_blank
from agreement.files.problems import quote_cell
from agreement.judgments.synonyms_file import wrong_synonyms
from agreement.kinds.answers import MOST_POINTS
from agreement.kinds.kind import Kind
from agreement.kinds.registry import KINDS
from agreement.scoring.metric import unknown_metrics
from annotation.models import Label, Question, Study
from annotation.models.question import FIRST, FIRST_NAME, MOST_QUESTIONS, OF_EACH_QUESTION
from annotation.studies.study_form_fields import NO_BAR, NO_NAME, fields_unused_by

# What files, presets and the API call the column `question_name`.
NAME, COLUMN_OF_NAME = "name", "question_name"
SETTINGS = tuple(column for column in OF_EACH_QUESTION if column != COLUMN_OF_NAME)
LABEL_COLUMNS = tuple(
    column.name for column in Label._meta.concrete_fields if column.name not in {"id", "study", "question", "position"}
)


class LabelFields(TypedDict, total=False):
    value: Required[str]
    display_text: Required[str]
    swatch: str
    exclusive: bool


class ShownIf(TypedDict, total=False):
    """The name of an earlier question, with labels of its answer or a range of it."""

    question: Required[str]
    labels: Sequence[str] | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class QuestionSettings:
    """One question. `former` is the number that it had in its study, for one that may have got another name since."""

    name: str
    settings: Mapping[str, Any]  # by the columns of a question
    labels: Sequence[LabelFields] = ()
    shown_if: ShownIf | None = None
    former: int | None = field(default=None, compare=False)

    @classmethod
    def of(cls, fields: Mapping[str, Any], *, former: int | None = None) -> Self:
        """From a table of a preset, or from an object of the API; what it leaves out is as the model has it."""
        settings = {name: value for name, value in fields.items() if name not in {NAME, "labels", "shown_if", "number"}}
        if unknown := sorted(settings.keys() - set(SETTINGS)):
            raise Refused(f"A question has no {', '.join(unknown)}; it has {NAME}, {', '.join(SETTINGS)}.")
        defaults = {name: Question._meta.get_field(name).get_default() for name in SETTINGS}  # type: ignore[union-attr]
        labels = [_full_label(label) for label in fields.get("labels") or ()]
        name = str(fields.get(NAME, FIRST_NAME))
        return cls(name, {**defaults, **settings}, labels, _condition(fields.get("shown_if")), former)

    @property
    def kind(self) -> str:
        return str(self.settings.get("kind", ""))

    @property
    def wording(self) -> str:
        return str(self.settings.get("question", ""))

    @property
    def values(self) -> list[str]:
        """Of its labels."""
        return [label["value"] for label in self.labels]

    @property
    def columns(self) -> dict[str, Any]:
        return {COLUMN_OF_NAME: self.name, **self.settings}

    def as_fields(self) -> dict[str, Any]:
        labels = [dict(label) for label in self.labels]
        return {NAME: self.name, **self.settings, "labels": labels, "shown_if": self.shown_if}


def _condition(shown_if: Mapping[str, Any] | None) -> ShownIf | None:
    """Without what it leaves open, so that two that say the same are equal."""
    return {name: value for name, value in shown_if.items() if value not in (None, [], ())} if shown_if else None  # type: ignore[return-value]


def _full_label(label: Mapping[str, Any]) -> LabelFields:
    defaults = {name: Label._meta.get_field(name).get_default() for name in LABEL_COLUMNS}  # type: ignore[union-attr]
    return {**defaults, **label, "display_text": label.get("display_text") or label.get("value", "")}  # type: ignore[typeddict-item]


def questions_of(study: Study) -> list[QuestionSettings]:
    """A study's questions in their order. Two statements."""
    return questions_of_studies([study.asked(FIRST)])[study.pk]


def questions_of_studies(studies: Collection[Study]) -> dict[int, list[QuestionSettings]]:
    """By the key of their study. Two statements, however many studies there are."""
    keys = [study.pk for study in studies]
    labels: dict[tuple[int, int], list[LabelFields]] = {}
    rows = Label.objects.filter(study__in=keys).order_by("study", "question", "position")
    for of, number, *columns in rows.values_list("study", "question", *LABEL_COLUMNS):
        labels.setdefault((of, number), []).append(dict(zip(LABEL_COLUMNS, columns, strict=True)))  # type: ignore[arg-type]
    by_study = {study.pk: [_settings_of(study, labels.get((study.pk, FIRST), []))] for study in studies}
    for question in Question.objects.filter(study__in=keys).order_by("study", "number"):
        earlier = by_study[question.study_id]
        own = _settings_of(question, labels.get((question.study_id, question.number), []), question.number)
        earlier.append(replace(own, shown_if=_shown_if(question, earlier)))
    return by_study


def _settings_of(row: Study | Question, labels: Sequence[LabelFields], number: int = FIRST) -> QuestionSettings:
    settings = {name: getattr(row, name) for name in SETTINGS}
    for end in ("scale_low", "scale_high"):
        settings[end] = None if settings[end] is None else float(settings[end])
    return QuestionSettings(row.question_name, settings, labels, None, number)


def _shown_if(question: Question, earlier: Sequence[QuestionSettings]) -> ShownIf | None:
    if question.shown_if is None:
        return None
    of, labels = earlier[question.shown_if - FIRST].name, question.shown_if_labels
    return _condition({"question": of, "labels": labels, "low": question.shown_if_low, "high": question.shown_if_high})


# What can't be: each with the question that it is about, its field, and a sentence.


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
    row = Question(**_used(question))
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


# Writing them. Whoever calls holds the study's lock.


def write_further(study: Study, questions: Sequence[QuestionSettings]) -> None:
    """The questions after the first, with their labels, in the place of those that there are; `questions` are all."""
    study.further_questions.all().delete()
    Label.objects.filter(study=study, question__gt=FIRST).delete()
    numbers = {question.name: number for number, question in enumerate(questions, start=FIRST)}
    further = list(enumerate(questions, start=FIRST))[1:]
    Question.objects.bulk_create(
        Question(study=study, number=number, **_used(question), **_condition_columns(question.shown_if, numbers))
        for number, question in further
    )
    for number, question in further:
        write_labels(study, number, question.labels)


def write_first(study: Study, question: QuestionSettings) -> None:
    columns = _used(question)
    for name, value in columns.items():
        setattr(study, name, value)
    study.save(update_fields=list(columns))
    Label.objects.filter(study=study, question=FIRST).delete()
    write_labels(study, FIRST, question.labels)


def write_labels(study: Study, question: int, labels: Sequence[LabelFields]) -> None:
    Label.objects.bulk_create(
        Label(study=study, question=question, position=position, **label)
        for position, label in enumerate(labels, start=1)
    )


def _condition_columns(shown_if: ShownIf | None, numbers: Mapping[str, int]) -> dict[str, Any]:
    if shown_if is None:
        return {}
    labels = shown_if.get("labels")
    return {
        "shown_if": numbers[shown_if["question"]],
        "shown_if_labels": list(labels) if labels else None,
        "shown_if_low": shown_if.get("low"),
        "shown_if_high": shown_if.get("high"),
    }


def _used(question: QuestionSettings) -> dict[str, Any]:
    """Its columns without what its kind doesn't use."""
    columns, kind = question.columns, KINDS.get(question.kind)
    for end in ("scale_low", "scale_high"):  # of a float the database would keep twelve digits
        columns[end] = Decimal(str(columns[end])) if isinstance(columns[end], float | int) else columns[end]
    for name in (fields_unused_by(kind) & columns.keys()) if kind else ():
        column = Question._meta.get_field(name)
        assert isinstance(column, models.Field)  # noqa: S101 - for the type checker
        columns[name] = None if column.null else column.get_default()
    return columns
