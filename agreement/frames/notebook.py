"""An analysis as a notebook shows it: in the notebook's own colours, and every text escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from .frame_analysis import Analysis

MOST_EXCLUDED = 20
# No colour of its own: text and lines take the notebook's, in light and dark.
STYLE = (
    "<style>.touchstone{max-width:56rem;font-variant-numeric:tabular-nums}"
    ".touchstone table{border-collapse:collapse;margin:.5em 0 1em}"
    ".touchstone th,.touchstone td{padding:.2em .8em .2em 0;text-align:left;vertical-align:top;background:none}"
    ".touchstone thead th{border-bottom:1px solid currentColor}"
    ".touchstone td.n{text-align:right;white-space:nowrap}"
    ".touchstone summary{cursor:pointer}</style>"
)


def page_of(analysis: Analysis) -> str:
    """The headline, agreement, ceilings, who is excluded, and the methods paragraph."""
    return "".join([STYLE, '<div class="touchstone">', *_parts(analysis), "</div>"])


def _parts(analysis: Analysis) -> Iterator[str]:
    yield (
        f"<p><strong>{escape(analysis.name)}</strong>: {analysis.kept} are kept"
        f" under the rules {escape(analysis.rules)}.</p>"
    )
    yield from (f"<p>{escape(warned)}</p>" for warned in analysis.warnings)
    agreement = analysis.agreement
    names = list(dict.fromkeys(agreement["statistic"]))
    sides = [
        agreement[agreement["judgments"] == side].set_index("statistic")
        for side in dict.fromkeys(agreement["judgments"])
    ]
    rows = [(name, *(_figure(side.loc[name]) if name in side.index else "" for side in sides)) for name in names]
    heads = [side.capitalize() for side in dict.fromkeys(agreement["judgments"])]
    yield _table("Agreement, with 95 % intervals", ["Statistic", *heads], rows)
    ceilings = [(row["ceiling"], _figure(row)) for _, row in analysis.ceilings.iterrows()]
    yield _table("How well people do", ["Ceiling", "Estimate"], ceilings)
    excluded = analysis.excluded
    if len(excluded):
        shown = [tuple(map(str, row)) for row in excluded.head(MOST_EXCLUDED).itertuples(index=False)]
        more = f", of which {MOST_EXCLUDED} are shown" if len(excluded) > MOST_EXCLUDED else ""
        inside = _table("", ["Worker", "Reason", "Evidence"], shown)
        yield f"<details><summary>{len(excluded):,} workers are excluded{more}</summary>{inside}</details>"
    parts = [part for part in analysis.methods.strip().split("\n\n") if not part.startswith("# ")]
    yield f"<details><summary>Methods, for a paper</summary>{''.join(map(_paragraph, parts))}</details>"


def _paragraph(text: str) -> str:
    r"""A paragraph of the methods, or a list of points.

    >>> _paragraph("- kappa < .4\n- alpha"), _paragraph("Ten people came.")
    ('<ul><li>kappa &lt; .4</li><li>alpha</li></ul>', '<p>Ten people came.</p>')
    """
    if not text.startswith("- "):
        return f"<p>{escape(text)}</p>"
    return f"<ul>{''.join(f'<li>{escape(point)}</li>' for point in text.removeprefix('- ').split(chr(10) + '- '))}</ul>"


def _figure(row: pd.Series) -> str:
    if row["undefined"]:
        return f"undefined: {row['undefined']}"
    if row["low"] != row["low"] or row["high"] != row["high"]:
        return f"{row['estimate']:.3f}"
    return f"{row['estimate']:.3f} [{row['low']:.3f}, {row['high']:.3f}]"


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    caption = f"<p><strong>{escape(title)}</strong></p>" if title else ""
    return f"{caption}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
