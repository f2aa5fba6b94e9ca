"""The pages of `make studies`."""

from pathlib import Path

import pandas as pd

from studies.runs.study import Page, as_markdown


def test_table_has_numbers_as_a_paper_prints_them() -> None:
    rows = pd.DataFrame({"model": ["BERT|base", None], "accuracy": [0.25, float("nan")], "n": [109, 1]})
    assert as_markdown(rows).splitlines() == [
        "| model | accuracy | n |",
        "| --- | ---: | ---: |",
        "| BERT\\|base | .250 | 109 |",
        "|  |  | 1 |",
    ]
    assert as_markdown(pd.DataFrame({"r": [-0.081, -10.25, 10.0]})).splitlines()[2:] == [
        "| -.081 |",
        "| -10.250 |",
        "| 10.000 |",
    ]


def test_page_names_what_was_left_out(tmp_path: Path) -> None:
    page = Page(tmp_path, "A study")
    page.text("What came out.")
    page.left_out("The published figures: they need `DATA`.")
    assert page.write().read_text() == (
        "# A study\n\nWhat came out.\n\n## Left out here\n\n- The published figures: they need `DATA`.\n"
    )
