from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from agreement.cleaning.cleaning_run import Cleaning, clean, count
from agreement.cleaning.rule_set import RuleSet, load_rules, parse_rules
from agreement.errors import Refused
from tests.unit.agreement.cleaning.crowds import crowd_of

SPATIAL = load_rules("spatial-2019")
CHECKS = {"green": "unrelated", "green2": "unrelated", "same": "self"}


def kept(cleaning: Cleaning) -> list[str]:
    return [str(worker) for worker in cleaning.crowd.workers[cleaning.worker_kept]]


def rules(text: str) -> RuleSet:
    return parse_rules(f'name = "test"\n{text}')


def test_exactly_on_the_limits_passes() -> None:
    rows = [("on", "green", 60), ("on", "same", 90), ("over", "green", 60.001), ("under", "same", 89.999)]

    cleaning = clean(crowd_of(rows, checks=CHECKS), SPATIAL)

    assert kept(cleaning) == ["on"]
    assert [str(found) for found in cleaning.evidence(1)] == ["green: 60.001 (at most 60)"]
    assert [str(found) for found in cleaning.evidence(2)] == ["same: 89.999 (at least 90)"]


@pytest.mark.parametrize(
    ("scale", "on", "under"),
    [("1:5", 4.6, 4.599), ("0:4", 3.6, 3.599), ("0.1:0.4", 0.37, 0.3699), ("-1:1", 0.8, 0.799)],
)
def test_bounds_move_to_the_scale_in_decimal(scale: str, on: float, under: float) -> None:
    crowd = crowd_of([("on", "same", on), ("under", "same", under)], scale=scale, checks=CHECKS)

    assert kept(clean(crowd, SPATIAL)) == ["on"]


def test_one_failed_check_sets_aside_all_judgments_also_those_before_it() -> None:
    rows = [("bad", "a", 10), ("bad", "b", 20), ("bad", "green", 90), ("bad", "same", 95), ("good", "a", 30)]

    cleaning = clean(crowd_of(rows, checks=CHECKS), SPATIAL)

    assert cleaning.kept.tolist() == [False, False, False, False, True]
    codes, reasons = cleaning.judgment_reasons()
    assert [reasons[code].startswith("failed check") for code in codes] == [True, True, True, True, False]
    counts = count(cleaning)
    assert (counts.workers, counts.workers_kept, counts.judgments, counts.judgments_kept) == (2, 1, 3, 1)
    assert [(rule.failed, rule.judgments, rule.only_by_this) for rule in counts.rules] == [(1, 2, 1), (0, 0, 0)]


def test_two_check_items_are_two_checks() -> None:
    rows = [("w", "green", 70), ("w", "green2", 80), ("v", "green", 70), ("v", "green2", 10)]
    one_slip = rules('[[rule]]\nkind = "check"\ncheck = "unrelated"\nmax = 60\ntolerated = 1')

    cleaning = clean(crowd_of(rows, checks=CHECKS), one_slip)

    assert kept(cleaning) == ["v"]
    assert cleaning.checks.tolist() == [2, 2]
    assert cleaning.checks_failed.tolist() == [1, 2]


def test_under_keep_every_answer_to_a_check_counts() -> None:
    rows = [("w", "green", 10), ("w", "green", 90)]

    assert kept(clean(crowd_of(rows, checks=CHECKS, repeats="keep"), SPATIAL)) == []


def test_unchecked_workers_stay_and_are_counted_unless_dropped() -> None:
    crowd = crowd_of([("checked", "green", 0), ("checked", "a", 5), ("unchecked", "a", 5)], checks=CHECKS)
    text = '[[rule]]\nkind = "check"\ncheck = "unrelated"\nmax = 60'

    stays = clean(crowd, rules(text))
    assert (kept(stays), count(stays).workers_unchecked) == (["checked", "unchecked"], 1)
    dropped = clean(crowd, rules("drop_unchecked = true\n" + text))
    assert kept(dropped) == ["checked"]
    assert dropped.worker_reasons == ["", "answered no check"]


def test_too_few_checks_give_no_verdict() -> None:
    crowd = crowd_of([("few", "green", 90), ("many", "green", 90), ("many", "same", 95)], checks=CHECKS)
    both = '[[rule]]\nkind = "check"\ncheck = "unrelated"\nmax = 60\n[[rule]]\nkind = "check"\ncheck = "self"\nmin = 90'

    cleaning = clean(crowd, rules("minimum_checks = 2\n" + both))

    assert kept(cleaning) == ["few"]
    assert cleaning.verdicts[0].of(0) == "not applicable"
    assert cleaning.verdicts[0].of(1) == "failed"


def test_a_rule_without_bounds_uses_the_items_own() -> None:
    bounds = {"k1": {"min": Decimal(40), "max": Decimal(60)}, "k2": {"max": Decimal(10)}}
    rows = [("ok", "k1", 50), ("ok", "k2", 10), ("low", "k1", 39), ("high", "k2", 11)]
    crowd = crowd_of(rows, checks={"k1": "known", "k2": "known"}, bounds=bounds)

    cleaning = clean(crowd, rules('[[rule]]\nkind = "check"\ncheck = "known"'))

    assert kept(cleaning) == ["ok"]
    assert str(cleaning.evidence(1)[0]) == "k1: 39 (at least 40 and at most 60)"


def test_an_item_without_bounds_can_not_be_judged_by_its_own() -> None:
    crowd = crowd_of([("w", "k", 50)], checks={"k": "known"})

    with pytest.raises(Refused, match="item k has no bounds of its own"):
        clean(crowd, rules('[[rule]]\nkind = "check"\ncheck = "known"'))


def test_expected_labels_are_any_of_those_given() -> None:
    rows = [("w", "k", 0), ("v", "k", 1), ("u", "k", 2)]
    crowd = crowd_of(rows, kind="choice", scale=None, labels=("above", "below", "level"), checks={"k": "known"})

    cleaning = clean(crowd, rules('[[rule]]\nkind = "check"\ncheck = "known"\nexpected = "above|below"'))

    assert kept(cleaning) == ["v", "w"]
    assert str(cleaning.evidence(0)[0]) == "k: level (expected above or below)"


def test_bounds_on_labels_are_refused_only_where_they_look_at_something() -> None:
    labels = ("no", "yes")
    clean(crowd_of([("w", "a", 0)], kind="choice", scale=None, labels=labels), SPATIAL)

    with pytest.raises(Refused, match="kind choice has no scale for min and max"):
        clean(crowd_of([("w", "green", 0)], kind="choice", scale=None, labels=labels, checks=CHECKS), SPATIAL)


def test_a_preview_is_the_same_call_and_changes_nothing() -> None:
    crowd = crowd_of([("w", "green", 90), ("v", "a", 1)], checks=CHECKS)
    before = (crowd.answers.copy(), crowd.items.copy())  # type: ignore[union-attr]

    first, second = clean(crowd, SPATIAL), clean(crowd, SPATIAL)

    assert first.kept.tolist() == second.kept.tolist()
    assert np.array_equal(before[0], crowd.answers)  # type: ignore[arg-type]
    assert before[1].equals(crowd.items)
