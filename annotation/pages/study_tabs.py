"""The pages of a study, as tabs in the order of its life: set up, launch, watch, clean, results."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from django.urls import NoReverseMatch, reverse

from annotation.accounts.permissions import Right
from annotation.models import Study


@dataclass(frozen=True, slots=True)
class Tab:
    """`by` is how the page's address names the study. A page that isn't installed has no address and no tab."""

    key: str
    name: str
    view: str
    by: Callable[[Study], int | UUID]
    needs: Right = Right.LOOK
    query: str = ""
    is_for: Callable[[Study], bool] = lambda _study: True

    def address(self, study: Study) -> str:
        if not self.is_for(study):
            return ""
        arguments = [] if self.query else [self.by(study)]
        try:
            address = reverse(self.view, args=arguments)
        except NoReverseMatch:
            return ""
        return f"{address}?{self.query}={self.by(study)}" if self.query else address


def number(study: Study) -> int:
    return study.pk


def uuid(study: Study) -> UUID:
    return study.uuid


def has_properties(study: Study) -> bool:
    return study.question_kind.has_properties


TABS = (
    Tab("setup", "Setup", "admin:annotation_study_change", number),
    Tab("items", "Items", "admin:annotation_item_changelist", number, query="study"),
    Tab("preview", "Preview", "admin:annotation_study_preview", number),
    Tab("launch", "Launch", "agreement:launch", uuid),
    Tab("links", "Links", "admin:annotation_study_links", number, needs=Right.CHANGE),
    Tab("watch", "Watch", "agreement:watch", uuid),
    Tab("people", "People", "agreement:people", uuid),
    Tab("pay", "Pay", "admin:annotation_study_payments", number, needs=Right.MANAGE),
    Tab("clean", "Clean", "agreement:clean", uuid),
    Tab("coding", "Coding", "agreement:coding", uuid, is_for=has_properties),
    Tab("results", "Results", "agreement:results", uuid),
    Tab("models", "Models", "agreement:leaderboard", uuid),
    Tab("plan", "Plan", "agreement:plan", uuid),
)
