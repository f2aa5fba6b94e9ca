from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from agreement.errors import Refused
from agreement.files.numbers import Scale, decimal_of, parse_scale
from agreement.judgments.judgments_file import Judgments, read_judgments
from agreement.judgments.repeated_judgments import RepeatCounts
from agreement.kinds.answers import Properties


def read(tmp_path: Path, text: str, items: str | None = None, **options: object) -> Judgments:
    path = tmp_path / "judgments.csv"
    path.write_text(text, encoding="utf-8")
    items_path = None
    if items is not None:
        items_path = tmp_path / "items.csv"
        items_path.write_text(items, encoding="utf-8")
    return read_judgments(path, items_path=items_path, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["50", "60"], "slider"),
        (["50", "6O"], "slider"),
        (["red", "blue"], "choice"),
        (["red|blue", "blue"], "choices"),
        (["true", "false"], "verify"),
    ],
)
def test_the_kind_is_found_from_the_answers(tmp_path: Path, values: list[str], kind: str) -> None:
    text = "worker_id,item_id,value\n" + "".join(f"w{row},a,{value}\n" for row, value in enumerate(values))
    if "6O" in values:  # a slip of the finger among numbers is a bad cell, not a reason to call them all labels
        with pytest.raises(Refused, match="'6O' is not a number from 0 to 100"):
            read(tmp_path, text)
    else:
        assert read(tmp_path, text).kind == kind


def test_decimal_commas_are_bad_numbers_and_no_labels(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        read(tmp_path, 'worker_id,item_id,value\nw1,a,"57,5"\nw2,a,"60,25"\nw3,a,much\n')

    advice = "; write decimals with a point and thousands without a comma."
    assert list(refused.value.reasons) == [
        f"judgments.csv, row 2, column value: '57,5' is not a number from 0 to 100{advice}",
        f"judgments.csv, row 3, column value: '60,25' is not a number from 0 to 100{advice}",
        "judgments.csv, row 4, column value: 'much' is not a number from 0 to 100.",
    ]


def test_sliders_are_read_by_column(tmp_path: Path) -> None:
    found = read(tmp_path, "worker_id,item_id,v:red,v:blue\nw1,a,0,4\nw2,a,5,2.5\n", scale=parse_scale("0:5"))

    assert found.kind == "sliders"
    assert found.labels == ("blue", "red")
    assert np.asarray(found.answers).tolist() == [[4, 0], [2.5, 5]]


def test_labels_are_sorted_unless_an_order_is_given(tmp_path: Path) -> None:
    text = "worker_id,item_id,value\nw1,a,small\nw2,a,large\n"

    assert read(tmp_path, text).labels == ("large", "small")
    assert read(tmp_path, text, labels=["small", "large", "same"]).labels == ("small", "large", "same")


def test_labels_of_a_kind_without_labels_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="--labels is for choices among labels, and kind slider has none"):
        read(tmp_path, "worker_id,item_id,value\nw1,a,50\nw2,a,60\n", labels=("50", "60"))


def test_choices_become_rows_of_flags(tmp_path: Path) -> None:
    found = read(tmp_path, "worker_id,item_id,value\nw1,a,red| blue\nw2,a,green\n")

    assert found.labels == ("blue", "green", "red")
    assert np.asarray(found.answers).tolist() == [[True, False, True], [False, True, False]]


def test_properties_may_hold_a_bar(tmp_path: Path) -> None:
    found = read(tmp_path, "worker_id,item_id,value\nw1,a,is green|a\\|b|is green\nw2,a,\nw3,a,is green\n", kind="list")

    assert isinstance(found.answers, Properties)
    assert [found.answers.of(j) for j in range(3)] == [["is green", "a|b"], [], ["is green"]]
    assert [found.answers.at(np.array([2, 0])).of(j) for j in range(2)] == [["is green"], ["is green", "a|b"]]
    assert found.answers.take(np.array([False, True, True])).of(1) == ["is green"]


def test_items_come_from_the_judgments_where_there_is_no_file(tmp_path: Path) -> None:
    rows = ["w1,b,95,self,90,x,phone", "w1,a,50,,,y,phone", "w2,a,40,,,y,laptop"]
    found = read(tmp_path, "\n".join(["worker_id,item_id,value,check,min,left,device", *rows]))

    assert found.items.frame["item_id"].tolist() == ["a", "b"]
    assert found.items.frame["kind"].tolist() == ["target", "check"]
    assert found.items.frame["min"].tolist() == [None, Decimal(90)]
    assert found.items.frame["left"].tolist() == ["y", "x"]
    assert "device" not in found.items.frame
    assert found.item.tolist() == [1, 0, 0]


