"""What columns of judgments are called elsewhere: which may be worker, item and answer, and which are people."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from .platform_ids import is_platform_id

# What columns are called elsewhere, the surest names first: a column that is called exactly so (but for "id", "name"
# and the like) is preferred to one that has the word among others.
WORKER = (
    (
        "worker", "participant", "prolific", "annotator", "rater", "coder", "respondent", "assessor", "evaluator",
        "labeler",
    ),
    ("subject", "user", "person", "judge", "reviewer", "pid", "who"),
)  # fmt: skip
ITEM = (
    ("item", "stimulus", "stimuli", "instance", "hit"),
    (
        "question", "trial", "task", "pair", "word", "object", "image", "picture", "sentence", "concept", "text",
        "tweet", "post", "document", "doc", "example", "prompt", "scene", "unit", "comment", "review", "passage",
        "utterance", "claim", "headline", "id", "uid",
    ),
)  # fmt: skip
VALUE = (
    (
        "value", "answer", "rating", "response", "label", "score", "judgment", "judgement", "annotation", "vote",
        "choice",
    ),
    ("similarity", "grade", "likert", "slider", "category", "verdict", "selected", "result", "output"),
)  # fmt: skip
WORDS: Mapping[str, tuple[tuple[str, ...], ...]] = {"worker_id": WORKER, "item_id": ITEM, "value": VALUE}
ROLES = ("worker_id", "item_id", "value")
# Words that change nothing about what a column is, and words that make it another thing.
OF_A_RESPONSE = (["response", "id"], ["submission", "id"], ["respondent", "id"])  # a survey has one per person
BESIDE = frozenset({"id", "ids", "pid", "code", "number", "nr", "no", "name", "key", "index", "idx", "input", "the"})
OTHER_THING = frozenset({
    "gold", "true", "truth", "reference", "expected", "correct", "majority", "consensus", "aggregated", "mean", "avg",
    "average", "median", "time", "times", "duration", "latency", "rt", "ms", "sec", "seconds", "date", "timestamp",
    "count", "confidence", "explanation", "rationale", "reason", "comments", "agent", "age", "gender", "sex", "country",
    "status", "type", "group", "order", "position", "assignment", "session", "start", "end", "recorded", "at",
})  # fmt: skip
RATERS = frozenset({*WORKER[0], *WORKER[1], "ann", "expert", "labeller", "human"}) - {"pid", "who", "prolific"}
SHORT_RATER = re.compile(r"(?:r|w|ann|coder)[ _-]?\d+", re.IGNORECASE)


def tokens(name: str) -> list[str]:
    """The words of a column's name.

    >>> tokens("HITId"), tokens("PROLIFIC_PID"), tokens("rater12")
    (['hit', 'id'], ['prolific', 'pid'], ['rater', '12'])
    """
    return [part.casefold() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+", name)]


def candidates(role: str, names: Sequence[str]) -> list[str]:
    """The columns that may have a role by their names, of which all are equally likely.

    >>> candidates("worker_id", ["PROLIFIC_PID", "age"]), candidates("value", ["gold_label", "label", "label_time"])
    (['PROLIFIC_PID'], ['label'])
    """
    if role in names:
        return [role]
    words = {name: tokens(name) for name in names}
    last = {name: tokens(re.split("[.:]", name)[-1]) for name in names}
    fits = [name for name in names if not OTHER_THING & set(last[name])]
    if role == "value":
        fits = [name for name in fits if not {"id", "ids", "uid"} & set(words[name])]
    elif role == "worker_id" and (respondents := [name for name in names if last[name] in OF_A_RESPONSE]):
        return respondents
    for tier in WORDS[role]:
        exact = [name for name in fits if any(_is_exactly(each[name], tier) for each in (words, last))]
        if exact:
            return exact
    every = {word for tier in WORDS[role] for word in tier} - {"id", "uid", "pid", "who"}
    held = [name for name in fits if any(_singular(token) in every for token in words[name])]
    if held or role != "item_id":
        return held
    return [name for name in fits if last[name][-1:] == ["id"] and name not in candidates("worker_id", names)]


def _is_exactly(words: Sequence[str], tier: Sequence[str]) -> bool:
    core = [_singular(word) for word in words if word not in BESIDE] or [words[-1] if words else ""]
    return len(core) == 1 and core[0] in tier


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and word != "stimulus" else word


def is_rater(name: str) -> bool:
    """Whether a column's name is that of a person.

    >>> [is_rater(name) for name in ("rater12", "Coder A", "label_annotator_2", "q12", "user", "A2ZDEERVRN5AMC")]
    [True, True, True, False, False, True]
    """
    words = tokens(name)
    numbered = any(
        _singular(word) in RATERS and (following.isdecimal() or len(following) == 1)
        for word, following in pairwise(words)
    )
    return numbered or SHORT_RATER.fullmatch(name.strip()) is not None or is_platform_id(name)
