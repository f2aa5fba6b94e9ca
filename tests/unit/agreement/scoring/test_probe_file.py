"""A probe is read by its columns; every bad row is named, and then nothing of it is used."""

from pathlib import Path

import numpy as np
import pytest

from agreement.errors import Refused
from agreement.files.problems import Problems
from agreement.files.reading import read_table
from agreement.scoring.probe import StudyItems
from agreement.scoring.probe_file import probe_of_table, quick_probe, read_probe
from agreement.scoring.probe_format import ProbeOptions

STUDY = StudyItems("choice", np.array(["a", "b", "c"], dtype=object), ("red", "blue"))
PAIRS = StudyItems(
    "slider",
    np.array(["a", "b", "c"], dtype=object),
    left=np.array(["on", "on", "by"], dtype=object),
    right=np.array(["over", "flat", "at"], dtype=object),
)


def _file(folder: Path, text: str) -> Path:
    path = folder / "probe.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_numbers_land_on_their_items(tmp_path: Path) -> None:
    probe = read_probe(_file(tmp_path, "item_id,score\nc,3\na,1.5\n"), STUDY)

    assert probe.shape == "numbers"
    assert probe.runs[0].values.tolist()[::2] == [1.5, 3.0]
    assert np.isnan(probe.runs[0].values[1])


def test_templates_runs_and_settings_become_runs(tmp_path: Path) -> None:
    rows = "".join(f"{item},{score},{t},{k}\n" for t in "xy" for k in "04" for item, score in (("a", 1), ("b", 2)))

    probe = read_probe(_file(tmp_path, "item_id,score,template,shots\n" + rows), STUDY)

    assert len(probe.runs) == 4
    assert probe.settings == ((("shots", "0"),), (("shots", "4"),))
    assert [run.keys["template"] for run in probe.runs_of((("shots", "4"),))] == ["x", "y"]


def test_both_layouts_of_probabilities_are_the_same(tmp_path: Path) -> None:
    by_row = read_probe(_file(tmp_path, "item_id,label,probability\na,red,0.25\na,blue,0.75\nb,red,1\n"), STUDY)
    by_column = read_probe(_file(tmp_path, "item_id,p:blue,p:red\na,0.75,0.25\nb,0,1\n"), STUDY)

    expected = [[0.25, 0.75], [1.0, 0.0]]
    assert by_row.runs[0].values[:2].tolist() == by_column.runs[0].values[:2].tolist() == expected
    assert np.isnan(by_row.runs[0].values[2]).all()


def test_a_label_or_a_set_of_labels_has_no_probabilities(tmp_path: Path) -> None:
    probe = read_probe(_file(tmp_path, "item_id,label\na,red\nb,red|blue\n"), STUDY)

    assert probe.runs[0].values[:2].tolist() == [[1, 0], [0.5, 0.5]]
    assert not probe.runs[0].has_probabilities


def test_cloze_scores_count_the_allowed_labels_only(tmp_path: Path) -> None:
    text = "item_id,candidate,score\na,table,9\na,red,-1\na,blue,-2\nb,blue,-3\n"

    probe = read_probe(_file(tmp_path, text), STUDY)

    assert probe.runs[0].values[:2].tolist() == [[1, 0], [0, 1]]
    assert probe.notes == (
        "1 candidates that aren't the study's labels are left aside: scored over allowed labels only",
    )


def test_candidates_of_a_list_study_are_a_ranking(tmp_path: Path) -> None:
    study = StudyItems("list", STUDY.ids)

    probe = read_probe(_file(tmp_path, "item_id,candidate,score\na,is green,2\nb,has leaves,1\n"), study)

    assert (probe.shape, probe.vocabulary) == ("ranking", ("is green", "has leaves"))
    assert np.isnan(probe.runs[0].values).sum() == 4


def test_vectors_become_similarities_and_undefined_terms_are_counted(tmp_path: Path) -> None:
    text = "term,v1,v2\non,1,0\nover,1,1\nflat,2,2\nby,0,3\n"

    probe = read_probe(_file(tmp_path, text), PAIRS)

    assert probe.shape == "numbers"
    assert np.isnan(probe.runs[0].values).tolist() == [True, True, True]
    assert probe.notes[1:] == (
        "2 of 4 terms have a constant or undefined vector",
        "1 of 3 items have a term without a vector: at",
    )