def test_items_keep_the_order_and_fields_of_their_file(tmp_path: Path) -> None:
    found = read(tmp_path, "worker_id,item_id,value\nw1,a,50\n", items="item_id,scene\nb,kitchen\na,office\n")

    assert found.items.frame["item_id"].tolist() == ["b", "a"]
    assert found.items.frame["scene"].tolist() == ["kitchen", "office"]
    assert found.item.tolist() == [1]


def test_a_mean_of_labels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="--repeats mean needs numbers"):
        read(tmp_path, "worker_id,item_id,value\nw1,a,red\nw1,a,blue\n", repeats="mean")


def test_repeats_of_sliders_are_averaged_by_label(tmp_path: Path) -> None:
    text = "worker_id,item_id,v:x,v:y\nw1,a,0,10\nw2,a,50,50\nw1,a,20,40\n"
    found = read(tmp_path, text, repeats="mean")

    assert np.asarray(found.answers).tolist() == [[10, 25], [50, 50]]
    assert found.repeated == RepeatCounts(1, "row")


@pytest.mark.parametrize("text", ["4.6", " 4.60", "46e-1", "+4.6", "4.6e0"])
def test_numbers_are_read_as_decimals(text: str) -> None:
    assert decimal_of(text) == Decimal("4.6")


@pytest.mark.parametrize("text", ["5:1", "1", "1:1", "a:b", "0:inf", ""])
def test_a_scale_is_two_numbers_in_order(text: str) -> None:
    with pytest.raises(Refused, match="is not two numbers A:B with A below B"):
        parse_scale(text)


def test_bounds_are_exact_where_floating_point_is_not() -> None:
    scale = parse_scale("1:5")

    assert (4.6 - 1) / 4 * 100 < 90  # the trap
    assert scale.raw(Decimal(90)) == Decimal("4.6")
    assert Scale(Decimal("0.1"), Decimal("0.4")).raw(Decimal(60)) == Decimal("0.28")


OF_TWO_QUESTIONS = (
    "worker_id,item_id,value,question\n"
    "w1,a,50,fluency\nw1,c,90,fluency\nw1,d,12,fluency\nw1,a,yes,sure\nw1,c,no,sure\nw1,d,yes,sure\n"
)
CHECKS_OF_TWO = "item_id,check,check_question,expected,min\na,,,,\nc,seen,fluency,,80\nd,known,sure,yes,\n"


def test_checks_of_other_questions_are_none_of_this_one(tmp_path: Path) -> None:
    fluency = read(tmp_path, OF_TWO_QUESTIONS, CHECKS_OF_TWO, question="fluency")
    sure = read(tmp_path, OF_TWO_QUESTIONS, CHECKS_OF_TWO, question="sure", kind="choice")

    assert (fluency.kind, fluency.items.frame["item_id"].tolist(), len(fluency.table)) == ("slider", ["a", "c"], 2)
    assert (sure.labels, sure.items.frame["item_id"].tolist(), sure.checks_elsewhere) == (
        ("yes",),
        ["a", "d"],
        {"seen"},
    )
    assert "check_question" not in fluency.items.frame
    assert not any("check_question" in notice for notice in fluency.notices)
    [note] = fluency.left_out.notes
    assert note == "Without 1 item of other questions' checks, and 1 answer to them."


def test_a_check_of_several_questions_names_one_of_them(tmp_path: Path) -> None:
    items = CHECKS_OF_TWO.replace("fluency", "").replace("known,sure", "known,surely")
    with pytest.raises(Refused) as refused:
        read(tmp_path, OF_TWO_QUESTIONS, items, question="fluency")

    offered = "name one of fluency, sure"
    assert list(refused.value.reasons) == [
        f"items.csv, row 3, column check_question: which question it is about is not said; {offered}.",
        f"items.csv, row 4, column check_question: 'surely' is no question of the judgments; {offered}.",
    ]


def test_without_questions_a_column_of_that_name_is_the_items_own(tmp_path: Path) -> None:
    found = read(tmp_path, "worker_id,item_id,value\nw1,a,50\nw2,a,40\n", "item_id,check_question\na,x\n")

    assert found.items.frame["check_question"].tolist() == ["x"]
