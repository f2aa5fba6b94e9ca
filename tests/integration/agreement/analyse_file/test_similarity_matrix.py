"""Pairs of terms as matrices beside gold: people's, each model's, and P-vectors made of log probabilities."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from agreement.scoring.vectors import similarities, transform_vectors
from tests.integration.agreement.analyse_file.command import (
    analyse,
    needs_shared_data,
    read_rows,
    refused,
    shared,
    write_rows,
)

TERMS = ("above", "below", "far from", "near to", "on")
CONTEXTS = ("below", "in", "on")


def crowd(folder: Path) -> Path:
    rows = [
        f"w{worker},{at},{(13 * at + 7 * worker) % 100},{left},{right}"
        for worker in range(4)
        for at, (left, right) in enumerate(combinations(TERMS, 2))
    ]
    return write_rows(folder / "crowd.csv", "worker_id,item_id,value,left,right", rows)


def items_with_aliases(folder: Path) -> Path:
    alias = {"near to": "near"}
    rows = [
        f"{at},{left},{right},{alias.get(left, '')},{alias.get(right, '')}"
        for at, (left, right) in enumerate(combinations(TERMS, 2))
    ]
    return write_rows(folder / "items.csv", "item_id,left,right,left_alias,right_alias", rows)


def log_probabilities(folder: Path, *, name: str = "lp.csv", hole: bool = False) -> Path:
    rows = [
        f"s{sentence},word,-{1 + (3 * t + 5 * c + sentence) % 7},{term},{context}"
        for t, term in enumerate(("above", "below", "near", "on"))
        for c, context in enumerate(CONTEXTS)
        for sentence in range(3)
        if not (hole and (term, context) == ("on", "in"))
    ]
    return write_rows(folder / name, "sentence_id,token,logprob,term,context", rows)


def test_peoples_matrix_has_the_means_of_gold(tmp_path: Path) -> None:
    report = analyse(crowd(tmp_path), tmp_path / "out", "--replicates", "20")

    matrix = {row["term"]: row for row in read_rows(tmp_path / "out" / "similarity-matrix.csv")}
    assert [*matrix] == sorted(TERMS)
    for line in read_rows(tmp_path / "out" / "gold.csv"):
        left, right = line["left"], line["right"]
        assert float(matrix[left][right]) == float(matrix[right][left]) == float(line["mean"])
    assert {matrix[term][term] for term in TERMS} == {""}
    assert report["similarity_matrix"] == {"terms": 5, "pairs": 10, "known": 10}


def test_a_models_matrix_and_its_p_vectors_stand_beside(tmp_path: Path) -> None:
    probe = log_probabilities(tmp_path)
    items = items_with_aliases(tmp_path)
    report = analyse(
        crowd(tmp_path), tmp_path / "out", "--items", str(items), "--probe", str(probe), "--log-base", "2",
        "--transform", "column-share", "--replicates", "20",
    )  # fmt: skip

    folder = tmp_path / "out" / "matrices"
    made = read_rows(folder / "lp-p-vectors.csv")
    assert list(made[0]) == ["term", *CONTEXTS]
    values = np.array([[float(row[context]) for context in CONTEXTS] for row in made])
    bits = [[sum(1 + (3 * t + 5 * c + s) % 7 for s in range(3)) / 3 for c in range(3)] for t in range(4)]
    assert values == pytest.approx(2.0 ** np.array(bits))
    matrix = {row["term"]: row for row in read_rows(folder / "lp-similarity-matrix.csv")}
    shares = transform_vectors(values, "column-share")
    expected = similarities(shares, np.array([0]), np.array([2]), "cosine")[0]
    assert float(matrix["above"]["near to"]) == pytest.approx(expected)
    assert set(matrix["far from"].values()) == {"far from", ""}
    [about] = report["probes"]
    assert "terms found by their alias: near to as near" in about["notes"]
    assert "4 of 10 items have a term without a vector: far from" in about["notes"]
    assert about["coverage"]["covered"] == 6
    assert not [score for score in report["scores"] if score["breakdown"] in {"left_alias", "right_alias"}]


def test_p_vectors_that_were_made_score_the_same_when_they_come_as_a_file(tmp_path: Path) -> None:
    judgments, items = crowd(tmp_path), str(items_with_aliases(tmp_path))
    probe = str(log_probabilities(tmp_path))
    first = analyse(
        judgments, tmp_path / "one", "--items", items, "--probe", probe, "--log-base", "2", "--replicates", "20"
    )
    vectors = tmp_path / "one" / "matrices" / "lp-p-vectors.csv"

    again = analyse(judgments, tmp_path / "two", "--items", items, "--probe", str(vectors), "--replicates", "20")

    estimates = [[score.get("estimate") for score in report["scores"]] for report in (first, again)]
    assert estimates[0] == estimates[1]
    assert sorted(path.name for path in (tmp_path / "two" / "matrices").iterdir()) == [
        "lp-p-vectors-similarity-matrix.csv"
    ]


def test_an_analysis_with_matrices_is_replaced_by_one_without(tmp_path: Path) -> None:
    out = tmp_path / "out"
    analyse(crowd(tmp_path), out, "--probe", str(log_probabilities(tmp_path)), "--replicates", "20")
    assert (out / "matrices").is_dir()

    analyse(write_rows(tmp_path / "other.csv", "worker_id,item_id,value", ["a,i,70", "b,i,20"]), out)

    assert not (out / "matrices").exists()
    assert not (out / "similarity-matrix.csv").exists()


def test_words_in_pairs_of_their_own_have_no_matrix(tmp_path: Path) -> None:
    rows = [f"w{worker},{at},{(13 * at + worker) % 100},l{at},r{at}" for worker in range(3) for at in range(8)]
    judgments = write_rows(tmp_path / "crowd.csv", "worker_id,item_id,value,left,right", rows)

    report = analyse(judgments, tmp_path / "out", "--replicates", "20")

    assert "similarity_matrix" not in report
    assert not (tmp_path / "out" / "similarity-matrix.csv").exists()


def test_a_hole_in_the_matrix_refuses_the_whole_analysis(tmp_path: Path) -> None:
    probe = log_probabilities(tmp_path, hole=True)
    said = refused(crowd(tmp_path), tmp_path / "out", "--probe", str(probe))

    assert said == ["lp.csv: term 'on' has no tokens in context 'in', which 3 other terms have"]


@needs_shared_data
@pytest.mark.parametrize(("transform", "expected"), [("column-share", 0.201), ("raw", 0.195), ("column-z", 0.324)])
def test_published_p_vectors_through_the_command(tmp_path: Path, transform: str, expected: float) -> None:
    """One worker who says what people said on average; the study's own twelve relations with their aliases."""
    human = read_rows(shared("spatial/human-similarity.csv"))
    alias = {"near to": "near", "away from": "away"}
    items = write_rows(
        tmp_path / "items.csv",
        "item_id,left,right,left_alias,right_alias",
        [f"{at},{r['left']},{r['right']},{alias.get(r['left'], '')},{alias.get(r['right'], '')}"
         for at, r in enumerate(human)],
    )  # fmt: skip
    rows = [f"w,{at},{100 * float(row['relative_mean']):.6f}" for at, row in enumerate(human)]
    judgments = write_rows(tmp_path / "crowd.csv", "worker_id,item_id,value", rows)
    probe = shared("spatial/p-vectors.csv")

    report = analyse(
        judgments, tmp_path / "out", "--items", str(items), "--probe", str(probe), "--transform", transform,
        "--kind", "slider", "--scale", "0:100",
    )  # fmt: skip

    [score] = [each for each in report["scores"] if each["metric"] == "spearman" and not each["breakdown"]]
    assert (score["n"], round(score["estimate"], 3)) == (55, expected)
    matrix = read_rows(tmp_path / "out" / "similarity-matrix.csv")
    assert len(matrix) == 12
