"""Leave-one-out equals scoring each worker by hand with scipy, and gives CoDa's published human ceiling."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.metrics import f1_score

from agreement.estimation.estimate import Estimate, Undefined
from agreement.judgments.crowd import QuestionKind
from agreement.people.leave_one_out import LeaveOneOut, leave_one_out
from agreement.people.leave_one_out_round import people_of
from agreement.people.person_metrics import OF_LABEL_SETS, OF_NUMBERS, OF_ONE_LABEL, OF_SHARES
from tests.by_kind import person_of

CODA = Path("../shared/data/coda/annotations.csv")
SCIPY: dict[str, Callable[..., Any]] = {
    "spearman": stats.spearmanr,
    "pearson": stats.pearsonr,
    "kendall": stats.kendalltau,
}


def _crowd(
    seed: int, n_items: int = 60, n_workers: int = 12, each: int = 5
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    item = np.repeat(np.arange(n_items), each)
    worker = np.concatenate([rng.choice(n_workers, each, replace=False) for _ in range(n_items)])
    truth = rng.uniform(0, 100, n_items)
    value = np.clip(np.rint(truth[item] + rng.normal(0, 25, len(item))), 0, 100)
    order = rng.permutation(len(item))
    return item[order], worker[order], value[order]


@pytest.mark.parametrize("metric", OF_NUMBERS.metrics)
@pytest.mark.parametrize("step", [1, 0.1, 1 / 3])
def test_slider_equals_scoring_each_worker_by_hand(metric: str, step: float) -> None:
    item, worker, value = _crowd(1)
    value = value * step

    done = leave_one_out(OF_NUMBERS, item, worker, value, 60, rng=None, metric=metric)

    all_x: list[float] = []
    all_g: list[float] = []
    r, m = [], []
    for who in range(12):
        mine = np.flatnonzero(worker == who)
        g = [round(np.mean(value[(item == item[j]) & (worker != who)]), 10) for j in mine]
        r.append(SCIPY[metric](value[mine], g).statistic)
        m.append(len(mine))
        all_x.extend(value[mine])
        all_g.extend(g)
    assert isinstance(done.mean, Estimate)
    assert isinstance(done.weighted, Estimate)
    assert isinstance(done.pooled, Estimate)
    assert done.values == pytest.approx(r, abs=1e-9)
    assert done.mean.estimate == pytest.approx(np.mean(r), abs=1e-9)
    assert done.weighted.estimate == pytest.approx(np.average(r, weights=m), abs=1e-9)
    assert done.pooled.estimate == pytest.approx(SCIPY[metric](all_x, all_g).statistic, abs=1e-9)
    assert (done.n_items.tolist(), done.mean.n, done.pooled.n) == (m, 12, 300)
    assert done.n_others == 4


def test_accuracy_gives_half_for_a_gold_of_two_tied_labels() -> None:
    item = np.repeat(np.arange(10), 3)
    worker = np.tile([0, 1, 2], 10)
    code = np.array([[0, 0, 1]] * 5 + [[1, 1, 1]] * 5).reshape(-1)

    done = leave_one_out(OF_ONE_LABEL, item, worker, code, 10, ("a", "b"), rng=None)

    # first five: workers 0 and 1 face a tie of the others, worker 2 a majority against it
    assert done.values.tolist() == [0.75, 0.75, 0.5]


def test_r_acc_of_sets_is_the_share_of_chosen_labels_that_are_typical() -> None:
    item, worker = np.repeat(np.arange(10), 3), np.tile([0, 1, 2], 10)
    chosen = np.tile([[True, True, False], [True, False, False], [True, False, True]], (10, 1))

    done = leave_one_out(OF_LABEL_SETS, item, worker, chosen, 10, ("a", "b", "c"), rng=None)

    # worker 0: the others gave a twice, c once (.67, .33), and c stays typical of three: > .20, then of two: > .30
    assert done.values.tolist() == [0.5, 1.0, 0.5]


def test_each_worker_left_out_has_its_reason() -> None:
    item, worker, value = _crowd(2, each=6)
    value[worker == 3] = 50
    extra = np.arange(4)
    item, worker = np.concatenate([item, extra]), np.concatenate([worker, np.full(4, 12)])
    value = np.concatenate([value, [1.0, 2, 3, 4]])

    done = leave_one_out(OF_NUMBERS, item, worker, value, 60, rng=None)

    assert set(done.left_out) == {3, 12}
    assert done.left_out[12] == "judged 4 items that others judged too, fewer than 10"
    assert "gave the same answer" in done.left_out[3]
    assert not {3, 12} & set(done.workers.tolist())


@pytest.mark.parametrize("n", [0, 1, 5])
def test_too_little_is_undefined_in_words(n: int) -> None:
    done = leave_one_out(
        OF_NUMBERS, np.arange(n), np.zeros(n, dtype=int), np.arange(n) * 1.0, n, rng=np.random.default_rng(1)
    )

    for figure in (done.mean, done.weighted, done.pooled):
        assert isinstance(figure, Undefined)
        assert "no judgments" in figure.why or "fewer than 10" in figure.why


def test_an_item_judged_twice_by_one_worker_never_enters_its_own_gold() -> None:
    item, worker, value = _crowd(3)
    twice = np.flatnonzero(worker == 0)[:3]
    item2, worker2 = np.concatenate([item, item[twice]]), np.concatenate([worker, worker[twice]])

    low, high = (
        leave_one_out(
            OF_NUMBERS, item2, worker2, np.concatenate([value, np.full(3, x)]), 60, rng=None, metric="pearson"
        )
        for x in (0.0, 100.0)
    )

    g = [np.mean(value[(item == item[j]) & (worker != 0)]) for j in np.flatnonzero(worker == 0)]
    g = g + [np.mean(value[(item == item[j]) & (worker != 0)]) for j in twice]
    for done, x in ((low, 0.0), (high, 100.0)):
        answers = np.concatenate([value[worker == 0], np.full(3, x)])
        assert done.values[0] == pytest.approx(stats.pearsonr(answers, g).statistic, abs=1e-12)


def test_the_interval_is_the_same_for_any_number_of_processes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("agreement.estimation.two_way_jackknife.WORTH_FORKING", 0)
    item, worker, value = _crowd(4)

    one, two = (
        leave_one_out(OF_NUMBERS, item, worker, value, 60, rng=np.random.default_rng(7), processes=processes)
        for processes in (1, 2)
    )

    assert one.mean == two.mean
    assert isinstance(one.mean, Estimate)
    assert one.mean.low is not None
    assert one.mean.high is not None
    assert one.mean.low < one.mean.estimate < one.mean.high
    assert "left out: each of 60 items, each of 12 workers, each of 300 judgments" in one.mean.method


def test_perfect_agreement_is_one_without_an_interval() -> None:
    item, worker, _ = _crowd(5)

    done = leave_one_out(OF_NUMBERS, item, worker, item.astype(float), 60, rng=np.random.default_rng(1))

    assert isinstance(done.mean, Estimate)
    assert done.mean.estimate == 1
    assert "gives the same figure" in done.mean.method


def test_a_metric_of_other_answers_is_refused_by_name() -> None:
    with pytest.raises(KeyError, match="accuracy doesn't score these answers; choose spearman, pearson, kendall"):
        leave_one_out(OF_NUMBERS, np.zeros(1, int), np.zeros(1, int), np.zeros(1), 1, rng=None, metric="accuracy")


@pytest.mark.needs_shared_data
@pytest.mark.skipif(not CODA.is_file(), reason="the public crowds in ../shared/data are not here")
def test_coda_gives_its_leave_one_out_kendall() -> None:
    rows = pd.read_csv(CODA).query("included")
    colours = rows.columns[6:]
    item, objects = pd.factorize(rows["object_id"])
    worker, _ = pd.factorize(rows["worker_id"])
    values = rows[colours].to_numpy(dtype=float)
    kept = _row_disagreement(item, values / values.sum(axis=1, keepdims=True))

    done = leave_one_out(OF_SHARES, item[kept], worker[kept], values[kept], len(objects), tuple(colours), rng=None)

    assert (~kept).sum() == 15
    assert isinstance(done.mean, Estimate)
    assert isinstance(done.pooled, Estimate)
    assert round(done.mean.estimate, 3) == 0.551
    assert round(done.pooled.estimate, 3) == 0.551


def _row_disagreement(item: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Repeatedly drop an object's row of lowest Kendall tau against the mean while it is below 0, by scipy."""
    kept = np.ones(len(item), dtype=bool)
    for at in range(item.max() + 1):
        while True:
            rows = np.flatnonzero((item == at) & kept)
            taus = np.array([stats.kendalltau(p[row], p[rows].mean(axis=0)).statistic for row in rows])
            if np.isnan(taus).all() or np.nanmin(taus) >= 0:
                break
            kept[rows[np.nanargmin(taus)]] = False
    return kept


