"""`{% study_bar study "progress" %}`: a study's status, its next steps as buttons, and the way to its pages."""

from collections.abc import Iterator
from typing import cast

from django import template
from django.http import HttpRequest
from django.urls import reverse

from annotation.accounts.permissions import Right, right_in
from annotation.models import Study
from annotation.pages.study_tabs import OPENING, TABS, steps_of
from annotation.platforms import PLATFORMS

register = template.Library()


@register.inclusion_tag("admin/touchstone/study_bar.html", takes_context=True)
def study_bar(context: dict[str, object], study: Study, section: str = "") -> dict[str, object]:
    right = right_in(cast("HttpRequest", context["request"]), study)
    can_change = right is not None and right >= Right.CHANGE
    tabs = ((tab, tab.address(study)) for tab in TABS if right is not None and right >= tab.needs)
    return {
        "study": study,
        "entry_notice": _entry_notice(study) if section in {"setup", "links"} else "",
        "section": section,
        "pages": [(tab.key, tab.name, address) for tab, address in tabs if address],
        "steps": [(_address(study, key), step) for key, step in steps_of(study)] if can_change else [],
        "more": list(_more(study, right)),
    }


def _more(study: Study, right: Right | None) -> Iterator[tuple[str, str]]:
    """What is done with a study as a whole, as names and addresses."""
    if right is None or right < Right.CHANGE:
        return
    yield "Duplicate", reverse("admin:annotation_study_duplicate", args=[study.pk])
    if right < Right.MANAGE:
        return
    ends = ["archive" if study.archived_at is None else "restore"]
    ends += ["delete"] if study.status == Study.Status.DRAFT else []
    for ending in ends:
        yield (
            {"archive": "Archive", "restore": "Restore", "delete": "Delete draft"}[ending],
            reverse("admin:annotation_study_end", args=[study.pk, ending]),
        )


def _address(study: Study, to: str) -> str:
    """Where people come in by this step, the checklist stands before it."""
    launch = next(tab.address(study) for tab in TABS if tab.key == "launch")
    confirm = reverse("admin:annotation_study_status", kwargs={"pk": study.pk, "to": to})
    return f"{launch}#open" if launch and to in OPENING else confirm


def _entry_notice(study: Study) -> str:
    """How sure it is who comes; nothing where a signature is required."""
    return "" if study.requires_signed_entry else PLATFORMS[study.platform].entry_notice
