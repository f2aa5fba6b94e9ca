"""How scores grow with references, drawn: a panel for each metric, and words for whoever can't see it."""

from pathlib import Path

import pandas as pd

from agreement.figures.rendering import render
from studies.figures.labels import draw


def test_a_panel_per_metric(tmp_path: Path) -> None:
    scores = [("BLEU-4", 1, 0.2), ("BLEU-4", 2, 0.3), ("METEOR", 1, 0.4), ("METEOR", 2, 0.5)]
    rows = pd.DataFrame(scores, columns=["metric", "references", "score"])

    figure = draw(rows, 120)

    assert figure.caption == "People's texts against 1 to 2 texts of others on the same item; 120 texts at each number."
    assert "2 metrics" in figure.description
    assert render([figure], tmp_path, formats=("svg",)) == []
    drawn = (tmp_path / "scores-by-references.svg").read_text()
    assert "BLEU-4" in drawn
    assert "METEOR" in drawn
