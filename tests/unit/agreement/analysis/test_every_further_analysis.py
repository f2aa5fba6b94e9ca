"""Every further analysis, found by walking the folder: asked for, made or undefined in words, and documented."""

import json
import pkgutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from agreement import on_request as folder
from agreement.analysis.analysis import analyse
from agreement.cleaning.rule_set import load_rules
from agreement.errors import Refused
from agreement.files.numbers import PER_CENT
from agreement.gold import hierarchical_annotators
from agreement.judgments.crowd import ITEM_COLUMNS, Crowd
from agreement.on_request import FURTHER, requested_analyses
from agreement.on_request.further_analysis import (
    MOST_ROWS,
    AnalysisInput,
    FurtherResult,
    RequestedAnalysis,
    Table,
    report_of_analysis,
)
from agreement.report.methods import methods_text
from agreement.report.paper_tables import tables_of
from agreement.report.report import read_report, report_as_json
from agreement.scoring.probe import Probe, Run
from annotation.pages.result_forms import field_of

MANUAL = (Path(__file__).parents[4] / "docs" / "further-analyses.md").read_text(encoding="utf-8")
ITEMS, WORKERS, LABELS = 40, 12, ("no", "maybe", "yes")
ARGUMENTS = {"subgroups": "subgroups:age"}

# What can say nothing of some data, and says so.
HIERARCHICAL = "hierarchical-dawid-skene"
UNDEFINED = {
    "one worker": {"alt-test", "disagreement", "coefficients", "subgroups:age", "worker-models", HIERARCHICAL},
    "two workers": {"subgroups:age", "worker-models", HIERARCHICAL},
    "no overlap": {"alt-test", "disagreement", "coefficients", "subgroups:age", "worker-models", HIERARCHICAL},
    "one label": {"disagreement", "subgroups:age", "worker-models", HIERARCHICAL},
    "no model": {"alt-test", "many-models"},
    "numbers": {"disagreement", HIERARCHICAL},
}

every_analysis = pytest.mark.parametrize("name", FURTHER)


