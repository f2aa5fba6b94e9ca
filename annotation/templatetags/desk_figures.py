"""`{% figure figure %}`: a figure that the page's script draws, with its caption and its rows as a table."""

from django import template

from agreement.figures.figure import MOST_TABLE_ROWS, Figure, page_specification, table_of
from annotation.web.vega_script import NAME

register = template.Library()


@register.inclusion_tag("pages/figure.html")
def figure(figure: Figure, drawn: str = "", level: int = 4) -> dict[str, object]:
    """`drawn` is the address of its picture, where a report has one: it is shown without script. `level` is the
    heading's, or 0 for none.
    """
    return {
        "figure": figure,
        "drawn": drawn,
        "level": level,
        "page": page_specification(figure),
        "table": table_of(figure),
        "most_rows": MOST_TABLE_ROWS,
        "script": NAME,
    }
