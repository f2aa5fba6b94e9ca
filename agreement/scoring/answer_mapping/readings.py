"""What a text is as a whole: a label under one of its names, an option's letter beside its text, a number, a list."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import Literal, TypeAlias

from ...files.cell_texts import Synonyms
from ...files.numbers import Scale, decimal_of

Answers: TypeAlias = Literal["label", "labels", "order", "number", "properties", "words"]
MOST_WORDS_OF_A_PROPERTY = 6
LONGEST_WHOLE = 400  # letters; what is longer is no label

# What models put around an answer, and what ends a sentence.
_PAIRS = (
    ("(", ")"), ("[", "]"), ("{", "}"), ("\\(", "\\)"), ("\\[", "\\]"), ('"', '"'), ("'", "'"), ("“", "”"),
    ("‘", "’"), ("«", "»"), ("「", "」"), ("『", "』"), ("<answer>", "</answer>"), ("<b>", "</b>"), ("<p>", "</p>"),
)  # fmt: skip
_LATEX = re.compile(r"\\(?:boxed|text|textbf|textit|mathrm|mathbf|emph)\s*\{(.*)\}", re.DOTALL)
_LIST_MARK = re.compile(r"^(?:[-*•‣>]|#+)\s+")
_ENDS = ".,;:!。，；：！"
_AROUND = "*_`$ \t"
_PUNCTUATION = re.compile(r"[.,;:!?'\"“”‘’«»()\[\]{}*_`。，；：！？]+")
_ARTICLE = re.compile(r"^(?:a|an|the)\s+(?=\w\w)")
_LETTER = re.compile(r"(?:option|choice|letter|number)?\s*\(?([A-Za-z]|\d{1,2})\)?", re.IGNORECASE)
_LETTER_THEN_TEXT = re.compile(r"\(?([A-Za-z]|\d{1,2})\s*(?:[)\].:：]+\s*|\s[-–—]+\s)(\S.*)", re.DOTALL)
_TEXT_THEN_LETTER = re.compile(r"(.*\S)\s*\((?:option |choice )?([A-Za-z]|\d{1,2})\)", re.DOTALL | re.IGNORECASE)
_OPTION_MARK = re.compile(r"\(([A-Za-z]|\d{1,2})\)|(?<![\w'’])([B-HJ-Z])(?![\w'’])|(?<![\w'’])(A)(?=[.,;:)]|$)")
_PER_CENT = re.compile(r"([+-]?\d+(?:\.\d+)?)\s*%")
_OUT_OF = re.compile(r"([+-]?\d+(?:\.\d+)?)\s*(?:/|out of)\s*(\d+(?:\.\d+)?)", re.IGNORECASE)
_NUMBERS = re.compile(r"(?<![\w.,-])-?\d+(?:[.,]\d+)*(?:\s*%)?(?![\w])")
_BULLET = re.compile(r"^\s*(?:[-*•‣]\s+|\(?\d{1,2}[.):]\s+)")
_BETWEEN = re.compile(r"\s*(?:[,;|\n、，；]|\band\b|&)\s*", re.IGNORECASE)
_ORDERED = re.compile(r"\s*(?:[,;|\n>、，；]|->|→)\s*")


@dataclass(frozen=True, slots=True)
class Reading:
    """The labels, properties or number that a text says, and the rule that read it."""

    values: tuple[str, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """A text that says two things: a letter and the text of another option, or two labels. No later rule may choose."""


TWO_THINGS = Conflict()


@dataclass(frozen=True)
class AnswerSpace:
    """What answers of a study can be. `order` are the options as they were sent, where that is declared: labels, or the
    texts of options whose letters are the labels. `own` are an item's own labels, which `labels` then number; `values`
    are all that tables may name.
    """

    answers: Answers = "label"
    labels: tuple[str, ...] = ()
    synonyms: Synonyms = field(default_factory=dict)
    scale: Scale | None = None
    order: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    values: tuple[str, ...] = ()

    @cached_property
    def names(self) -> dict[str, tuple[tuple[str, ...], bool]]:
        """Each name of a label, the labels that it stands for, and whether it is a synonym."""
        of_labels = self.own or self.labels
        names: dict[str, tuple[tuple[str, ...], bool]] = {
            name: ((label,), False) for name, label in zip(of_labels, self.labels, strict=False)
        }
        for text, label in zip(self.order, self._labels_in_order, strict=True):
            if label is not None:
                names.setdefault(text, ((label,), False))
        for spelling, stands_for in self.synonyms.items():
            names.setdefault(spelling, (tuple(stands_for), True))
        return names

    @cached_property
    def _labels_in_order(self) -> list[str | None]:
        by_fold = {fold(name): label for name, label in zip(self.own or self.labels, self.labels, strict=False)}
        return [
            by_fold.get(fold(text)) or by_fold.get(chr(ord("a") + place)) or by_fold.get(str(place + 1))
            for place, text in enumerate(self.order)
        ]

    @cached_property
    def _keyed(self) -> dict[str, dict[str, set[str]]]:
        """By rule and key, the names that a text may be."""
        keyed: dict[str, dict[str, set[str]]] = {"exact": {}, "case": {}, "punctuation": {}}
        for name in self.names:
            keyed["exact"].setdefault(one_space(name), set()).add(name)
            keyed["case"].setdefault(fold(name), set()).add(name)
            if decimal_of(name) is None and (key := _without_punctuation(name)):
                keyed["punctuation"].setdefault(key, set()).add(name)
        return keyed

    @cached_property
    def mentions(self) -> re.Pattern[str]:
        """Any name as whole words, the longest first; no single letter and no number, which are other words too."""
        names = sorted({fold(name) for name in self.names if _is_word(name)}, key=lambda name: (-len(name), name))
        words = "|".join(map(re.escape, names)) or r"(?!)"
        return re.compile(rf"(?<![\w-])(?<!\w['’])(?:{words})(?![\w-]|['’]\w)")

    def name_of(self, text: str) -> tuple[str, str] | None:
        """The one name that a text is, and the rule by which: exactly, but for capitals, but for punctuation."""
        stages = list(unwrapped(text))
        keys = {"exact": one_space, "case": fold, "punctuation": _without_punctuation}
        for rule, key in keys.items():
            for stage in stages:
                named = self._keyed[rule].get(key(stage), set())
                meant = {self.names[name][0] for name in named}
                if len(meant) == 1:
                    return min(named, key=lambda name: (self.names[name][1], name)), rule
                if named:
                    return None
        return None

    def whole(self, text: str) -> Reading | Conflict | None:
        """What a text is, all of it."""
        if self.answers == "number":
            return self._number(text)
        if len(text) > LONGEST_WHOLE or "\n" in text.strip():
            return None
        if (named := self.name_of(text)) is not None:
            return self._reading(*named)
        last = list(unwrapped(text))[-1]
        if (label := self._by_number(last)) is not None:
            return Reading((label,), "number")
        return self._by_letter(last)

    def _by_letter(self, text: str) -> Reading | Conflict | None:
        """An option's letter or number, alone or beside its text."""
        if (letter := _LETTER.fullmatch(text)) and self.order:
            label = self.option_of(letter[1])
            return TWO_THINGS if label is None else Reading((label,), "option")
        if (match := _LETTER_THEN_TEXT.fullmatch(text)) is not None:
            return self._letter_and_text(match[1], match[2])
        if (match := _TEXT_THEN_LETTER.fullmatch(text)) is not None and self.name_of(match[1]) is not None:
            return self._letter_and_text(match[2], match[1])
        return None

    def _reading(self, name: str, rule: str) -> Reading:
        labels, is_synonym = self.names[name]
        return Reading(labels, "synonym" if is_synonym else rule)

    def option_of(self, sign: str) -> str | None:
        """The label of an option's letter or number: the label of that name, else by the order that was sent."""
        by_fold = {fold(label): label for label in self.labels}
        if fold(sign) in by_fold:
            return by_fold[fold(sign)]
        place = int(sign) - 1 if sign.isdecimal() else ord(sign.lower()) - ord("a")
        return self._labels_in_order[place] if 0 <= place < len(self.order) else None

    def _letter_and_text(self, letter: str, text: str) -> Reading | Conflict | None:
        """`B. green`: the letter counts where its order is known, and then must be that of the text."""
        of_letter = self.option_of(letter)
        named = self.name_of(text)
        if named is None:
            if of_letter is None and not self.order:
                return None
            names_others = bool(self.names_in(text) or self.option_marks(text) - {fold(letter)})
            if of_letter is None or self.order or letter.isdecimal() or names_others:
                return None if letter.isdecimal() else TWO_THINGS
            return Reading((of_letter,), "option")
        labels, is_synonym = self.names[named[0]]
        if of_letter is not None and of_letter not in labels:
            return TWO_THINGS
        return Reading(labels, "synonym" if is_synonym else "option")

    def names_in(self, text: str) -> set[tuple[str, ...]]:
        """The labels that a text names as whole words."""
        by_fold = {fold(name): labels for name, (labels, _) in self.names.items()}
        return {by_fold[match[0]] for match in self.mentions.finditer(fold(text))}

    def option_marks(self, text: str) -> set[str]:
        """The letters and numbers in a text that stand as options do."""
        return {fold(next(filter(None, match.groups()))) for match in _OPTION_MARK.finditer(text)}

    def _by_number(self, text: str) -> str | None:
        """The label that is the same number, where labels are numbers: 5.0 is 5."""
        number = decimal_of(text)
        same = [label for label in self.labels if number is not None and decimal_of(label) == number]
        return same[0] if len(same) == 1 else None

    def _number(self, text: str) -> Reading | None:
        """A number on the scale; a share of its whole where the scale is 0 to 1 or 0 to 100."""
        for rule, stage in zip(("exact", *["number"] * 20), unwrapped(text), strict=False):
            if (number := decimal_of(stage)) is not None and self._fits(number):
                return Reading((_written(number),), rule)
            if (match := _PER_CENT.fullmatch(stage)) is not None:
                number = self._from_per_cent(Decimal(match[1]))
                return Reading((_written(number),), "number") if number is not None else None
            if (match := _OUT_OF.fullmatch(stage)) is not None:
                is_of_scale = self.scale is not None and Decimal(match[2]) == self.scale.high
                number = Decimal(match[1])
                return Reading((_written(number),), "number") if is_of_scale and self._fits(number) else None
        return None

    def _fits(self, number: Decimal) -> bool:
        return self.scale is None or self.scale.low <= number <= self.scale.high

    def _from_per_cent(self, number: Decimal) -> Decimal | None:
        if self.scale is None or self.scale.low != 0 or self.scale.high not in (1, 100):
            return None
        number = number * self.scale.high / 100
        return number if self._fits(number) else None

    def only_number(self, text: str) -> Reading | Conflict | None:
        """The one number of a text, where answers are numbers or labels are."""
        numbers = {match[0] for match in _NUMBERS.finditer(text)}
        if len(numbers) != 1:
            return TWO_THINGS if numbers else None
        read = self.whole(numbers.pop())
        return Reading(read.values, "only-mention") if isinstance(read, Reading) else read

    def are_numbers(self) -> bool:
        """Whether an answer is a number, by the scale or because every label is one."""
        return self.answers == "number" or (
            bool(self.labels) and all(decimal_of(label) is not None for label in self.labels)
        )

    def with_order(self, order: tuple[str, ...], own: tuple[str, ...] = ()) -> AnswerSpace:
        return self if (order, own) == (self.order, self.own) else replace(self, order=order, own=own)

    def spelt(self, labels: Sequence[str]) -> list[str]:
        """Labels as tables name them: an item's own by their values."""
        names = dict(zip(self.labels, self.own, strict=False))
        return [names.get(label, label) for label in labels]

    def numbered(self, values: Sequence[str]) -> tuple[str, ...]:
        """The labels that values of a table are; nothing where one is no label of the item."""
        labels = dict(zip(self.own or self.labels, self.labels, strict=False))
        return tuple(labels[value] for value in values) if set(values) <= labels.keys() else ()

    def several(self, parts: Sequence[str], rule: str) -> Reading | None:
        """Labels, each part one of them; of an order every part another one."""
        read = [self.whole(part) for part in parts if part.strip()]
        labels = [label for one in read if isinstance(one, Reading) for label in one.values]
        if not read or not all(isinstance(one, Reading) for one in read):
            return None
        distinct = tuple(dict.fromkeys(labels))
        if self.answers == "order" and (len(distinct) < 2 or len(distinct) < len(labels)):
            return None
        in_order = distinct if self.answers == "order" else tuple(one for one in self.labels if one in distinct)
        return Reading(in_order, rule)

    def listed(self, text: str) -> Reading | None:
        """Several labels, an order of them, or a list of properties, written one after the other."""
        lines = [_BULLET.sub("", line) for line in text.splitlines() if line.strip()]
        if self.answers == "properties":
            return _properties(lines)
        between = _ORDERED if self.answers == "order" else _BETWEEN
        parts = lines if len(lines) > 1 else between.split(next(iter(lines), ""))
        return self.several(parts, "line") if len(parts) > 1 else None


