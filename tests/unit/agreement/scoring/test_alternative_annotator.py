"""The alternative annotator test: its definition by plain loops, its authors' figures, and its plan."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from agreement.scoring.alternative_annotator import (
    AltTest,
    Annotators,
    alternative_annotator_tests,
    benjamini_yekutieli,
    items_needed,
    named_labels,
)

DATA = Path(__file__).parents[5] / "shared" / "data" / "alt-test"


def only_test(people: Annotators, model: np.ndarray, **given: Any) -> AltTest | None:
    """The test of one model, beside another one that must change nothing."""
    found = alternative_annotator_tests(people, [model, np.zeros_like(model)], **given)
    return found[0]


def by_loops(people: Annotators, model: np.ndarray, epsilon: float) -> tuple[float, float]:
    """Winning rate and average advantage probability, judgment by judgment."""
    given: dict[int, dict[int, float]] = {}
    for i, w, x in zip(people.item.tolist(), people.worker.tolist(), people.answer.tolist(), strict=True):
        given.setdefault(i, {})[w] = x

    def score(x: float, others: list[float]) -> float:
        if people.n_labels:
            return float(np.mean([x == other for other in others]))
        return -float(np.sqrt(np.mean([(x - other) ** 2 for other in others])))

    p, rho = [], []
    for w in np.unique(people.worker).tolist():
        wins, losses = [], []
        for i, answers in given.items():
            if w not in answers or len(answers) < 2 or np.isnan(model[i]).any():
                continue
            others = [x for u, x in answers.items() if u != w]
            answer = float(np.argmax(model[i])) if people.n_labels else float(model[i])
            mine, its = score(answers[w], others), score(answer, others)
            wins.append(its >= mine)
            losses.append(mine >= its)
        if len(wins) >= 30:
            d = np.array(losses, dtype=float) - np.array(wins)
            p.append(stats.ttest_1samp(d, epsilon, alternative="less").pvalue)
            rho.append(np.mean(wins))
    return float(np.mean(benjamini_yekutieli(np.array(p), 0.05))), float(np.mean(rho))


@pytest.mark.parametrize("n_labels", [0, 3])
def test_winning_rate_and_advantage_are_those_of_plain_loops(n_labels: int) -> None:
    rng = np.random.default_rng(8)
    item, worker = np.repeat(np.arange(70), 5), np.tile(np.arange(5), 70)
    there = rng.random(len(item)) < 0.8
    item, worker = item[there], worker[there]
    truth = rng.integers(0, 3, 70)
    answer = np.where(rng.random(len(item)) < 0.7, truth[item], rng.integers(0, 3, len(item))).astype(float)
    model = np.where(rng.random(70) < 0.8, truth, rng.integers(0, 3, 70)).astype(float)
    outputs = np.eye(3)[model.astype(int)] if n_labels else model.copy()
    outputs[:4] = np.nan
    people = Annotators(item, worker, answer, 70, n_labels)
    found = only_test(people, outputs, epsilon=0.15, rng=rng, processes=1)
    assert found is not None
    assert (found.winning_rate, found.advantage.estimate) == pytest.approx(by_loops(people, outputs, 0.15), abs=1e-12)
    assert found.advantage.low is not None
    assert found.advantage.high is not None
    assert found.advantage.low < found.advantage.estimate < found.advantage.high
    assert "items and workers" in found.advantage.method


def of_authors(kind: str, name: str, epsilon: float) -> AltTest | None:
    with (DATA / kind / "judgments.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    ids, workers = (
        {name: at for at, name in enumerate(dict.fromkeys(row[column] for row in rows))}
        for column in ("item_id", "worker_id")
    )
    labels = sorted({row["value"] for row in rows}) if kind == "labels" else []
    with (DATA / kind / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        named = "label" if labels else "score"
        outputs = {row["item_id"]: row[named] for row in csv.DictReader(stream)}
    model = np.full((len(ids), len(labels) + 1), np.nan) if labels else np.full(len(ids), np.nan)
    for item_id, value in outputs.items():
        if item_id in ids and labels:
            model[ids[item_id]] = np.eye(len(labels) + 1)[labels.index(value) if value in labels else -1]
        elif item_id in ids:
            model[ids[item_id]] = float(value)
    answer = [labels.index(row["value"]) if labels else float(row["value"]) for row in rows]
    item, worker = [ids[row["item_id"]] for row in rows], [workers[row["worker_id"]] for row in rows]
    people = Annotators(np.array(item), np.array(worker), np.array(answer, dtype=float), len(ids), len(labels))
    return only_test(people, model, epsilon=epsilon, rng=np.random.default_rng(1), processes=1)


@pytest.mark.needs_shared_data
@pytest.mark.parametrize("kind", ["labels", "numbers"])
def test_the_authors_own_figures_of_two_crowds(kind: str) -> None:
    if not DATA.is_dir():
        pytest.skip(f"the folder of public crowds is missing: {DATA}")
    want = json.loads((DATA / kind / "want.json").read_text(encoding="utf-8"))
    for name, figures in want["models"].items():
        found = of_authors(kind, name, want["epsilon"])
        assert found is not None
        assert found.winning_rate == pytest.approx(figures["winning_rate"], abs=1e-9)
        assert found.advantage.estimate == pytest.approx(figures["advantage"], abs=1e-9)
        assert len(found.annotators) == figures["annotators"]


def test_a_model_that_ties_everywhere_wins_without_a_spread_and_one_that_loses_everywhere_does_not() -> None:
    item, worker = np.repeat(np.arange(40), 3), np.tile(np.arange(3), 40)
    people = Annotators(item, worker, (item % 2).astype(float), 40, 2)
    same, other = np.eye(2)[np.arange(40) % 2], np.eye(2)[1 - np.arange(40) % 2]
    rng = np.random.default_rng(1)
    equal = only_test(people, same, epsilon=0.1, rng=rng, processes=1)
    worse = only_test(people, other, epsilon=0.1, rng=rng, processes=1)
    assert equal is not None
    assert worse is not None
    assert (equal.winning_rate, equal.advantage.estimate) == (1.0, 1.0)
    assert (worse.winning_rate, worse.advantage.estimate, worse.items_needed) == (0.0, 0.0, None)


def test_without_an_annotator_of_thirty_items_there_is_no_test() -> None:
    item, worker = np.repeat(np.arange(29), 2), np.tile(np.arange(2), 29)
    people = Annotators(item, worker, np.zeros(58), 29, 2)
    assert only_test(people, np.eye(2)[np.zeros(29, int)], rng=np.random.default_rng(1)) is None


def test_the_items_of_the_plan_give_the_power_that_it_names() -> None:
    rng = np.random.default_rng(6)
    loss, ties = 0.02, 0.6
    p = [(1 - ties + loss) / 2, ties, (1 - ties - loss) / 2]
    sd = float(np.sqrt(1 - ties - loss**2))
    needed = items_needed(loss, sd, 0.2, 0.01)
    assert needed is not None
    d = rng.choice([1.0, 0.0, -1.0], (20_000, int(np.ceil(needed))), p=p)
    rejected = stats.ttest_1samp(d, 0.2, axis=1, alternative="less").pvalue < 0.01
    assert np.mean(rejected) == pytest.approx(0.8, abs=0.02)


def test_the_label_of_several_runs_is_that_of_their_mean() -> None:
    runs = [np.array([[0.6, 0.4], [0.5, 0.5], [np.nan, np.nan]]), np.array([[0.1, 0.9], [0.5, 0.5], [1.0, 0.0]])]
    named = named_labels(runs)
    assert named[:2].tolist() == [[0.0, 1.0], [0.5, 0.5]]
    assert np.isnan(named[2]).all()
