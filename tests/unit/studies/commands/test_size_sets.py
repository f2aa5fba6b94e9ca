"""Sizes: tables read and refused by row, what follows from them, subtypes, and the command that writes sets."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from agreement.errors import Refused
from studies.commands.make_size_sets import Relation, derived_from, draw, read_sizes, read_subtypes
from tests.integration.agreement.analyse_file.command import needs_shared_data, read_rows, shared, write_rows

HEADER = "object,other,reference"
# house > dog > flea, tree > dog, and dog > coin: house and tree are larger than flea and coin.
KNOWN = ["house,dog,larger", "dog,house,smaller", "flea,dog,smaller", "tree,dog,larger", "dog,coin,larger"]


def made(*given: object) -> dict[str, Any]:
    said = io.StringIO()
    call_command("make_size_sets", *map(str, given), "--json", stdout=said)
    answer: dict[str, Any] = json.loads(said.getvalue())
    return answer


def test_a_relation_is_one_whichever_way_it_is_written(tmp_path: Path) -> None:
    known = read_sizes(write_rows(tmp_path / "sizes.csv", HEADER, KNOWN))
    assert known == [
        Relation("house", "dog"), Relation("dog", "flea"), Relation("tree", "dog"), Relation("dog", "coin"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (["a,a,larger"], "sizes.csv, row 2, 'a' is compared with itself."),
        (["a,b,bigger"], "sizes.csv, row 2, the reference 'bigger' is neither smaller nor larger."),
        (["a,,larger"], "sizes.csv, row 2, object and other each need a name."),
        (["a,b,larger", "b,a,larger"], "sizes.csv, row 3, 'b' is larger than 'a', and row 2 says the opposite."),
    ],
)
def test_a_bad_row_is_refused(tmp_path: Path, rows: list[str], sentence: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_sizes(write_rows(tmp_path / "sizes.csv", HEADER, rows))
    assert list(refusal.value.reasons) == [sentence]


def test_what_is_known_and_what_contradicts_it_does_not_follow() -> None:
    cycle = [Relation("a", "b"), Relation("b", "c"), Relation("c", "a")]
    found = derived_from(cycle)
    assert (found.relations, found.chains, found.contradicting) == ((), 3, 3)


def test_pairs_that_follow_both_ways_are_dropped_and_counted() -> None:
    known = [Relation("a", "x"), Relation("x", "b"), Relation("b", "y"), Relation("y", "a")]
    found = derived_from(known)
    # a > x > b and b > y > a; x > b > y and y > a > x.
    assert (found.relations, found.both_ways) == ((), 4)


def test_more_pairs_than_follow_can_not_be_drawn() -> None:
    derived = derived_from([Relation("a", "b"), Relation("b", "c")])
    with pytest.raises(Refused, match="1 pairs follow from the table: draw 1 to 1 of them, not 2"):
        draw(derived, 2, seed=0)


def test_every_pair_of_a_set_stands_with_its_complement(tmp_path: Path) -> None:
    sizes = write_rows(tmp_path / "sizes.csv", HEADER, KNOWN)
    rows = ["dog,guide dog", "dog,lap dog", "tree,oak tree", "tree,bare tree", "house,tree house", "house,farm house"]
    subtypes = write_rows(tmp_path / "subtypes.csv", "object,subtype", rows)

    answer = made(sizes, "--out", tmp_path / "sets", "--subtypes", subtypes, "--seed", 1)

    assert answer["items"] == {"standard": 8, "transitive": 8, "subtype": 4}
    for name in answer["items"]:
        rows_of = read_rows(tmp_path / "sets" / f"{name}.csv")
        said = {(row["object"], row["other"]): row["reference"] for row in rows_of}
        assert len(said) == len(rows_of) == len({row["item_id"] for row in rows_of})
        opposite = {"smaller": "larger", "larger": "smaller"}
        assert all(said[pair[::-1]] == opposite[label] for pair, label in said.items())
    follow = {(row["object"], row["other"]) for row in read_rows(tmp_path / "sets" / "transitive.csv")}
    assert {("house", "flea"), ("tree", "coin")} < follow
    subtypes_used = {row["object"] for row in read_rows(tmp_path / "sets" / "subtype.csv")}
    assert not subtypes_used & {"dog", "tree", "house", "flea", "coin"}


def test_the_same_seed_draws_the_same_pairs(tmp_path: Path) -> None:
    sizes = write_rows(tmp_path / "sizes.csv", HEADER, KNOWN)
    drawn = []
    for folder, seed in (("a", 1), ("b", 1), ("c", 5)):
        made(sizes, "--out", tmp_path / folder, "--transitive", 2, "--seed", seed)
        drawn.append((tmp_path / folder / "transitive.csv").read_text())
    assert drawn[0] == drawn[1] != drawn[2]


def test_files_that_are_there_are_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sizes = write_rows(tmp_path / "sizes.csv", HEADER, KNOWN)
    made(sizes, "--out", tmp_path / "sets")
    with pytest.raises(SystemExit):
        made(sizes, "--out", tmp_path / "sets")
    assert "is there already: name another folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (["sink,sink"], "subtypes.csv, row 2, 'sink' is given as a subtype of itself."),
        (["sink,steel sink", "sink,steel sink"], "subtypes.csv, row 3, 'steel sink' is a subtype of 'sink' already."),
        (["sink,"], "subtypes.csv, row 2, object and subtype each need a name."),
    ],
)
def test_bad_subtypes_are_refused(tmp_path: Path, rows: list[str], sentence: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_subtypes(write_rows(tmp_path / "subtypes.csv", "object,subtype", rows))
    assert list(refusal.value.reasons) == [sentence]


@needs_shared_data
def test_viphys_sizes_give_the_known_numbers_of_pairs(tmp_path: Path) -> None:
    rows = [row for part in ("val", "test") for row in read_rows(shared(f"viphy/size-{part}.csv"))]
    lines = [f"{row['object']},{row['other']},{row['reference']}" for row in rows]
    sizes = write_rows(tmp_path / "sizes.csv", HEADER, lines)

    answer = made(sizes, "--out", tmp_path / "sets", "--transitive", 10_000)

    assert (answer["relations"], answer["pairs"]) == (20_679, 228_335)
    assert (answer["both_ways"], answer["contradicting"]) == (1_724, 441)
    assert answer["items"]["transitive"] == 20_000
