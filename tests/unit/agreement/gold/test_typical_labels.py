"""The typical filters: the paper's rule by its own words, the released code's against the released labels."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.gold.label_gold import typical, typical_viphy

VIPHY = Path("../shared/data/viphy")
SPATIAL = ("above", "similar level", "below")
needs_viphy = pytest.mark.skipif(not VIPHY.is_dir(), reason="the public crowds in ../shared/data are not here")


def _typical_by_hand(counts: list[int]) -> set[int]:
    left = {at for at, count in enumerate(counts) if count}
    while len(left) > 1:
        smallest = {2: 30, 3: 20}.get(len(left), 10)
        total = sum(counts[at] for at in left)
        above = {at for at in left if counts[at] * 100 > smallest * total}
        if not above or above == left:
            return left
        left = above
    return left


@given(st.lists(st.lists(st.integers(0, 20), min_size=5, max_size=5), min_size=1, max_size=20))
def test_typical_is_the_rule_in_whole_numbers(counts: list[list[int]]) -> None:
    kept = typical(np.array(counts, dtype=float))

    assert [set(np.flatnonzero(row)) for row in kept] == [_typical_by_hand(row) for row in counts]


def test_typical_drops_exactly_the_smallest_share_and_viphy_keeps_it() -> None:
    weights = np.array([[30.0, 70.0]])

    assert typical(weights).tolist() == [[False, True]]
    assert typical_viphy(weights).tolist() == [[True, True]]


def test_nothing_falls_where_none_would_be_left() -> None:
    weights = np.full((1, 11), 1 / 11)[:, :10]

    assert typical(weights).all()
    assert typical_viphy(np.full((1, 11), 1.0)).all()


def test_an_item_without_judgments_has_no_typical_label() -> None:
    assert not typical(np.zeros((1, 3))).any()
    assert not typical_viphy(np.zeros((1, 3))).any()


@needs_viphy
@pytest.mark.needs_shared_data
@pytest.mark.parametrize(("part", "items"), [("val", 657), ("test", 4599)])
def test_viphy_filter_gives_every_released_spatial_label(part: str, items: int) -> None:
    released = pd.read_csv(VIPHY / f"spatial-{part}.csv")
    counts = released[["above_count", "similar_count", "below_count"]].to_numpy(dtype=float)
    reference = [[label in text.split("|") for label in SPATIAL] for text in released["reference"]]

    assert len(released) == items
    assert typical_viphy(counts).tolist() == reference


@needs_viphy
@pytest.mark.needs_shared_data
@pytest.mark.parametrize("part", ["val", "test"])
def test_viphy_filter_keeps_every_released_colour(part: str) -> None:
    released = pd.read_csv(VIPHY / f"color-{part}.csv")
    shares = [[float(share) for share in str(text).split("|")] for text in released["proportions"]]
    p = np.array([row + [0.0] * (11 - len(row)) for row in shares])

    assert typical_viphy(p).tolist() == (p > 0).tolist()
