"""From what a model replied to a label, a number, a list or a refusal, by the first rule that fits.

What a reply is comes before what it says: one that was cut off is truncated, one that a service stopped is a refusal.
A text that says two things stays unmapped, whatever a later rule would make of it: nothing is guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from . import answer_words as words
from .readings import TWO_THINGS, AnswerSpace, Conflict, Reading, fold, one_space

VERSION = "1"  # rises with every change of a rule or of a list of words: scores name it
RULES = (
    "status", "exact", "case", "punctuation", "option", "json", "committed", "line", "refusal-words", "only-mention",
    "number", "synonym", "by-hand", "none",
)  # fmt: skip
Outcome: TypeAlias = Literal["mapped", "refusal", "truncated", "unmapped"]
MOST_OBJECTS = 100  # beginnings of JSON objects that are tried in one reply
_SENTENCE = re.compile(r"(?<=[.!?。！？;])\s+|\n+")
_HEAD = re.compile(r"(.+?)(?:[.;!?。！？](?=\s|$|\*)|\s*\n)(.*)", re.DOTALL)
_CHAT = re.compile(r'^\s*\[\s*\{[^}]*"role"\s*:')
_TURN = re.compile(r"^\s*(?:\W*)(user|human|assistant|system)\W{0,3}:", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model gave: its text, and why it ended, as the service says it."""

    text: str
    finish: str = ""
    refusal: str = ""  # a field of its own, in which services put what a model says that declines


@dataclass(frozen=True, slots=True)
class MappedAnswer:
    """What became of a reply. `values` are there where it was mapped; `rule` is the one that took it."""

    outcome: Outcome
    values: tuple[str, ...] = ()
    rule: str = "none"


UNMAPPED = MappedAnswer("unmapped")
REFUSED = MappedAnswer("refusal", rule="status")
TRUNCATED = MappedAnswer("truncated", rule="status")


def without_thinking(text: str) -> str | None:
    """What follows a model's reasoning; None where the reasoning never ends.

    >>> without_thinking("<think>B? No.</think> C"), without_thinking("B? No.</think>C"), without_thinking("<think>B?")
    (' C', 'C', None)
    """
    ends = list(words.THINKING_ENDS.finditer(text))
    if ends:
        text = text[ends[-1].end() :]
    return None if words.THINKING_BEGINS.search(text) else text


def map_reply(reply: Reply, space: AnswerSpace) -> MappedAnswer:
    """The answer in a reply, by the first rule that fits."""
    finish = reply.finish.strip().lower()
    if reply.refusal.strip() or finish in words.DECLINED_BY_STATUS:
        return REFUSED
    if finish in words.TRUNCATED or (text := without_thinking(reply.text)) is None:
        return TRUNCATED
    return _said(text, space)


def _said(text: str, space: AnswerSpace) -> MappedAnswer:
    """By what the text says, once it is known to be a reply."""
    if space.answers == "words":
        return MappedAnswer("mapped", (text.strip(),), "exact") if text.strip() else UNMAPPED
    for read in _readings(text, space):
        if isinstance(read, MappedAnswer):
            return read
        if isinstance(read, Conflict):
            return UNMAPPED
        if read is not None and _fits(read, space):
            return MappedAnswer("mapped", read.values, read.rule)
    return UNMAPPED


def _fits(read: Reading, space: AnswerSpace) -> bool:
    """Whether so many labels are an answer: a synonym of several is one wherever labels may be."""
    return len(read.values) > 0 and (space.answers != "order" or len(read.values) > 1)


def _readings(text: str, space: AnswerSpace) -> Iterator[Reading | Conflict | MappedAnswer | None]:
    """What each rule makes of it, in their order."""
    if not text.strip():
        yield TWO_THINGS
        return
    if space.answers == "properties" and words.DECLINED.search(text):
        yield MappedAnswer("refusal", rule="refusal-words")
    yield space.whole(text)
    yield _of_json(text, space)
    if space.answers in {"labels", "order", "properties"}:
        yield space.listed(text)
    if space.answers == "properties":
        return
    yield _committed(text, space)
    yield _of_lines(text, space)
    if words.DECLINED.search(text):
        yield TWO_THINGS if space.names_in(text) else MappedAnswer("refusal", rule="refusal-words")
        return
    yield _only_mention(text, space)


def _of_json(text: str, space: AnswerSpace) -> Reading | Conflict | None:
    """The last object that has one of the keys. If it has no label there, no other rule looks for one."""
    held = list(_values_of_json(text))
    if not held:
        return None
    value = held[-1]
    if isinstance(value, list):
        parts = [str(one) for one in value]
        if space.answers == "properties":
            return Reading(tuple(dict.fromkeys(one_space(part) for part in parts if part.strip())), "json")
        read = space.several(parts, "json") if space.answers in {"labels", "order"} or len(parts) == 1 else None
        return read or TWO_THINGS
    read_value = space.whole(str(value).lower() if isinstance(value, bool) else str(value))
    if isinstance(read_value, Reading):
        return Reading(read_value.values, "json" if read_value.rule != "synonym" else "synonym")
    if read_value is None and space.answers in {"labels", "order", "properties"}:
        return space.listed(str(value)) or TWO_THINGS
    return TWO_THINGS