def crowd(kind: str = "choice", workers: int = WORKERS, **changes: Any) -> Crowd:
    """Everybody judged everything; the workers are old or young."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, ITEMS)
    item, worker = np.repeat(np.arange(ITEMS), workers), np.tile(np.arange(workers), ITEMS)
    code = np.where(rng.random(len(item)) < 0.7, truth[item], rng.integers(0, 3, len(item)))
    columns: dict[str, Any] = {name: [""] * ITEMS for name in ITEM_COLUMNS}
    columns |= {"item_id": [f"i{at}" for at in range(ITEMS)], "kind": ["target"] * ITEMS}
    columns |= {"min": [None] * ITEMS, "max": [None] * ITEMS}
    answers: Any = code.astype(np.int32) if kind == "choice" else code * 50.0
    ages = pd.DataFrame({"age": ["old", "young"] * (workers // 2) + ["old"] * (workers % 2)})
    made: dict[str, Any] = {
        "kind": kind,
        "scale": None,
        "labels": LABELS if kind == "choice" else (),
        "items": pd.DataFrame(columns),
        "workers": pd.Index([f"w{at}" for at in range(workers)], dtype=object),
        "worker": worker.astype(np.int32),
        "item": item.astype(np.int32),
        "answers": answers,
        "extras": pd.DataFrame(
            {"response_ms": np.nan, "submitted_at": "", "assignment_id": ""}, index=range(len(item))
        ),
        "repeats": "refuse",
        "ordered": kind == "choice",
        "worker_fields": ages,
    }
    return Crowd(**{**made, **changes})


def asked_again(made: Crowd, repeats: int = 12) -> Crowd:
    """The crowd with the first items asked again, by a check item each that nobody fails; one in five answers anew."""
    rng = np.random.default_rng(6)
    again = made.item < repeats
    bounds: dict[str, Any] = {"expected": "|".join(made.labels)} if made.labels else {"min": PER_CENT.low}
    checks = made.items.head(repeats).assign(
        item_id=[f"again{row}" for row in range(repeats)],
        kind="check",
        check="again",
        repeats=made.items["item_id"].head(repeats),
        **bounds,
    )
    answers: Any = np.array(made.answers)
    second = np.where(rng.random(again.sum()) < 0.8, answers[again], rng.permutation(answers[again]))
    return replace(
        made,
        items=pd.concat([made.items.assign(repeats=""), checks], ignore_index=True),
        item=np.concatenate([made.item, made.item[again] + made.n_items]).astype(np.int32),
        worker=np.concatenate([made.worker, made.worker[again]]),
        answers=np.concatenate([answers, second]).astype(answers.dtype),
        extras=pd.concat([made.extras, made.extras[again]], ignore_index=True),
    )


def timed(made: Crowd) -> Crowd:
    """The crowd with a time of each answer, by which everybody had the items in an order of their own."""
    rng = np.random.default_rng(7)
    minute = np.argsort(np.argsort(rng.random(made.n_judgments)))
    times = [f"2026-01-01T{at // 60:02}:{at % 60:02}:00Z" for at in minute]
    return replace(made, extras=made.extras.assign(submitted_at=times))


def models(kind: str, items: int = ITEMS) -> list[Probe]:
    rng = np.random.default_rng(2)
    if kind == "choice":
        return [Probe(name, "labels", (Run({}, rng.dirichlet(np.ones(3), items)),)) for name in ("a", "b")]
    return [Probe(name, "numbers", (Run({}, rng.uniform(0, 100, items)),)) for name in ("a", "b")]


def report_of(given: Crowd, *words: str, probes: list[Probe] | None = None) -> dict[str, Any]:
    made = models(given.kind, given.n_items) if probes is None else probes
    rules = load_rules("own-bounds")
    return report_as_json(analyse(given, rules, study_name="s", replicates=100, probes=made, further=words).report)


def part_of(given: Crowd, word: str) -> dict[str, Any]:
    [part] = report_of(given, word, probes=[])["further"]
    return dict(part)


def word_for(name: str) -> str:
    return ARGUMENTS.get(name, name)


@pytest.fixture(scope="module")
def everything() -> dict[str, Any]:
    """A report of labels with all of them."""
    return report_of(timed(asked_again(crowd())), *map(word_for, FURTHER))


@pytest.fixture(scope="module")
def of_numbers() -> dict[str, Any]:
    """The same of numbers, for what needs them."""
    return report_of(timed(asked_again(crowd("slider", ordered=False, scale=PER_CENT))), *map(word_for, FURTHER))


def test_each_module_of_the_folder_is_one_analysis() -> None:
    modules = {module.name for module in pkgutil.iter_modules(folder.__path__)} - {"further_analysis", "further_report"}
    assert len(modules) == len(FURTHER)
    assert len({each.order for each in FURTHER.values()}) == len(FURTHER)
    assert len({field_of(name) for name in FURTHER}) == len(FURTHER)


@every_analysis
def test_it_says_what_it_is_and_its_manual_has_a_section_and_a_row(name: str) -> None:
    each = FURTHER[name]
    assert each.asks.endswith("?")
    assert each.needs
    assert f"\n## {each.docs}\n" in MANUAL
    [row] = [line for line in MANUAL.splitlines() if line.startswith(f"| `{name}")]
    assert f"| {each.title} |" in row
    assert (f"{name}:" in row or f"{name}[:" in row) == (each.argument is not None)


@every_analysis
def test_it_has_sentences_and_tables_that_are_printed(
    name: str, everything: dict[str, Any], of_numbers: dict[str, Any]
) -> None:
    both = [(part, each) for each in (everything, of_numbers) for part in each["further"]]
    part, report = next((part, each) for part, each in both if part["analysis"] == word_for(name) and "says" in part)
    assert part["title"] == FURTHER[name].title
    assert part["says"]
    assert part["tables"]
    printed = {table.name: table for table in tables_of(read_report(report))}
    for table in part["tables"]:
        assert table["rows"]
        assert all(list(row) == list(table["columns"]) for row in table["rows"])
        assert printed[table["name"]].header == tuple(table["columns"].values())
    for sentence in part["says"]:
        assert sentence in methods_text(read_report(report))
        assert sentence.endswith(".")


def test_they_are_the_same_each_time_and_whatever_else_is_asked_for(everything: dict[str, Any]) -> None:
    again = report_of(timed(asked_again(crowd())), word_for("disagreement"), word_for("alt-test"))["further"]
    assert again == [part for part in everything["further"] if part["analysis"] in {"alt-test", "disagreement"}]


@pytest.mark.parametrize("case", ["one worker", "two workers", "no overlap", "one label", "no model", "numbers"])
def test_bad_input_gives_words_and_never_a_failure(case: str) -> None:
    given = crowd(workers={"one worker": 1, "two workers": 2}.get(case, WORKERS))
    if case == "numbers":
        given = crowd("slider", ordered=False, scale=PER_CENT)
    if case == "one label":
        given = replace(given, answers=np.zeros_like(given.answers))
    if case == "no overlap":
        given = given.take(given.item % WORKERS == given.worker)
    report = report_of(given, *map(word_for, FURTHER), probes=[] if case == "no model" else None)
    json.dumps(report["further"], allow_nan=False)
    undefined = {part["analysis"]: part["undefined"] for part in report["further"] if "undefined" in part}
    assert all(undefined.values())
    assert not any(why.endswith(".") for why in undefined.values())
    assert {part["analysis"] for part in report["further"] if part.get("says")} == set(
        map(word_for, FURTHER)
    ) - undefined.keys()
    assert undefined.keys() >= UNDEFINED[case]


@pytest.mark.parametrize("kind", ["choice", "slider"])
@pytest.mark.parametrize("case", ["one worker", "two workers", "no overlap", "one label", "careless", "one each"])
def test_bad_input_with_times_and_repeats_gives_words_too(
    case: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hierarchical_annotators, "DRAWS", 160)
    given = of_kind(kind)
    if case in {"one label", "careless"}:
        answers = np.random.default_rng(4).permutation(np.asarray(given.answers))
        given = replace(given, answers=answers if case == "careless" else np.zeros_like(answers))
    given = timed(asked_again(given))
    alone = given.item % ITEMS % WORKERS == given.worker
    which = {
        "one worker": given.worker == 0,
        "two workers": given.worker < 2,
        "no overlap": alone,
        "one each": alone & (given.item < WORKERS),
    }
    given = given.take(which.get(case, np.ones(given.n_judgments, dtype=bool)))
    report = report_of(given, HIERARCHICAL, "intra-annotator", "drift", probes=[])
    json.dumps(report, allow_nan=False)
    undefined = {part["analysis"] for part in report["further"] if part.get("undefined")}
    words = " ".join(sentence for part in report["further"] for sentence in part.get("says", []))
    assert "nan" not in words
    expected = {
        "one worker": {HIERARCHICAL, "drift"},
        "two workers": {HIERARCHICAL, "drift"},
        "no overlap": {HIERARCHICAL, "drift"},
        "one label": {HIERARCHICAL, "drift"},
        "careless": set(),
        "one each": {HIERARCHICAL, "drift", "intra-annotator"},
    }[case]
    assert undefined == expected | ({HIERARCHICAL} if kind == "slider" else set())


def test_alternative_annotator_test_has_a_key_of_its_own() -> None:
    report = report_of(crowd(), "alt-test:0.1", "alt-test:0.4")
    assert [(each["probe"], each["epsilon"]) for each in report["alt_test"]] == [
        ("a", 0.1), ("b", 0.1), ("a", 0.4), ("b", 0.4),
    ]  # fmt: skip
    tables = [part["tables"] for part in report["further"]]
    of_models = [row for of_models, _ in tables for row in of_models["rows"] if row["who"] == "model"]
    people = [row for row in tables[0][0]["rows"] if row["who"] == "person"]
    assert {row["model"] for row in people} == {f"w{at}" for at in range(WORKERS)}
    assert {row["annotators"] for row in people} == {WORKERS - 1}
    for each, row in zip(report["alt_test"], of_models, strict=True):
        assert list(each) == ["probe", "epsilon", "winning_rate", "advantage", "annotators"]
        assert (each["winning_rate"], each["advantage"]) == (row["winning_rate"], row["advantage"])
    [_, of_annotators] = tables[1]
    rows = [row for row in of_annotators["rows"] if row["model"] == "b"]
    assert report["alt_test"][3]["annotators"] == [
        {"worker": row["worker"], "p": row["p"], "rejected": row["won"] == "yes", "advantage": row["advantage"]}
        for row in rows
    ]
    few = crowd()
    few = few.take(few.item < 20)
    assert report_of(few, "alt-test")["alt_test"][0] == {
        "probe": "a", "epsilon": 0.1, "undefined": "no annotator has 30 items that count",
    }  # fmt: skip


def test_annotators_near_chance_are_named_and_the_verdict_is_without_them() -> None:
    given = crowd(ordered=False)
    rng = np.random.default_rng(5)
    answers = np.array(given.answers)
    clicks = given.worker < 6
    answers[clicks] = rng.integers(0, 3, int(clicks.sum()))
    report = report_of(replace(given, answers=answers.astype(np.int32)), "alt-test")

    named = report["alt_test"][0]["near_chance"]
    assert set(named["workers"]) <= {f"w{at}" for at in range(6)}
    assert len(named["workers"]) >= 4
    [part] = report["further"]
    said = " ".join(part["says"])
    assert f"{', '.join(named['workers'])} agree with the others hardly better than by chance" in said
    assert f"winning rate {named['winning_rate']:.3f} of {12 - len(named['workers'])} annotators" in said
    assert "people would pass against the other annotators" in said
    assert named["is_passed"] == ("a passes" in said)


def test_too_few_annotators_above_chance_give_no_verdict() -> None:
    few = crowd(ordered=False, workers=4)
    answers = np.where(few.worker < 2, 0, np.array(few.answers)).astype(np.int32)
    report = report_of(replace(few, answers=answers), "alt-test")

    named = report["alt_test"][0]["near_chance"]
    assert named == {"workers": ["w0", "w1"], "winning_rate": None, "is_passed": None}
    assert "a: no verdict, for fewer than 3 annotators with 30 items" in " ".join(report["further"][0]["says"])


def test_one_analysis_that_is_asked_for_twice_has_tables_of_different_names() -> None:
    report = report_of(crowd(), "alt-test:0.1", "alt-test:0.4", "many-models")
    names = [table["name"] for part in report["further"] for table in part["tables"]]
    assert names[:4] == ["alt-test", "alt-test-annotators", "alt-test-0-4", "alt-test-annotators-0-4"]
    assert len(set(names)) == len(names)


def test_nothing_is_in_a_report_that_nobody_asked_for() -> None:
    assert "further" not in report_of(crowd())


def test_what_can_not_be_read_is_refused_all_together() -> None:
    with pytest.raises(Refused) as refused:
        requested_analyses(["alt-tset", "alt-test:2", "disagreement:1", "subgroups"])
    said = "\n".join(refused.value.reasons)
    for part in ("no analysis 'alt-tset'", "not a number from 0 to 1", "nothing stands behind a colon", "is missing"):
        assert part in said
    assert [asked.key for asked in requested_analyses(["worker-models", "alt-test:0.2", "alt-test:0.2"])] == [
        "alt-test:0.2",
        "worker-models",
    ]


def test_groups_below_five_people_are_never_shown() -> None:
    ages = pd.DataFrame({"age": ["old"] * 5 + ["secret"] * 4 + ["", "young", "young"]})
    part = part_of(crowd(worker_fields=ages), "subgroups:age")
    assert "secret" not in json.dumps(part)
    assert "7 of the workers are left out" in " ".join(part["says"])
    none = part_of(crowd(worker_fields=ages.iloc[::-1].head(4).reindex(range(12)).fillna("")), "subgroups:age")
    assert "no group of 'age' has 5 people" in none["undefined"]


def test_models_by_subgroup_have_the_scores_and_intervals_of_a_crowd_of_that_group_alone() -> None:
    given = crowd()
    whole = report_of(given, "subgroups:age")
    [part] = whole["further"]
    [table] = [each for each in part["tables"] if each["name"] == "models-by-subgroup-age"]
    old = np.arange(WORKERS) % 2 == 0
    alone = report_of(given.take(old[given.worker]))
    for row in table["rows"]:
        cell = row["group_0"]
        [score] = [
            each
            for each in alone["scores"]
            if (each["probe"], each["metric"], each["breakdown"]) == (row["model"], "people_who_agree", "")
        ]
        assert cell["over"] == score["over"] == "items and workers"
        assert cell["estimate"] == pytest.approx(score["estimate"], abs=1e-12)
        assert (cell["low"], cell["high"]) == pytest.approx((score["low"], score["high"]), abs=1e-12)
    [between] = [each for each in part["tables"] if each["name"] == "between-subgroups-age"]
    assert between["rows"][0]["gold"]["over"] == "items and workers"


def of_kind(kind: str) -> Crowd:
    return crowd(kind, ordered=kind == "choice", scale=None if kind == "choice" else PER_CENT)


@pytest.mark.parametrize("kind", ["choice", "slider"])
def test_one_item_gives_words_and_never_a_failure(kind: str) -> None:
    given = of_kind(kind)
    report = report_of(given.take(given.item == 0), *map(word_for, FURTHER))
    json.dumps(report, allow_nan=False)
    undefined = {part["analysis"]: part["undefined"] for part in report["further"] if "undefined" in part}
    assert "only one item" in undefined["worker-models"]


@pytest.mark.parametrize("kind", ["choice", "slider"])
def test_people_who_agree_wholly_have_no_severities_and_no_noise(kind: str) -> None:
    given = of_kind(kind)
    agreed = given.item % 3 * (1 if kind == "choice" else 50)
    parts = report_of(
        replace(given, answers=agreed.astype(np.int32 if kind == "choice" else np.float64)),
        "worker-models",
        "variance-components",
        probes=[],
    )["further"]
    assert "has no severities" in " ".join(parts[0]["says"])
    assert kind == "choice" or "0.0% between workers, 0.0% residual" in " ".join(parts[1]["says"])


def test_models_on_three_items_have_no_difference_that_could_be_found() -> None:
    given = crowd(ordered=False)
    [part] = report_of(given.take(given.item < 3), "many-models")["further"]
    said = " ".join(part["says"])
    assert "no difference that scores can have is found" in said
    [pairs] = [table for table in part["tables"] if table["name"] == "pairs-of-models"]
    assert all((row["detectable"] or 0) <= 1 for row in pairs["rows"])


def test_model_of_annotators_that_takes_everybody_for_guessing_says_so() -> None:
    given = crowd(ordered=False)
    one_dissents = replace(given, answers=np.eye(1, given.n_judgments, dtype=np.int32)[0])
    [part] = report_of(one_dissents, "worker-models", probes=[])["further"]
    assert "MACE takes everybody for guessing" in " ".join(part["says"])


def test_same_answer_throughout_and_no_overlap_are_said_by_what_compares_groups() -> None:
    given = crowd()
    same = part_of(replace(given, answers=np.zeros_like(given.answers)), "subgroups:age")
    assert same["undefined"] == "every answer is the same"
    alone = given.take(given.item % WORKERS == given.worker)
    assert part_of(alone, "subgroups:age")["undefined"] == "no item has two judgments"
    pairs = given.take((given.worker == given.item % WORKERS) | (given.worker == (given.item + 1) % WORKERS))
    assert "No two groups have a test" in " ".join(part_of(pairs, "subgroups:age")["says"])


def test_a_column_that_says_different_things_of_one_worker_is_no_column_of_workers() -> None:
    given = crowd(worker_fields=None)
    mixed = replace(given, extras=given.extras.assign(mood=[str(at % 7) for at in range(given.n_judgments)]))
    same = replace(given, extras=given.extras.assign(age=["old" if at % 2 else "young" for at in given.worker]))
    assert "different things of one worker" in part_of(mixed, "subgroups:mood")["undefined"]
    assert "undefined" not in part_of(same, "subgroups:age")
    assert "no worker has anything in a column 'age'" in part_of(given, "subgroups:age")["undefined"]


def test_a_table_of_many_rows_is_cut_and_says_so() -> None:
    long = Table(name="t", caption="C.", columns={"n": "N"}, rows=[{"n": at} for at in range(MOST_ROWS + 1)])
    analysis = replace(FURTHER["disagreement"], why_not=lambda _: "", compute=lambda _: FurtherResult(["S."], [long]))
    judged: AnalysisInput = None  # type: ignore[assignment]
    [table] = report_of_analysis(RequestedAnalysis(analysis), analysis.compute(judged)).tables
    assert len(table.rows) == MOST_ROWS
    assert "The first 1,000 of 1,001 rows." in table.caption
