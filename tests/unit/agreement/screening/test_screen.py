"""Screening of whole crowds: every kind of question, bad input in words, and the words about a suspect."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from agreement.analysis.output_tables import screening_table, workers_table
from agreement.cleaning.cleaning_run import clean
from agreement.cleaning.rule_set import load_rules, with_screening
from agreement.estimation.estimate import Undefined
from agreement.judgments.crowd import Crowd
from agreement.kinds.registry import KINDS
from agreement.screening.evidence import CAUTION, Suspect, suspects_of
from agreement.screening.screen import NO_FIGURE, NO_OVERLAP, Screened, answering_order, screen
from tests.unit.agreement.cleaning.crowds import crowd_of
from tests.unit.agreement.screening.worlds import Design, careless_labels, careless_numbers, labels, numbers

CARELESS = ("random", "middle", "constant", "alternating", "pattern", "reversed", "half random")


def of_numbers(*, careless: tuple[str, ...] = CARELESS, seed: int = 1) -> Crowd:
    rng = np.random.default_rng(seed)
    item, value = numbers(Design(), rng)
    for worker, kind in enumerate(careless):
        value[worker] = careless_numbers(kind, value[worker], rng)
    rows = [(f"w{w:02}", f"i{i}", x) for w in range(40) for i, x in zip(item[w], value[w].tolist(), strict=True)]
    return crowd_of(rows)


def screened_of(crowd: Crowd) -> Screened:
    found = screen(crowd, crowd.on_target, np.ones(crowd.n_workers, dtype=np.bool_))
    assert isinstance(found, Screened)
    return found


def suspects(crowd: Crowd) -> dict[str, Suspect]:
    return {suspect.worker: suspect for suspect in suspects_of(screened_of(crowd), {})}


def test_each_kind_is_said_in_its_own_words() -> None:
    found = suspects(of_numbers())

    assert {worker: suspect.kinds for worker, suspect in found.items()} == {
        "w00": ("random",), "w01": ("constant",), "w02": ("constant",), "w03": ("pattern",), "w04": ("pattern",),
        "w05": ("reversed",), "w06": ("half-random",),
    }  # fmt: skip
    words = {worker: suspect.sentence for worker, suspect in found.items()}
    assert words["w00"].startswith("Agrees with the others no better than chance: correlation with the others ")
    assert words["w01"].startswith("Gave 50, the middle of the scale, to all 40 items")
    assert words["w02"].startswith("Gave 70 to all 40 items")
    assert words["w03"].startswith("Nearly repeats their own last answers")
    assert words["w04"].startswith("Repeats the same 3 answers through 40 of 40")
    assert words["w05"].startswith("Answers fall where those of the others rise")
    assert words["w06"].startswith("Agrees with the others in the first ")
    assert not any("bot" in text.lower().replace("both", "") for text in [*words.values(), CAUTION])


def test_labels_are_quoted_and_the_annotator_model_is_told() -> None:
    rng = np.random.default_rng(2)
    item, code, truth = labels(Design(30, 80, 40), rng, 3)
    code[0] = careless_labels("constant", code[0], truth[item[0]], 3, rng)
    code[1] = careless_labels("wrong", code[1], truth[item[1]], 3, rng)
    names = ("red", "green", "blue")
    rows = [(f"w{w:02}", f"i{i}", c) for w in range(30) for i, c in zip(item[w], code[w].tolist(), strict=True)]
    crowd = crowd_of(rows, kind="choice", scale=None, labels=names)

    found = suspects_of(screened_of(crowd), {0: 0.33, 1: 0.1} | dict.fromkeys(range(2, 30), 0.9))

    assert [(suspect.worker, suspect.kinds) for suspect in found] == [("w00", ("constant",)), ("w01", ("wrong",))]
    assert found[0].sentence.startswith(f"Gave “{names[code[0][0]]}” to all 40 items, which is improbable")
    competence = found[1].evidence.competence
    assert competence is not None
    assert competence.value == 0.1
    assert competence.z is not None
    assert competence.z < -3


def test_who_is_excluded_is_no_suspect_and_nobody_is_held_against_them() -> None:
    crowd = of_numbers()
    kept = np.ones(crowd.n_workers, dtype=np.bool_)
    kept[:5] = False

    found = screen(crowd, crowd.on_target, kept)

    assert isinstance(found, Screened)
    assert [suspect.worker for suspect in suspects_of(found, {})] == ["w05", "w06"]
    assert found.found.named[:5].all()


def test_the_tables_have_every_worker() -> None:
    crowd = of_numbers()
    screened, cleaning = screened_of(crowd), clean(crowd, load_rules("own-bounds"))

    table = {name: column.text().tolist() for name, column in screening_table(screened).items()}
    workers = {name: column.text().tolist() for name, column in workers_table(cleaning, screened, {}).items()}

    assert table["worker_id"] == workers["worker_id"] == [f"w{w:02}" for w in range(40)]
    assert table["kinds"] == workers["suspect_of"]
    assert table["kinds"][:2] == ["random", "constant"]
    assert set(table["kinds"][7:]) == {""}
    assert table["longstring"][1] == "40"
    assert table["irv"][1] == "0"
    assert table["person_total"][1] == ""
    assert set(table["agreement"]) == {""}
    assert "suspect_of" not in workers_table(cleaning, None, {})


def test_the_rule_set_excludes_them_and_says_that_it_selects_on_the_outcome() -> None:
    crowd = of_numbers(careless=("random", "constant"))
    rules = load_rules("screening")

    cleaning = clean(crowd, rules)

    assert np.flatnonzero(~cleaning.worker_kept).tolist() == [0, 1]
    assert [rule.kind for rule in cleaning.selects_on_outcome] == ["screening"]
    [evidence] = cleaning.evidence(1)
    assert str(evidence).startswith("Gave 70 to all 40 items")


def test_rules_with_screening_are_those_rules_and_one_more() -> None:
    assert with_screening(load_rules("own-bounds")) == load_rules("screening")
    more = with_screening(load_rules("spatial-2019"))
    assert more.name == "spatial-2019, with screening"
    assert [rule.kind for rule in more.rules] == ["check", "check", "screening"]
    assert with_screening(more) == more


@pytest.mark.parametrize("kind", ["list", "text"])
def test_answers_in_own_words_are_not_screened(kind: str) -> None:
    assert kind in KINDS
    crowd = replace(crowd_of([("a", "i", 1.0), ("b", "i", 2.0)]), kind=kind)

    assert screen(crowd, crowd.on_target, np.ones(2, dtype=np.bool_)) == Undefined(NO_FIGURE)


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([("a", f"i{i}", 5.0) for i in range(12)], "nobody answered 10 items"),
        ([(w, f"i{i}", 5.0 * i) for w in "ab" for i in range(12)], "nobody answered 10 items"),
        ([(w, f"i{i}", 5.0 * i) for w in "abc" for i in range(12)], "fewer than 5 people"),
        ([(f"w{w}", f"i{w}{i}", 5.0 * i) for w in range(9) for i in range(12)], "nobody answered 10 items"),
        ([(f"w{w}", "i", 50.0 + w) for w in range(30)], "nobody answered 10 items"),
        ([(w, f"i{i}", 50.0) for w in "abcdefg" for i in range(12)], "nearly everybody gave one answer"),
    ],
    ids=["one worker", "two workers", "three workers", "no overlap", "one item each", "one answer"],
)
def test_why_nobody_can_be_screened_is_said(rows: list[tuple[str, str, float]], why: str) -> None:
    found = screened_of(crowd_of(rows))

    assert found.why_not.startswith(why)
    assert not found.found.named.any()
    assert screening_table(found)["worker_id"].text().size == len({worker for worker, _, _ in rows})


def test_where_all_click_at_random_nobody_can_be_told_from_the_others() -> None:
    crowd = of_numbers(careless=("random",) * 40)

    assert screened_of(crowd).why_not.startswith("people agree with each other no better than chance")


def test_without_a_judgment_there_is_nobody_to_screen() -> None:
    crowd = crowd_of([("a", "i", 1.0)])

    assert screen(crowd, np.zeros(1, dtype=np.bool_), np.ones(1, dtype=np.bool_)) == Undefined(NO_OVERLAP)


@pytest.mark.parametrize(("kind", "n_labels"), [("choices", 3), ("sliders", 3), ("ranking", 3), ("verify", 2)])
def test_other_kinds_of_answers_are_screened_too(kind: str, n_labels: int) -> None:
    """Twelve people who answer as all do, and one who answers at random."""
    rng = np.random.default_rng(4)
    truth = rng.normal(0, 1, (60, n_labels))
    rows = []
    for w in range(12):
        for i in range(60):
            seen = rng.normal(0, 1, n_labels) if w == 3 else truth[i] + rng.normal(0, 0.4, n_labels)
            answer: object = {
                "choices": (seen > 0.3).tolist(),
                "sliders": np.clip(50 + 20 * seen, 0, 100).tolist(),
                "ranking": (np.argsort(np.argsort(-seen)) + 1).tolist(),
                "verify": int(seen[0] > 0),
            }[kind]
            rows.append((f"w{w:02}", f"i{i}", answer))
    names = ("true", "false") if kind == "verify" else ("a", "b", "c")[:n_labels]
    crowd = crowd_of(rows, kind=kind, scale="0:100" if kind == "sliders" else None, labels=names)

    found = screened_of(crowd)

    assert np.flatnonzero(found.found.named).tolist() == [3]
    assert found.found.kinds["random"][3]


def test_answers_are_in_the_order_of_their_times() -> None:
    crowd = crowd_of([("a", f"i{i}", float(i)) for i in range(3)])
    times = ["2026-11-18T20:31Z", "2026-11-18T20:30Z", "2026-11-18T20:32Z"]

    assert np.argsort(answering_order(crowd)).tolist() == [0, 1, 2]
    crowd.extras["submitted_at"] = times
    assert np.argsort(answering_order(crowd)).tolist() == [1, 0, 2]
    crowd.extras["submitted_at"] = [times[0], None, times[2]]
    assert np.argsort(answering_order(crowd)).tolist() == [0, 1, 2]
