"""A study's next steps in words: what the button says, and what pressing it means."""

from dataclasses import dataclass

from annotation.actions.studies import NEXT
from annotation.models import Study


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


OPENING = (Study.Status.PILOTING, Study.Status.LIVE)


def steps_of(study: Study) -> list[tuple[str, Step]]:
    """The statuses that a study can take next, in the order of its life; none while it is archived."""
    if study.archived_at is not None:
        return []
    return [(str(status), WORDS[status]) for status in NEXT[study.status]]


def opening_steps_of(study: Study) -> list[tuple[str, Step]]:
    """Those after which people can take part."""
    return [(key, step) for key, step in steps_of(study) if key in OPENING]
