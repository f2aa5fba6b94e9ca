"""The part of docs/cleaning.md that `make cleaning-study` writes: recall and precision of each rule set."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

PAGE = Path(__file__).parents[2] / "docs" / "cleaning.md"
BEGIN, END = "<!-- made by `make cleaning-study` from here -->", "<!-- to here -->"
TITLES = {
    "similarity": "a slider: 66 people with 10 of the 66 pairs each, two checks and one pair asked twice",
    "colours": "a label of eleven: 20 people with 30 of 60 objects each, two checks and one object asked twice",
    "colour-sliders": "a slider for each of eleven labels: the same people and objects",
}


def with_results(page: str, results: pd.DataFrame, seed: int) -> str:
    """The page with its tables replaced."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return "\n".join([f"{before}{BEGIN}", *_lines(results, seed), f"{END}{after}"])


def _lines(results: pd.DataFrame, seed: int) -> Iterator[str]:
    studies = int(results["studies"].max())
    for design, found in results.groupby("design", sort=False):
        vices = list(dict.fromkeys(found["vice"]))
        yield ""
        title = TITLES[str(design)].capitalize()
        yield f"**{title}**, {studies} studies for each vice, seed {seed}. Recall / precision:"
        yield ""
        yield f"| rules | {' | '.join(vices)} | careful people excluded |"
        yield f"| --- |{' ---: |' * (len(vices) + 1)}"
        for rules, row in found.groupby("rules", sort=False):
            cells = row.set_index("vice")
            lost = float(row["careful_excluded"].sum() / row["careful"].sum())
            said = [f"{_share(cells['recall'][vice])} / {_share(cells['precision'][vice])}" for vice in vices]
            yield f"| {rules} | {' | '.join(said)} | {100 * lost:.1f} % |"
    yield ""


def _share(share: float) -> str:
    """Two decimals as papers print them; a dash where nobody was excluded."""
    return "–" if share != share else f"{share:.2f}".replace("0.", ".", 1)  # noqa: PLR0124 - NaN
