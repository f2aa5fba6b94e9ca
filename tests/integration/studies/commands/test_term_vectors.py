"""`manage.py term_vectors`: a model's vectors without a study, as matrices and heat maps."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from scipy.spatial import distance

from tests.integration.agreement.analyse_file.command import needs_shared_data, read_rows, shared, write_rows

TERMS, CONTEXTS = ("above", "below", "on", "over"), ("below", "in", "on")


def describe(file: Path, out: Path, *options: str) -> dict[str, Any]:
    said = io.StringIO()
    call_command("term_vectors", file, "--out", out, *options, "--json", stdout=said)
    found: dict[str, Any] = json.loads(said.getvalue())
    return found


def refused(file: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as stopped:
        call_command("term_vectors", file, "--out", out)
    assert stopped.value.code == 1
    assert not out.exists()
    return capsys.readouterr().err


def log_probabilities(folder: Path, more: str = "") -> Path:
    rows = [
        f"s{sentence},word,-{1 + (3 * t + 5 * c + sentence) % 7},{term},{context}{more and f',{run}'}"
        for t, term in enumerate(TERMS)
        for c, context in enumerate(CONTEXTS)
        for sentence in range(3)
        for run in range(2 if more else 1)
    ]
    return write_rows(folder / "lp.csv", f"sentence_id,token,logprob,term,context{more}", rows)


def test_log_probabilities_become_vectors_similarities_and_drawings(tmp_path: Path) -> None:
    out = tmp_path / "out"

    found = describe(log_probabilities(tmp_path), out, "--log-base", "2", "--order", "clustered")

    rows = read_rows(out / "p-vectors.csv")
    values = np.array([[float(row[context]) for context in CONTEXTS] for row in rows])
    assert [row["term"] for row in rows] == sorted(TERMS)
    shares = values / values.sum(axis=0)
    matrix = {row["term"]: row for row in read_rows(out / "similarity-matrix.csv")}
    assert float(matrix["above"]["over"]) == pytest.approx(1 - distance.cosine(shares[0], shares[3]))
    assert found["notes"][0].startswith("P-vectors: perplexity in token form")
    assert "cosine of vectors of 3 numbers, column-share" in found["notes"]
    assert found["files"] == [
        "figures/p-vectors", "figures/similarity-matrix", "p-vectors.csv", "similarity-matrix.csv",
    ]  # fmt: skip
    assert {path.suffix for path in (out / "figures").iterdir()} == {".svg", ".png", ".pdf", ".json", ".csv"}


def test_the_vectors_that_it_writes_are_read_again_with_the_same_similarities(tmp_path: Path) -> None:
    describe(log_probabilities(tmp_path), tmp_path / "one")
    found = describe(tmp_path / "one" / "p-vectors.csv", tmp_path / "two")

    first, second = ((tmp_path / name / "similarity-matrix.csv").read_bytes() for name in ("one", "two"))
    assert first == second
    assert "p-vectors.csv" not in found["files"]


def test_several_runs_other_columns_and_a_full_folder_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert "it has 2 templates, runs or settings" in refused(log_probabilities(tmp_path, ",template"), out, capsys)
    other = write_rows(tmp_path / "other.csv", "item_id,score", ["a,1"])
    assert "it has neither the columns sentence_id,token,logprob,term,context" in refused(other, out, capsys)
    assert "it has no vectors" in refused(write_rows(tmp_path / "none.csv", "term,a", []), out, capsys)
    with pytest.raises(SystemExit):
        call_command("term_vectors", other, "--out", tmp_path)
    assert "it is there and holds something" in capsys.readouterr().err


@needs_shared_data
def test_the_published_matrix_of_97_terms_is_drawn(tmp_path: Path) -> None:
    found = describe(shared("spatial/p-vectors.csv"), tmp_path / "out", "--order", "clustered")

    assert (found["terms"], found["contexts"]) == (97, 97)
    assert len(read_rows(tmp_path / "out" / "figures" / "p-vectors.csv")) == 97 * 97
    assert len(read_rows(tmp_path / "out" / "similarity-matrix.csv")) == 97
