"""Traps in items.csv: described in columns of their own, judged by their own right answer, and shown to nobody."""

from pathlib import Path

import pytest

from agreement.errors import Refused
from agreement.files.items_file import parse_items, read_items_table
from agreement.files.problems import Problems, refuse_if_any
from agreement.files.question_fields import word
from agreement.files.trap_columns import TRAP_COLUMNS, Trap, traps_of

HEADER = "item_id,kind,check,expected,trap_version,trap_date,trap_models,trap_passed\n"


def items_of(folder: Path, *rows: str) -> object:
    path = folder / "items.csv"
    path.write_text(HEADER + "".join(f"{row}\n" for row in rows))
    problems = Problems(path.name)
    table = read_items_table(path, problems)
    assert table is not None
    items = parse_items(table, problems)
    refuse_if_any(problems)
    assert items is not None
    return items.frame


def test_a_trap_is_read_with_what_is_known_of_it(tmp_path: Path) -> None:
    frame = items_of(tmp_path, "a,,,,,,,", "t,,trap,red,2,2026-11-20,model one|model two,97.5")
    assert traps_of(frame) == (Trap("t", "2", "2026-11-20", ("model one", "model two"), "97.5"),)  # type: ignore[arg-type]


def test_what_is_known_may_be_little(tmp_path: Path) -> None:
    [trap] = traps_of(items_of(tmp_path, "t,,trap,red,,,,"))  # type: ignore[arg-type]
    assert str(trap) == "t (tried on no model that is named)"


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (
            "t,,trap,,1,,,",
            "column check: names a trap, which needs a right answer of its own: fill in expected, min or max",
        ),
        ("t,,other,red,1,,,", "column trap_version: '1' describes a trap, but the item's check is not called trap"),
        (
            "t,,,,,2026-11-20,,",
            "column trap_date: '2026-11-20' describes a trap, but the item's check is not called trap",
        ),
        ("t,,trap,red,,20.11.2026,,", "column trap_date: '20.11.2026' is not a day such as 2026-11-20"),
        ("t,,trap,red,,2026-02-30,,", "column trap_date: '2026-02-30' is not a day such as 2026-11-20"),
        ("t,,trap,red,,,a||b,", "column trap_models: 'a||b' has nothing on one side of a |"),
        ("t,,trap,red,,,,101", "column trap_passed: '101' is not a number from 0 to 100 (per cent of people who pass)"),
        (
            "t,,trap,red,,,,most",
            "column trap_passed: 'most' is not a number from 0 to 100 (per cent of people who pass)",
        ),
    ],
)
def test_what_can_not_be_is_named_by_row(row: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refusal:
        items_of(tmp_path, "a,,,,,,,", row)
    assert list(refusal.value.reasons) == [f"items.csv, row 3, {sentence}."]


def test_no_question_is_ever_filled_with_it() -> None:
    fields = dict.fromkeys(TRAP_COLUMNS, "secret") | {"thing": "fern"}
    for name in TRAP_COLUMNS:
        assert str(word(f"What of {{thing}} {{{name}}}?", fields)) == f"What of fern {{{name}}}?"
