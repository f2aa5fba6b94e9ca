"""`{% study_bar study "progress" %}`: a study's status, its next steps as buttons, and the way to its pages."""

from typing import Any

from django import template
from django.urls import reverse

from annotation.models import Study
from annotation.permissions import Right, right_in
from annotation.platforms import PLATFORMS
from annotation.study_steps import steps_of

register = template.Library()


@register.inclusion_tag("admin/touchstone/study_bar.html", takes_context=True)
def study_bar(context: dict[str, Any], study: Study, section: str = "") -> dict[str, Any]:
    right = right_in(context["request"], study)
    can_change = right is not None and right >= Right.CHANGE
    can_manage = right is not None and right >= Right.MANAGE
    items = reverse("admin:annotation_item_changelist")
    pages = [
        ("setup", "Setup", reverse("admin:annotation_study_change", args=[study.pk]), True),
        ("items", "Items", f"{items}?study={study.pk}", True),
        ("preview", "Preview", reverse("annotation:preview", args=[study.slug]), True),
        ("links", "Links", reverse("admin:annotation_study_links", args=[study.pk]), can_change),
        ("progress", "Progress", reverse("admin:annotation_study_progress", args=[study.pk]), True),
        ("pay", "Pay", reverse("admin:annotation_study_payments", args=[study.pk]), can_manage),
        ("coding", "Coding", reverse("agreement:coding", args=[study.uuid]), study.question_kind.has_properties),
        ("results", "Results", reverse("agreement:results", args=[study.uuid]), True),
        ("models", "Models", reverse("agreement:leaderboard", args=[study.uuid]), True),
    ]
    return {
        "study": study,
        "entry_notice": _entry_notice(study) if section in {"setup", "links"} else "",
        "section": section,
        "pages": [(key, name, address) for key, name, address, is_shown in pages if is_shown],
        "steps": steps_of(study) if can_change else [],
    }


def _entry_notice(study: Study) -> str:
    """How sure it is who comes; nothing where a signature is required."""
    return "" if study.requires_signed_entry else PLATFORMS[study.platform].entry_notice
