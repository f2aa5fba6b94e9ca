"""Sets of scenes: every constraint on 20,000 of them, classes in balance, and the accuracy of simple rules."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy.spatial import cKDTree

from agreement.errors import Refused
from studies.scenes.labelled import SentenceFacts, ceilings
from studies.scenes.making import CLASSES, Order, make_checks, make_scenes
from studies.scenes.scene import Scene
from studies.scenes.sentences import TASKS
from studies.scenes.shapes import CANVAS, COLOURS, KINDS, reach_of
from studies.scenes.writing import ITEM_COLUMNS, SEEN, item_rows, pixels_of

SHAPE_FIELDS = ("kind", "colour", "radius", "turned", "row", "column")
SETS = [("SUP1", False), ("POS1", False), ("POS", False), ("SET+POS", False), ("POS", True), ("SET+POS", True)]
# What a simulation of the procedure on a canvas of 1024 pixels gives; the released hard set has .8630, .5 and .7955.
RECTANGLES, SQUARES = KINDS.index("rectangle"), KINDS.index("square")
CEILINGS = {
    ("POS1", False): {"sharp": 0.971},
    ("POS", False): {"sharp": 0.963, "superlative": 0.82},
    ("SET+POS", False): {"sharp": 0.973, "superlative": 0.903, "whole_scene": 0.641},
    ("POS", True): {"sharp": 0.908, "superlative": 0.5},
    ("SET+POS", True): {"sharp": 0.868, "superlative": 0.5, "whole_scene": 0.785},
}


def _order(task: str, n: int, seed: int = 7, **changes: object) -> Order:
    return Order(task=TASKS[task], n=n, seed=seed, **changes)  # type: ignore[arg-type]


def _rows(scenes: list[Scene]) -> list[dict[str, str]]:
    return [dict(zip(ITEM_COLUMNS, row, strict=True)) for row in item_rows(scenes, with_pictures=False)]


def _refuse_unlicensed(scene: Scene, *, hard: bool) -> None:
    """The constraints in words, one by one, on one scene; nothing of the code that draws scenes has a part in it."""
    q, n = scene.queried, len(scene.kind)
    shapes = [(KINDS[kind], list(COLOURS)[colour]) for kind, colour in zip(scene.kind, scene.colour, strict=True)]
    areas = [int(area) for area in scene.area]
    assert 5 <= n <= 9
    assert shapes.count(shapes[q]) == 1
    assert 40 <= scene.radius[q] <= 110
    reach = reach_of(scene.kind, scene.radius, scene.turned)
    assert (scene.row >= reach.up).all()
    assert (scene.row + reach.down < CANVAS).all()
    assert (scene.column >= reach.left).all()
    assert (scene.column + reach.right < CANVAS).all()
    like = [area for area, (shape, _) in zip(areas, shapes, strict=True) if shape == shapes[q][0]]
    against = like if scene.task.name == "SET+POS" else areas
    assert max(against) > min(against)
    if scene.task.name in ("SUP1", "POS1"):
        assert len(like) == n
    if scene.task.name == "SUP1":
        assert areas.count(max(areas)) == areas.count(min(areas)) == 1
        assert areas[q] in (max(areas), min(areas))
        assert scene.is_true == ((areas[q] == max(areas)) == scene.says_big)
        return
    if scene.task.name == "SET+POS":
        assert min(areas) < areas[q] < max(areas)
        assert len(like) >= 3
    if hard:
        assert min(against) < areas[q] < max(against)
    limit = max(against) - scene.k * (max(against) - min(against))
    assert scene.is_true == ((areas[q] > int(limit)) == scene.says_big)
    assert scene.distance == pytest.approx(abs(areas[q] - limit) / (max(against) - min(against)))


def _disjoint(scene: Scene) -> bool:
    """Boxes that are apart, or circles that are; the few others are left to the test of overlaps."""
    reach = reach_of(scene.kind, scene.radius, scene.turned)
    left, right = scene.column - reach.left, scene.column + reach.right
    top, bottom = scene.row - reach.up, scene.row + reach.down
    boxes = {SQUARES, RECTANGLES}
    return all(
        left[i] > right[j] or left[j] > right[i] or top[i] > bottom[j] or top[j] > bottom[i]
        for i, j in combinations(range(len(scene.kind)), 2)
        if {int(scene.kind[i]), int(scene.kind[j])} <= boxes
    )


@pytest.mark.prove  # the small case is that of each task, below
def test_20_000_scenes_obey_every_constraint_and_are_balanced() -> None:
    scenes = make_scenes(_order("SET+POS", 20_000))

    for scene in scenes:
        _refuse_unlicensed(scene, hard=False)
    rows = _rows(scenes)
    classes = Counter((row["shape"], row["colour"], row["says"], row["reference"], row["split"]) for row in rows)
    assert len(classes) == CLASSES * 3
    assert {(key[-1], count) for key, count in classes.items()} == {("train", 200), ("val", 25), ("test", 25)}
    assert len({row["item_id"] for row in rows}) == 20_000
    assert Counter((row["combination"], row["split"]) for row in rows) == {
        (which, part): count
        for which in ("seen", "unseen")
        for part, count in (("train", 8_000), ("val", 1_000), ("test", 1_000))
    }
    assert all((row["shape"] in SEEN[row["says"]]) == (row["combination"] == "seen") for row in rows)
    k = np.array([scene.k for scene in scenes])
    assert k.mean() == pytest.approx(0.29, abs=0.005)
    assert k.std() == pytest.approx(0.066, abs=0.004)
    found = ceilings(scenes[0].task, SentenceFacts.of(scenes))
    for name, accuracy in CEILINGS["SET+POS", False].items():
        assert found[name] == pytest.approx(accuracy, abs=0.015), name


@pytest.mark.parametrize(("task", "hard"), SETS)
def test_each_task_obeys_its_constraints(task: str, hard: bool) -> None:  # noqa: FBT001 - a case
    scenes = make_scenes(_order(task, 1_600, hard=hard))

    for scene in scenes:
        _refuse_unlicensed(scene, hard=hard)
        assert _disjoint(scene)
    rows = _rows(scenes)
    classes = Counter((row["shape"], row["colour"], row["says"], row["reference"]) for row in rows)
    assert set(classes.values()) == {20}
    assert len(classes) == CLASSES
    found = ceilings(scenes[0].task, SentenceFacts.of(scenes))
    for name, accuracy in CEILINGS.get((task, hard), {"superlative": 1.0}).items():
        # Two standard errors of 1,600 sentences beside the .015 that a large set is held to.
        assert found[name] == pytest.approx(accuracy, abs=0.015 + 2 * (accuracy * (1 - accuracy) / 1_600) ** 0.5)
    assert found["constant"] == 0.5


def _closest(scene: Scene) -> float:
    """How far the two pixels of different shapes that lie closest are from each other."""
    each = []
    for at in range(len(scene.kind)):
        alone = replace(scene, **{name: getattr(scene, name)[at : at + 1] for name in SHAPE_FIELDS}, queried=0)
        each.append(np.argwhere(pixels_of(alone, CANVAS)))
    return min(float(np.min(cKDTree(one).query(other)[0])) for one, other in combinations(each, 2))


def test_a_gap_leaves_so_many_pixels_between_shapes() -> None:
    closest = {gap: [_closest(scene) for scene in make_scenes(_order("POS", 10, gap=gap))] for gap in (0, 12)}

    assert min(closest[0]) < 12
    assert 12 < min(closest[12]) < 50


def test_hard_scenes_are_for_testing_alone() -> None:
    assert {scene.split for scene in make_scenes(_order("POS", 80, hard=True))} == {"test"}


def test_one_seed_gives_the_same_scenes_and_another_gives_others() -> None:
    first, again, other = (_rows(make_scenes(_order("POS", 160, seed))) for seed in (1, 1, 2))

    assert first == again
    assert first != other


def test_a_number_that_is_no_multiple_of_80_is_balanced_to_one() -> None:
    rows = _rows(make_scenes(_order("POS1", 100)))

    counts = Counter((row["shape"], row["colour"], row["says"], row["reference"]) for row in rows)
    assert sorted(counts.values()) == [1] * 60 + [2] * 20
    assert Counter(row["split"] for row in rows) == {"train": 80, "val": 10, "test": 10}


def test_a_sentence_says_its_task() -> None:
    for task in TASKS:
        scene = make_scenes(_order(task, 1))[0]

        noun = "object" if task == "POS" else scene.shape
        word = ("biggest", "smallest") if task == "SUP1" else ("big", "small")
        article = "the" if task == "SUP1" else "a"
        chosen = word[0 if scene.says_big else 1]
        assert str(scene.sentence) == f"The {scene.colour_name} {scene.shape} is {article} {chosen} {noun}"


@pytest.mark.parametrize("task", list(TASKS))
def test_a_check_is_right_by_far_and_changes_no_other_scene(task: str) -> None:
    checks = make_checks(_order(task, 2, checks=8))

    assert Counter((scene.says_big, scene.is_true) for scene in checks) == dict.fromkeys(
        [(True, True), (True, False), (False, True), (False, False)], 2
    )
    for scene in checks:
        q, others = scene.queried, np.delete(scene.radius, scene.queried)
        is_big = scene.is_true == scene.says_big
        assert (others <= 50).all() and scene.radius[q] >= 90 if is_big else (others >= 90).all()
        assert is_big or scene.radius[q] <= 50
    assert _rows(make_scenes(_order(task, 2, checks=8))) == _rows(make_scenes(_order(task, 2)))


def test_scenes_that_cannot_be_placed_end_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studies.scenes.making.BATCH", 20)

    with pytest.raises(Refused, match="Only 0 of 80 scenes were found among 8,000 candidates of 19 to 20 shapes"):
        make_scenes(_order("POS", 80, fewest=19, most=20))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"n": 0}, "--n 0: at least one scene"),
        ({"seed": -1}, "--seed -1"),
        ({"hard": True, "task": TASKS["POS1"]}, "POS1 has no hard set; there is one for POS, SET"),
        ({"fewest": 9, "most": 5}, "--objects 9:5"),
        ({"fewest": 5, "most": 21}, "--objects 5:21"),
        ({"split": (0, 0, 0)}, "--split 0:0:0"),
    ],
)
def test_an_order_that_cannot_be_is_refused(changes: dict[str, object], why: str) -> None:
    order = {"task": TASKS["POS"], "n": 80, "seed": 1, **changes}

    with pytest.raises(Refused, match=why):
        make_scenes(Order(**order))  # type: ignore[arg-type]
