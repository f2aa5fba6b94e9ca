"""What workers are called decides no byte of gold: not the order of a sum, of texts, or of the models' workers."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.arrays import exact_sum_by
from agreement.judgments.crowd import Properties, QuestionKind
from tests.by_kind import consensus_of, gold_of

LABELS = ("a", "b", "c")


def _answers(kind: str, size: int) -> Any:
    rng = np.random.default_rng(1)
    if kind == "slider":
        return rng.uniform(0, 100, size)
    if kind == "sliders":
        return rng.integers(0, 7, (size, 3)).astype(float)
    if kind == "choices":
        return rng.random((size, 3)) < 0.5
    if kind == "text":
        return np.array([f"text {at}" for at in rng.integers(0, 50, size)], dtype=object)
    if kind == "list":
        return Properties(np.arange(size + 1), rng.integers(0, 5, size).astype(np.int32), tuple("abcde"))
    return rng.integers(0, 3, size).astype(np.int32)


@pytest.mark.parametrize("kind", ["slider", "sliders", "choice", "choices", "verify", "list", "text"])
def test_renamed_workers_leave_every_byte_of_gold(kind: QuestionKind) -> None:
    rng = np.random.default_rng(2)
    place = np.flatnonzero(rng.random(40 * 9) < 0.8)
    item, worker, answers = place // 9, place % 9, _answers(kind, len(place))
    written = set()
    for _ in range(6):
        names = rng.permutation(9)
        order = np.lexsort((names[worker], item))  # as `sample_of` puts them
        given = answers.at(order) if isinstance(answers, Properties) else answers[order]
        asked: Any = (kind, item[order], names[worker][order], given, 40, LABELS)
        written.add(gold_of(*asked, beside=consensus_of(*asked)).to_csv(float_format="%r"))

    assert len(written) == 1


def test_estimated_accuracies_stay_with_their_worker() -> None:
    rng = np.random.default_rng(3)
    item, worker, names = np.repeat(np.arange(40), 9), np.tile(np.arange(9), 40), rng.permutation(9)
    truth, knows = rng.integers(0, 3, 40), np.linspace(0.2, 1, 9)
    code = np.where(rng.random(360) < knows[worker], truth[item], rng.integers(0, 3, 360))

    first = consensus_of("choice", item, worker, code, 40, LABELS)
    second = consensus_of("choice", item, names[worker], code, 40, LABELS)

    for name, model in first.items():
        assert second[name].accuracy[names].tolist() == model.accuracy.tolist()
        assert model.accuracy[8] > model.accuracy[0]


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.randoms())
def test_exact_sums_have_the_same_digits_in_any_order(values: list[float], random: Any) -> None:
    shuffled = list(values)
    random.shuffle(shuffled)
    codes = np.zeros(len(values), dtype=np.int64)

    first, second = (exact_sum_by(codes, np.array(each), 1)[0] for each in (values, shuffled))

    assert first == second
    assert first == pytest.approx(sum(values), abs=1e-12 * sum(map(abs, values)))
