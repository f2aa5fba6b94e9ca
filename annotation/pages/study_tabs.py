"""The pages of a study, in five places in the order of its life; its next steps in words."""

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


def list_of(model: str, name: str, key: str) -> Tab:
    """The admin's list of this model, limited to the study."""
    return Tab(key, name, f"admin:{model}_changelist", number, query="study")


@dataclass(frozen=True, slots=True)
class Place:
    """What a researcher does with a study at one time, and the pages for it. It opens on the first of them."""

    key: str
    name: str
    tabs: tuple[Tab, ...]


PLACES = (
    Place(
        "build",
        "Build",
        (
            Tab("setup", "Setup", "admin:annotation_study_change", number),
            list_of("annotation_item", "Items", "items"),
            Tab("preview", "Preview", "admin:annotation_study_preview", number),
            Tab("plan", "Plan", "agreement:plan", uuid),
            Tab("launch", "Launch", "agreement:launch", uuid),
        ),
    ),
    Place(
        "collect",
        "Collect",
        (
            Tab("watch", "Watch", "agreement:watch", uuid),
            Tab("links", "Links", "admin:annotation_study_links", number, needs=Right.CHANGE),
            Tab("pay", "Pay", "admin:annotation_study_payments", number, needs=Right.MANAGE),
        ),
    ),
    Place(
        "people",
        "People",
        (
            Tab("people", "Everybody", "agreement:people", uuid),
            Tab("clean", "Clean", "agreement:clean", uuid),
        ),
    ),
    Place(
        "results",
        "Results",
        (
            Tab("results", "Overview", "agreement:results", uuid),
            Tab("answers", "Answers by item", "agreement:items", uuid),
            Tab("coding", "Coding", "agreement:coding", uuid, is_for=has_properties),
            Tab("records", "Records", "agreement:records", uuid),
        ),
    ),
    Place("models", "Models", (Tab("models", "Models", "agreement:leaderboard", uuid),)),
)
TABS = {tab.key: tab for place in PLACES for tab in place.tabs}

# What the page Records leads to, beside the pages above: rows as they were stored, limited to the study.
RECORDS = {
    list_of("annotation_judgment", "Judgments", "judgments"): "Every answer and every revision of it.",
    list_of("annotation_participation", "Participations", "participations"): "Who came and how far they got.",
    list_of("agreement_cleaningrun", "Cleaning runs", "runs"): "Which rules were applied, when and by whom.",
    list_of("agreement_verdict", "Verdicts", "verdicts"): "What each rule said of each worker, with its evidence.",
    list_of("agreement_exclusion", "Exclusions", "exclusions"): "Whose answers don't count or count again, and why.",
    list_of("agreement_goldrelease", "Gold releases", "releases"): "Each gold release with its hash.",
    list_of("annotation_job", "Jobs", "jobs"): "Imports and analyses: how they went, and how long they took.",
    list_of("annotation_auditentry", "Audit log", "audit"): "Who changed what in this study, when and why.",
}


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
    Study.Status.LIVE: Standing("This study is open.", "You can pause or close it (Actions, above)."),
    Study.Status.PAUSED: Standing(
        "This study is paused: nobody new comes in.", "You can open it again below, or close it."
    ),
    Study.Status.CLOSED: Standing(
        "This study is closed, and can't be opened again.", "To ask more people, duplicate it (Actions, above)."
    ),
}
ARCHIVED = Standing("This study is archived: nobody new comes in.", "Restore it (Actions, above) before you open it.")


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
