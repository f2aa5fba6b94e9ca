"""What each question of a study is set to: read from its rows, checked, and written to them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Required, Self, TypedDict

from django.db import models

from agreement.errors import Refused
from agreement.kinds.registry import KINDS
from annotation.models import Label, Question, Study
from annotation.models.question import FIRST, FIRST_NAME, OF_EACH_QUESTION
from annotation.studies.study_form_fields import fields_unused_by

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


# Writing them. Whoever calls holds the study's lock.


def write_further(study: Study, questions: Sequence[QuestionSettings]) -> None:
    """The questions after the first, with their labels, in the place of those that there are; `questions` are all."""
    study.further_questions.all().delete()
    Label.objects.filter(study=study, question__gt=FIRST).delete()
    numbers = {question.name: number for number, question in enumerate(questions, start=FIRST)}
    further = list(enumerate(questions, start=FIRST))[1:]
    Question.objects.bulk_create(
        Question(study=study, number=number, **used_columns(question), **condition_columns(question.shown_if, numbers))
        for number, question in further
    )
    for number, question in further:
        write_labels(study, number, question.labels)


def write_first(study: Study, question: QuestionSettings) -> None:
    columns = used_columns(question)
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


def condition_columns(shown_if: ShownIf | None, numbers: Mapping[str, int]) -> dict[str, Any]:
    if shown_if is None:
        return {}
    labels = shown_if.get("labels")
    return {
        "shown_if": numbers[shown_if["question"]],
        "shown_if_labels": list(labels) if labels else None,
        "shown_if_low": shown_if.get("low"),
        "shown_if_high": shown_if.get("high"),
    }


def used_columns(question: QuestionSettings) -> dict[str, Any]:
    """Its columns without what its kind doesn't use."""
    columns, kind = question.columns, KINDS.get(question.kind)
    for end in ("scale_low", "scale_high"):  # of a float the database would keep twelve digits
        columns[end] = Decimal(str(columns[end])) if isinstance(columns[end], float | int) else columns[end]
    for name in (fields_unused_by(kind) & columns.keys()) if kind else ():
        column = Question._meta.get_field(name)
        assert isinstance(column, models.Field)  # noqa: S101 - for the type checker
        columns[name] = None if column.null else column.get_default()
    return columns
