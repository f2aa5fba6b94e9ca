from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation

from agreement.files.question_fields import word
from agreement.kinds.answers import Answer, Offered, ShownLabel, points_of
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


NONE_ALONE = Facts(
    labels=("above", "below", "none"), shown=("above", "below", "none of these"), exclusive=frozenset({"none"})
)


@pytest.mark.parametrize(
    ("chosen", "fewest", "most", "refusal"),
    [
        (["above", "none"], None, None, "“none of these” can't be chosen together with other answers."),
        (["above"], 2, None, "Number of answers to choose: at least 2."),
        (["above", "below"], None, 1, "Number of answers to choose: exactly 1."),
        (["above", "below", "left"], 1, 2, "Number of answers to choose: at most 2."),
        (["above"], 2, 3, "Number of answers to choose: from 2 to 3."),
    ],
)
def test_a_set_outside_its_limits_is_refused(
    chosen: list[str], fewest: int | None, most: int | None, refusal: str
) -> None:
    facts = replace(NONE_ALONE, labels=(*NONE_ALONE.labels, "left"), fewest=fewest, most=most)
    with pytest.raises(BadAnswer) as refused:
        form_of("choices").read({"labels": chosen}, facts)
    assert (refused.value.field, refused.value.sentence) == ("labels", refusal)


@pytest.mark.parametrize(
    ("chosen", "fewest", "most"), [(["none"], 2, 3), (["above", "below"], 2, 2), (["above"], 1, 1)]
)
def test_a_set_within_its_limits_is_taken(chosen: list[str], fewest: int, most: int) -> None:
    facts = replace(NONE_ALONE, fewest=fewest, most=most)
    assert form_of("choices").read({"labels": chosen}, facts) == Answer(labels=chosen)


@pytest.mark.parametrize(
    ("values", "points", "keys"),
    [
        (range(11), [*map(str, range(11))], [*map(str, range(10)), ""]),
        (range(1, 13), [*map(str, range(1, 13))], [*map(str, range(1, 10)), "0", "", ""]),
        (range(-1, 2), ["-1", "0", "1"], ["", "0", "1"]),
        (("bad", "fair", "good"), ["1", "2", "3"], ["1", "2", "3"]),
        ((1, 3, 5), ["1", "2", "3"], ["1", "2", "3"]),
    ],
)
def test_a_points_value_number_and_key_are_three_things(values: Any, points: list[str], keys: list[str]) -> None:
    labels = tuple(
        ShownLabel(str(value), f"point {value}", "", point=point)
        for value, point in zip(values, points_of([str(value) for value in values]), strict=True)
    )
    shown: Any = form_of("choice").show(Offered(labels, ordered=True), {"label": [labels[-1].value]})
    assert [option.point for option in shown.options] == points
    assert [option.key for option in shown.options] == keys
    assert [option.value for option in shown.options] == [str(value) for value in values]
    assert [option.is_chosen for option in shown.options] == [False] * (len(labels) - 1) + [True]