def _values_of_json(text: str) -> Iterator[str | float | bool | list[object]]:
    decoder, start = json.JSONDecoder(), 0
    if text.lstrip().startswith("["):
        try:
            listed, _ = decoder.raw_decode(text.lstrip())
        except (ValueError, RecursionError):
            listed = None
        if isinstance(listed, list) and all(isinstance(one, str) for one in listed):
            yield listed
    for _ in range(MOST_OBJECTS):
        start = text.find("{", start)
        if start < 0:
            return
        try:
            parsed, start = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            start += 1
            continue
        by_key = {fold(key).replace(" ", "_"): value for key, value in parsed.items()}
        held = next((by_key[key] for key in words.KEYS if key in by_key), None)
        if isinstance(held, str | int | float | list):
            yield held


def _committed(text: str, space: AnswerSpace) -> Reading | Conflict | None:
    """What stands behind words such as "final answer:", of the last place that has them. A last line that says
    something else takes it back.
    """
    for pattern in words.COMMITTED:
        matches = list(pattern.finditer(text))
        if not matches:
            continue
        read = _behind_words(matches[-1]["answer"], space)
        if read is None:
            continue
        if isinstance(read, Conflict):
            return read
        last = space.whole(_lines(text)[-1])
        if isinstance(last, Reading) and last.values != read.values:
            return TWO_THINGS
        return Reading(read.values, "synonym" if read.rule == "synonym" else "committed")
    return None


def _behind_words(text: str, space: AnswerSpace) -> Reading | Conflict | None:
    """The rest of a line, or its first sentence where nothing behind it names another label or denies."""
    read = space.whole(text)
    if read is None and space.answers in {"labels", "order"}:
        read = space.listed(text)
    if read is not None:
        return read
    match = _HEAD.match(text)
    head = space.whole(match[1]) if match else None
    if match is None or not isinstance(head, Reading):
        return head
    others = space.names_in(match[2]) - {head.values}
    marks = {space.option_of(mark) for mark in space.option_marks(match[2])} - {*head.values, None}
    has_denial = bool(words.DENIED.search(match[2]))
    return TWO_THINGS if others or marks or has_denial else head


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def _of_lines(text: str, space: AnswerSpace) -> Reading | Conflict | None:
    """The last line or the first, if no line says anything else: a list of all options says all of them."""
    lines = _lines(text)
    if len(lines) < 2:
        return None
    readings = [space.whole(line) for line in lines]
    if any(isinstance(one, Conflict) for one in readings):
        return TWO_THINGS
    answers = {one.values for one in readings if isinstance(one, Reading)}
    if len(answers) > 1:
        return TWO_THINGS
    ends = [one for one in (readings[-1], readings[0]) if isinstance(one, Reading)]
    return Reading(ends[0].values, "synonym" if ends[0].rule == "synonym" else "line") if ends else None


def _only_mention(text: str, space: AnswerSpace) -> Reading | Conflict | None:
    """The only label that is named, in a sentence that neither denies nor asks."""
    if space.are_numbers():
        return TWO_THINGS if words.DENIED.search(text) else space.only_number(text)
    if len(space.names_in(text)) != 1:
        return None
    [values] = space.names_in(text)
    if space.option_marks(text) and {space.option_of(mark) for mark in space.option_marks(text)} - {*values, None}:
        return TWO_THINGS
    for sentence in _SENTENCE.split(text):
        if space.names_in(sentence):
            beside = space.mentions.sub(" ", fold(sentence))
            if words.DENIED.search(beside) or _is_joined(sentence, space) or sentence.rstrip().endswith(("?", "？")):
                return TWO_THINGS
    are_synonyms = all(
        space.names[name][1] for name in space.names if fold(name) in set(space.mentions.findall(fold(text)))
    )
    return Reading(values, "synonym" if are_synonyms else "only-mention")


def _is_joined(sentence: str, space: AnswerSpace) -> bool:
    """Whether a label is one of two things, as in `red or purple`."""
    marked = space.mentions.sub("\0", fold(sentence))
    return re.search(rf"{words.JOINED}\s*\0|\0\s*{words.JOINED}", marked) is not None


def whole_chat(text: str) -> str:
    r"""Why a cell is no reply but a whole chat; nothing where it is one.

    >>> whole_chat('[{"role": "user", "content": "Which?"}, {"role": "assistant", "content": "B"}]')
    'holds a whole chat, with a role for each message'
    >>> whole_chat("User: Which colour?\nAssistant: yellow")
    'holds a whole chat, with the turns of user and assistant'
    """
    if _CHAT.match(text):
        return "holds a whole chat, with a role for each message"
    turns = {match[1].lower() for match in _TURN.finditer(text)}
    if "assistant" in turns and turns & {"user", "human"}:
        return "holds a whole chat, with the turns of user and assistant"
    return ""
