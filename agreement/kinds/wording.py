"""Puts an item's fields into a study's question. Text stays text: nothing in it is ever run or taken for markup."""

from collections.abc import Mapping
from dataclasses import dataclass

from ..files.question_fields import FIELD

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


def word(question: str, fields: Mapping[str, object], *, is_swapped: bool = False) -> Wording:
    """The question for one item. Only names in braces are looked up, never attributes or indices of them.

    A field with a question mark may be blank: then a space after it goes too. An item may bring a `question` of its
    own. Two words `left` and `right` that the question doesn't name stand apart from it, as a pair.

    >>> str(word("In a {scene}, where is the {object}?", {"scene": "kitchen", "object": "cup"}))
    'In a kitchen, where is the cup?'
    >>> [str(word("Is {d?} {c} red?", fields)) for fields in ({"d": "a", "c": "bus"}, {"c": "blood"})]
    ['Is a bus red?', 'Is blood red?']
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
        parts.append(Part(template[end : match.start()]))
        end = match.end()
        if match[2] and not texts.get(match[1], "").strip():
            end += template[end : end + 1] == " "
            continue
        parts.append(Part(texts.get(match[1], match[0]), is_field=match[1] in texts))
    parts.append(Part(template[end:]))
    named = {match[1] for match in FIELD.finditer(template)}
    # A check that brings its own question ("move it all the way to the left") is not about a pair.
    stands_apart = all(name in texts for name in PAIR) and not named & set(PAIR)
    return Wording(tuple(part for part in parts if part.text), (texts["left"], texts["right"]) if stands_apart else ())