def _properties(lines: Sequence[str]) -> Reading | None:
    parts = lines if len(lines) > 1 else _BETWEEN.split(next(iter(lines), ""))
    cleaned = [list(unwrapped(part))[-1] for part in parts if part.strip()]
    if not cleaned or any(len(part.split()) > MOST_WORDS_OF_A_PROPERTY for part in cleaned):
        return None
    return Reading(tuple(dict.fromkeys(cleaned)), "line")


def _is_word(name: str) -> bool:
    """Whether a name may be looked for within a text."""
    return len(name.strip()) > 1 and decimal_of(name) is None


def one_space(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


def fold(text: str) -> str:
    """The text without what capitals and spaces change.

    >>> fold("  Light  BLUE ")
    'light blue'
    """
    return one_space(text).casefold()


def _without_punctuation(text: str) -> str:
    """Also without an article, if it is no option's letter: a letter alone behind it stays behind it."""
    return " ".join(_PUNCTUATION.sub(" ", _ARTICLE.sub("", fold(text)).replace("-", " ")).split())


def unwrapped(text: str) -> Iterator[str]:
    r"""The text, and what is left of it each time that a wrapper is taken off.

    >>> list(unwrapped("**(yellow).**"))
    ['**(yellow).**', '(yellow).', '(yellow)', 'yellow']
    """
    text = unicodedata.normalize("NFKC", text).strip()
    yield text
    while text:
        inner = _unwrapped_once(text)
        if inner == text or not inner:
            return
        text = inner
        yield text


def _unwrapped_once(text: str) -> str:
    for change in (lambda one: one.strip(_AROUND), _without_pair, lambda one: one.rstrip(_ENDS).rstrip()):
        inner = change(text)
        if inner and inner != text:
            return inner
    return _LIST_MARK.sub("", text)


def _without_pair(text: str) -> str:
    for begin, end in _PAIRS:
        if len(text) > len(begin) + len(end) and text.startswith(begin) and text.endswith(end):
            inner = text[len(begin) : -len(end)]
            if begin not in inner and end not in inner:
                return inner.strip()
    match = _LATEX.fullmatch(text)
    return match[1].strip() if match else text


def _written(number: Decimal) -> str:
    """A number as tables have it.

    >>> _written(Decimal("4.50")), _written(Decimal("1E+2"))
    ('4.5', '100')
    """
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
