from collections.abc import Iterator

import pytest
from django.utils import translation

from agreement.files.question_fields import word
from agreement.kinds.answers import Answer
from annotation.answering.kinds.form import BadAnswer, Facts, form_of, read_circumstances, read_number

PER_CENT = Facts(low=0, high=100)


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """Whatever language the test before has left active."""
    with translation.override("en"):
        yield


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0.0), ("100", 100.0), ("12,5", 12.5), ("٤٢", 42.0), ("٤٫٥", 4.5), ("-0", 0.0), (" 7 ", 7.0)],
)
def test_number_is_read_as_people_write_it(text: str, number: float) -> None:
    assert read_number(text.strip(), PER_CENT, "number") == number
    assert str(read_number(text.strip(), PER_CENT, "number"))[0] != "-"


def test_number_outside_the_scale_names_the_scale() -> None:
    with pytest.raises(BadAnswer, match=r"from 1 to 4\.6"):
        read_number("5", Facts(low=1, high=4.6), "number")


def test_untouched_lines_of_sliders_are_the_middle_only_where_they_start_there() -> None:
    fields = {"number:a": ["3"], "number:b": [""]}
    with pytest.raises(BadAnswer):
        form_of("sliders").read(fields, Facts(low=0, high=10, labels=("a", "b")))
    middle = Facts(low=0, high=10, labels=("a", "b"), starts_in_middle=True)
    assert form_of("sliders").read(fields, middle) == Answer(numbers={"a": 3.0, "b": 5.0})


def test_untouched_middle_needs_every_line_untouched() -> None:
    facts = Facts(low=0, high=10, labels=("a", "b"), starts_in_middle=True)
    answer = Answer(numbers={"a": 5.0, "b": 5.0})
    form = form_of("sliders")
    assert read_circumstances(form, {"number:a": [""], "number:b": [""]}, facts, answer).is_untouched_middle
    assert not read_circumstances(form, {"number:a": ["5"], "number:b": [""]}, facts, answer).is_untouched_middle


def test_question_without_a_line_has_no_untouched_middle() -> None:
    facts = Facts(labels=("a", "b"), starts_in_middle=True)  # the study's choice of a start, which no line shows
    answer = Answer(label="a")
    assert not read_circumstances(form_of("choice"), {"label": ["a"]}, facts, answer).is_untouched_middle


def test_choices_chosen_twice_count_once() -> None:
    facts = Facts(labels=("a", "b"))
    assert form_of("choices").read({"labels": ["b", "a", "b"]}, facts) == Answer(labels=["a", "b"])


def test_wording_leaves_names_alone_that_the_item_lacks() -> None:
    assert str(word("A {thing} of {nothing} {0} {a.b}", {"thing": "fern"})) == "A fern of {nothing} {0} {a.b}"


def test_wording_does_not_look_into_what_it_put_in() -> None:
    assert str(word("{left} {right}", {"left": "{right}", "right": "{left}"})) == "{right} {left}"


def test_wording_swaps_pair_named_in_the_question_too() -> None:
    wording = word("Is {left} like {right}?", {"left": "on", "right": "in"}, is_swapped=True)
    assert str(wording) == "Is in like on?"
    assert wording.pair == ()


def test_item_may_bring_its_own_question() -> None:
    wording = word("How similar?", {"question": "Move it all the way to the left."})
    assert str(wording) == "Move it all the way to the left."


def test_line_that_is_too_long_is_named_with_its_length() -> None:
    with pytest.raises(BadAnswer, match=r"Line 2 has 260 characters\. .* at most 200 per line\."):
        form_of("list").read({"properties": ["is green\r\n" + "x" * 260]}, Facts())


def test_line_end_of_a_form_without_script_counts_as_one_character() -> None:
    text = "\r\n".join(["x" * 49] * 100)  # 4,999 characters with one for each line's end
    assert form_of("text").read({"text": [text]}, Facts()).text == text.replace("\r\n", "\n")
