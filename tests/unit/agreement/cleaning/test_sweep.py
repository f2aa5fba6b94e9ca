"""The threshold sweep: each of its cells is the cleaning that rules with these bounds would do."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from agreement.analysis.run_statistics import parts_of
from agreement.cleaning.cleaning_run import clean
from agreement.cleaning.decided_by_hand import Decision
from agreement.cleaning.rule_set import RuleSet, built_in_toml, parse_rules
from agreement.cleaning.sweep import FAILURES, NoThreshold, Sweep, sweep
from agreement.estimation.estimate import Undefined
from agreement.judgments.crowd import Crowd, sample_of
from agreement.kinds.statistics import statistics_of
from agreement.report.cleaning_report import rows_of, sentences
from tests.unit.agreement.cleaning.crowds import crowd_of

CHECKS = {"u1": "unrelated", "u2": "unrelated", "s1": "self"}
RULES = 'name = "mine"\n[[rule]]\nkind = "check"\ncheck = "unrelated"\nmax = 60\n'
RULES += '[[rule]]\nkind = "check"\ncheck = "self"\nmin = 90\n'


def a_crowd(seed: int = 7, workers: int = 30, items: int = 12) -> Crowd:
    rng = np.random.default_rng(seed)
    truth, care = rng.uniform(0, 100, items), rng.random(workers)
    rows: list[Any] = []
    for w in range(workers):
        for i in range(items):
            noise = rng.normal(0, 10 + 40 * (1 - care[w]))
            rows.append((f"w{w:02}", f"i{i:02}", float(np.clip(truth[i] + noise, 0, 100).round())))
        rows.append((f"w{w:02}", "u1", float(rng.integers(0, 101))))
        rows.append((f"w{w:02}", "u2", float(rng.integers(0, 101))))
        rows.append((f"w{w:02}", "s1", float(rng.integers(50, 101))))
    bounds = {"u1": {"max": Decimal(60)}, "u2": {"max": Decimal(60)}, "s1": {"min": Decimal(90)}}
    return crowd_of(rows, checks=CHECKS, bounds=bounds)


def alpha_of(crowd: Crowd, rules: RuleSet) -> float:
    kept = sample_of(crowd, clean(crowd, rules).kept_targets)
    given = (crowd.kind, statistics_of(crowd.kind).agreement, kept.item, kept.worker, kept.answers)
    report = parts_of(*given, labels=crowd.labels, scale=crowd.scale, replicates=0).report()
    assert report.headline is not None
    figure = report.headline.headline
    return np.nan if isinstance(figure, Undefined) else figure.estimate


def with_bounds(rules: RuleSet, high: Decimal, low: Decimal) -> RuleSet:
    moved = [replace(rule, max=high) if rule.max is not None else replace(rule, min=low) for rule in rules.checks]
    return replace(rules, rules=tuple(moved))


@pytest.mark.parametrize("tolerated", [0, 1])
def test_every_cell_keeps_whom_rules_with_its_bounds_keep_and_has_their_alpha(tolerated: int) -> None:
    crowd = a_crowd()
    rules = parse_rules(RULES)
    rules = replace(rules, rules=tuple(replace(rule, tolerated=tolerated) for rule in rules.checks))
    found = sweep(clean(crowd, rules))
    highs, lows = (axis.values for axis in found.axes)
    for at, high in enumerate(highs):
        for by, low in enumerate(lows):
            cell = clean(crowd, with_bounds(rules, high, low))
            assert found.workers[at, by] == cell.worker_kept.sum()
            assert found.judgments[at, by] == cell.kept_targets.sum()
            if at % 4 == by % 4 == 0 and cell.worker_kept.sum() > 2:
                assert found.alpha[at, by] == pytest.approx(alpha_of(crowd, cell.rules), abs=1e-9)
    now = (highs.index(Decimal(60)), lows.index(Decimal(90)))
    assert found.gold[now] == pytest.approx(1)
    assert [row["now"] for row in rows_of(found)].count(True) == 1


def test_items_own_bounds_are_moved_together_and_a_decision_by_hand_stands() -> None:
    crowd = a_crowd()
    own = parse_rules(built_in_toml("own-bounds"))
    by_hand = {"w00": Decision(kept=True, why="spoke to them"), "w01": Decision(kept=False, why="is my sister")}
    cleaning = clean(crowd, own, by_hand)
    found = sweep(cleaning)
    named = sweep(clean(crowd, parse_rules(RULES), by_hand))
    assert found.workers.tolist() == named.workers.tolist()
    assert found.workers.min() >= 1
    assert found.workers.max() == crowd.n_workers - 1
    assert found.workers[6, 9] == cleaning.worker_kept.sum()


def test_models_are_ranked_in_every_cell() -> None:
    crowd = a_crowd()
    cleaning = clean(crowd, parse_rules(RULES))
    truth = np.bincount(crowd.item[crowd.on_target], weights=np.asarray(crowd.answers)[crowd.on_target], minlength=15)
    models = {"good": truth.astype(np.float64), "bad": -truth.astype(np.float64)}
    found = sweep(cleaning, models)
    counted = found.workers >= crowd.n_workers / 2
    assert set(np.array(found.best())[counted].tolist()) == {"good"}
    assert "in all of them" in sentences(found)[-1]
    turned = replace_scores(found)
    assert "depends on the thresholds" in sentences(turned)[-1]


def replace_scores(found: Sweep) -> Sweep:
    scores = found.scores.copy()
    scores[-1, :, 1] = 2.0
    return replace(found, scores=scores)


def test_labels_have_nominal_alpha_and_failures_allowed_for_a_threshold() -> None:
    rng = np.random.default_rng(3)
    rows: list[Any] = [(f"w{w}", f"i{i}", int(rng.random() < 0.3 + 0.05 * i)) for w in range(12) for i in range(9)]
    rows += [(f"w{w}", f"c{k}", int(rng.random() < 0.5)) for w in range(12) for k in range(3)]
    bounds = {f"c{k}": {"expected": "red"} for k in range(3)}
    checks = {f"c{k}": "attn" for k in range(3)}
    crowd = crowd_of(rows, kind="choice", scale=None, labels=["red", "blue"], checks=checks, bounds=bounds)
    rules = parse_rules(built_in_toml("own-bounds"))
    found = sweep(clean(crowd, rules))
    assert found.axes[0].name == FAILURES
    for at, allowed in enumerate(found.axes[0].values):
        moved = replace(rules, rules=tuple(replace(rule, tolerated=int(allowed)) for rule in rules.checks))
        cell = clean(crowd, moved)
        assert found.workers[at, 0] == cell.worker_kept.sum()
        kept = sample_of(crowd, cell.kept_targets)
        given = (crowd.kind, statistics_of(crowd.kind).agreement, kept.item, kept.worker, kept.answers)
        report = parts_of(*given, labels=crowd.labels, replicates=0).report()
        figure = report.krippendorff_alpha["nominal"].headline
        expected = np.nan if isinstance(figure, Undefined) else figure.estimate
        assert found.alpha[at, 0] == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_a_sweep_without_a_threshold_says_why() -> None:
    crowd = crowd_of([("w1", "i1", 5.0), ("w2", "i1", 6.0)])
    with pytest.raises(NoThreshold, match="Nobody has answered a check item"):
        sweep(clean(crowd, parse_rules(built_in_toml("own-bounds"))))
    with pytest.raises(NoThreshold, match="no threshold to vary"):
        sweep(clean(crowd, parse_rules('name = "none"\n')))
