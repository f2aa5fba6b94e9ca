"""Everything that is refused: exit 1, every offending row by file, row, column and limit, and nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.agreement.analyse_file.command import crossed, refused, write_rows

HEADER = "worker_id,item_id,value"


def of(tmp_path: Path, rows: list[str], *options: str, header: str = HEADER, name: str = "judgments.csv") -> list[str]:
    return refused(write_rows(tmp_path / name, header, rows), tmp_path / "out", *options)


def test_missing_columns_are_named(tmp_path: Path) -> None:
    reasons = of(tmp_path, ["w1,50"], header="worker,value")

    assert len(reasons) == 3
    assert "judgments.csv: the column worker_id is missing" in reasons[0]
    assert "the column item_id is missing" in reasons[1]
    assert reasons[2] == (
        "judgments.csv: it has the columns worker, value; type --worker worker --item COLUMN --value value"
    )


@pytest.mark.parametrize("content", [b"", b"\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "judgments.csv"
    path.write_bytes(content)

    assert refused(path, tmp_path / "out") == ["judgments.csv: the file is empty; its first row must name the columns"]


def test_a_header_without_rows_is_refused(tmp_path: Path) -> None:
    assert of(tmp_path, []) == ["judgments.csv: it has no judgments"]


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    (reason,) = refused(tmp_path / "nowhere.csv", tmp_path / "out")

    assert reason == "nowhere.csv: can't be read (No such file or directory)"


def test_values_off_the_scale_are_all_named(tmp_path: Path) -> None:
    rows = ["w1,a,50", "w1,b,101", "w2,a,-1", "w2,b,100", "w3,a,1e3"]

    assert of(tmp_path, rows) == [
        "judgments.csv, row 3, column value: '101' is not a number from 0 to 100.",
        "judgments.csv, row 4, column value: '-1' is not a number from 0 to 100.",
        "judgments.csv, row 6, column value: '1e3' is not a number from 0 to 100.",
    ]


def test_a_stated_scale_is_the_limit_that_is_named(tmp_path: Path) -> None:
    reasons = of(tmp_path, ["w1,a,0.99", "w2,a,5", "w3,a,5.01"], "--scale", "1:5")

    assert reasons == [
        "judgments.csv, row 2, column value: '0.99' is not a number from 1 to 5.",
        "judgments.csv, row 4, column value: '5.01' is not a number from 1 to 5.",
    ]


@pytest.mark.parametrize("value", ["nan", "NaN", "inf", "-Infinity", "1_0", "٥", "0x1F", "fifty"])
def test_what_is_no_number_is_named(tmp_path: Path, value: str) -> None:
    reasons = of(tmp_path, ["w1,a,50", f"w2,a,{value}", "w3,a,60"])

    assert reasons == [f"judgments.csv, row 3, column value: {value!r} is not a number from 0 to 100."]


def test_a_cell_without_an_answer_is_named_with_the_option_to_type(tmp_path: Path) -> None:
    reasons = of(tmp_path, ["w1,a,50", "w2,a,", "w3,a,60"])

    assert reasons == [
        "judgments.csv: 1 cell has no answer; --missing skip leaves such cells out and counts them",
        "judgments.csv, row 3, column value: '' is not a number from 0 to 100.",
    ]


def test_numbers_up_to_ten_without_a_scale_are_refused_with_the_option_to_type(tmp_path: Path) -> None:
    (reason,) = of(tmp_path, ["w1,a,1", "w2,a,5", "w3,a,10"])

    assert "the largest number is 10, and a scale is guessed only above 10" in reason
    assert "--scale=0:10" in reason
    assert "--scale 0:100" in reason


def test_unknown_labels_are_all_named(tmp_path: Path) -> None:
    reasons = of(tmp_path, ["w1,a,red", "w2,a,bleu", "w3,a,blue", "w4,a,Red"], "--labels", "red|blue")

    assert reasons == [
        "judgments.csv, row 3, column value: 'bleu' is not one of the labels 'red', 'blue'.",
        "judgments.csv, row 5, column value: 'Red' is not one of the labels 'red', 'blue'.",
    ]


def test_a_bar_in_a_label_is_refused(tmp_path: Path) -> None:
    reasons = of(tmp_path, ["w1,a,red", "w2,a,red|blue"], "--kind", "choice")

    assert reasons == [
        "judgments.csv, row 3, column value: 'red|blue' holds a |, which separates labels (kind choices takes several)."
    ]


def test_a_worker_twice_on_an_item_is_refused_in_every_row(tmp_path: Path) -> None:
    reasons = of(tmp_path, ["w1,a,50", "w2,a,50", "w1,a,60", "w1,a,70"])

    assert [reason.split(";")[0] for reason in reasons] == [
        "judgments.csv, row 4, column worker_id: 'w1' judges 'a' in row 2 too",
        "judgments.csv, row 5, column worker_id: 'w1' judges 'a' in row 2 too",
    ]
    assert "--repeats first, last, mean or keep" in reasons[0]


def test_bytes_of_another_encoding_are_named_by_row_and_column(tmp_path: Path) -> None:
    path = tmp_path / "judgments.csv"
    path.write_bytes("worker_id,item_id,value\nw1,a,50\nw2,café,50\nw3,naïve,50\n".encode("latin-1"))

    reasons = refused(path, tmp_path / "out")

    assert [reason.split(":")[0] for reason in reasons] == [
        "judgments.csv, row 3, column item_id",
        "judgments.csv, row 4, column item_id",
    ]
    assert all("not UTF-8" in reason for reason in reasons)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("worker_id,item_id,value\nw1,a,50\n".encode("utf-16"), "UTF-16"),
        (b"PK\x03\x04rest of a spreadsheet", "spreadsheet"),
        (b"\x1f\x8bcompressed", "gzip"),
    ],
)
def test_files_of_another_kind_are_told(tmp_path: Path, content: bytes, what: str) -> None:
    path = tmp_path / "judgments.csv"
    path.write_bytes(content)

    (reason,) = refused(path, tmp_path / "out")
    assert what in reason


def test_a_nul_byte_is_named(tmp_path: Path) -> None:
    path = tmp_path / "judgments.csv"
    path.write_bytes(b"worker_id,item_id,value\nw1,a,50\nw\x002,a,50\n")

    (reason,) = refused(path, tmp_path / "out")
    assert reason.startswith("judgments.csv, row 3, column worker_id: 'w\\x002' holds a NUL")


def test_malformed_rows_and_bad_values_are_named_together(tmp_path: Path) -> None:
    rows = ["w1,a,50", "w2,a", "w3,a,50,extra", 'w4,a,"5"0', "w5,a,200"]

    reasons = of(tmp_path, rows)

    assert [reason.split(", ")[1].split(":")[0] for reason in reasons] == ["row 3", "row 4", "row 5", "row 6"]
    assert "2 cells where the header names 3 columns" in reasons[0]
    assert "4 cells where the header names 3 columns" in reasons[1]
    assert "RFC 4180" in reasons[2]
    assert "'200' is not a number from 0 to 100" in reasons[3]


def test_a_quote_left_open_is_told(tmp_path: Path) -> None:
    (reason,) = of(tmp_path, ["w1,a,50", 'w2,a,"50', "w3,a,50"])

    assert reason == "judgments.csv, row 3, a quote is opened and never closed."


def test_columns_without_or_with_the_same_name_are_refused(tmp_path: Path) -> None:
    reasons = of(tmp_path, ["1,w1,a,50,5"], header=",worker_id,item_id,value,value")

    assert reasons == [
        "judgments.csv, row 1, column 1 has no name; give it one, or delete it if it is empty or counts rows.",
        "judgments.csv, row 1, column 5: the name 'value' occurs twice.",
    ]


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("sep=,", "'sep=' is a line that only Excel reads; delete it, and separate the cells by commas"),
        (
            "[",
            (
                "it looks like JSON, which is read from a file whose name ends in .json, or in .jsonl where it has one"
                " object per line"
            ),
        ),
    ],
)
def test_a_first_row_that_names_no_columns_is_told_for_what_it_is(tmp_path: Path, header: str, said: str) -> None:
    assert of(tmp_path, ["w1;a;50"], header=header) == [f"judgments.csv, row 1, {said}."]


def test_ids_and_labels_that_only_look_the_same_are_named(tmp_path: Path) -> None:
    reasons = of(tmp_path, ["Jos\u00e9,a,caf\u00e9", "Jose\u0301,a,cafe\u0301", "eve,a,no", "eve,a ,no "])

    advice = "look the same; write them in the same way."
    assert reasons == [
        f"judgments.csv, row 3, column worker_id: 'Jose\\u0301' and 'Jos\\xe9' {advice}",
        f"judgments.csv, row 3, column value: 'cafe\\u0301' and 'caf\\xe9' {advice}",
        f"judgments.csv, row 5, column item_id: 'a ' and 'a' {advice}",
    ]


def test_blank_ids_and_blank_labels_are_named(tmp_path: Path) -> None:
    reasons = of(tmp_path, [",a,red", "w2,,red", "w3,a,"])

    assert [reason.partition(": ")[0] for reason in reasons] == [
        "judgments.csv",
        "judgments.csv, row 2, column worker_id",
        "judgments.csv, row 3, column item_id",
        "judgments.csv, row 4, column value",
    ]


def test_response_times_that_are_no_times_are_named(tmp_path: Path) -> None:
    reasons = of(tmp_path, ["w1,a,50,soon", "w2,a,50,-5", "w3,a,50,", "w4,a,50,1200"], header=HEADER + ",response_ms")

    assert reasons == [
        "judgments.csv, row 2, column response_ms: 'soon' is not a number of 0 or more.",
        "judgments.csv, row 3, column response_ms: '-5' is not a number of 0 or more.",
    ]


def test_every_bad_item_is_named_beside_every_bad_judgment(tmp_path: Path) -> None:
    items = write_rows(
        tmp_path / "items.csv",
        "item_id,kind,check,min,max",
        ["a,,,,", "a,,,,", "b,chek,,,", "c,check,self,ninety,", "d,check,self,90,101", "e,check,x,60,40", "f,check,,,"],
    )

    reasons = of(tmp_path, ["w1,a,50", "w1,nowhere,50", "w2,a,500"], "--items", str(items))

    assert [reason.partition(":")[0] for reason in reasons] == [
        "items.csv, row 3, column item_id",
        "items.csv, row 4, column kind",
        "items.csv, row 5, column min",
        "items.csv, row 6, column max",
        "items.csv, row 7, column min",
        "items.csv, row 8, column check",
        "judgments.csv, row 3, column item_id",
        "judgments.csv, row 4, column value",
    ]
    assert "'ninety' is not a number from 0 to 100" in reasons[2]
    assert "'nowhere' is not an item of items.csv" in reasons[6]


def test_what_both_files_say_of_an_item_must_be_the_same(tmp_path: Path) -> None:
    items = write_rows(tmp_path / "items.csv", "item_id,kind,check,min,left", ["a,,,,boy", "b,check,self,90,lad"])
    rows = ["w1,a,50,target,,,boy", "w1,b,95,check,self,90.0,lad", "w2,a,50,practice,,,boy", "w2,b,95,check,self,91,x"]

    reasons = of(tmp_path, rows, "--items", str(items), header=HEADER + ",kind,check,min,left")

    assert [reason.partition(":")[0] for reason in reasons] == [
        "judgments.csv, row 4, column kind",
        "judgments.csv, row 5, column min",
        "judgments.csv, row 5, column left",
    ]


def test_an_item_described_in_two_ways_is_named(tmp_path: Path) -> None:
    (reason,) = of(tmp_path, ["w1,a,50,boy", "w2,a,50,girl"], header=HEADER + ",left")

    assert reason == ("judgments.csv, row 3, column left: 'girl' differs from 'boy' in row 2, which is the same item.")


def test_an_expected_label_that_nobody_gives_is_named(tmp_path: Path) -> None:
    items = write_rows(tmp_path / "items.csv", "item_id,kind,check,expected", ["a,,,", "b,check,known,gren"])

    (reason,) = of(tmp_path, ["w1,a,green", "w1,b,green", "w2,a,red"], "--items", str(items))
    assert reason.startswith("items.csv, row 3, column expected: 'gren' is not among the answers' labels")


def test_right_answer_of_an_item_that_is_no_check_is_named(tmp_path: Path) -> None:
    """Whoever forgets the column check would have their checks in the gold."""
    items = write_rows(
        tmp_path / "items.csv", "item_id,min,max,kind", ["a,,,", "b,80,,", "c,,20,target", "d,90,,practice"]
    )

    reasons = of(tmp_path, ["w1,a,50", "w1,b,95"], "--items", str(items))

    assert [reason.partition(",")[2].partition(";")[0] for reason in reasons] == [
        " row 3, column min: '80' is a right answer, but the item is not a check",
        " row 4, column max: '20' is a right answer, but the item is not a check",
    ]


def test_blank_field_that_an_items_own_question_names_is_refused(tmp_path: Path) -> None:
    rows = ["a,How {sentence}?,The sea sang", "b,How {sentence}?,", "c,,", "d,Is {it} code?,x"]
    items = write_rows(tmp_path / "items.csv", "item_id,question,sentence", rows)

    reasons = of(tmp_path, ["w1,a,50", "w1,b,95"], "--items", str(items))

    assert reasons == ["items.csv, row 3, column sentence: '' is blank, but the question uses it."]


def test_different_items_that_are_not_there_are_no_repeats(tmp_path: Path) -> None:
    items = write_rows(tmp_path / "items.csv", "item_id", ["a", "b"])

    reasons = of(tmp_path, ["w1,x,50", "w1,y,95", "w2,z,5", "w1,b,5", "w2,z,7"], "--items", str(items))

    (again,) = [reason for reason in reasons if "--repeats" in reason]
    assert again.startswith("judgments.csv, row 6, column worker_id: 'w2' judges 'z' in row 4 too;")
    assert len([reason for reason in reasons if "is not an item of items.csv" in reason]) == 4


def test_a_line_without_end_is_refused_before_it_is_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "judgments.csv"
    with path.open("wb") as stream:
        stream.write(b"worker_id,item_id,value\n")
        stream.truncate(2 * 1024**3)  # two sparse gigabytes of NUL bytes and no line end

    (reason,) = refused(path, tmp_path / "out")
    assert "a line is longer than 1,048,576 bytes" in reason


def test_very_many_bad_rows_are_all_named(tmp_path: Path) -> None:
    reasons = of(tmp_path, [f"w{row},a,1000" for row in range(20_000)])

    assert len(reasons) == 20_000
    assert reasons[-1].startswith("judgments.csv, row 20001,")


def test_text_that_looks_like_too_many_labels_asks_for_the_kind(tmp_path: Path) -> None:
    (reason,) = of(tmp_path, [f"w{n},a,caption {n}" for n in range(150)])

    assert "type --kind text, --kind list or --kind choice" in reason


def test_json_lines_are_refused_row_by_row(tmp_path: Path) -> None:
    path = tmp_path / "judgments.jsonl"
    lines = [
        '{"worker_id": "w1", "item_id": "a", "value": 50}',
        '{"worker_id": "w2", "item_id": "a", "value": NaN}',
        "not json",
        '{"worker_id": "w3", "item_id": "a", "value": 50, "value": 60}',
        '["w4", "a", 50]',
        '{"worker_id": "w5", "item_id": "a", "value": 300}',
    ]
    path.write_text("\n".join(lines), encoding="utf-8")

    reasons = refused(path, tmp_path / "out")
    assert [reason.split(", ")[1].split(":")[0] for reason in reasons] == [f"row {row}" for row in (2, 3, 4, 5, 6)]


def test_json_lines_without_a_row_that_can_be_read_are_not_said_to_lack_columns(tmp_path: Path) -> None:
    path, items = tmp_path / "judgments.jsonl", tmp_path / "items.jsonl"
    path.write_text('{"worker_id": "w1", "item_id": "a\\u0000", "value": 50}\n', encoding="utf-8")
    items.write_text('{"item_id": "a", "left": [{"x": 1}]}\n', encoding="utf-8")

    reasons = refused(path, tmp_path / "out", "--items", str(items))
    assert [reason.split(":")[0] for reason in reasons] == [
        "items.jsonl, row 1, column left",
        "judgments.jsonl, row 1, column item_id",
    ]


def test_a_rule_set_and_a_file_are_refused_together(tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text('name = "mine"\ncolour = 1\n[[rule]]\nkind = "vibes"\n', encoding="utf-8")

    reasons = of(tmp_path, ["w1,a,500"], "--rules", str(rules))

    assert len(reasons) == 3
    assert "unknown key 'colour'" in reasons[0]
    assert "unknown kind 'vibes'" in reasons[1]
    assert "'500' is not a number from 0 to 100" in reasons[2]


def test_a_folder_of_other_things_is_never_replaced(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.tex").write_text("years of work", encoding="utf-8")

    (reason,) = refused(write_rows(tmp_path / "j.csv", HEADER, crossed(3, 3)), out)
    assert "holds other things than an analysis (thesis.tex)" in reason
    assert (out / "thesis.tex").read_text(encoding="utf-8") == "years of work"
