"""How a file's judgments came about, from the platform's own export of the people who gave them."""

from __future__ import annotations

from agreement.analysis.collection import Collection, Person, Question
from tables.people_file import People

PLATFORM = "Prolific"
MOST_OPTIONS = 12  # a column with more different texts is told as free text
ENDINGS = (
    "finished",
    "returned_or_timed_out",
    "rejected",
    "declined",
    "failed_comprehension",
    "withdrew",
    "unfinished",
)


def collection_from(people: People) -> Collection:
    """As a study's own, without pay and devices, which the export doesn't have."""
    workers = {
        who: Person(time=one.time, pay=None, device=None, is_verified=True, answers=one.answers)
        for who, one in people.respondents.items()
    }
    questions = [Question(name, name, _options(name, people)) for name in people.questions]
    came = {"came": sum(people.came.values()), **{name: people.came.get(name, 0) for name in ENDINGS}}
    return Collection(PLATFORM, came, questions, workers, is_from_platform=True, not_valid=people.not_valid)


def _options(name: str, people: People) -> tuple[str, ...]:
    """The texts of a column that has few of them; none of numbers, such as ages."""
    texts = sorted({one.answers[name] for one in people.respondents.values() if name in one.answers})
    is_number = all(text.replace(".", "", 1).isdecimal() for text in texts)
    return () if is_number or len(texts) > MOST_OPTIONS else tuple(texts)
