"""What workers and items are called, and how the rows of a file are sorted, decides no figure and no interval."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from agreement.analysis.analysis import analyse
from agreement.analysis.score_probes import study_items
from agreement.cleaning.rule_set import load_rules
from agreement.estimation import rank_deletions, two_way_jackknife
from agreement.estimation.two_way_jackknife import with_worker_ids
from agreement.files.numbers import PER_CENT
from agreement.gold import hierarchical_annotators
from agreement.judgments.crowd import ITEM_COLUMNS, Crowd, Properties, take_answers
from agreement.judgments.order_of_answers import in_order_of_answers, marks_of
from agreement.kinds.kind import QuestionKind
from agreement.kinds.registry import KINDS
from agreement.on_request import FURTHER, further_analyses, requested_analyses
from agreement.on_request.further_analysis import AnalysisInput
from agreement.people import cross_checks, people_distributions, subgroups, worker_pairs
from agreement.report.report import report_as_json
from agreement.scoring import other_workers as gold_without_workers
from agreement.scoring.probe import Probe, Run
from tests.by_kind import gold_from_table, gold_of
from tests.reports import as_dict

ITEMS, WORKERS, LABELS = 22, 10, ("a", "b", "c")
PARTS = ("influence", "agreement", "ceiling", "scores", "probes", "comparisons", "size_threshold")
ARGUMENTS = {"subgroups": "subgroups:age"}
ALSO = [ARGUMENTS.get(name, name) for name in FURTHER]
CLIMBED = "variance-components"  # to the top of a likelihood, which rounding moves by 1e-8


def answers_of(kind: QuestionKind, truth: np.ndarray, item: np.ndarray) -> Any:
    """Answers near the truth of each item, of every type."""
    rng = np.random.default_rng(4)
    J = len(item)
    near = np.where(rng.random(J) < 0.6, truth[item], rng.integers(0, 3, J))
    far = (np.arange(3) - near[:, None]) ** 2 + rng.random((J, 3))
    numbers = np.clip(np.round(30 * near[:, None] + rng.normal(0, 12, (J, 3)) + 20, 1), 0, 100)
    by_kind: dict[QuestionKind, Any] = {
        "slider": numbers[:, 0],
        "sliders": numbers,
        "choice": near.astype(np.int32),
        "verify": near.astype(np.int32),
        "choices": far < 1.5,
        "ranking": (np.argsort(np.argsort(far, axis=1), axis=1) + 1).astype(np.int32),
        "list": Properties(np.arange(J + 1), near.astype(np.int32), LABELS),
        "text": np.array([f"{LABELS[one]} thing {rng.integers(3)}" for one in near], dtype=object),
    }
    return by_kind[kind]


def crowd_of(kind: QuestionKind) -> Crowd:
    """Two in three of all pairs; ids are two letters and two digits, so that they can be told in a report."""
    rng = np.random.default_rng(3)
    place = np.flatnonzero(rng.random(ITEMS * WORKERS) < 0.67)
    item, worker = place // WORKERS, place % WORKERS
    columns: dict[str, Any] = {name: [""] * ITEMS for name in ITEM_COLUMNS}
    columns |= {"item_id": [f"it{at:02}" for at in range(ITEMS)], "kind": ["target"] * ITEMS}
    columns |= {"min": [None] * ITEMS, "max": [None] * ITEMS}
    facts = KINDS[kind]
    return Crowd(
        kind=kind,
        scale=PER_CENT if facts.has_scale else None,
        labels=LABELS if facts.has_labels else (),
        items=pd.DataFrame(columns),
        workers=pd.Index([f"wk{at:02}" for at in range(WORKERS)], dtype=object),
        worker=worker.astype(np.int32),
        item=item.astype(np.int32),
        answers=answers_of(kind, rng.integers(0, 3, ITEMS), item),
        extras=pd.DataFrame({"response_ms": np.nan, "submitted_at": "", "assignment_id": ""}, index=range(len(item))),
        repeats="refuse",
        worker_fields=pd.DataFrame({"age": ["old", "young"] * (WORKERS // 2) + ["old"]}),
    )


def models_of(kind: QuestionKind) -> list[Probe]:
    rng = np.random.default_rng(2)
    if kind == "choice":
        return [Probe(name, "labels", (Run({}, rng.dirichlet(np.ones(3), ITEMS)),)) for name in ("m", "n")]
    if kind == "slider":
        return [Probe(name, "numbers", (Run({}, rng.uniform(0, 100, ITEMS)),)) for name in ("m", "n")]
    return []


def renamed(crowd: Crowd, probes: list[Probe], seed: int) -> tuple[Crowd, list[Probe], dict[str, str]]:
    """The same judgments under other names, which sort otherwise, in another order; and who is who."""
    rng = np.random.default_rng(seed)
    item_at, worker_at, row = rng.permutation(ITEMS), rng.permutation(WORKERS), rng.permutation(len(crowd.item))
    was_item, was_worker = np.argsort(item_at), np.argsort(worker_at)
    fields: Any = crowd.worker_fields
    other = replace(
        crowd,
        item=item_at[crowd.item[row]].astype(np.int32),
        worker=worker_at[crowd.worker[row]].astype(np.int32),
        answers=take_answers(crowd.answers, row),
        worker_fields=fields.iloc[was_worker].reset_index(drop=True),
    )
    known = {f"it{new:02}": f"it{old:02}" for new, old in enumerate(was_item)}
    known |= {f"wk{new:02}": f"wk{old:02}" for new, old in enumerate(was_worker)}
    moved = [
        replace(probe, runs=tuple(replace(run, values=run.values[was_item]) for run in probe.runs)) for probe in probes
    ]
    return other, moved, known


def figures_of(crowd: Crowd, probes: list[Probe], known: dict[str, str]) -> dict[str, Any]:
    """The report's statistics, its workers and items under the names that they had at first."""
    made = analyse(crowd, load_rules("own-bounds"), study_name="s", replicates=20, probes=probes, seed=5).report
    report: dict[str, Any] = report_as_json(made)
    given = {name: report[name] for name in PARTS if name in report}
    given["probes"] = [{**about, "release": None} for about in report["probes"]]  # the hash is of gold with its ids
    return in_first_names(given, known)


