"""Headers whose columns were joined: what was found, and what belongs between the cells."""

from pathlib import Path

import pytest

from agreement.errors import Refused
from agreement.files.column_mapping import ColumnMapping
from agreement.files.problems import Problems, refuse_if_any
from agreement.files.reading import read_table
from agreement.judgments.judgments_file import read_judgments


def reasons(tmp_path: Path, text: str, mapping: ColumnMapping | None = None) -> list[str]:
    path = tmp_path / "j.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Refused) as refused:
        read_judgments(path, kind="slider", mapping=mapping or ColumnMapping())
    return list(refused.value.reasons)


@pytest.mark.parametrize(
    ("header", "row", "found"),
    [
        ("worker_id,item_id;value", "a,x,1", "'item_id;value' is the names of 2 columns in one cell (item_id, value)"),
        ("worker_id item_id value", "a x 1", "'worker_id item_id value' is the names of 3 columns in one cell"),
        ("worker_id|item_id|value", "a|x|1", "'worker_id|item_id|value' is the names of 3 columns in one cell"),
        ("worker_id,item_idvalue", "a,x,1", "'item_idvalue' is the names of 2 columns in one cell (item_id, value)"),
        ('"worker_id;item_id;value"', '"a;x;1"', "'worker_id;item_id;value' is the names of 3 columns in one cell"),
        ('"worker_id,item_id,value"', "a,x,1", "'worker_id,item_id,value' is the names of 3 columns in one cell"),
        ("worker_id;item_id;value;my, note", "a;x;1;k", "'worker_id;item_id;value;my' is the names of 4 columns"),
        ("worker_id,item_id,value,min;max", "a,x,1,2", "'min;max' is the names of 2 columns in one cell (min, max)"),
    ],
)
def test_names_in_one_cell_are_refused_before_any_row(header: str, row: str, found: str, tmp_path: Path) -> None:
    [reason] = reasons(tmp_path, f"{header}\n{row}\n{row.replace('a', 'b')}\n")

    assert "row 1, column" in reason
    assert found in reason
    assert "one and the same separator, commas, semicolons or tabs, belongs between all cells" in reason


def test_a_column_of_two_names_is_refused_where_checks_would_go_unread(tmp_path: Path) -> None:
    [reason] = reasons(tmp_path, "worker_id,item_id,value,check;expected\na,x,1,c\nb,x,2,c\n")

    assert "'check;expected' is the names of 2 columns" in reason


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("worker_id;item_id;value\na,x,1\nb,x,2\n", "(worker_id, item_id, value), and every row has 1 cell; one and"),
        ("who,whatanswer\na,x,1\nb,x,2\n", "the header names 2 columns (who, whatanswer), and every row has 3 cells"),
        ("worker_id,item_id,value\n1,a,x,1\n2,b,x,2\n", "R's write.csv: row.names = FALSE"),
        ("worker_id,item_id,value\na,x,1,9,9\nb,x,2,9,9\n", "and every row has 5 cells; give each column its name"),
    ],
)
def test_a_header_that_fits_no_row_is_said_once(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    problems = Problems("t.csv")

    read_table(tmp_path / "t.csv", problems)

    assert len(problems) == 1
    assert problems[0].startswith("t.csv, row 1, the header names ")
    assert said in problems[0]


def test_other_peoples_names_in_one_cell_are_not_offered_as_a_column(tmp_path: Path) -> None:
    found = reasons(tmp_path, "participant;word;Rating,notes\na;x;1,p\nb;x;2,q\n")

    assert found[-1].startswith("j.csv: it has the columns participant;word;Rating, notes, and")
    assert "'participant;word;Rating' looks like 3 in one; one and the same separator" in found[-1]
    assert "--worker" not in found[-1]


def test_a_plain_name_with_a_mark_stays_a_column(tmp_path: Path) -> None:
    path = tmp_path / "j.csv"
    path.write_text('worker_id,item_id,value,"above; or over",item value\na,x,90,p,q\nb,x,80,p,q\n', encoding="utf-8")
    problems = Problems("j.csv")

    table = read_table(path, problems)

    refuse_if_any(problems)
    assert table is not None
    assert list(table.columns)[-2:] == ["above; or over", "item value"]
