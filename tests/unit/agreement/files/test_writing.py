from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.files.table import encode
from agreement.files.writing import csv_cell, csv_chunks, escape_formula, unescape_formula


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-x", "'-x"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'\tx"),
        ("\rx", "'\rx"),
        ("'=1", "''=1"),
        ("'tis", "'tis"),
        ("green", "green"),
        ("", ""),
        ("-5", "-5"),
        ("-0.25", "-0.25"),
        ("-1e-05", "-1e-05"),
    ],
)
def test_escaping_is_what_formats_md_promises(text: str, cell: str) -> None:
    assert escape_formula(text) == cell
    assert unescape_formula(cell) == text


@given(st.text(alphabet="'=+-@\t\r\n\"|,a1 ", max_size=8) | st.text(max_size=8))
def test_any_text_comes_back_as_it_was(text: str) -> None:
    assert unescape_formula(escape_formula(text)) == text


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), min_size=1))
def test_an_ordinary_reader_sees_no_formula_and_ours_sees_the_text(texts: list[str]) -> None:
    column = encode(texts, len(texts))
    written = b"".join(csv_chunks({"id": encode(map(str, range(len(texts))), len(texts)), "text": column})).decode()

    _, *rows = csv.reader(io.StringIO(written, newline=""))
    cells = [row[1] for row in rows]
    assert [unescape_formula(cell) for cell in cells] == texts
    assert not any(cell.startswith(("=", "+", "@", "\t", "\r")) for cell in cells)


def test_quotes_are_those_of_rfc_4180() -> None:
    assert csv_cell('say "hi", twice') == '"say ""hi"", twice"'
    assert csv_cell("two\nlines") == '"two\nlines"'


def test_a_column_of_one_blank_cell_is_no_blank_line() -> None:
    assert b"".join(csv_chunks({"note": encode(["", "x"], 2)})) == b'note\n""\nx\n'