def part_of(crowd: Crowd, probes: list[Probe], known: dict[str, str], word: str) -> dict[str, Any]:
    """One further analysis by itself, of the judgments as a report has them."""
    ordered, kept = in_order_of_answers(crowd, crowd.on_target)
    named = replace(kept, worker=crowd.workers.get_indexer(ordered.workers)[kept.worker].astype(np.int32))
    asked = (named.item, named.worker, named.answers, ITEMS, crowd.labels)
    gold = gold_from_table(crowd.kind, gold_of(crowd.kind, *asked, items=crowd.items, scale=crowd.scale), crowd.labels)
    [one] = requested_analyses([word])
    made = further_analyses([one], AnalysisInput(crowd, named, gold, probes, study_items(crowd), 5))
    [part] = with_worker_ids(made.further, crowd.workers)
    found = in_first_names(as_dict(part), known)
    return {**found, "tables": [*map(_rows, found.get("tables", []))]}


def _rows(table: dict[str, Any]) -> dict[str, Any]:
    """A table without the order of its rows, and of the two workers of a pair, which go by names."""
    pairs = [{key: cell for key, cell in row.items() if key not in ("first", "second")} for row in table["rows"]]
    named = (" ".join(sorted(cell for cell in row.values() if isinstance(cell, str))) for row in table["rows"])
    return {**table, "rows": dict(zip(named, pairs, strict=True))}


def in_first_names(figures: dict[str, Any], known: dict[str, str]) -> dict[str, Any]:
    told = re.sub(r"\b(?:it|wk)\d\d\b", lambda found: known.get(found[0], found[0]), json.dumps(figures))
    return dict(json.loads(told))


