"""What templates of researchers' pages can't say by themselves: figures, a study's bar and sections, numbers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django import template
from django.contrib.admin.helpers import InlineAdminFormSet
from django.contrib.admin.templatetags.admin_list import result_headers, results
from django.contrib.admin.views.main import PAGE_VAR, ChangeList
from django.forms import BaseForm, BaseFormSet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst, slugify

from agreement.figures.figure import MOST_TABLE_ROWS, Figure, page_specification, table_of
from agreement.report.glossary import sentence_on
from annotation.accounts.permissions import Right, right_in
from annotation.models import Study
from annotation.pages.study_tabs import OPENING, PLACES, TABS, Place, Tab, steps_of
from annotation.platforms import PLATFORMS
from annotation.releases.actions.drawing_reports import DrawnFigure
from annotation.studies.study_form_fields import FOLDED, PARTS
from annotation.web.vega_script import NAME

register = template.Library()


@register.inclusion_tag("pages/figure.html")
def figure(figure: Figure, drawn: str = "", level: int = 4) -> dict[str, object]:
    """`drawn` is the address of its picture, where a report has one: it is shown without script. `level` is the
    heading's, or 0 for none.
    """
    return {
        "figure": figure,
        "drawn": drawn,
        "level": level,
        "page": page_specification(figure),
        "table": table_of(figure),
        "most_rows": MOST_TABLE_ROWS,
        "script": NAME,
    }


@register.inclusion_tag("results/picture.html")
def picture(drawn: DrawnFigure) -> dict[str, object]:
    """A figure as the report's own drawing, with its numbers folded below it; it needs no script."""
    table = None if drawn.figure is None else table_of(drawn.figure)
    svg = mark_safe(drawn.svg)  # noqa: S308 - drawn by us; its texts are escaped
    return {"figure": drawn, "svg": svg, "table": table, "most_rows": MOST_TABLE_ROWS}


# `{% term "Fleiss' kappa" %}`: a term, with what it means for whoever points at it, tabs to it or taps it.


@register.inclusion_tag("results/term.html")
def explained(name: str, sentence: str, *, is_beside: bool = False) -> dict[str, object]:
    """The name alone where there is no sentence; the sentence alone where the name `is_beside`. Once a page."""
    return {"name": name, "sentence": sentence, "id": f"term-{slugify(name)}", "is_beside": is_beside}


@register.inclusion_tag("results/term.html")
def term(name: str, *, is_beside: bool = False) -> dict[str, object]:
    """As the glossary explains it."""
    return explained(name, sentence_on(name), is_beside=is_beside)


# `{% study_bar study "watch" %}`: a study's status, what can be done with it, and the way to its five places.


@register.inclusion_tag("admin/touchstone/study_bar.html", takes_context=True)
def study_bar(context: dict[str, object], study: Study, section: str = "") -> dict[str, object]:
    right = right_in(cast("HttpRequest", context["request"]), study)
    places = [(place, _pages(place, study, right)) for place in PLACES]
    return {
        "study": study,
        "entry_notice": _entry_notice(study) if section in {"setup", "links"} else "",
        "section": section,
        "places": [(place, pages) for place, pages in places if pages],
        "place": next((place for place in PLACES if any(tab.key == section for tab in place.tabs)), None),
        "actions": list(_actions(study, right)),
    }


@register.inclusion_tag("admin/touchstone/launch_side.html")
def launch_side(study: Study, *, is_primary: bool = False) -> dict[str, object]:
    """What a draft still lacks, beside the pages that build it. `is_primary`: no action of the page comes first."""
    from annotation.pages.launch import to_do_of  # which imports the admin, that needs this library to load

    if study.status != Study.Status.DRAFT or study.archived_at is not None:
        return {}
    return {"to_do": to_do_of(study), "launch": TABS["launch"].address(study), "is_primary": is_primary}


@register.simple_tag(takes_context=True)
def right_here(context: dict[str, object], study: Study) -> int:
    """What the researcher who is signed in may do in this study, as a number of `Right`; 0 for nothing."""
    return right_in(cast("HttpRequest", context["request"]), study) or 0


