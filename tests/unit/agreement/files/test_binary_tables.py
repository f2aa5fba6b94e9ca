"""Excel's workbooks and Parquet files, read as a CSV of the same cells is."""

from __future__ import annotations

import datetime as dt
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import pandas as pd
import pytest

from agreement.files import binary_tables
from agreement.files.problems import Problems
from agreement.files.reading import read_table
from agreement.files.table import Table

Cell = str | float | None
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE_TYPE = "application/vnd.openxmlformats-package.relationships+xml"
SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
ROWS: list[list[Cell]] = [
    ["worker_id", "item_id", "value"],
    ["ann", "x", 4.0],
    ["bob", "x", 4.5],
    [None, None, None],
    ["cem", "y", 7],
]


def workbook(path: Path, sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> Path:
    """The least that Excel opens: texts inline, numbers as they are."""
    numbered = [*enumerate(sheets.items(), start=1)]
    names = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"/>' for n, (name, _) in numbered)
    types = _part("/xl/workbook.xml", "sheet.main") + "".join(
        _part(f"/xl/worksheets/sheet{n}.xml", "worksheet") for n, _ in numbered
    )
    xml = '<Default Extension="xml" ContentType="application/xml"/>'
    rels = f'<Default Extension="rels" ContentType="{PACKAGE_TYPE}"/>'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">{rels}{xml}{types}</Types>',
        "_rels/.rels": _links({"r1": ("officeDocument", "xl/workbook.xml")}),
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}"><sheets>{names}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _links({f"r{n}": ("worksheet", f"worksheets/sheet{n}.xml") for n, _ in numbered}),
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
        for n, (_, rows) in numbered:
            body = "".join(
                f'<row r="{r}">{"".join(_cell(cell, f"{chr(65 + c)}{r}") for c, cell in enumerate(row))}</row>'
                for r, row in enumerate(rows, start=1)
            )
            sheet = f'<worksheet xmlns="{MAIN}"><sheetData>{body}</sheetData></worksheet>'
            archive.writestr(f"xl/worksheets/sheet{n}.xml", sheet)
    return path


def _part(name: str, kind: str) -> str:
    return f'<Override PartName="{name}" ContentType="{SHEET}.{kind}+xml"/>'


def _links(links: Mapping[str, tuple[str, str]]) -> str:
    each = (f'<Relationship Id="{n}" Type="{RELATIONS}/{kind}" Target="{to}"/>' for n, (kind, to) in links.items())
    return f'<Relationships xmlns="{PACKAGE}/relationships">{"".join(each)}</Relationships>'


def _cell(cell: Cell, place: str) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return f'<c r="{place}" t="inlineStr"><is><t>{escape(cell)}</t></is></c>'
    return f'<c r="{place}"><v>{cell}</v></c>'


def cells_of(table: Table | None) -> dict[str, list[str]]:
    assert table is not None
    return {name: column.text().tolist() for name, column in table.columns.items()}


def read(path: Path, sheet: str = "") -> tuple[Table | None, list[str]]:
    problems = Problems(path.name)
    return read_table(path, problems, sheet=sheet), list(problems)


EXPECTED = {"worker_id": ["ann", "bob", "cem"], "item_id": ["x", "x", "y"], "value": ["4", "4.5", "7"]}


def test_a_workbook_is_read_with_the_rows_that_excel_shows(tmp_path: Path) -> None:
    table, problems = read(workbook(tmp_path / "j.xlsx", {"Answers": ROWS, "Notes": []}))
    assert not problems
    assert cells_of(table) == EXPECTED
    assert table is not None
    assert (table.rows.tolist(), table.empty_rows) == ([2, 3, 5], 1)


def test_of_several_sheets_one_is_named(tmp_path: Path) -> None:
    path = workbook(tmp_path / "j.xlsx", {"Pilot": [["a"], ["b"]], "Main": ROWS})
    assert read(path)[1] == ["j.xlsx: it has several sheets (Pilot, Main); say which: --sheet Pilot"]
    assert cells_of(read(path, "Main")[0]) == EXPECTED
    assert read(path, "main")[1] == ["j.xlsx: there is no sheet 'main'; it has Pilot, Main"]


def test_headers_of_a_workbook_are_held_to_the_same(tmp_path: Path) -> None:
    twice = workbook(tmp_path / "j.xlsx", {"A": [["worker_id", "value", "value"], ["a", 1, 2]]})
    assert read(twice)[1] == ["j.xlsx, row 1, column 3: the name 'value' occurs twice."]
    nameless = workbook(tmp_path / "n.xlsx", {"A": [["worker_id", None, "value"], ["a", 1, 2]]})
    assert "column 2 has no name" in read(nameless)[1][0]


def test_broken_and_huge_workbooks_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = workbook(tmp_path / "j.xlsx", {"A": ROWS})
    (tmp_path / "torn.xlsx").write_bytes(path.read_bytes()[:-300])
    (why,) = read(tmp_path / "torn.xlsx")[1]
    assert why.startswith("torn.xlsx: the file is a zip archive or a spreadsheet of another program than Excel; unpack")
    monkeypatch.setattr(binary_tables, "MOST_UNZIPPED", 100)
    assert "unpacked, the workbook is larger than" in read(path)[1][0]
    assert read(tmp_path / "none.csv")[1] == ["none.csv: can't be read (No such file or directory)"]
    (tmp_path / "j.csv").write_text("a\n1\n")
    assert read(tmp_path / "j.csv", "A")[1] == ["j.csv: --sheet A: only Excel's workbooks have sheets"]


@pytest.mark.parametrize(("extra", "name"), [("excel", "j.xlsx"), ("parquet", "j.parquet")])
def test_what_to_install_is_said(extra: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workbook(tmp_path / "j.xlsx", {"A": ROWS})
    pd.DataFrame({"a": [1]}).to_parquet(tmp_path / "j.parquet")
    monkeypatch.setattr(binary_tables, "missing_of", lambda _extra: ["a_package"])
    (why,) = read(tmp_path / name)[1]
    told = f"pip install 'touchstone-annotation[{extra}]'"
    assert why == f"{name}: reading it needs a_package, which isn't installed: {told}"


def test_parquet_gives_the_cells_of_the_csv(tmp_path: Path) -> None:
    frame = pd.DataFrame({
        "worker_id": ["ann", "bob"], "value": [4.0, None], "n": [3, 4], "sure": [True, None],
        "at": [dt.datetime(2026, 11, 20, 8, 30), None], "tags": [["a", "b"], []],
    })  # fmt: skip
    frame.to_parquet(tmp_path / "j.parquet")
    table, problems = read(tmp_path / "j.parquet")
    assert not problems
    assert cells_of(table) == {
        "worker_id": ["ann", "bob"], "value": ["4", ""], "n": ["3", "4"], "sure": ["true", ""],
        "at": ["2026-11-20T08:30:00", ""], "tags": ["a|b", ""],
    }  # fmt: skip
    assert table is not None
    assert table.columns["tags"].has_lists
    assert not table.columns["worker_id"].has_lists