def differences(first: Any, second: Any, at: str = "", within: float = 1e-9) -> list[str]:
    """Where two reports differ by more than rounding."""
    if isinstance(first, dict) and isinstance(second, dict):
        if first.keys() != second.keys():
            return [f"{at}: {sorted(first.keys() ^ second.keys())}"]
        return [found for key in first for found in differences(first[key], second[key], f"{at}/{key}", within)]
    if isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        both = enumerate(zip(first, second, strict=True))
        return [found for place, (a, b) in both for found in differences(a, b, f"{at}/{place}", within)]
    if isinstance(first, float) and isinstance(second, float):
        return (
            [] if first == pytest.approx(second, rel=within, abs=within, nan_ok=True) else [f"{at}: {first} {second}"]
        )
    return [] if first == second else [f"{at}: {first!r} {second!r}"]


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people_distributions, "MOST_DRAWS", 40)
    monkeypatch.setattr(people_distributions, "STUDIES", (1, 10, 10))
    monkeypatch.setattr(subgroups, "PERMUTED", 1)
    monkeypatch.setattr(hierarchical_annotators, "DRAWS", 80)


@pytest.fixture
def few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is drawn at random in large crowds alone is drawn in this small one."""
    monkeypatch.setattr(two_way_jackknife, "WORK", 1)
    monkeypatch.setattr(two_way_jackknife, "GROUPS", 5)
    monkeypatch.setattr(two_way_jackknife, "WORKERS_ALONE", 4)
    monkeypatch.setattr(rank_deletions, "ONE_BY_ONE", 1)
    monkeypatch.setattr(worker_pairs, "MOST_CELLS", 200)
    monkeypatch.setattr(gold_without_workers, "WORKERS_ALONE", 4)
    monkeypatch.setattr(cross_checks, "KAPPA_PLACES", 20)
    monkeypatch.setattr(cross_checks, "ALPHA_PLACES", 2_000)


@pytest.mark.parametrize("kind", KINDS)
def test_names_and_the_order_of_rows_change_no_figure(kind: QuestionKind) -> None:
    crowd, probes = crowd_of(kind), models_of(kind)
    other, moved, known = renamed(crowd, probes, seed=7)

    assert differences(figures_of(crowd, probes, {}), figures_of(other, moved, known)) == []


@pytest.mark.parametrize("name", ALSO)
@pytest.mark.parametrize("kind", ["slider", "choice"])
def test_names_and_the_order_of_rows_change_no_further_analysis(kind: QuestionKind, name: str) -> None:
    crowd, probes = crowd_of(kind), models_of(kind)
    other, moved, known = renamed(crowd, probes, seed=7)
    first, second = (part_of(*given, name) for given in ((crowd, probes, {}), (other, moved, known)))

    assert differences(first, second, within=1e-6 if name == CLIMBED else 1e-9) == []


@pytest.mark.usefixtures("few_at_a_time")
@pytest.mark.parametrize("kind", ["slider", "choice", "choices", "ranking"])
def test_names_and_order_change_nothing_where_groups_are_left_out_either(kind: QuestionKind) -> None:
    crowd, probes = crowd_of(kind), models_of(kind)
    other, moved, known = renamed(crowd, probes, seed=8)

    assert differences(figures_of(crowd, probes, {}), figures_of(other, moved, known)) == []


def test_answers_that_differ_in_a_single_bit_have_other_marks() -> None:
    answers: list[Any] = [
        np.array([0.0, 5e-324, 1.0]),
        np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 1.0]]),
        np.eye(3, 70, dtype=bool),
        np.array(["a", "b", "ab"], dtype=object),
        Properties(np.array([0, 1, 3, 3]), np.array([0, 0, 1], dtype=np.int32), ("a", "b")),
    ]
    assert [len(set(marks_of(each).tolist())) for each in answers] == [3] * 5


def test_a_workers_several_answers_to_an_item_are_told_apart_by_what_they_are() -> None:
    crowd = replace(crowd_of("slider"), repeats="keep")
    twice = replace(crowd, worker=np.zeros_like(crowd.worker), item=np.zeros_like(crowd.item))
    again = replace(twice, answers=take_answers(twice.answers, np.random.default_rng(1).permutation(len(crowd.item))))

    first, second = (in_order_of_answers(each, each.on_target)[1].answers for each in (twice, again))
    np.testing.assert_array_equal(first, second)
