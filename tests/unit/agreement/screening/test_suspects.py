"""Who is named in simulated crowds, as what, and that careful people aren't. These are worlds, not real people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from agreement.screening.indices import Judged
from agreement.screening.suspects import Found, found_in
from tests.unit.agreement.screening.worlds import Design, careless_labels, careless_numbers, judged, labels, numbers

OF_NUMBERS = {
    "random": "random", "middle": "constant", "constant": "constant", "alternating": "pattern", "pattern": "pattern",
    "reversed": "reversed", "half random": "half-random",
}  # fmt: skip
OF_LABELS = {
    "random": "random",
    "constant": "constant",
    "pattern": "pattern",
    "wrong": "wrong",
    "half random": "half-random",
}
AS_ALL_DO = Design(40, 60, 40)
OF_FEW_ANSWERS = Design(20, 40, 20)
DESIGNS = {"40 answers": AS_ALL_DO, "20 answers": OF_FEW_ANSWERS, "20 answers, 40 people": Design(40, 60, 20)}
OF_LABELLERS = Design(30, 80, 40)


@dataclass
class Tally:
    """Of each kind of careless people how many there were, were named, and were named as that kind; of careful ones
    how many there were and were named.
    """

    there: Counter[str] = field(default_factory=Counter)
    named: Counter[str] = field(default_factory=Counter)
    as_such: Counter[str] = field(default_factory=Counter)
    careful: int = 0
    careful_named: int = 0

    def add(self, found: Found, who: Sequence[int], kinds: dict[str, str]) -> None:
        named = found.named
        for worker, (kind, name) in zip(who, kinds.items(), strict=True):
            self.there[kind] += 1
            self.named[kind] += int(named[worker])
            self.as_such[kind] += int(found.kinds[name][worker])
        careful = np.delete(named, who)
        self.careful += len(careful)
        self.careful_named += int(careful.sum())

    def share(self, kind: str) -> float:
        return self.named[kind] / self.there[kind]

    def __str__(self) -> str:
        kinds = ", ".join(f"{kind} {100 * self.share(kind):.0f} %" for kind in self.there)
        careful = f"careful {100 * self.careful_named / self.careful:.2f} % of {self.careful:,}"
        return f"named: {kinds}{'; ' if kinds else ''}{careful}"


def of_numbers(studies: int, design: Design, world: str, *, careless: bool, seed: int = 1) -> Tally:
    rng, tally = np.random.default_rng([seed, studies, design.each]), Tally()
    kinds = OF_NUMBERS if careless else {}
    for _ in range(studies):
        item, value = numbers(design, rng, world=world)
        who = rng.permutation(design.workers)[: len(kinds)].tolist()
        for worker, kind in zip(who, kinds, strict=True):
            value[worker] = careless_numbers(kind, value[worker], rng)
        tally.add(found_in(judged(item, value)), who, kinds)
    return tally


def of_labels(studies: int, n_labels: int, world: str, *, careless: bool, seed: int = 1) -> Tally:
    rng, tally = np.random.default_rng([seed, studies, n_labels]), Tally()
    kinds = OF_LABELS if careless else {}
    for _ in range(studies):
        item, code, truth = labels(OF_LABELLERS, rng, n_labels, world=world)
        who = rng.permutation(OF_LABELLERS.workers)[: len(kinds)].tolist()
        for worker, kind in zip(who, kinds, strict=True):
            code[worker] = careless_labels(kind, code[worker], truth[item[worker]], n_labels, rng)
        tally.add(found_in(judged(item, code.astype(np.float64), n_labels)), who, kinds)
    return tally


STUDIES = [12, pytest.param(200, marks=pytest.mark.prove)]


@pytest.mark.parametrize("studies", STUDIES)
@pytest.mark.parametrize("design", [AS_ALL_DO, OF_FEW_ANSWERS], ids=["40 answers", "20 answers"])
def test_careless_people_are_named_by_their_numbers(studies: int, design: Design) -> None:
    tally = of_numbers(studies, design, "alike", careless=True)

    print(tally)
    most = 0.9 if studies > 100 else 0.75
    assert all(tally.share(kind) >= most for kind in set(OF_NUMBERS) - {"half random"})
    assert tally.share("half random") >= (0.5 if studies > 100 else 0.3)
    assert tally.careful_named <= 0.01 * tally.careful
    if design == AS_ALL_DO:
        assert all(tally.as_such[kind] >= 0.9 * tally.named[kind] for kind in set(OF_NUMBERS) - {"half random"})


@pytest.mark.parametrize("studies", STUDIES)
@pytest.mark.parametrize(("n_labels", "most"), [(3, 0.9), (2, 0.8)])
def test_careless_people_are_named_by_their_labels(studies: int, n_labels: int, most: float) -> None:
    tally = of_labels(studies, n_labels, "alike", careless=True)

    print(tally)
    slack = 0 if studies > 100 else 0.15
    assert all(tally.share(kind) >= most - slack for kind in set(OF_LABELS) - {"half random"})
    assert tally.share("half random") >= 0.5 - slack
    assert tally.careful_named <= 0.01 * tally.careful


@pytest.mark.parametrize("studies", STUDIES)
@pytest.mark.parametrize("world", ["alike", "unlike", "tastes"])
@pytest.mark.parametrize("design", DESIGNS)
def test_careful_people_are_not_named_by_their_numbers(studies: int, design: str, world: str) -> None:
    tally = of_numbers(studies, DESIGNS[design], world, careless=False)

    print(tally)
    assert tally.careful_named <= 0.01 * tally.careful


@pytest.mark.parametrize("studies", STUDIES)
@pytest.mark.parametrize("world", ["alike", "unlike", "tastes", "rare"])
@pytest.mark.parametrize("n_labels", [2, 3])
def test_careful_people_are_not_named_by_their_labels(studies: int, n_labels: int, world: str) -> None:
    tally = of_labels(studies, n_labels, world, careless=False)

    print(tally)
    assert tally.careful_named <= 0.01 * tally.careful


def test_who_answers_no_throughout_is_not_named_where_nearly_all_answers_are_no() -> None:
    item, code, _ = labels(OF_LABELLERS, np.random.default_rng(7), 2, world="rare")
    code[:12] = 0

    assert not found_in(judged(item, code.astype(np.float64), 2)).named[:12].any()


def test_who_answers_yes_throughout_is_named_there() -> None:
    item, code, _ = labels(OF_LABELLERS, np.random.default_rng(7), 2, world="rare")
    code[3] = 1

    found = found_in(judged(item, code.astype(np.float64), 2))

    assert np.flatnonzero(found.named).tolist() == [3]
    assert found.kinds["constant"][3]


def test_speed_alone_names_nobody_and_is_said_of_who_is_named() -> None:
    rng = np.random.default_rng(9)
    item, value = numbers(AS_ALL_DO, rng)
    value[5] = careless_numbers("random", value[5], rng)
    log_ms = rng.normal(8.3, 0.4, item.shape)
    log_ms[5:7] -= 1.6
    of = replace(judged(item, value), log_ms=log_ms.ravel())

    found = found_in(of)

    assert np.flatnonzero(found.named).tolist() == [5]
    assert found.kinds["random"][5]
    assert found.kinds["too-fast"][5]
    assert found.indices.z["log_time"][6] < -3


def test_somebody_who_hardly_moves_the_slider_is_named_as_such() -> None:
    rng = np.random.default_rng(10)
    item, value = numbers(AS_ALL_DO, rng)
    value[2] = np.rint(rng.normal(50, 3, AS_ALL_DO.each))

    found = found_in(judged(item, value))

    assert found.kinds["constant"][2]


def test_two_people_of_one_taste_are_not_named_as_random() -> None:
    rng = np.random.default_rng(11)
    design = Design(20, 60, 60)
    item, value = numbers(design, rng)
    of_their_own = rng.uniform(0, 100, 60)
    for worker in (3, 8):
        value[worker] = np.clip(np.rint(of_their_own[item[worker]] + rng.normal(0, 10, 60)), 0, 100)

    assert not found_in(judged(item, value)).named.any()


def of_few(workers: int, items: int, each: int, n_labels: int = 0) -> Judged:
    rng = np.random.default_rng(12)
    if n_labels:
        item, code, _ = labels(Design(workers, items, each), rng, n_labels)
        return judged(item, code.astype(np.float64), n_labels)
    return judged(*numbers(Design(workers, items, each), rng))


@pytest.mark.parametrize("n_labels", [0, 1, 2])
@pytest.mark.parametrize(("workers", "items", "each"), [(1, 5, 5), (2, 30, 30), (3, 40, 40), (20, 1, 1), (12, 4, 4)])
def test_of_too_few_nobody_is_named(workers: int, items: int, each: int, n_labels: int) -> None:
    found = found_in(of_few(workers, items, each, n_labels))

    assert not found.named.any()
    assert not found.can_tell


@pytest.mark.parametrize("kind", ["random", "middle", "alternating"])
def test_where_everybody_is_careless_nobody_is_told_from_the_others(kind: str) -> None:
    rng = np.random.default_rng(13)
    item, value = numbers(AS_ALL_DO, rng)
    value = np.array([careless_numbers(kind, row, rng) for row in value])

    assert not found_in(judged(item, value)).named.any()


def test_the_answers_of_suspects_are_held_against_nobody() -> None:
    rng = np.random.default_rng(14)
    item, value = numbers(Design(14, 40, 40), rng)
    for worker in range(5):
        value[worker] = careless_numbers("random", value[worker], rng)

    found = found_in(judged(item, value))

    assert found.named[:5].sum() >= 4
    assert not found.named[5:].any()
    assert found.usual > 0.8