@pytest.mark.parametrize(
    ("similarity", "expected"), [("cosine", 11 / np.sqrt(5 * 26)), ("euclidean", -3.0), ("spearman", 1.0)]
)
def test_similarities_of_vectors(tmp_path: Path, similarity: str, expected: float) -> None:
    path = _file(tmp_path, "term,x,y\non,1,2\nover,1,5\n")

    probe = read_probe(path, PAIRS, options=ProbeOptions(similarity=similarity))

    assert probe.runs[0].values[0] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("transform", "left", "right"),
    [
        ("raw", (1, 4, 9), (2, 2, 8)),
        ("log", np.log([1, 4, 9]), np.log([2, 2, 8])),
        ("inverse", (1, 1 / 4, 1 / 9), (1 / 2, 1 / 2, 1 / 8)),
        ("column-z", (-0.7071, 0.7071, 0.7071), (0.7071, -0.7071, -0.7071)),
    ],
)
def test_perplexity_vectors_are_made_comparable(
    tmp_path: Path, transform: str, left: tuple[float, ...], right: tuple[float, ...]
) -> None:
    path = _file(tmp_path, "term,c1,c2,c3\non,1,4,9\nover,2,2,8\n")

    probe = read_probe(path, PAIRS, options=ProbeOptions(transform=transform))

    cosine = np.dot(left, right) / np.linalg.norm(left) / np.linalg.norm(right)
    assert probe.runs[0].values[0] == pytest.approx(cosine, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        (
            "item_id,score\na,1\nz,2\na,3\nb,nan\nc,inf\n",
            [
                "row 3, column item_id: 'z' is not an item of the study",
                "row 4, column item_id: the item, in the same template, run and setting, already has this in row 2",
                "row 5, column score: 'nan' is not a number",
                "row 6, column score: 'inf' is not a number",
            ],
        ),
        (
            "item_id,label,probability\na,,1\nb,red,0.5\nb,blue,0.4\nc,red,-0.5\nc,blue,1.5\nc,blue,0.5\n",
            [
                "row 2, column label: '' is blank; leave out the rows of items without an output",
                "row 3, column probability: the probabilities of item b sum to 0.9, not to 1; give --normalise",
                "row 5, column probability: '-0.5' is not a probability from 0 to 1",
                "row 6, column probability: '1.5' is not a probability from 0 to 1",
                "row 7, column label: the item, in the same template, run and setting, already has this in row 6",
            ],
        ),
        (
            "item_id,p:red,p:green\na,1,0\n",
            ["there is no column for p:blue"],
        ),
        ("item_id,p:red,p:blue\na,0.5,0.500002\n", ["row 2, column probability: the probabilities of item a sum to"]),
        ("item_id,colour\na,red\n", ["no column says what the model gives"]),
        ("thing,score\na,1\n", ["there is no column item_id"]),
        ("item_id,score\n", ["it has no outputs"]),
        (
            "term,v1\non,1\non,2\n",
            ["vectors of terms score items with the fields left and right", "row 3, column term"],
        ),
    ],
)
def test_every_bad_row_is_named(tmp_path: Path, text: str, reasons: list[str]) -> None:
    with pytest.raises(Refused) as refused:
        read_probe(_file(tmp_path, text), STUDY)

    said = list(refused.value.reasons)
    for reason in reasons:
        assert any(reason in one for one in said), (reason, said)
    assert len(said) >= len(reasons)


def test_probabilities_within_a_millionth_of_one_pass(tmp_path: Path) -> None:
    read_probe(_file(tmp_path, "item_id,p:red,p:blue\na,0.5,0.5000009\n"), STUDY)


def test_a_probe_may_ask_to_be_normalised(tmp_path: Path) -> None:
    path = _file(tmp_path, "item_id,p:red,p:blue\na,3,1\n")

    probe = read_probe(path, STUDY, options=ProbeOptions(normalise=True))

    assert probe.runs[0].values[0].tolist() == [0.75, 0.25]


def test_the_quick_way_reads_what_the_strict_way_reads(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    ids = np.array([f"item {at}" for at in range(200)], dtype=object)
    study = StudyItems("choice", ids, ("red", "blue"))
    score = rng.normal(size=200) * 10.0 ** rng.integers(-12, 12, 200)
    p = rng.random(200)
    files = {
        "score": "item_id,score\n" + "".join(f"{i},{x!r}\n" for i, x in zip(ids, score.tolist(), strict=True)),
        "p": "item_id,p:blue,p:red\n" + "".join(f"{i},{x!r},{1 - x!r}\n" for i, x in zip(ids, p.tolist(), strict=True)),
    }
    for text in files.values():
        path = _file(tmp_path, text)
        quick = quick_probe(path, study, "m")
        table = read_table(path, Problems("probe.csv"))
        assert quick is not None
        assert table is not None
        strict = probe_of_table(table, study, name="m")
        assert quick.shape == strict.shape
        assert quick.runs[0].values.tolist() == strict.runs[0].values.tolist()


@pytest.mark.parametrize(
    "text",
    [
        "item_id,score\na,1\na,2\n",
        "item_id,score\nz,1\n",
        "item_id,score\na,nan\n",
        "item_id,score\na,\n",
        "item_id,score\na,1,2\nb,1,2\n",
        "item_id,score,template\na,1,2\n",
        "item_id,p:red,p:blue\na,0.5,0.4\n",
        "item_id,p:red,p:blue\na,-0.5,1.5\n",
        "item_id,score\n'a,1\n",
        "item_id,score\n",
        "",
    ],
)
def test_any_doubt_sends_a_probe_the_strict_way(tmp_path: Path, text: str) -> None:
    assert quick_probe(_file(tmp_path, text), STUDY, "m") is None
