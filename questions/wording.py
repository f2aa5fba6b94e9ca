"""Puts an item's fields into a study's question. Text stays text: nothing in it is ever run or taken for markup."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tables.question_fields import FIELD

PAIR = ("left", "right")


@dataclass(frozen=True, slots=True)
class Part:
    text: str
    is_field: bool = False


@dataclass(frozen=True, slots=True)
class Wording:
    parts: tuple[Part, ...]
    pair: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "".join(part.text for part in self.parts)


def word(question: str, fields: Mapping[str, Any], *, is_swapped: bool = False) -> Wording:
    """The question for one item. Only names in braces are looked up, never attributes or indices of them.

    An item may bring a `question` of its own. Two words `left` and `right` that the question doesn't name stand
    apart from it, as a pair.

    >>> str(word("In a {scene}, where is the {object}?", {"scene": "kitchen", "object": "cup"}))
    'In a kitchen, where is the cup?'
    >>> word("How similar?", {"left": "on", "right": "above"}, is_swapped=True).pair
    ('above', 'on')
    """
    texts = {name: str(value) for name, value in fields.items()}
    if is_swapped and all(name in texts for name in PAIR):
        texts["left"], texts["right"] = texts["right"], texts["left"]
    template = texts.get("question") or question
    parts: list[Part] = []
    end = 0
    for match in FIELD.finditer(template):
        parts += [Part(template[end : match.start()]), Part(texts.get(match[1], match[0]), is_field=match[1] in texts)]
        end = match.end()
    parts.append(Part(template[end:]))
    named = {match[1] for match in FIELD.finditer(template)}
    # A check that brings its own question ("move it all the way to the left") is not about a pair.
    stands_apart = all(name in texts for name in PAIR) and not named & set(PAIR)
    return Wording(tuple(part for part in parts if part.text), (texts["left"], texts["right"]) if stands_apart else ())
