"""What simulated people hold to be true: checks, references and published means first, then what a seed draws."""

import csv
from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy import stats

from agreement.kinds.registry import KINDS, QUESTION_KINDS
from agreement.simulation.simulated_people import Person
from agreement.simulation.world import RELATIONS, KnownItem, World

COLOURS = ("red", "yellow", "green", "brown")
ENDS = (0.0, 100.0)


def careful(kind: str, item: KnownItem, *, people: int = 200, labels: tuple[str, ...] = COLOURS) -> list[Any]:
    """What so many careful people say to one item, as the column of judgments holds it."""
    world = World(4, labels)
    column = KINDS[kind].column
    return [getattr(Person(Random(k), slip=0, number=k).answer(kind, item, world, ENDS), column) for k in range(people)]


def test_published_relations_are_as_similar_as_people_found_them() -> None:
    with RELATIONS.open(newline="") as stream:
        pairs = list(csv.DictReader(stream))
    assert len(pairs) == 66
    assert len({word for pair in pairs for word in (pair["left"], pair["right"])}) == 12

    mean = []
    for pair in pairs:
        item = KnownItem({"left": pair["right"], "right": pair["left"]})
        mean.append(np.mean(careful("slider", item, people=60)))

    assert stats.spearmanr(mean, [float(pair["similarity"]) for pair in pairs]).statistic > 0.97


def test_other_pairs_have_a_similarity_of_their_own() -> None:
    world = World(3)

    found = {pair: world.similarity(KnownItem(dict(zip(("left", "right"), pair, strict=True)))) for pair in
             [("above", "outside"), ("behind", "outside"), ("on", "green"), ("outside", "outside")]}  # fmt: skip

    assert 0 < found["above", "outside"] != found["behind", "outside"] < 1
    assert found["on", "green"] < 0.05
    assert found["outside", "outside"] > 0.95


@pytest.mark.parametrize("kind", ["choice", "verify"])
def test_most_careful_people_give_the_reference(kind: str) -> None:
    shares = []
    for name in ("sunflower", "banana", "canary", "lemon", "chick"):
        said = Counter(careful(kind, KnownItem({"item": name}, reference="yellow")))
        shares.append(said["yellow"] / 200)

    assert min(shares) > 0.75
    assert max(shares) < 1


def test_labels_that_are_right_together_are_chosen_together() -> None:
    said = Counter(tuple(labels) for labels in careful("choices", KnownItem({}, reference="red|brown")))

    assert said.most_common(1)[0][0] == ("brown", "red")


def test_a_number_on_the_studys_scale_is_what_people_err_around() -> None:
    assert np.median(careful("slider", KnownItem({"a": "b"}, reference="20"))) == pytest.approx(20, abs=4)


def test_the_label_of_the_reference_is_moved_furthest() -> None:
    said = careful("sliders", KnownItem({"a": "b"}, reference="green"))

    furthest = Counter(max(numbers, key=numbers.get) for numbers in said)
    assert furthest["green"] > 190


def test_labels_are_ranked_as_the_reference_ranks_them() -> None:
    said = careful("ranking", KnownItem({}, reference="brown|red|green|yellow"))

    place = {label: np.mean([order.index(label) for order in said]) for label in COLOURS}
    assert sorted(place, key=lambda label: place[label]) == ["brown", "red", "green", "yellow"]


def test_properties_and_texts_come_from_the_reference() -> None:
    named = careful("list", KnownItem({"concept": "fern"}, reference="is green|has leaves"))
    written = careful("text", KnownItem({"picture": "p"}, reference="A bird on a branch."))

    counts = Counter(each for properties in named for each in properties)
    assert {name for name, _count in counts.most_common(2)} == {"is green", "has leaves"}
    assert set(written) == {"A bird on a branch."}


@pytest.mark.parametrize("kind", QUESTION_KINDS)
def test_who_looks_passes_every_check(kind: str) -> None:
    if KINDS[kind].has_scale and not KINDS[kind].has_labels:
        for low, high in ((90, None), (None, 60), (40, 50)):
            said = careful(kind, KnownItem({"a": "b"}, is_check=True, low=low, high=high))
            assert all((low or 0) <= number <= (high or 100) for number in said)
        return
    expected = ["green"] if KINDS[kind].has_labels else ["is green"]
    for given in careful(kind, KnownItem({"a": "b"}, is_check=True, expected=expected), people=50):
        match given:
            case dict():
                assert max(given, key=given.__getitem__) == "green"
            case [first, *others]:
                assert [first] == expected
                assert not others or "red" in others  # a ranking goes on
            case _:
                assert given == expected[0]


def test_a_shape_is_big_above_each_persons_own_threshold() -> None:
    says = {"says": "big", "set_max": "40000", "set_min": "0"}
    labels = ("false", "true")

    def share_true(area: int, **changes: str) -> float:
        item = KnownItem({**says, "area": str(area), **changes})
        return careful("verify", item, people=400, labels=labels).count("true") / 400

    # k of .29 and its standard deviation of .066: thresholds of 28,400 and 2,640 either side.
    assert share_true(28_400) == pytest.approx(0.5, abs=0.08)
    assert share_true(28_400 + 2_640) == pytest.approx(0.84, abs=0.06)
    assert share_true(28_400 - 2_640, says="small") == pytest.approx(0.84, abs=0.06)
    assert share_true(0) == 0


def test_the_biggest_has_no_threshold_and_goes_by_its_reference() -> None:
    fields = {"says": "big", "area": "10", "set_max": "40000", "set_min": "0", "task": "SUP1"}

    said = careful("verify", KnownItem(fields, reference="true"), labels=("false", "true"))

    assert said.count("true") > 150
