"""A slider's gold gives what Student's paper and R give for the same numbers."""

import json
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from agreement.files.numbers import Scale
from agreement.gold.slider_gold import slider_gold

ENDLESS = Scale(Decimal(-(10**9)), Decimal(10**9))
CASES = Path(__file__).parents[3] / "cases" / "gold"


@pytest.mark.parametrize("path", sorted(CASES.glob("*.json")), ids=lambda path: path.stem)
def test_slider_gold_gives_the_published_figures(path: Path) -> None:
    case = json.loads(path.read_text())
    value = np.array(case["value"])

    gold = slider_gold(np.zeros(len(value), dtype=int), np.arange(len(value)), value, 1, ENDLESS)

    for name, expected in case["expected"].items():
        assert getattr(gold, name)[0] == pytest.approx(expected, abs=case["tolerance"]["absolute"])
