"""What a browser claims of its times is held against the server's clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from agreement.cleaning.cleaning_run import Cleaning, clean
from agreement.cleaning.rule_set import parse_rules
from agreement.judgments.crowd import Crowd
from tests.unit.agreement.cleaning.crowds import Row, crowd_of

FLOOR = 'kind = "too-fast"\nfloor_ms = 500'


def a_crowd(
    claimed_ms: Mapping[str, float],
    server_ms: Mapping[str, float | str],
    *,
    items: int = 12,
    items_per_page: float = 1,
    parts: int = 1,
) -> Crowd:
    """Workers who claim the same time for each of `items` answers, in so many assignments of one length."""
    rows: list[Row] = [(w, f"i{k:02}", 50.0) for w in claimed_ms for k in range(items)]
    crowd = crowd_of(rows, response_ms=[claimed_ms[w] for w, _, _ in rows])
    more: dict[str, Any] = {
        "server_ms": [server_ms[w] for w, _, _ in rows],
        "items_per_page": items_per_page,
        "assignment_id": [f"{w}{k * parts // items}" for w in claimed_ms for k in range(items)],
    }
    return replace(crowd, extras=crowd.extras.assign(**more))


def judged(crowd: Crowd, rule: str = FLOOR) -> Cleaning:
    return clean(crowd, parse_rules(f'name = "test"\n[[rule]]\n{rule}'))


def test_claims_that_the_servers_clock_contradicts_are_not_believed() -> None:
    cleaning = judged(a_crowd({"a": 3000, "b": 3000}, {"a": 2000, "b": 40_000}))
    assert cleaning.worker_kept.tolist() == [False, True]
    assert str(cleaning.evidence(0)[0]) == ("claimed 36 s, the server saw 2 s: 166.667 ms per answer (at least 500 ms)")


def test_claims_of_less_than_passed_are_believed_however_late_the_answers_came() -> None:
    assert judged(a_crowd({"a": 800}, {"a": 86_400_000})).worker_kept.tolist() == [True]
    assert judged(a_crowd({"a": 400}, {"a": 86_400_000})).worker_kept.tolist() == [False]


@pytest.mark.parametrize(("server_ms", "kept"), [(4_970, True), (4_960, False)])
def test_two_clocks_may_differ_by_a_second_and_a_hundredth(server_ms: float, *, kept: bool) -> None:
    assert judged(a_crowd({"a": 501}, {"a": server_ms})).worker_kept.tolist() == [kept]


def test_who_claims_too_much_and_took_long_enough_stays() -> None:
    cleaning = judged(a_crowd({"a": 9000}, {"a": 60_000}))
    assert cleaning.worker_kept.tolist() == [True]
    assert cleaning.verdicts[0].of(0) == "passed"


def test_time_of_a_page_may_be_claimed_by_each_of_its_items() -> None:
    claimed, server = {"a": 3000.0}, {"a": 4000.0}
    assert judged(a_crowd(claimed, server, items_per_page=12)).worker_kept.tolist() == [True]
    few = judged(a_crowd(claimed, server, items_per_page=2))
    assert few.worker_kept.tolist() == [False]
    assert "claimed 36 s for pages of 2 items, the server saw 4 s" in str(few.evidence(0)[0])


def test_times_of_several_assignments_add_up() -> None:
    assert judged(a_crowd({"a": 3000}, {"a": 19_000}, parts=2)).worker_kept.tolist() == [True]
    cleaning = judged(a_crowd({"a": 3000}, {"a": 2000}, parts=2))
    assert "the server saw 4 s: 333.333 ms per answer" in str(cleaning.evidence(0)[0])


def test_claims_without_a_servers_time_are_believed() -> None:
    assert judged(a_crowd({"a": 3000}, {"a": float("nan")})).worker_kept.tolist() == [True]
    assert judged(a_crowd({"a": 3000}, {"a": ""})).worker_kept.tolist() == [True]
    rows: list[Row] = [("a", f"i{k}", 50.0) for k in range(3)]
    assert judged(crowd_of(rows, response_ms=[3000.0] * 3)).worker_kept.tolist() == [True]


def test_text_of_a_file_is_read_as_the_number_that_it_is() -> None:
    assert judged(a_crowd({"a": 3000}, {"a": "2000"})).worker_kept.tolist() == [False]


def test_time_far_below_the_others_is_the_servers_too() -> None:
    claimed = {chr(97 + k): 2000.0 + k for k in range(12)}
    server: dict[str, float | str] = {w: 30_000 if w != "m" else 300 for w in (*claimed, "m")}
    cleaning = judged(a_crowd({**claimed, "m": 2500}, server), 'kind = "too-fast"\nsd_below = 3')
    assert "".join(cleaning.crowd.workers[~cleaning.worker_kept]) == "m"
    assert "the server saw 0.3 s: 25 ms per answer" in str(cleaning.evidence(12)[0])
