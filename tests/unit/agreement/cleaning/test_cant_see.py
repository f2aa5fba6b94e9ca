"""The rule on workers who say of too many pictures that they can't see them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from agreement.cleaning.cleaning_run import Cleaning, clean, count
from agreement.cleaning.rule_set import parse_rules
from agreement.errors import Refused
from agreement.judgments.crowd import Crowd
from tests.unit.agreement.cleaning.crowds import Row, crowd_of

RULE = '[[rule]]\nkind = "cant-see"\nshare_above = {most}'


def a_crowd() -> Crowd:
    """Worker a saw all of six pictures, b three of six, c two of six, and d none."""
    rows: list[Row] = [(w, f"i{k}", 50.0) for w, seen in (("a", 6), ("b", 3), ("c", 2)) for k in range(seen)]
    crowd = crowd_of(rows)
    workers = pd.Index(["a", "b", "c", "d"], dtype=object)
    return replace(crowd, workers=workers, unseen=np.array([0, 3, 4, 6], dtype=np.int64))


def judged(crowd: Crowd, most: str = "0.5", before: str = "") -> Cleaning:
    return clean(crowd, parse_rules(f'name = "test"\n{before}\n{RULE.format(most=most)}'))


@pytest.mark.parametrize(("most", "kept"), [("0", "a"), ("0.5", "ab"), ("0.7", "abc"), ("1", "abcd")])
def test_larger_share_than_allowed_fails(most: str, kept: str) -> None:
    cleaning = judged(a_crowd(), most)
    assert "".join(cleaning.crowd.workers[cleaning.worker_kept]) == kept


def test_evidence_counts_items_of_who_gave_no_judgment_too() -> None:
    cleaning = judged(a_crowd())
    assert [str(found) for found in cleaning.evidence(3)] == [
        "could not see the picture of 6 of 6 items (at most a share of 0.5)"
    ]
    assert str(cleaning.evidence(2)[0]).startswith("could not see the picture of 4 of 6 items")
    assert cleaning.selects_on_outcome == ()


def test_counts_of_the_rule_have_those_who_saw_nothing_and_the_data_don_t() -> None:
    counts = count(judged(a_crowd()))
    (rule,) = counts.rules
    assert (rule.passed, rule.failed, rule.not_applicable) == (2, 2, 0)
    assert (counts.workers, counts.workers_kept) == (3, 2)


def test_who_gave_no_judgment_is_not_dropped_for_answering_no_check() -> None:
    cleaning = judged(a_crowd(), "1", before="drop_unchecked = true")
    assert cleaning.worker_kept.tolist() == [False, False, False, True]
    assert cleaning.worker_reasons[3] == ""


@pytest.mark.parametrize("column", [["3", "3", ""], [3.0, 3.0, np.nan]])
def test_count_is_read_from_its_column_where_a_file_has_it(column: Any) -> None:
    crowd = crowd_of([("a", "i1", 50.0), ("a", "i2", 50.0), ("b", "i1", 50.0)])
    crowd = replace(crowd, extras=crowd.extras.assign(worker_could_not_see=column))
    cleaning = judged(crowd)
    assert cleaning.worker_kept.tolist() == [False, True]
    assert "3 of 5 items" in str(cleaning.evidence(0)[0])


@pytest.mark.parametrize("text", ["many", "-1", "inf"])
def test_column_that_is_no_count_is_refused_by_row(text: str) -> None:
    crowd = crowd_of([("a", "i1", 50.0), ("b", "i1", 50.0)])
    crowd = replace(crowd, extras=crowd.extras.assign(worker_could_not_see=["", text]))
    with pytest.raises(Refused, match=f"Judgment 2, column worker_could_not_see: '{text}'"):
        judged(crowd)


def test_crowd_of_which_nothing_is_known_passes() -> None:
    assert judged(crowd_of([("a", "i1", 50.0)]), "0").worker_kept.tolist() == [True]


@pytest.mark.parametrize("given", ["share_above = 1.5", "share_above = -0.1", "share = 0.5", ""])
def test_rule_is_refused_without_a_share_from_0_to_1(given: str) -> None:
    with pytest.raises(Refused, match="share"):
        parse_rules(f'name = "test"\n[[rule]]\nkind = "cant-see"\n{given}')
