"""Prompts for models: templates filled with items, and refused where a field is missing."""

import pytest

from agreement.errors import Refused
from studies import prompts


def filled(template: str, **fields: str) -> str:
    return prompts.filled(template, fields)


@pytest.mark.parametrize(
    ("template", "fields", "expected"),
    [
        ("{d} {c} is [MASK].", {"d": "", "c": "snow"}, "snow is [MASK]."),
        ("{d} {c} is [MASK].", {"d": "the", "c": "moon"}, "the moon is [MASK]."),
        ("q: {d} {c} {f}? a: [MASK].", {"d": "", "c": "fern", "f": "is"}, "q: fern is? a: [MASK]."),
        ("color of {d} {c}", {"d": "", "c": "snow"}, "color of snow"),
        ("color of {c} {d}", {"d": "", "c": "snow"}, "color of snow"),
        ("[CLS] color of {c}", {"c": "snow"}, "[CLS] color of snow"),
    ],
)
def test_an_empty_field_takes_its_blank_with_it(template: str, fields: dict[str, str], expected: str) -> None:
    assert prompts.filled(template, fields) == expected


def test_underscores_become_blanks_and_prompts_lower_case_where_asked() -> None:
    [template] = prompts.templates_of("In a {scene}, the {object} is located [MASK].", "t.txt")
    items = [("i1", {"scene": "living_room", "object": "TV"})]
    assert list(prompts.prompts([template], items)) == [("i1", "1", "In a living_room, the TV is located [MASK].")]
    [(_, _, prompt)] = prompts.prompts([template], items, as_blanks=True, lower=True)
    assert prompt == "in a living room, the tv is located [MASK]."


def test_options_are_the_labels_in_order() -> None:
    [template] = prompts.templates_of("What is the size of {object} ? {options}", "t.txt")
    [(_, _, prompt)] = prompts.prompts([template], [("i1", {"object": "cat"})], ["smaller", "larger"])
    assert prompt == "What is the size of cat ? (a) smaller (b) larger"


def test_comments_and_blank_lines_are_passed_over_and_templates_numbered() -> None:
    found = prompts.templates_of("# a comment\n\n{a} one\n{b} two\n", "t.txt")
    assert [(template.number, template.line, template.text) for template in found] == [
        (1, 3, "{a} one"),
        (2, 4, "{b} two"),
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{a} fine\n{a is open", "t.txt, row 2, '{a is open' has a brace that names no field; write {field}."),
        ("# nothing\n", "t.txt: it has no template; write one on each line"),
    ],
)
def test_templates_that_can_not_be_filled_are_refused_by_line(text: str, sentence: str) -> None:
    with pytest.raises(Refused) as refusal:
        prompts.templates_of(text, "t.txt")
    assert refusal.value.reasons[0].startswith(sentence)


def test_a_missing_field_is_refused_by_row() -> None:
    templates = prompts.templates_of("{object} and {other}\n{object}", "t.txt")
    items = [(1, "i1", {"object": "cat", "other": "dog"}), (2, "i2", {"object": "cat"})]
    with pytest.raises(Refused) as refusal:
        prompts.refuse_missing_fields(templates, items, [], "the items")
    assert list(refusal.value.reasons) == ["the items, row 2, item i2 has no {other}, which template 1 uses."]


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(Refused, match="viphy-sizes-zero-shot"):
        prompts.load("nothing")


@pytest.mark.parametrize("name", prompts.names())
def test_every_set_of_templates_that_is_shipped_can_be_read(name: str) -> None:
    assert all(template.fields for template in prompts.load(name))
