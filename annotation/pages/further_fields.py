"""The fields of the analyse form that ask for further analyses: which, and what each is asked with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict, cast

from django import forms
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from agreement.errors import Refused
from agreement.on_request import FURTHER
from agreement.on_request.further_analysis import FurtherAnalysis
from annotation.models import Study

ALSO = "also"


class CommonArguments(TypedDict):
    """What the field of every argument is made with."""

    label: str
    required: bool
    initial: str


def further_fields(study: Study, last: Sequence[str]) -> dict[str, forms.Field]:
    """A list to choose from, and a field for each argument; they start as they were for the last release."""
    before = dict(key.partition(":")[::2] for key in last)
    fields: dict[str, forms.Field] = {
        ALSO: forms.MultipleChoiceField(
            label="Further analyses",
            required=False,
            initial=list(before),
            choices=[(name, _described(each)) for name, each in FURTHER.items()],
            widget=forms.CheckboxSelectMultiple(attrs={"class": "t-choices"}),
            help_text="Each adds its tables and a paragraph of methods; docs/further-analyses.md explains them.",
        )
    }
    questions = [question.name for question in study.end_questions.order_by("position") if question.choices]
    for name, each in FURTHER.items():
        if each.argument is None:
            continue
        label = f"{each.title.rstrip('?')}: {each.argument.label}"
        common: CommonArguments = {"label": label, "required": False, "initial": before.get(name, "")}
        if each.reads_workers:
            choices = [("", "–"), *((question, question) for question in questions)]
            help_text = "A question about the person that the study asks at its end; groups below five are left out."
            field: forms.Field = forms.ChoiceField(
                choices=choices, widget=UnfoldAdminSelectWidget, help_text=help_text, **common
            )
        else:
            help_text = f"{each.argument.help[:1].upper()}{each.argument.help[1:]}."
            widget = UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"})
            field = forms.CharField(max_length=80, widget=widget, help_text=help_text, **common)
        fields[field_of(name)] = field
    return fields


def _described(analysis: FurtherAnalysis) -> str:
    asks = "" if analysis.title.endswith("?") else f": {analysis.asks[:1].lower()}{analysis.asks[1:]}"
    return f"{analysis.title}{asks} It needs {analysis.needs}."


def field_of(name: str) -> str:
    """The field of that analysis's argument."""
    return f"{ALSO}_{name.replace('-', '_')}"


def _chosen(values: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """The chosen analyses, each with its argument or ""."""
    for name in cast("Sequence[str]", values.get(ALSO) or ()):
        yield name, str(values.get(field_of(name)) or "").strip()


def further_in(values: Mapping[str, object]) -> list[str]:
    """The analyses that were chosen, as `--also` names them."""
    return [f"{name}:{argument}" if argument else name for name, argument in _chosen(values)]


def misread(values: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Each field of a chosen analysis that can't be read, and why."""
    for name, argument in _chosen(values):
        takes = FURTHER[name].argument
        if takes is None:
            continue
        if not argument:
            if takes.is_needed:
                yield field_of(name), f"{FURTHER[name].title} needs this: {takes.label}."
            continue
        try:
            takes.read(argument)
        except Refused as refused:
            yield field_of(name), str(refused)