def _pages(place: Place, study: Study, right: Right | None) -> list[tuple[Tab, str]]:
    """Those of a place that this researcher may see, with their addresses."""
    addresses = ((tab, tab.address(study)) for tab in place.tabs if right is not None and right >= tab.needs)
    return [(tab, address) for tab, address in addresses if address]


def _actions(study: Study, right: Right | None) -> Iterator[tuple[str, str]]:
    """What is done with a study as a whole, as names and addresses: its next steps, then the rest."""
    if right is None or right < Right.CHANGE:
        return
    for key, step in steps_of(study):
        yield step.verb, _address(study, key)
    yield "Duplicate", reverse("admin:annotation_study_duplicate", args=[study.pk])
    if right < Right.MANAGE:
        return
    yield "Share with a colleague", f"{TABS['setup'].address(study)}#roles-group"
    ends = ["archive" if study.archived_at is None else "restore"]
    ends += ["delete"] if study.status == Study.Status.DRAFT else []
    for ending in ends:
        yield (
            {"archive": "Archive", "restore": "Restore", "delete": "Delete draft"}[ending],
            reverse("admin:annotation_study_end", args=[study.pk, ending]),
        )


def _address(study: Study, to: str) -> str:
    """Where people come in by this step, the checklist stands before it."""
    launch = TABS["launch"].address(study)
    confirm = reverse("admin:annotation_study_status", kwargs={"pk": study.pk, "to": to})
    return f"{launch}#open" if launch and to in OPENING else confirm


def _entry_notice(study: Study) -> str:
    """How sure it is who comes; nothing where a signature is required."""
    return "" if study.requires_signed_entry else PLATFORMS[study.platform].entry_notice


# The frame of every page: the way that led here, and what the page is called.


@register.simple_tag(takes_context=True)
def trail(context: dict[str, Any]) -> list[tuple[str, str]]:
    """The pages above this one, as names and addresses."""
    study, opts, original = study_in(context), context.get("opts"), context.get("original")
    if study is not None:
        steps = [("Studies", reverse("admin:annotation_study_changelist")), (study.title, TABS["setup"].address(study))]
        tab = TABS.get(str(context.get("section", "")))
        is_below = tab is not None and page_title(context) not in {tab.name, tab.key.capitalize()}
        return [*steps, (tab.name, tab.address(study))] if tab is not None and is_below else steps
    if opts is not None and (original is not None or not context.get("cl")):
        name = f"{opts.app_label}_{opts.model_name}"
        return [(capfirst(str(opts.verbose_name_plural)), reverse(f"admin:{name}_changelist"))]
    return [] if context.get("index") or not context.get("has_permission") else [("Home", reverse("admin:index"))]


@register.simple_tag(takes_context=True)
def page_title(context: dict[str, Any]) -> str:
    cl, original = context.get("cl"), context.get("original")
    if cl is not None:
        return str(capfirst(str(cl.opts.verbose_name_plural)))
    if isinstance(original, Study) and context.get("adminform"):
        return TABS["setup"].name
    if original is not None and not isinstance(original, Study) and context.get("adminform"):
        return str(original)
    return str(context.get("title") or "")


def study_in(context: dict[str, Any]) -> Study | None:
    """The study whose page this is."""
    candidates = (context.get("study"), context.get("original"))
    return next((one for one in candidates if isinstance(one, Study)), None)


# A list of the admin: its filters, its headings and rows.


@register.simple_tag
def filters_of(cl: ChangeList) -> list[tuple[str, list[Any]]]:
    return [(str(one.title), list(one.choices(cl))) for one in cl.filter_specs]


def _labelled(cell: str, header: Mapping[str, object]) -> SafeString:
    """With its column's name, which a narrow screen shows in the cell; what is empty is left out there."""
    if not cell.startswith('<td class="field-'):
        return mark_safe(cell)  # noqa: S308 - a cell as the admin has made it
    is_empty = cell.endswith((">-</td>", ">–</td>"))
    label = format_html('<td{} data-label="{}"', " data-empty" if is_empty else "", capfirst(str(header["text"])))
    return mark_safe(label + cell.removeprefix("<td"))  # noqa: S308 - the same


