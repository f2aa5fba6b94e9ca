"""`{% study_sections adminform inlines as sections %}`: the form of a study in sections, each with its own tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django import template
from django.contrib.admin.helpers import InlineAdminFormSet
from django.forms import BaseForm, BaseFormSet
from django.utils.text import slugify

register = template.Library()


@dataclass(frozen=True, slots=True)
class FieldError:
    """A field that is to be corrected: where it is, what it is called and what is said of it."""

    field_id: str
    label: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Section:
    name: str
    key: str
    fieldset: Any  # the admin's, of which the stubs know little
    inlines: tuple[InlineAdminFormSet, ...]
    wrong: tuple[FieldError, ...]


@register.simple_tag
def study_sections(adminform: Iterable[Any], inlines: Sequence[InlineAdminFormSet]) -> list[Section]:
    sections = []
    for fieldset in adminform:
        mine = tuple(inline for inline in inlines if inline.opts.section == fieldset.name)
        wrong = (*_wrong_fields(fieldset), *(each for inline in mine for each in _wrong_rows(inline)))
        sections.append(Section(fieldset.name, f"section-{slugify(fieldset.name)}", fieldset, mine, wrong))
    return sections


@register.simple_tag
def open_section(sections: Sequence[Section]) -> str:
    """The first with something to correct, else the first."""
    return next((section.key for section in sections if section.wrong), sections[0].key)


def _wrong_fields(fieldset: Any) -> list[FieldError]:
    fields = [field.field for line in fieldset for field in line if not field.is_readonly]
    return [FieldError(field.id_for_label, field.label, " ".join(field.errors)) for field in fields if field.errors]


def _wrong_rows(inline: InlineAdminFormSet) -> list[FieldError]:
    formset, name = inline.formset, inline.opts.verbose_name_plural.partition(":")[0]
    wrong = [FieldError(f"{formset.prefix}-group", name, sentence) for sentence in formset.non_form_errors()]
    for number, form in enumerate(formset.forms, start=1):
        for field, errors in _errors_of(formset, form):
            field_id = form[field or form.visible_fields()[0].name].id_for_label
            label = f", {form.fields[field].label}" if field else ""
            wrong.append(FieldError(field_id, f"{name}, row {number}{label}", " ".join(errors)))
    return wrong


def _errors_of(formset: BaseFormSet[BaseForm], form: BaseForm) -> list[tuple[str, list[str]]]:
    """By field, or by "" for the row as a whole; a row that is to be deleted has none."""
    if not form.errors or (formset.can_delete and form.cleaned_data.get("DELETE")):
        return []
    return [
        (field if field in form.fields else "", [str(each) for each in errors]) for field, errors in form.errors.items()
    ]
