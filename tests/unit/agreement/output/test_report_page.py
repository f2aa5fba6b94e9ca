"""How report.html shows a table: the file that has the rows which it leaves out, and figures in one piece."""

from typing import Any

from agreement.output import report_page
from agreement.report.paper_table import PaperTable

LONG = PaperTable("long", "", ("Item", "n"), [(f"i{at}", ".4 (.3 to .5)") for at in range(61)])


def test_rows_that_are_left_out_are_named_with_the_file_that_has_them() -> None:
    shown = report_page._table(LONG)
    assert (shown["left_out"], shown["file"]) == ("1", f"tables/{LONG.name}.csv")
    assert report_page._table(LONG, "figures/x.csv")["file"] == "figures/x.csv"


def test_an_estimate_and_its_interval_stay_on_one_line() -> None:
    rows: Any = report_page._table(LONG)["rows"]
    assert rows[0] == ["i0", ".4\u00a0(.3\u00a0to\u00a0.5)"]
