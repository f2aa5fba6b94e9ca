"""A person's average precision against the others: as scikit-learn has it, with gold made again by plain loops."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score

from agreement.estimation.estimate import Estimate, Undefined
from agreement.judgments.crowd import Properties
from agreement.people.leave_one_out import typical_person
from agreement.people.leave_one_out_own_words import Lists, listed_people

PEOPLE, ITEMS, NAMES = 12, 15, 20


def a_crowd(seed: int = 1) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    rng = np.random.default_rng(seed)
    item, worker = (
        np.tile(np.arange(ITEMS, dtype=np.int32), PEOPLE),
        np.repeat(np.arange(PEOPLE, dtype=np.int32), ITEMS),
    )
    p = 1 / np.arange(1, NAMES + 1)
    lists = [rng.choice(NAMES, size=rng.integers(1, 7), replace=False, p=p / p.sum()) for _ in item]
    return item, worker, lists


def answers_of(lists: list[np.ndarray]) -> Properties:
    offsets = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    return Properties(offsets, np.concatenate(lists).astype(np.int32), tuple(f"p{at:02d}" for at in range(NAMES)))


@pytest.mark.parametrize("threshold", [2, 5])
def test_each_person_equals_scikit_learn_with_gold_by_loops(threshold: int) -> None:
    item, worker, lists = a_crowd()
    people = listed_people(item, worker, answers_of(lists), ITEMS, f"average_precision_at_{threshold}")
    used = [int(name[1:]) for name in people.lists.names]

    found = people.round()

    for who in range(PEOPLE):
        each = []
        for what in range(ITEMS):
            count = np.zeros(NAMES, dtype=int)
            for other in set(range(PEOPLE)) - {who}:
                count[lists[other * ITEMS + what]] += 1
            gold = (count >= threshold)[used]
            score = np.full(NAMES, -1.0)
            for place, name in enumerate(lists[who * ITEMS + what]):
                score[name] = 100.0 - place
            if gold.any():
                each.append(average_precision_score(gold, score[used]))
        assert found.values[who] == pytest.approx(np.mean(each), abs=1e-12)
    assert found.n_items.tolist() == [ITEMS] * PEOPLE


def test_each_persons_reciprocal_ranks_are_those_of_what_the_others_name_by_loops() -> None:
    item, worker, lists = a_crowd()
    people = listed_people(item, worker, answers_of(lists), ITEMS, "reciprocal_rank_of_named")
    used = len(people.lists.names)

    found = people.round()

    for who in range(PEOPLE):
        each = []
        for what in range(ITEMS):
            own = lists[who * ITEMS + what].tolist()
            behind = np.mean([1 / place for place in range(len(own) + 1, used + 1)])
            earned = [
                1 / (own.index(name) + 1) if name in own else behind
                for other in set(range(PEOPLE)) - {who}
                for name in lists[other * ITEMS + what].tolist()
            ]
            each.append(np.mean(earned))
        assert found.values[who] == pytest.approx(np.mean(each), abs=1e-12)


def test_leaving_judgments_out_makes_the_gold_of_the_others_again() -> None:
    item, worker, lists = a_crowd()
    keep = np.ones(len(item), dtype=np.bool_)
    keep[::7] = False
    whole = listed_people(item, worker, answers_of(lists), ITEMS, "average_precision_at_2")
    kept = [each for each, stays in zip(lists, keep, strict=True) if stays]
    part = listed_people(item[keep], worker[keep], answers_of(kept), ITEMS, "average_precision_at_2")
    assert len(part.lists.names) == len(whole.lists.names)

    assert whole.round(keep).values == pytest.approx(part.round().values, abs=1e-12)


def test_a_typical_person_has_an_interval_over_items_and_workers() -> None:
    item, worker, lists = a_crowd()
    people = listed_people(item, worker, answers_of(lists), ITEMS, "average_precision_at_2")

    mean = typical_person(people, rng=np.random.default_rng(1)).mean

    assert isinstance(mean, Estimate)
    assert mean.low is not None
    assert mean.high is not None
    assert 0 < mean.low < mean.estimate < mean.high < 1
    assert mean.over == "items and workers"


def test_where_nobody_names_the_same_the_figure_is_undefined_and_says_why() -> None:
    item, worker, lists = a_crowd()
    people = listed_people(item, worker, answers_of(lists), ITEMS, "average_precision_at_30")

    found = typical_person(people, rng=None)

    assert isinstance(found.mean, Undefined)
    assert "12 of 12 judged no item with a property that enough others name" in found.mean.why
    assert set(found.left_out.values()) == {"none of their 15 items has a property that enough others name"}


def test_spellings_of_one_name_are_one_entry_at_its_first_place() -> None:
    answers = Properties(np.array([0, 3]), np.array([0, 1, 2], dtype=np.int32), ("Is green.", "is  green", " "))

    lists = Lists.of(answers)

    assert (lists.names, lists.place.tolist()) == (("is green",), [1])
