"""The few things that templates of questions can't say by themselves."""

from collections.abc import Mapping
from typing import Protocol

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import get_language_bidi

from annotation.answering import formatting
from annotation.answering.kinds.form import LONGEST_TEXT, form_of, static_file_of
from annotation.models import Study

register = template.Library()


class Turnable(Protocol):
    """An item on a page, whose line may run the other way round."""

    @property
    def is_direction_reversed(self) -> bool: ...


@register.filter
def of(mapping: Mapping[int | str, object] | str, key: int | str) -> object:
    """The value of this key, or nothing."""
    return mapping.get(key) if isinstance(mapping, Mapping) else None


@register.filter
def chose(form: Mapping[str, str], question: int) -> str:
    """What a form that is shown again had chosen for this comprehension question."""
    return form.get(f"q{question}", "")


@register.filter
def formatted(text: str, study: Study) -> SafeString:
    """Consent or instructions of this study as HTML."""
    return formatting.text_as_html(text, study)


@register.simple_tag
def style_of(study: Study | str) -> str:
    """The style sheet that the study's kind of question brings, if there is a study and it does."""
    return static_file_of(study.kind, form_of(study.kind).style) if isinstance(study, Study) else ""


@register.simple_tag
def longest_text() -> str:
    """How much may be written, for the page to say beforehand; as plain digits."""
    return str(LONGEST_TEXT)


@register.simple_tag
def direction_of(item: Turnable) -> str:
    """Which way a line runs: from where reading starts, unless this worker is shown it the other way round.

    The browser turns the line, its keys and its thumb by this alone, so that what it sends is always in the study's
    canonical direction, and there is nothing to turn back.
    """
    return "rtl" if get_language_bidi() != item.is_direction_reversed else "ltr"