def test_a_persons_f1_on_one_label_is_scikit_learns() -> None:
    rng = np.random.default_rng(8)
    item, worker = np.repeat(np.arange(40), 5), np.tile(np.arange(5), 40)
    truth = rng.integers(0, 3, 40)
    code = np.where(rng.random(200) < 0.8, truth[item], rng.integers(0, 3, 200))
    table = code.reshape(40, 5)
    votes = np.array([np.bincount(np.delete(row, w), minlength=3) for row in table for w in range(5)]).reshape(40, 5, 3)
    clear = np.flatnonzero(((votes == votes.max(axis=2, keepdims=True)).sum(axis=2) == 1).all(axis=1))
    kept = np.isin(item, clear)

    done = leave_one_out(OF_ONE_LABEL, item[kept], worker[kept], code[kept], 40, ("a", "b", "c"), rng=None, metric="f1")

    expected = [
        f1_score(votes[clear, w].argmax(axis=1), table[clear, w], average="macro", labels=[0, 1, 2], zero_division=0)
        for w in range(5)
    ]
    assert len(clear) > 20
    assert done.values == pytest.approx(expected)


@pytest.mark.parametrize("metric", ["accuracy", "r_acc", "conf", "f1"])
@pytest.mark.parametrize("kind", ["choice", "choices"])
def test_many_labels_are_held_by_each_items_own_and_score_the_same(
    kind: QuestionKind, metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(9)
    item, worker = np.repeat(np.arange(50), 6), np.tile(np.arange(6), 50)
    code = np.where(rng.random(300) < 0.6, rng.integers(0, 40, 50)[item], rng.integers(0, 40, 300))
    answers = code
    if kind == "choices":
        answers = np.eye(40, dtype=bool)[code] | np.eye(40, dtype=bool)[(code + 1) % 40]
        answers[::5] &= ~np.eye(40, dtype=bool)[(code + 1) % 40][::5]

    def score() -> LeaveOneOut:
        labels = [f"l{at}" for at in range(40)]
        rng = np.random.default_rng(1)
        return leave_one_out(person_of(kind), item, worker, answers, 50, labels, rng=rng, metric=metric)

    few = people_of(person_of(kind), item, worker, answers, 50, 40, metric, "typical", for_people_alone=True)
    ours = score()
    monkeypatch.setattr("agreement.people.leave_one_out_round.FAR_FEWER", 1000)
    theirs = score()

    assert isinstance(few.answers, np.ndarray)
    assert few.answers.shape[1] < 15
    assert ours.values == pytest.approx(theirs.values, abs=1e-12)
    for name in ("mean", "weighted", "pooled"):
        one, other = getattr(ours, name), getattr(theirs, name)
        assert (one.estimate, one.low, one.high) == pytest.approx((other.estimate, other.low, other.high), abs=1e-9)


def test_the_interval_hardly_moves_with_the_seed() -> None:
    """With 20 random groups of workers its width moved by a third from one seed to the next."""
    rng = np.random.default_rng(0)
    worker = np.repeat(np.arange(60), rng.integers(10, 60, 60))
    item = np.concatenate([rng.choice(120, n, replace=False) for n in np.bincount(worker)])
    value = rng.normal(size=120)[item] + rng.normal(0, 0.5, 60)[worker] + rng.normal(size=len(item))

    found = [leave_one_out(OF_NUMBERS, item, worker, value, 120, rng=np.random.default_rng(at)).mean for at in range(4)]

    widths = [(one.high or 0) - (one.low or 0) for one in found if isinstance(one, Estimate)]
    assert min(widths) > 0
    assert max(widths) / min(widths) < 1.05
    assert all("each of 60 workers" in one.method for one in found if isinstance(one, Estimate))
