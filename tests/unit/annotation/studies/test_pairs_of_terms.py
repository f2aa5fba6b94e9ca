"""A list of terms becomes all pairs and the checks of each term; a bad list is refused row by row."""

from math import comb
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.errors import Refused
from annotation.studies import presets
from annotation.studies.item_files import UploadedItems
from annotation.studies.items_of_text import Checks, Term, id_of, items_of_pairs, read_terms, terms_of_text

UNRELATED = "unrelated, which has to be unrelated to every term."
CHECKS: Checks = {"unrelated": {"with": "green", "max": 60}, "self": {"min": 90}}


def of_file(folder: Path, text: str, name: str = "terms.csv") -> UploadedItems:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_terms(path, CHECKS)


def words(brought: UploadedItems, kind: str = "target") -> list[tuple[str, str]]:
    return [
        (str(item["fields"]["left"]), str(item["fields"]["right"])) for item in brought.items if item["kind"] == kind
    ]


def test_three_terms_make_three_pairs_and_both_checks_of_each(tmp_path: Path) -> None:
    brought = of_file(tmp_path, "term\nin front of\nbehind\nbeside\n")

    assert words(brought) == [("in front of", "behind"), ("in front of", "beside"), ("behind", "beside")]
    terms = ["in front of", "behind", "beside"]
    assert words(brought, "check") == [(term, "green") for term in terms] + [(term, term) for term in terms]
    bounds = {item["check_name"]: (item["min"], item["max"]) for item in brought.items if item["kind"] == "check"}
    assert bounds == {"unrelated": (None, 60), "self": (90, None)}
    assert brought.items[0]["item_id"] == "in-front-of--behind"
    assert "left_alias" not in brought.items[0]["fields"]


def test_a_box_takes_one_term_on_each_line_and_its_alias_behind_a_comma() -> None:
    brought = terms_of_text('near to, near\r\n"here, there"\r\non\r\n\r\n', CHECKS)

    assert words(brought) == [("near to", "here, there"), ("near to", "on"), ("here, there", "on")]
    assert brought.items[1]["fields"] == {"left": "near to", "right": "on", "left_alias": "near", "right_alias": ""}


def test_a_box_with_the_first_line_of_a_file_is_the_file(tmp_path: Path) -> None:
    text = "term,alias\nnear to,near\non,\nin,\n"

    assert terms_of_text(text, CHECKS).items == of_file(tmp_path, text).items


def test_json_lines_are_read_too(tmp_path: Path) -> None:
    brought = of_file(tmp_path, '{"term": "on"}\n{"term": "over"}\n', "terms.jsonl")

    assert words(brought) == [("on", "over")]


@pytest.mark.parametrize(
    ("rows", "reasons"),
    [
        ("on\n-\nover\n", ["terms.csv, row 3, column term: '-' is not a term."]),
        ("on\nover\nOn\n", ["terms.csv, row 4, column term: 'On' stands in row 2 already."]),
        ("next to\nnext-to\nin\n", ["terms.csv, row 3, column term: 'next-to' stands in row 2 already."]),
        ("on\nGreen\nover\n", [f"terms.csv, row 3, column term: 'Green' is the word of the check {UNRELATED}"]),
        ("on\n", ["terms.csv: it has 1 term; a pair needs two"]),
        ("", ["terms.csv: it has no terms; a pair needs two"]),
        (f"on\n{'o' * 81}\n", [f"terms.csv, row 3, column term: '{'o' * 60}…' is longer than 80 characters."]),
    ],
)  # fmt: skip
def test_a_bad_list_is_refused_row_by_row(tmp_path: Path, rows: str, reasons: list[str]) -> None:
    with pytest.raises(Refused) as refused:
        of_file(tmp_path, f"term\n{rows}")

    assert list(refused.value.reasons) == reasons


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("word\non\nin\n", "there is no column term (the columns are word); the first line is term or term,alias"),
        ("term,sense\non,1\nin,2\n", "nothing reads the column sense"),
        ("term,alias\non,in\nin,\n", "row 2, column alias: 'in' is a term itself"),
        ("term,alias\nnear to,near\nclose to,near\n", "row 3, column alias: 'near' stands in row 2 already"),
        ("term\n" + "".join(f"t{n}\n" for n in range(501)), "its 501 terms are 125,250 pairs; a list has 500"),
    ],
)
def test_wrong_columns_aliases_and_sizes_are_refused(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        of_file(tmp_path, text)

    assert reason in refused.value.reasons[0]


def test_a_line_of_three_cells_is_refused() -> None:
    with pytest.raises(Refused, match="row 2, 'in front, behind, x' is more than a term and its alias"):
        terms_of_text("on\nin front, behind, x\n", CHECKS)


@given(st.lists(st.text("ab -'\u00e9", min_size=1, max_size=6), min_size=2, max_size=8))
def test_ids_are_unique_whatever_the_terms(texts: list[str]) -> None:
    """What is taken makes n (n - 1) / 2 pairs and two checks a term, each with an id of its own."""
    try:
        brought = terms_of_text("\n".join(f'"{text}"' for text in texts), CHECKS)
    except Refused:
        return
    ids = [item["item_id"] for item in brought.items]
    assert len(ids) == len(set(ids)) == comb(len(texts), 2) + 2 * len(texts)


def test_an_id_of_two_terms_is_no_other_pairs() -> None:
    assert (id_of("a--b"), id_of("a b"), id_of(" a -")) == ("a-b", "a-b", "a")


def test_the_preset_has_the_studys_own_twelve_relations_with_their_aliases() -> None:
    preset = presets.load("spatial-similarity")
    relations = ["below", "under", "above", "over", "far from", "away from", "near to", "next to", "left", "right"]
    aliases = {"near to": "near", "away from": "away"}
    terms = [Term(term, aliases.get(term, "")) for term in [*relations, "in", "on"]]

    assert preset.items == items_of_pairs(terms, preset.checks_of_own_terms)
    assert preset.probe_options == {"transform": "column-share"}


def test_a_preset_without_pairs_takes_no_terms() -> None:
    with pytest.raises(Refused, match="memory-colours is not about pairs of terms"):
        _ = presets.load("memory-colours").checks_of_own_terms
