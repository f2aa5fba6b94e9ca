"""Models, people and constant answers against labels or numbers from elsewhere, in one table."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from agreement.analysis import reference_scores
from tests.integration.agreement.analyse_file.command import (
    analyse,
    needs_shared_data,
    read_rows,
    refused,
    shared,
    write_rows,
)

LABELS = ["--labels", "above|below|level"]
RELATIONS = [  # item, room, reference
    ("i0", "kitchen", "above"), ("i1", "kitchen", "below"), ("i2", "kitchen", "above|level"), ("i3", "office", "level"),
    ("i4", "office", "below"), ("i5", "office", "above"), ("i6", "office", "below|level"), ("i7", "kitchen", "above"),
    ("i8", "kitchen", "below"), ("i9", "office", "above"),
]  # fmt: skip
ANSWERS = {
    "ann": ["above", "below", "above|level", "level", "below", "above", "below|level", "above", "below", "above"],
    "ben": ["above", "below", "level", "level", "above", "above", "below", "above", "below", "below"],
    "cleo": ["below", "above", "above", "below", "below", "above", "level", "above", "below", "above"],
}


def written(folder: Path) -> tuple[Path, Path]:
    """The judgments of three people who judged everything, and the items with their references."""
    judged = [
        f"{who},{at[0]},{said}" for who, all_ in ANSWERS.items() for at, said in zip(RELATIONS, all_, strict=True)
    ]
    items = write_rows(folder / "items.csv", "item_id,room,reference", [",".join(row) for row in RELATIONS])
    return write_rows(folder / "judgments.csv", "worker_id,item_id,value", judged), items


def model(folder: Path, name: str, labels: Iterable[str]) -> str:
    rows = [f"{item},{label}" for (item, _, _), label in zip(RELATIONS, labels, strict=True)]
    return str(write_rows(folder / f"{name}.csv", "item_id,label", rows))


def scores(report: dict[str, Any]) -> dict[tuple[str, str, str, str], float]:
    rows = report["against_reference"]["scores"]
    return {
        (row["name"], row["metric"], row["breakdown"], row["group"]): row["estimate"]
        for row in rows
        if "estimate" in row
    }


def r_acc(answers: Iterable[str], which: Iterable[int] = range(10)) -> float:
    """By hand: an answer of k labels, of which one is drawn, is right with the share of them that the reference has."""
    told = list(answers)
    right = []
    for at in which:
        said, gold = told[at].split("|"), RELATIONS[at][2].split("|")
        right.append(sum(label in gold for label in said) / len(said))
    return float(np.mean(right))


def test_a_model_that_equals_the_reference_has_all_right_whatever_the_crowd_says(tmp_path: Path) -> None:
    judgments, items = written(tmp_path)
    perfect = model(tmp_path, "perfect", [reference for *_, reference in RELATIONS])

    found = scores(analyse(judgments, tmp_path / "out", "--items", str(items), *LABELS, "--probe", perfect))

    assert found["perfect", "r_acc", "", ""] == 1
    assert found["perfect", "f1_macro", "", ""] == 1


def test_people_are_scored_one_by_one_and_averaged_in_each_part_of_the_items_too(tmp_path: Path) -> None:
    judgments, items = written(tmp_path)

    report = analyse(judgments, tmp_path / "out", "--items", str(items), *LABELS)

    found, people = scores(report), "people, one by one"
    assert found[people, "r_acc", "", ""] == pytest.approx(np.mean([r_acc(said) for said in ANSWERS.values()]))
    for room in ("kitchen", "office"):
        own = [at for at, row in enumerate(RELATIONS) if row[1] == room]
        expected = np.mean([r_acc(said, own) for said in ANSWERS.values()])
        assert found[people, "r_acc", "room", room] == pytest.approx(expected)
    several = [at for at, row in enumerate(RELATIONS) if "|" in row[2]]
    expected = np.mean([r_acc(said, several) for said in ANSWERS.values()])
    assert found[people, "r_acc", "cardinality", "2"] == pytest.approx(expected)
    assert (people, "conf", "", "") not in found  # a set of labels is no probability
    [f1] = [
        row
        for row in report["against_reference"]["scores"]
        if (row["name"], row["metric"], row["breakdown"]) == (people, "f1_macro", "")
    ]
    assert f1["estimate"] == pytest.approx(np.mean([f1_by_hand(said) for said in ANSWERS.values()]))
    assert f1["over"] == "items and workers"


def test_people_are_scored_in_a_group_of_one_item(tmp_path: Path) -> None:
    """Not only those with two items of the group."""
    judgments, items = written(tmp_path)
    text = items.read_text().replace("i2,kitchen", "i2,attic")
    items.write_text(text)

    found = scores(analyse(judgments, tmp_path / "out", "--items", str(items), *LABELS))

    by_hand = np.mean([r_acc(said, [2]) for said in ANSWERS.values()])
    assert found["people, one by one", "r_acc", "room", "attic"] == pytest.approx(by_hand)


def f1_by_hand(answers: list[str]) -> float:
    each = []
    for label in ("above", "below", "level"):
        said = [label in one.split("|") for one in answers]
        gold = [label in row[2].split("|") for row in RELATIONS]
        both = sum(a and b for a, b in zip(said, gold, strict=True))
        each.append(2 * both / (sum(said) + sum(gold)))
    return float(np.mean(each))


def test_constant_answers_and_chance_stand_in_the_same_table(tmp_path: Path) -> None:
    judgments, items = written(tmp_path)

    report = analyse(judgments, tmp_path / "out", "--items", str(items), *LABELS)

    found = scores(report)
    assert found["always above", "r_acc", "", ""] == 0.5
    assert found["chance", "r_acc", "", ""] == pytest.approx(12 / 30)
    assert found["the crowd", "conf", "", ""] > 0.5
    assert report["against_reference"]["labels_per_item"] == {
        "mean": 1.2,
        "sd": pytest.approx(0.4216, abs=1e-4),
        "most": 2,
    }


def test_sliders_say_how_much_of_each_label_so_that_people_have_conf(tmp_path: Path) -> None:
    rows = [f"w{w},i{i},{60 + w},{30 + i},10" for w in range(3) for i in range(10)]
    judgments = write_rows(tmp_path / "j.csv", "worker_id,item_id,v:red,v:blue,v:grey", rows)
    reference = write_rows(tmp_path / "r.csv", "item_id,reference", [f"i{i},red" for i in range(10)])

    found = scores(analyse(judgments, tmp_path / "out", "--scale", "0:100", "--reference", str(reference)))

    by_hand = np.mean([[(60 + w) / (100 + w + i) for i in range(10)] for w in range(3)])
    assert found["people, one by one", "conf", "", ""] == pytest.approx(by_hand)
    assert found["people, one by one", "r_acc", "", ""] == 1


def test_numbers_have_people_and_models_beside_a_reference_too(tmp_path: Path) -> None:
    rows = [f"w{w},i{i},{10 * i + w * (i % 2)}" for w in range(3) for i in range(10)]
    judgments = write_rows(tmp_path / "j.csv", "worker_id,item_id,value", rows)
    reference = write_rows(tmp_path / "r.csv", "item_id,reference", [f"i{i},{i * i}" for i in range(10)])
    probe = write_rows(tmp_path / "m.csv", "item_id,score", [f"i{i},{-i}" for i in range(10)])

    out = tmp_path / "out"
    found = scores(analyse(judgments, out, "--reference", str(reference), "--probe", str(probe)))

    assert found["m", "spearman", "", ""] == -1
    assert found["people, one by one", "spearman", "", ""] == 1


def test_a_column_of_the_references_file_breaks_scores_down(tmp_path: Path) -> None:
    judgments, _ = written(tmp_path)
    rows = [f"{item},{reference},{room}" for item, room, reference in RELATIONS]
    reference = write_rows(tmp_path / "ref.csv", "item_id,reference,place", rows)

    found = scores(analyse(judgments, tmp_path / "out", *LABELS, "--reference", str(reference)))

    assert ("people, one by one", "r_acc", "place", "office") in found


def test_models_of_a_group_are_averaged_against_gold_and_against_the_reference(tmp_path: Path) -> None:
    judgments, items = written(tmp_path)
    perfect = model(tmp_path, "perfect", [reference for *_, reference in RELATIONS])
    constant = model(tmp_path, "constant", ["above"] * 10)
    groups = write_rows(tmp_path / "groups.csv", "probe,group", ["perfect,LM", "constant,LM"])

    report = analyse(
        judgments,
        tmp_path / "out",
        "--items",
        str(items),
        *LABELS,
        "--probe",
        perfect,
        constant,
        "--groups",
        str(groups),
    )

    found = scores(report)
    assert found["mean of LM", "r_acc", "", ""] == pytest.approx(0.75)
    assert found["mean of LM", "r_acc", "room", "office"] == pytest.approx(
        (1 + found["constant", "r_acc", "room", "office"]) / 2
    )
    of_gold = {
        row["probe"]: row["estimate"] for row in report["scores"] if (row["metric"], row["breakdown"]) == ("r_acc", "")
    }
    [mean] = [row for row in report["groups"] if (row["metric"], row["breakdown"]) == ("r_acc", "")]
    assert (mean["models"], mean["probes"]) == ("LM", ["perfect", "constant"])
    assert mean["estimate"] == pytest.approx(np.mean(list(of_gold.values())))
    methods = (tmp_path / "out" / "methods-details.md").read_text()
    assert "The mean of the 2 models of the group LM (perfect, constant):" in methods
    assert "| people, one by one |" in methods


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (["other,LM"], "groups.csv, row 2, 'other' is none of the probes m."),
        (["m,LM", "m,VLM"], "groups.csv, row 3, 'm' is in the group 'LM' already."),
        (["m,"], "groups.csv, row 2, 'm' has no group; leave out the probes that belong to none."),
    ],
)
def test_bad_groups_are_refused_by_row(tmp_path: Path, rows: list[str], sentence: str) -> None:
    judgments, items = written(tmp_path)
    probe = model(tmp_path, "m", ["above"] * 10)
    groups = write_rows(tmp_path / "groups.csv", "probe,group", rows)

    given = ["--items", str(items), *LABELS, "--probe", probe, "--groups", str(groups)]
    assert refused(judgments, tmp_path / "out", *given) == [sentence]


# Synonyms of labels.


def test_synonyms_are_read_in_answers_references_and_models(tmp_path: Path) -> None:
    judgments = write_rows(
        tmp_path / "j.csv",
        "worker_id,item_id,value",
        [f"w{w},i{i},{'beige' if w else 'grey'}" for w in range(2) for i in range(10)],
    )
    reference = write_rows(
        tmp_path / "r.csv", "item_id,reference", [f"i{i},{'beige' if i else 'grey'}" for i in range(10)]
    )
    synonyms = write_rows(tmp_path / "s.csv", "synonym,label", ["grey,gray", "beige,yellow|brown"])
    named = write_rows(tmp_path / "named.csv", "item_id,label", [f"i{i},beige" for i in range(10)])
    wide = write_rows(tmp_path / "wide.csv", "item_id,p:grey,p:beige", [f"i{i},.4,.6" for i in range(10)])
    long_rows = [f"i{i},{label},{p}" for i in range(10) for label, p in (("grey", 0.1), ("gray", 0.3), ("beige", 0.6))]
    long = write_rows(tmp_path / "long.csv", "item_id,label,probability", long_rows)
    ranked_rows = [f"i{i},{label},{p}" for i in range(10) for label, p in (("grey", 5), ("gray", 1), ("beige", 4))]
    ranked = write_rows(tmp_path / "ranked.csv", "item_id,candidate,score", ranked_rows)

    report = analyse(
        judgments,
        tmp_path / "out",
        *("--kind", "choices", "--labels", "yellow|brown|gray", "--reference", str(reference)),
        *("--synonyms", str(synonyms), "--probe", *map(str, (named, wide, long, ranked))),
    )

    gold = read_rows(tmp_path / "out" / "gold.csv")
    assert {row["label"] for row in gold} == {"brown|gray|yellow"}
    found = scores(report)
    assert found["named", "r_acc", "", ""] == pytest.approx(0.9)
    for name in ("wide", "long"):  # .4 on gray, and .3 each on yellow and brown
        assert found[name, "conf", "", ""] == pytest.approx((0.4 + 9 * 0.6) / 10)
        assert found[name, "r_acc", "", ""] == pytest.approx(0.1)
    assert found["ranked", "r_acc", "", ""] == pytest.approx(0.1)  # the best score of gray's two spellings
    assert report["synonyms"] == {"grey": ["gray"], "beige": ["yellow", "brown"]}
    said = "Other spellings were taken for the labels: grey for gray, beige for yellow and brown."
    assert said in (tmp_path / "out" / "methods-details.md").read_text()


def test_a_synonym_of_two_labels_is_refused_where_an_answer_is_one_label(tmp_path: Path) -> None:
    rows = [f"w{w},i{i},red" for w in range(2) for i in range(3)]
    judgments = write_rows(tmp_path / "j.csv", "worker_id,item_id,value", rows)
    synonyms = write_rows(tmp_path / "s.csv", "synonym,label", ["beige,yellow|brown"])

    given = ["--kind", "choice", "--labels", "red|yellow|brown", "--synonyms", str(synonyms)]
    [reason] = refused(judgments, tmp_path / "out", *given)

    assert "an answer of kind choice is one label: choose one of them" in reason


# Typical labels as ViPhy's released code makes them.


def test_typical_labels_follow_the_option_and_the_rule_set(tmp_path: Path) -> None:
    """Of 100 answers 30 for a second label: not above .30, and not below it."""
    rows = [f"w{w},i{i},{'red' if w < 70 else 'blue'}" for w in range(100) for i in range(2)]
    judgments = write_rows(tmp_path / "j.csv", "worker_id,item_id,value", rows)
    typical = {}
    for name, given in {
        "as published": [],
        "option": ["--typical", "typical-viphy"],
        "rule set": ["--rules", "viphy-2023"],
    }.items():
        out = tmp_path / name.replace(" ", "-")
        report = analyse(
            judgments, out, "--kind", "choices", "--labels", "red|blue|green|grey", "--replicates", "10", *given
        )
        typical[name] = {row["typical"] for row in read_rows(out / "gold.csv")}
        assert report["rules"].get("typical") == (None if name == "as published" else "typical-viphy")
    assert typical == {"as published": {"red"}, "option": {"blue|red"}, "rule set": {"blue|red"}}
    assert "the code released with ViPhy keeps" in (tmp_path / "option" / "methods-details.md").read_text()


# Models alone, with nobody's judgments.


def score_file(*given: object) -> dict[str, Any]:
    said = io.StringIO()
    call_command("score_file", *map(str, given), "--json", stdout=said)
    report: dict[str, Any] = json.loads(said.getvalue())
    return report


def test_models_are_scored_against_references_with_no_judgments_at_all(tmp_path: Path) -> None:
    _, items = written(tmp_path)
    probe = model(tmp_path, "m", ["above"] * 10)

    report = score_file(probe, "--reference", items, "--out", tmp_path / "out")

    found = scores(report)
    assert found["m", "r_acc", "", ""] == found["always above", "r_acc", "", ""] == 0.5
    assert found["m", "r_acc", "room", "office"] == pytest.approx(0.4)
    assert not [row for row in report["against_reference"]["scores"] if row["kind"] in {"people", "crowd"}]
    rows = read_rows(tmp_path / "out" / "scores.csv")
    assert {"kind": "model", "name": "m", "metric": "r_acc", "estimate": "0.5"}.items() <= rows[0].items()
    assert (
        (tmp_path / "out" / "methods.md")
        .read_text()
        .startswith("# Models against items.csv\n\nModels against the references of items.csv")
    )


@pytest.mark.parametrize(
    ("file", "kind", "constants"),
    [
        ("color-test.csv", "choices", {"white": 0.5595}),
        ("spatial-test.csv", "choices", {"below": 0.5099}),
        ("size-test.csv", "choice", {"larger": 0.4981, "smaller": 0.5019}),
    ],
)
@needs_shared_data
def test_constant_answers_have_the_published_scores(file: str, kind: str, constants: dict[str, float]) -> None:
    found = scores(score_file("--reference", shared(f"viphy/{file}"), "--kind", kind))

    for label, expected in constants.items():
        assert found[f"always {label}", "r_acc", "", ""] == pytest.approx(expected, abs=5e-5)


def test_where_groups_are_many_judgments_are_left_out_in_groups_and_intervals_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(8)
    items = [f"i{n},{'xyz'[n % 3]},{'above' if n % 2 else 'below'}" for n in range(60)]
    judged = [f"w{w},i{n},{('below', 'above')[(n + (rng.random() < 0.2)) % 2]}" for n in range(60) for w in range(6)]
    files = (
        write_rows(tmp_path / "judgments.csv", "worker_id,item_id,value", judged),
        write_rows(tmp_path / "items.csv", "item_id,room,reference", items),
    )
    one = analyse(files[0], tmp_path / "one", "--items", str(files[1]), "--kind", "choice", "--labels", "above|below")
    monkeypatch.setattr(reference_scores, "MOST_DELETIONS", 0)
    few = analyse(files[0], tmp_path / "few", "--items", str(files[1]), "--kind", "choice", "--labels", "above|below")

    assert scores(one) == scores(few)
    found = [
        row
        for row in few["against_reference"]["scores"]
        if (row["kind"], row["breakdown"], row["metric"]) == ("people", "room", "accuracy")
    ]
    assert [row["group"] for row in found] == ["x", "y", "z"]
    assert all(row["low"] < row["estimate"] < row["high"] for row in found)
    assert all("20 groups of judgments" in row["method"] for row in found)
    assert not any("groups of judgments" in row.get("method", "") for row in one["against_reference"]["scores"])
