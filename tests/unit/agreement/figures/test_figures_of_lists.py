"""The figures of models on lists and of templates: their rows, their words, and one legend each."""

import math

import pandas as pd

from agreement.figures import average_precision_by_frequency
from agreement.figures.of_models import draw_scores_by_template


def test_each_template_is_a_number_and_the_caption_says_which() -> None:
    table = pd.DataFrame(
        {"probe": ["a", "a", "b", "b"], "template": ["T1 [MASK].", "T2 [MASK]."] * 2, "score": [0.1, 0.3, 0.8, 0.9]}
    )

    figure = draw_scores_by_template(table, "accuracy", 1 / 11)

    assert figure.rows["number"].tolist() == ["1", "2", "1", "2"]
    assert "(2) T2 [MASK]." in figure.caption
    assert "The dashed line is chance." in figure.caption
    assert "a 0.200, from 0.100 to 0.300" in figure.description
    [points, _] = figure.specification["layer"]
    assert points["encoding"]["shape"] == points["encoding"]["color"]


def test_people_and_a_random_order_stand_beside_the_models() -> None:
    table = pd.DataFrame(
        {
            "probe": "m", "pf": [2, 5], "average_precision": [0.4, 0.6], "low": math.nan, "high": math.nan,
            "sd": [0.1, math.nan], "templates": 2, "queries": [20, 9], "chance": [0.05, 0.06],
        }
    )  # fmt: skip

    figure = average_precision_by_frequency.draw(table, [(2, 0.5)])

    assert figure.rows["model"].tolist() == ["m", "m", "a typical person", "random order", "random order"]
    assert figure.rows["upper"].tolist()[0] == 0.5
    assert "20 at 2, 9 at 5" in figure.caption
    assert figure.description.endswith("m goes from 0.40 at 2 people to 0.60 at 5.")
