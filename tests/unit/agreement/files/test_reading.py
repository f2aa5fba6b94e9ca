from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.errors import Refused
from agreement.files import json_lines
from agreement.files.json_lines import MOST_COLUMNS
from agreement.files.problems import Problems, refuse_if_any
from agreement.files.reading import read_csv, read_table, without_empty_rows
from agreement.files.table import Table

CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6).filter(
    lambda text: not text.startswith("'")
)


def table_of(path: Path, content: bytes, name: str = "t.csv") -> Table:
    (path / name).write_bytes(content)
    problems = Problems(name)
    table = read_table(path / name, problems)
    refuse_if_any(problems)
    assert table is not None
    return table


def rows_of(table: Table) -> list[list[str]]:
    columns = [column.text().tolist() for column in table.columns.values()]
    return [list(row) for row in zip(*columns, strict=True)]


@given(rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=20))
def test_what_the_standard_library_writes_is_read(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]
) -> None:
    written = io.StringIO()
    csv.writer(written).writerows([("a", "b"), *rows])

    table = table_of(tmp_path_factory.mktemp("csv"), written.getvalue().encode())

    assert rows_of(table) == [list(row) for row in rows]
    assert table.rows.tolist() == list(range(2, len(rows) + 2))

    filled = [number for number, row in enumerate(rows, start=2) if any(cell.strip() for cell in row)]
    assert without_empty_rows(table).rows.tolist() == filled
    assert without_empty_rows(table).empty_rows == len(rows) - len(filled)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_is_one(tmp_path: Path, end: str) -> None:
    table = table_of(tmp_path, end.join(["a,b", "1,2", "3,4"]).encode())

    assert rows_of(table) == [["1", "2"], ["3", "4"]]


def test_blank_lines_are_skipped_and_counted(tmp_path: Path) -> None:
    table = table_of(tmp_path, b"a,b\n\n1,2\n\n\n3,4\n\n")

    assert rows_of(table) == [["1", "2"], ["3", "4"]]
    assert table.rows.tolist() == [3, 6]


def test_escapes_of_formulas_are_undone_and_equal_texts_share_a_code(tmp_path: Path) -> None:
    table = table_of(tmp_path, b"a\n'=1\n''=1\n=1\n'tis\n")

    assert rows_of(table) == [["=1"], ["'=1"], ["=1"], ["'tis"]]
    assert len(table.columns["a"].values) == 3


def test_json_lines_keep_numbers_as_they_were_written(tmp_path: Path) -> None:
    lines = b'{"a": 4.60, "b": ["x", "y|z"]}\n\n{"b": true, "c": null}\n'
    table = table_of(tmp_path, lines, name="t.jsonl")

    assert rows_of(table) == [["4.60", r"x|y\|z", ""], ["", "true", ""]]
    assert table.rows.tolist() == [1, 3]


def test_columns_are_sorted_without_what_no_row_holds(tmp_path: Path) -> None:
    column = table_of(tmp_path, b"a\nc\na\nb\na\n").columns["a"]

    taken = column.take(column.codes != column.codes[0]).sorted()

    assert taken.values == ["a", "b"]
    assert taken.codes.tolist() == [0, 1, 0]


def test_a_chunk_border_changes_nothing(tmp_path: Path) -> None:
    rows = [[str(row), f"v{row % 7}"] for row in range(1500)]
    table = table_of(tmp_path, ("a,b\n" + "\n".join(map(",".join, rows))).encode())

    assert rows_of(table) == rows


def test_a_row_too_long_beyond_the_first_chunk_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n" + "1,2\n" * 1200 + "1,2,3\n", encoding="utf-8")
    problems = Problems("t.csv")
    read_csv(tmp_path / "t.csv", problems)

    assert list(problems) == ["t.csv, row 1202, 3 cells where the header names 2 columns."]


def test_reasons_are_in_order_of_row_and_made_when_read() -> None:
    problems = Problems("t.csv")
    problems.row(9, "late")
    problems.row(3, "early")
    problems.whole("all of it")

    with pytest.raises(Refused) as refused:
        refuse_if_any(None, problems)
    assert list(refused.value.reasons) == ["t.csv: all of it", "t.csv, row 3, early.", "t.csv, row 9, late."]
    assert str(refused.value) == "t.csv: all of it (and 2 more)"
    assert problems[-1] == "t.csv, row 9, late."
    assert problems[1:] == ["t.csv, row 3, early.", "t.csv, row 9, late."]


def test_very_many_malformed_rows_are_named_in_order(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n" + "1\n1,2,3\n" * 50_000, encoding="utf-8")
    problems = Problems("t.csv")
    read_csv(tmp_path / "t.csv", problems)

    assert len(problems) == 100_000
    assert list(problems)[-2:] == [
        "t.csv, row 100000, 1 cell where the header names 2 columns.",
        "t.csv, row 100001, 3 cells where the header names 2 columns.",
    ]


def reasons_of(path: Path, content: str, name: str, most_columns: int = MOST_COLUMNS) -> list[str]:
    (path / name).write_text(content, encoding="utf-8")
    problems = Problems(name)
    assert read_table(path / name, problems, most_columns=most_columns) is None
    return list(problems)


def test_more_columns_than_a_table_has_are_refused_before_their_names_are_read(tmp_path: Path) -> None:
    header = ",".join(f"c{k}" for k in range(MOST_COLUMNS + 1))
    told = "t.csv, row 1, a file like this has at most 20,000 columns: this row names 20,001."
    assert reasons_of(tmp_path, f"{header}\n", "t.csv") == [told]


def test_json_lines_with_names_of_their_own_in_each_row_are_refused_on_the_way(tmp_path: Path) -> None:
    content = "".join(f'{{"item_id": "i{k}", "n{k}": "1"}}\n' for k in range(3_000))
    told = "a file like this has at most 1,000 columns: its first 1,024 rows have 1,025 different names"
    assert reasons_of(tmp_path, content, "t.jsonl", most_columns=1_000) == [f"t.jsonl: {told}"]


def test_json_lines_that_would_be_mostly_blank_cells_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = ", ".join(f'"c{k}": ""' for k in range(1_000))
    content = f"{{{wide}}}\n" + '{"a": 1}\n' * 1_100
    monkeypatch.setattr(json_lines, "MOST_LEFT_OUT", 1_000_000)
    (told,) = reasons_of(tmp_path, content, "t.jsonl")
    assert "its first 1,024 rows have 1,001 different names, and leave out 1,000,000 cells or more" in told


def test_a_name_in_a_later_row_has_blank_cells_before_it(tmp_path: Path) -> None:
    rows = [*(f'{{"a": {k}}}' for k in range(600)), '{"b": "x", "a": 1}']
    table = table_of(tmp_path, "\n".join(rows).encode(), "t.jsonl")
    assert rows_of(table) == [*([str(k), ""] for k in range(600)), ["1", "x"]]
