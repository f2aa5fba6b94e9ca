"""Precision, recall and F1 of sets of spans: counted by hand, held against loops, and undefined in words."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.estimation.estimate import Undefined
from agreement.scoring.jackknifed_metric import JackknifedMetric, units_of
from agreement.scoring.metric import Outputs
from agreement.scoring.metrics import FAMILIES, measured_parts
from agreement.scoring.probe import Probe, Run, covered_by
from agreement.scoring.score_gold import Gold
from agreement.scoring.spans import constituents, without_label

SPAN = st.sampled_from(["NP:0-2", "VP:0-2", "NP:2-3", "S:0-3", "0-3"])
SPANS = st.lists(SPAN, max_size=5)
ITEMS = st.lists(st.tuples(SPANS, SPANS), min_size=2, max_size=6)


def measures(given_: list[list[str] | None], gold: list[list[str]], **fields: Any) -> dict[str, JackknifedMetric]:
    n = len(gold)
    ids = np.arange(n).astype(str).astype(object)
    of_gold = Gold("list", ids, spans=tuple(map(Counter, gold)), fields=fields)
    run = Run({}, np.zeros(0), spans=tuple(None if one is None else tuple(one) for one in given_))
    outputs = Outputs(Probe("p", "spans", (run,)), run, of_gold, np.arange(n), covered_by([run]), units_of(of_gold))
    return measured_parts(outputs, [np.arange(n)])[0]


def test_a_parse_counted_by_hand() -> None:
    """Gold has five constituents, NP:0-2 twice; the system gives four, three of them right."""
    gold = ["S:0-5", "NP:0-2", "NP:0-2", "VP:2-5", "NP:3-5"]
    found = measures([["S:0-5", "NP:0-2", "PP:2-5", "NP:3-5"], ["S:0-1"]], [gold, ["S:0-1"]])

    assert found["span_precision_micro"].theta == pytest.approx(4 / 5)
    assert found["span_recall_micro"].theta == pytest.approx(4 / 6)
    assert found["span_f1_micro"].theta == pytest.approx(8 / 11)
    assert found["span_precision_macro"].theta == pytest.approx((3 / 4 + 1) / 2)
    assert found["span_recall_macro"].theta == pytest.approx((3 / 5 + 1) / 2)
    assert found["span_f1_macro"].theta == pytest.approx((6 / 9 + 1) / 2)
    assert found["span_exact_match"].theta == 0.5
    assert found["unlabelled_span_precision_micro"].theta == 1.0  # PP:2-5 is 2-5
    assert found["unlabelled_span_recall_micro"].theta == pytest.approx(5 / 6)


def test_a_span_that_gold_has_twice_is_to_be_given_twice() -> None:
    once, twice = (measures([["NP:0-2"] * k], [["NP:0-2", "NP:0-2"]]) for k in (1, 2))

    assert once["span_recall_micro"].theta == 0.5
    assert (twice["span_recall_micro"].theta, twice["span_exact_match"].theta) == (1.0, 1.0)
    three = measures([["NP:0-2"] * 3], [["NP:0-2", "NP:0-2"]])
    assert three["span_precision_micro"].theta == pytest.approx(2 / 3)


@given(ITEMS)
def test_every_figure_and_every_deletion_is_its_definition(items: list[tuple[list[str], list[str]]]) -> None:
    ours, gold = [one for one, _ in items], [one for _, one in items]

    def plain(ours: list[list[str]], gold: list[list[str]]) -> dict[str, float]:
        found: dict[str, float] = {}
        for prefix, drop in (("span", False), ("unlabelled_span", True)):
            sets = [
                tuple(Counter(without_label(span) if drop else span for span in side) for side in pair)
                for pair in zip(ours, gold, strict=True)
            ]
            rows = [((a & b).total(), a.total(), b.total()) for a, b in sets]
            ratios: dict[str, Callable[[int, int, int], tuple[int, int]]] = {
                "precision": lambda c, a, _: (c, a),
                "recall": lambda c, _, b: (c, b),
                "f1": lambda c, a, b: (2 * c, a + b),
            }
            for name, ratio in ratios.items():
                top, bottom = ratio(*np.sum(rows, axis=0))
                found[f"{prefix}_{name}_micro"] = top / bottom if bottom else np.nan
                each = [top / bottom for top, bottom in (ratio(*row) for row in rows) if bottom]
                found[f"{prefix}_{name}_macro"] = float(np.mean(each)) if each else np.nan
            found[f"{prefix}_exact_match"] = float(np.mean([a == b for a, b in sets]))
        return found

    found = measures([*ours], gold)
    assert {name: one.theta for name, one in found.items()} == pytest.approx(plain(ours, gold), nan_ok=True)
    assert list(found) == [metric.name for metric in FAMILIES["spans"].metrics]
    for at in range(len(items)):
        rest = [i for i in range(len(items)) if i != at]
        fewer = plain([ours[i] for i in rest], [gold[i] for i in rest])
        for name, one in found.items():
            if one.is_defined and one.counting[at] and np.isfinite(fewer[name]):
                assert one.without[at] == pytest.approx(fewer[name])


def test_an_item_without_gold_spans_has_no_recall_and_is_counted() -> None:
    found = measures([["NP:0-2"], ["NP:0-1"]], [["NP:0-2"], []])

    assert found["span_recall_macro"].theta == 1.0
    assert found["span_recall_macro"].n == 1
    assert "1 of 2 items where gold has no span, so that there is no recall" in found["span_recall_macro"].note
    assert found["span_precision_micro"].theta == 0.5
    nothing = measures([["NP:0-2"]], [[]])["span_recall_micro"].figure(1, "span_recall_micro")
    assert isinstance(nothing, Undefined)
    assert "in every item gold has no span" in nothing.why


def test_an_item_without_an_output_is_missed_and_one_without_spans_may_be_right() -> None:
    found = measures([None, [], ["NP:0-2"]], [["NP:0-2"], [], ["NP:0-2"]])

    assert found["span_recall_micro"].theta == 0.5
    assert found["span_precision_micro"].theta == 1.0
    assert found["span_exact_match"].theta == pytest.approx(2 / 3)
    assert measures([None], [[]])["span_exact_match"].theta == 0.0


def test_items_of_one_cluster_are_left_out_together() -> None:
    cluster = np.array(["a", "a", "b"], dtype=object)
    found = measures([["x"], ["x"], ["y"]], [["x"], ["z"], ["y"]], cluster=cluster)

    assert found["span_precision_micro"].without == pytest.approx([1.0, 0.5])
    assert found["span_precision_macro"].without == pytest.approx([1.0, 0.5])
    assert (found["span_f1_macro"].units, found["span_f1_macro"].n) == ("clusters", 3)


def test_lists_of_people_are_compared_in_golds_spelling() -> None:
    gold = Gold("list", np.array(["a"], dtype=object), properties=({"np:0-2": 3},), spans=({"np:0-2": 1},))
    run = Run({}, np.zeros(0), spans=(("NP:0-2",),))
    outputs = Outputs(Probe("p", "spans", (run,)), run, gold, np.arange(1), np.ones(1, dtype=np.bool_), None)

    assert (gold.takes, gold.shapes) == ("ranking", ("ranking", "spans"))
    assert measured_parts(outputs, [np.arange(1)])[0]["span_f1_micro"].theta == 1.0


@pytest.mark.parametrize(
    ("tree", "spans", "words"),
    [
        ("(S (NP (DT the) (NN dog)) (VP (VBZ runs)))", ["NP:0-2", "VP:2-3", "S:0-3"], 3),
        ("(ROOT (S (NP (NP (NN rain))) (VP (VBZ falls))))", ["NP:0-1", "NP:0-1", "VP:1-2", "S:0-2"], 2),
        ("( (S (NN rain) (VBZ falls)) )", ["S:0-2"], 2),  # as the Penn Treebank writes it
        ("(TOP (NN rain))", [], 1),
        ("(NN rain)", [], 1),
        ("(S\n  (NP-SBJ (-LRB- -LRB-))\n  (VP (VB a)))", ["NP-SBJ:0-1", "VP:1-2", "S:0-2"], 2),
    ],
)
def test_constituents_of_trees(tree: str, spans: list[str], words: int) -> None:
    assert constituents(tree) == (spans, words)


@pytest.mark.parametrize(
    ("tree", "why"),
    [
        ("", "is empty"),
        ("the dog", "doesn't begin with a bracket"),
        ("(S (NP (NN dog))", "leaves 1 brackets open"),
        ("(S (NN dog)) (S (NN cat))", "goes on after its last bracket"),
        ("(S (NN dog)))", "goes on after its last bracket"),
        ("(S ())", "has a node without words"),
        ("(S (NP) (NN dog))", r"has a node without words: \(NP\)"),
        ("(S (NN dog) runs)", "has a word beside other parts of a node: 'runs'"),
        ("(NN dog cat)", "has a word beside other parts of a node: 'cat'"),
    ],
)
def test_what_is_no_tree_is_told(tree: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        constituents(tree)
