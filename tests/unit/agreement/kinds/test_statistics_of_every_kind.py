"""What kinds declare of their statistics fits together, and is loaded only when it is asked for."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from agreement.cleaning.check_items import uniform_pass
from agreement.cleaning.rules.check import Bounds, Check
from agreement.files.numbers import PER_CENT
from agreement.gold.gold_columns import ITEM_ID, Role
from agreement.judgments.crowd import Crowd, Properties
from agreement.kinds.kind import QuestionKind
from agreement.kinds.registry import KINDS
from agreement.kinds.statistics import statistics_of, words_of
from agreement.scoring.metrics import METRICS
from tests.by_kind import ANSWERS, ITEM, WORKER, agreement_of, consensus_of, gold_from_table, gold_of, labels_of
from tests.reports import NONE, with_agreement

every_kind = pytest.mark.parametrize("kind", KINDS)


def crowd_of(kind: QuestionKind) -> Crowd:
    """Three people on a target item and on a check that expects the label or text a, or 10 to 50 of a slider."""
    facts, blank = KINDS[kind], pd.Series([None, None], dtype=object)
    is_number = facts.has_scale and not facts.has_labels
    low, high = (pd.Series([None, Decimal(end)], dtype=object) for end in (10, 50))
    items = pd.DataFrame(
        {
            "item_id": ["i", "j"],
            "kind": ["target", "check"],
            "check": ["", "known"],
            "min": low if is_number else blank,
            "max": high if is_number else blank,
            "expected": ["", "" if is_number else "a"],
        }
    )
    extras = pd.DataFrame({"submitted_at": [""] * 6})
    scale = PER_CENT if facts.has_scale else None
    workers = pd.Index(["u", "v", "w"])
    return Crowd(kind, scale, labels_of(kind), items, workers, WORKER, ITEM, ANSWERS[kind], extras, "refuse")


@every_kind
def test_gold_begins_with_the_item_and_has_what_is_quoted(kind: QuestionKind) -> None:
    statistics = statistics_of(kind)
    assert statistics.gold_columns[0] is ITEM_ID
    assert [column.role for column in statistics.gold_columns].count(Role.ITEM) == 1
    assert (statistics.quoting is not None) == KINDS[kind].in_own_words
    if statistics.quoting is not None:
        assert statistics.quoting.column in statistics.gold_columns
        said = {text for judgment in range(6) for text in statistics.quoting.texts_of(ANSWERS[kind], judgment)}
        table = gold_of(kind, ITEM, WORKER, ANSWERS[kind], 2, ())
        assert said == set(table[statistics.quoting.column.name])


@every_kind
def test_gold_is_read_back_as_what_the_kinds_probes_are_scored_against(kind: QuestionKind) -> None:
    labels = labels_of(kind)
    beside = consensus_of(kind, ITEM, WORKER, ANSWERS[kind], 2, labels)
    gold = gold_from_table(kind, gold_of(kind, ITEM, WORKER, ANSWERS[kind], 2, labels, beside=beside), labels)
    assert (gold.kind, gold.takes, len(gold)) == (kind, statistics_of(kind).takes, 2)


@every_kind
def test_probes_are_compared_by_a_metric_that_holds_for_other_workers(kind: QuestionKind) -> None:
    statistics = statistics_of(kind)
    if statistics.person is None:
        assert statistics.agrees is None
        assert statistics.reference is None
    else:
        assert METRICS[statistics.first_metric].holds_for_other_workers
        of_people = METRICS[statistics.person.probe_metric(statistics.person.default)]
        assert not of_people.holds_for_other_workers or of_people.name == statistics.first_metric
        assert set(statistics.person.beside) < set(statistics.person.metrics)
        assert statistics.person.of_numbers == (statistics.takes == "numbers")


@every_kind
def test_agreement_has_every_figure_that_the_kinds_words_name(kind: QuestionKind) -> None:
    report = agreement_of(kind, ITEM, WORKER, ANSWERS[kind], labels=labels_of(kind), replicates=10)
    assert {path for _, path in words_of(kind).figures} <= {*report.statistics(), ("cohen_kappa",)}


@every_kind
def test_checks_are_judged_and_hit_by_chance(kind: QuestionKind) -> None:
    crowd, checked = crowd_of(kind), np.flatnonzero(ITEM == 1)
    bounds = Bounds(
        crowd.items["min"].iloc[1], crowd.items["max"].iloc[1], tuple(filter(None, [crowd.items["expected"].iloc[1]]))
    )
    broken = statistics_of(kind).breaks(crowd, checked, bounds)
    assert (
        broken.tolist()
        == {
            "slider": [False, False, True],
            "sliders": [False, False, True],
            "choice": [False, False, True],
            "verify": [False, False, True],
            "choices": [True, True, True],
            "list": [True, True, True],
            "text": [False, True, True],
            "ranking": [True, False, True],
        }[kind]
    )
    assert 0 <= uniform_pass(crowd, Check(check="known")) < 1


@every_kind
def test_equal_answers_have_equal_codes(kind: QuestionKind) -> None:
    given = ANSWERS[kind]
    twice = given.at(np.tile(np.arange(6), 2)) if isinstance(given, Properties) else np.concatenate([given, given])
    codes = statistics_of(kind).answer_codes(twice)
    assert codes[:6].tolist() == codes[6:].tolist()
    assert len(set(codes.tolist())) > 1


@every_kind
def test_every_kind_has_its_words(kind: QuestionKind) -> None:
    words = words_of(kind)
    assert "{" not in words.answer.format(low=0.0, high=100.0, n_labels=2)
    undefined = with_agreement({"krippendorff_alpha": {"interval": NONE}}).results.agreement.cleaned
    assert words.gold_in(undefined).endswith(".")
    assert words.no_other_alpha
    assert bool(words.reference_metric) == (statistics_of(kind).reference is not None)


def test_a_kind_that_there_is_not_is_no_other_kind() -> None:
    for declared_by in (statistics_of, words_of):
        with pytest.raises(KeyError):
            declared_by("rankings")


def test_what_a_form_needs_loads_no_statistics() -> None:
    code = (
        "import sys\n"
        "import agreement.kinds.registry, agreement.kinds.statistics, agreement.kinds.statistics\n"
        "heavy = {'numpy', 'pandas', 'scipy', 'agreement.people', 'agreement.scoring'}\n"
        "assert not heavy & set(sys.modules), sorted(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == 0