@register.simple_tag
def rows_of(cl: ChangeList) -> dict[str, object]:
    """The headings, the cells of each row, and the ways to the pages before and after."""
    pages = cl.paginator.num_pages
    headers = list(result_headers(cl))
    return {
        "headers": headers,
        "rows": [[_labelled(cell, header) for cell, header in zip(row, headers, strict=False)] for row in results(cl)],
        "pages": pages,
        "previous": cl.get_query_string({PAGE_VAR: cl.page_num - 1}) if cl.page_num > 1 else "",
        "next": cl.get_query_string({PAGE_VAR: cl.page_num + 1}) if cl.page_num < pages else "",
    }


# `{% form_parts adminform inlines as parts %}`: the form of a study in parts of sections, each with its own tables.


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

    @property
    def is_folded(self) -> bool:
        return self.name in FOLDED


@dataclass(frozen=True, slots=True)
class FormPart:
    """Sections that are seen together."""

    name: str
    key: str
    sections: tuple[Section, ...]

    @property
    def wrong(self) -> int:
        return sum(len(section.wrong) for section in self.sections)


@register.simple_tag
def form_parts(adminform: Iterable[Any], inlines: Sequence[InlineAdminFormSet]) -> list[FormPart]:
    sections = {}
    for fieldset in adminform:
        mine = tuple(inline for inline in inlines if inline.opts.section == fieldset.name)
        wrong = (*_wrong_fields(fieldset), *(each for inline in mine for each in _wrong_rows(inline)))
        sections[fieldset.name] = Section(fieldset.name, f"section-{slugify(fieldset.name)}", fieldset, mine, wrong)
    return [
        FormPart(name, f"part-{slugify(name)}", tuple(sections[each] for each in names))
        for name, names in PARTS.items()
    ]


@register.simple_tag
def open_part(parts: Sequence[FormPart]) -> str:
    """The first with something to correct, else the first."""
    return next((part.key for part in parts if part.wrong), parts[0].key)


def _wrong_fields(fieldset: Any) -> list[FieldError]:
    fields = [field.field for line in fieldset for field in line if not field.is_readonly]
    return [
        FieldError(field.id_for_label or field.auto_id, field.label, " ".join(field.errors))
        for field in fields
        if field.errors
    ]


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


# Filters that write a share and a length of time as people read them.


@register.filter
def per_cent(share: float) -> str:
    """A share from 0 to 1.

    >>> per_cent(0.4567)
    '45.7%'
    """
    return f"{100 * share:.3g}%"


@register.filter
def placed(rows: Sequence[object]) -> list[tuple[object, int]]:
    """Rows of a small drawing, each with how far down it stands.

    >>> placed(["red", "green"])
    [('red', 48), ('green', 65)]
    """
    return [(row, 48 + 17 * position) for position, row in enumerate(rows)]


@register.filter
def number(value: float | None, digits: int) -> str:
    """A number with so many decimals; a dash where there is none.

    >>> number(1234.567, 1), number(0.5, 2), number(None, 0)
    ('1,234.6', '0.50', '–')
    """
    return "–" if value is None else f"{value:,.{digits}f}"


@register.filter
def signed(value: float | None) -> str:
    """By how much something changes, with three decimals and its sign.

    >>> signed(0.1694), signed(-0.02), signed(0.00001), signed(None)
    ('+0.169', '−0.020', '±0.000', '–')
    """
    if value is None:
        return "–"
    sign = "±" if abs(value) < 0.0005 else "+" if value > 0 else "−"
    return f"{sign}{abs(value):.3f}"


@register.filter
def share(value: float) -> str:
    """A share as a length in a drawing: with a point, whatever the language."""
    return f"{value:.4f}"


@register.filter
def duration(time: dt.timedelta) -> str:
    """Minutes and seconds, or hours and minutes.

    >>> duration(dt.timedelta(seconds=192))
    '3 min 12 s'
    """
    seconds = round(time.total_seconds())
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60:02d} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60:02d} min"


@register.filter
def spoken_kinds(kinds: Iterable[str]) -> str:
    """Of careless answers, as a page names them.

    >>> spoken_kinds(["random", "too-fast"])
    'random, too fast'
    """
    return ", ".join(kinds).replace("-", " ")
