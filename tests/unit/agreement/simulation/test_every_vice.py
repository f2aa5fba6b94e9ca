"""Every vice answers every kind of question, and each of them in its own way."""

from itertools import product
from random import Random

import numpy as np
import pytest

from agreement.assignment_order import generator
from agreement.kinds.answers import Answer
from agreement.kinds.registry import KINDS, QUESTION_KINDS
from agreement.simulation.simulated_people import CAREFUL, VICES, Person
from agreement.simulation.world import KnownItem, World

ENDS = (0.0, 100.0)
LABELS = ("a", "b", "c", "d", "e")
PAIRS = [KnownItem({"left": f"x{k}", "right": f"y{k}"}) for k in range(60)]
CHECKS = [KnownItem({"left": f"z{k}", "right": "green"}, is_check=True, high=40) for k in range(6)]


def numbers(vice: str, world: World, items: list[KnownItem], *, number: int = 1) -> list[float]:
    person = Person(generator(number, vice), VICES[vice] if vice else CAREFUL, slip=0, number=number)
    return [float(str(person.answer("slider", item, world, ENDS).number)) for item in items]


def test_every_vice_answers_every_kind(subtests: pytest.Subtests) -> None:
    for vice, kind in product(VICES, QUESTION_KINDS):
        with subtests.test(vice=vice, kind=kind):
            world = World(1, LABELS)
            for number in range(3):
                person = Person(Random(number), VICES[vice], number=number)
                for item in (*PAIRS[:5], *CHECKS[:2]):
                    given = person.answer(kind, item, world, ENDS)
                    assert isinstance(given, Answer)
                    assert getattr(given, KINDS[kind].column) is not None
                assert (person.circumstances().response_ms or 0) > 0


def test_clicks_are_anywhere_or_in_the_middle_or_in_one_place() -> None:
    world = World(1)

    spread = {vice: np.std(numbers(vice, world, PAIRS)) for vice in ("random", "middle", "straight-line")}

    assert spread["random"] > 20
    assert 3 < spread["middle"] < 10
    assert spread["straight-line"] < 2
    assert np.mean(numbers("middle", world, PAIRS)) == pytest.approx(50, abs=3)


def test_a_speeder_is_fast_and_reads_some() -> None:
    careful, hurried = (Person(Random(1), vice) for vice in (CAREFUL, VICES["speeder"]))

    assert hurried.pace < careful.pace / 4
    world = World(1)
    truth = [world.similarity(item) for item in PAIRS]
    r = [np.corrcoef(truth, numbers("speeder", world, PAIRS, number=k))[0, 1] for k in range(20)]
    assert 0.2 < np.mean(r) < 0.8


def test_who_passes_checks_is_right_about_them_alone() -> None:
    world = World(1)

    assert max(numbers("passes-checks", world, CHECKS)) <= 40
    assert (
        abs(np.corrcoef([world.similarity(item) for item in PAIRS], numbers("passes-checks", world, PAIRS))[0, 1]) < 0.4
    )


def test_a_slip_is_at_the_first_check() -> None:
    first, later = zip(*[(found[0], max(found[1:])) for found in
                         (numbers("slip", World(1), CHECKS, number=k) for k in range(100))], strict=True)  # fmt: skip

    assert 0.4 < np.mean(np.array(first) > 40) < 0.8
    assert max(later) <= 40


def test_a_copy_says_what_another_person_said() -> None:
    world = World(1)
    original = numbers("", world, PAIRS, number=7)

    assert numbers("copies", world, PAIRS, number=8) == original
    assert numbers("copies", World(1), PAIRS, number=8) != original  # nobody to copy yet


def test_language_models_are_right_and_all_alike() -> None:
    world = World(1)
    first, second = (np.array(numbers("language-model", world, PAIRS, number=k)) for k in (1, 2))
    one, another = (np.array(numbers("", world, PAIRS, number=k)) for k in (1, 2))

    assert np.mean(first == second) > 0.7
    assert np.corrcoef(first, second)[0, 1] > np.corrcoef(one, another)[0, 1]
    truth = [world.similarity(item) for item in PAIRS]
    assert np.corrcoef(truth, first)[0, 1] > 0.8
    assert max(numbers("language-model", world, CHECKS)) <= 40


def test_who_drops_out_leaves_before_the_end() -> None:
    stays = [VICES["drops-out"].stays(Person(Random(k), VICES["drops-out"]), 10) for k in range(100)]

    assert set(stays) <= set(range(1, 10))
    assert len(set(stays)) > 3
    assert CAREFUL.stays(Person(Random(1)), 10) > 10
