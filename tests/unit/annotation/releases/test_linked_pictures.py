"""Marks of a picture lead where their rows do; of other pictures none does."""

from annotation.releases.actions.drawing_reports import _with_links

BARS = '<g class="mark-rect role-mark marks"><path d="M0"/><path d="M1"/></g>'
POINTS = '<g class="mark-symbol role-mark layer_1_marks"><path d="M2"/></g>'
LEGEND = '<g class="mark-symbol role-legend-symbol"><path d="M3"/></g>'


def test_each_bar_leads_where_its_row_does() -> None:
    linked = _with_links(BARS + LEGEND, ["/items/?answer=0..5&sort=item", ""])
    assert '<a href="/items/?answer=0..5&amp;sort=item" tabindex="-1"><path d="M0"/></a><path d="M1"/>' in linked
    assert linked.endswith(LEGEND)


def test_all_marks_lead_to_one_place_however_many_rows_there_are() -> None:
    assert _with_links(BARS + POINTS, ["/models/"]).count('<a href="/models/" tabindex="-1">') == 3


def test_marks_that_are_not_the_rows_lead_nowhere() -> None:
    assert _with_links(BARS, ["/a", "/b", "/c"]) == BARS
    assert _with_links(BARS, []) == BARS
