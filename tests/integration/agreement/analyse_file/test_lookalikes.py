"""Labels and ids that look alike or were rounded, several labels in one cell, percent signs, and items apart."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.integration.agreement.analyse_file.command import analyse, refused, write_rows

HEADER = "worker_id,item_id,value"
ROWS = [(f"w{w}", f"i{i}", "yes" if (w + i) % 3 else "no") for i in range(12) for w in range(4)]
Row = tuple[str, str, str]


def a_file(tmp_path: Path, change: Callable[[int, Row], Row]) -> Path:
    return write_rows(tmp_path / "s.csv", HEADER, [",".join(change(at, row)) for at, row in enumerate(ROWS)])


def warned(path: Path, out: Path, *options: str) -> dict[str, str]:
    return {one["code"]: one["text"] for one in analyse(path, out, "--replicates", "20", *options)["warnings"]}


@pytest.mark.parametrize(
    ("hidden", "name"),
    [
        ("\u200b", "zero width space"),
        ("\u00ad", "soft hyphen"),
        ("\ufeff", "zero width no-break space"),
        ("\u2060", "word joiner"),
        ("\u200e", "left-to-right mark"),
        ("\u200d", "zero width joiner"),
    ],
)
@pytest.mark.parametrize("column", [0, 1, 2])
def test_texts_that_differ_by_what_nobody_sees_are_refused(column: int, hidden: str, name: str, tmp_path: Path) -> None:
    def change(at: int, row: Row) -> Row:
        changed = [*row]
        changed[column] += hidden if at % 5 == 2 else ""
        return changed[0], changed[1], changed[2]

    reasons = refused(a_file(tmp_path, change), tmp_path / "out")

    assert f"look the same ({name}); write them in the same way" in reasons[0]
    assert ascii(hidden)[1:-1] in reasons[0]


@pytest.mark.parametrize("space", ["\u00a0", "\u2007", "\u202f"])
def test_another_kind_of_space_makes_no_other_label(space: str, tmp_path: Path) -> None:
    path = a_file(
        tmp_path, lambda at, row: (*row[:2], row[2] if row[2] == "yes" else f"not{' ' if at % 2 else space}sure")
    )

    assert "look the same" in refused(path, tmp_path / "out")[0]


def test_a_label_among_several_that_looks_like_another_is_refused(tmp_path: Path) -> None:
    path = a_file(tmp_path, lambda at, row: (*row[:2], f"{row[2]}|may{chr(0xAD) if at % 7 == 3 else ''}be"))

    reasons = refused(path, tmp_path / "out")

    assert len(reasons) == 7
    assert reasons[0].endswith("'may\\xadbe' and 'maybe' look the same (soft hyphen); write them in the same way.")


@pytest.mark.parametrize("labels", [("❤️", "👨‍👩‍👧"), ("می‌خواهم", "نه"), ("sûr", "pas sûr\u00a0!")])
def test_signs_that_a_script_needs_are_neither_refused_nor_warned_of(labels: tuple[str, str], tmp_path: Path) -> None:
    path = a_file(tmp_path, lambda _, row: (*row[:2], labels[row[2] == "yes"]))

    assert "hidden-characters" not in warned(path, tmp_path / "out")


def test_a_label_that_always_holds_what_nobody_sees_is_warned_of(tmp_path: Path) -> None:
    path = a_file(tmp_path, lambda _, row: (*row[:2], "yes\u200b" if row[2] == "yes" else "no"))

    text = warned(path, tmp_path / "out")["hidden-characters"]

    assert text.startswith("The labels hold characters that can't be seen ('yes\\u200b', zero width space)")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda at, row: (row[0].upper() if at % 5 == 0 else row[0], *row[1:]), "Ids of workers that differ in"),
        (lambda at, row: (row[0], row[1].upper() if at % 5 == 0 else row[1], row[2]), "Ids of items that differ in"),
    ],
)
def test_ids_that_differ_in_capitals_alone_are_warned_of(
    change: Callable[[int, Row], Row], said: str, tmp_path: Path
) -> None:
    text = warned(a_file(tmp_path, change), tmp_path / "out")["ids-alike"]

    assert text.startswith(said)
    assert "more): if they mean the same, write them in one way." in text


@pytest.mark.parametrize(
    "ids", [("5.12345E+23", "5.12346E+23"), ("5,1E+23", "x"), ("123456789012345000", "123456789012346000")]
)
def test_ids_that_a_spreadsheet_rounded_are_warned_of(ids: tuple[str, str], tmp_path: Path) -> None:
    new = {"w0": f'"{ids[0]}"', "w1": ids[1]}
    found = warned(a_file(tmp_path, lambda _, row: (new.get(row[0], row[0]), *row[1:])), tmp_path / "out")

    assert f"look like numbers that a spreadsheet has rounded ({ids[0]}" in found["rounded-ids"]


@pytest.mark.parametrize(
    "ids",
    [
        ("123456789012345678", "123456789012346000"),
        ("60000000", "70000000"),
        ("5e1234567890123456789012", "5e1234567890123456789013"),
    ],
)
def test_ids_that_are_whole_are_not_warned_of(ids: tuple[str, str], tmp_path: Path) -> None:
    new = {"w0": ids[0], "w1": ids[1]}
    found = warned(a_file(tmp_path, lambda _, row: (new.get(row[0], row[0]), *row[1:])), tmp_path / "out")

    assert "rounded-ids" not in found


@pytest.mark.parametrize("several", ['"yes, no"', "yes;no", "no / yes", "yes and no", "no+yes"])
def test_several_labels_in_one_cell_are_warned_of(several: str, tmp_path: Path) -> None:
    path = a_file(tmp_path, lambda at, row: (*row[:2], several if at % 8 == 0 else row[2]))
    plain = several.strip('"')

    text = warned(path, tmp_path / "out", "--kind", "choice")["several-in-one"]

    assert text.startswith(f"The label {plain!r} looks like several of the others in one answer")
    assert "(6 judgments)" in text


def test_a_label_with_an_and_of_its_own_is_no_several(tmp_path: Path) -> None:
    path = a_file(tmp_path, lambda _, row: (*row[:2], "black and white" if row[2] == "yes" else "grey"))

    assert "several-in-one" not in warned(path, tmp_path / "out")


@pytest.mark.parametrize("sign", ["%", " %", "％"])
def test_percent_signs_are_refused_and_not_taken_for_labels(sign: str, tmp_path: Path) -> None:
    rows = [f"w{w},i{i},{7 * i}{sign}" for i in range(12) for w in range(4)]

    reasons = refused(write_rows(tmp_path / "s.csv", HEADER, rows), tmp_path / "out")

    assert len(reasons) == 48
    assert reasons[0].endswith("delete the percent sign, or type --kind choice if these are labels.")


def test_items_that_share_no_worker_are_warned_of(tmp_path: Path) -> None:
    rows = [f"w{w},i{i},{7 * i + w}" for i in range(12) for w in range(6) if w % 3 == i // 5]
    joined = [*rows, "w0,i11,50", "w1,i11,60"]

    apart = warned(write_rows(tmp_path / "s.csv", HEADER, rows), tmp_path / "out")["items-apart"]
    together = warned(write_rows(tmp_path / "t.csv", HEADER, joined), tmp_path / "together")

    assert apart.startswith("The items fall into 3 sets that no worker judged in common (of sizes 5, 5 and 2)")
    assert "items-apart" not in together
