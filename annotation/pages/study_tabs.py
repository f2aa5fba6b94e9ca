"""The pages of a study as tabs in the order of its life, and its next steps in words."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from django.urls import NoReverseMatch, reverse

from annotation.accounts.permissions import Right
from annotation.models import Study
from annotation.studies.study_life import NEXT


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


# A study's next steps in words: what the button says, and what pressing it means.


@dataclass(frozen=True, slots=True)
class Step:
    verb: str
    meaning: str
    icon: str


WORDS: dict[str, Step] = {
    Study.Status.DRAFT: Step("Back to draft", "Nobody can take part until you open the study again.", "edit_note"),
    Study.Status.PILOTING: Step(
        "Start a pilot",
        "People can take part. Their answers are kept and marked as pilot answers.",
        "science",
    ),
    Study.Status.LIVE: Step(
        "Go live",
        "People can take part from now on. The question, its scale and its labels can't change any more.",
        "play_arrow",
    ),
    Study.Status.PAUSED: Step(
        "Pause", "Nobody new comes in. Those who have begun can finish, and all answers are kept.", "pause"
    ),
    Study.Status.CLOSED: Step(
        "Close",
        "The study ends and can't be opened again. All answers are kept. Platform ids are purged after the retention "
        "time, which starts now.",
        "stop",
    ),
}


@dataclass(frozen=True, slots=True)
class Standing:
    sentence: str
    what_now: str


# What a page says of a study that is no draft any more, and what can be done with it now.
STANDING: dict[str, Standing] = {
    Study.Status.PILOTING: Standing(
        "This study is open as a pilot.", "You can go live below, close it, or take it back to a draft."
    ),
    Study.Status.LIVE: Standing("This study is open.", "You can pause or close it by the buttons above."),
    Study.Status.PAUSED: Standing(
        "This study is paused: nobody new comes in.", "You can open it again below, or close it."
    ),
    Study.Status.CLOSED: Standing(
        "This study is closed, and can't be opened again.", "To ask more people, duplicate it (More, above)."
    ),
}
ARCHIVED = Standing("This study is archived: nobody new comes in.", "Restore it (More, above) before you open it.")


def standing_of(study: Study) -> Standing | None:
    """Nothing of a draft, which is yet to be opened."""
    return STANDING.get(study.status) if study.archived_at is None else ARCHIVED


OPENING = (Study.Status.PILOTING, Study.Status.LIVE)


def steps_of(study: Study) -> list[tuple[str, Step]]:
    """The statuses that a study can take next, in the order of its life; none while it is archived."""
    if study.archived_at is not None:
        return []
    return [(str(status), WORDS[status]) for status in NEXT[study.status]]


def opening_steps_of(study: Study) -> list[tuple[str, Step]]:
    """Those after which people can take part."""
    return [(key, step) for key, step in steps_of(study) if key in OPENING]
