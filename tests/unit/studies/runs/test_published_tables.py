"""The documents' tables are those of the kept pages, which the runs of the studies write."""

import pytest

from studies.runs import NUMBERS, study_named
from tools import place

KEPT = place.ROOT / "tests" / "cases" / "studies"
# Of 003 the document says much beside what the page has.
PARTS = {"003": ("## What comes out", "## What make_scenes does")}


def tables(text: str) -> list[str]:
    return [block for block in text.split("\n\n") if block.startswith("|")]


def document(number: str) -> str:
    text = (place.ROOT / "docs" / "studies" / f"{study_named(number).folder_name}.md").read_text(encoding="utf-8")
    begin, end = PARTS.get(number, ("", ""))
    return text[text.index(begin) : text.index(end) if end else len(text)]


@pytest.mark.parametrize("number", NUMBERS)
def test_tables_are_those_of_the_run(number: str) -> None:
    published = tables(document(number))

    assert published
    assert set(published) <= set(tables((KEPT / f"{number}.txt").read_text(encoding="utf-8")))
