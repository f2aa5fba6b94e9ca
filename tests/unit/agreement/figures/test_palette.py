"""The charts' colours: told apart in grey print and with any colour vision; and axes that fit their data."""

import itertools
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest

from agreement.figures.figure import BEFORE, CATEGORIES, DARK, dark_rules
from agreement.figures.of_workers import draw_worker_rows

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
VISIONS = {
    "usual": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
GREY = [[0.2126, 0.7152, 0.0722]] * 3
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = np.array([0.9505, 1.0, 1.089])
USED_TOGETHER = (0, 1, 3, 4)  # of lines and points that no shape tells apart
DISTANCE = 10  # CIE 1976; about 2.3 can just be seen


def lab(colour: str, seen: Any) -> npt.NDArray[np.float64]:
    channels = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(np.array(seen) @ linear, 0, 1) / WHITE
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("dark", [{}, DARK], ids=["light", "dark"])
def test_colours_are_told_apart_with_any_vision(vision: str, dark: Mapping[str, str]) -> None:
    shown = [dark.get(CATEGORIES[place], CATEGORIES[place]) for place in USED_TOGETHER]
    assert near(itertools.combinations(shown, 2), VISIONS[vision]) == {}


def test_neighbours_are_told_apart_in_grey_and_so_are_models_and_people() -> None:
    pairs = [*itertools.pairwise(CATEGORIES[:5]), (CATEGORIES[0], CATEGORIES[4]), (CATEGORIES[0], BEFORE)]
    assert near(pairs, GREY) == {}
    assert near([(DARK[CATEGORIES[0]], DARK[CATEGORIES[4]]), (DARK[CATEGORIES[0]], DARK[BEFORE])], GREY) == {}


def near(pairs: Iterable[tuple[str, str]], seen: Any) -> dict[tuple[str, str], float]:
    distances = {pair: float(np.linalg.norm(lab(pair[0], seen) - lab(pair[1], seen))) for pair in pairs}
    return {pair: round(distance, 1) for pair, distance in distances.items() if distance < DISTANCE}


def test_every_colour_that_changes_in_the_dark_is_one_of_a_drawing() -> None:
    rules = dark_rules(".drawing")
    assert re.findall(r'\[fill="(#\w{6})" i\]', rules) == list(DARK)
    assert '.drawing [stroke="#1d5c86" i] { stroke: #8fc0e2; }' in rules


def workers(**columns: object) -> pd.DataFrame:
    return pd.DataFrame(
        {"worker": ["a", "b", "c"], "agreement": [0.6, 0.9, 0.7], "seconds": np.nan, "status": "kept", **columns}
    )


def test_an_axis_of_workers_fits_what_it_has() -> None:
    differing = draw_worker_rows(workers(judgments=[30, 34, 32]), "correlation")
    assert differing is not None
    assert differing.specification["encoding"]["x"]["field"] == "judgments"
    assert differing.specification["encoding"]["x"]["scale"] == {"zero": False}
    equal = draw_worker_rows(workers(judgments=[34, 34, 34]), "correlation")
    assert equal is not None
    across = equal.specification["encoding"]["x"]
    assert across["title"] == "Workers in the order of their agreement, 34 judgments each"
    assert (across["field"], equal.rows["place"].tolist()) == ("place", [1, 3, 2])
