"""Columns of models' files: explanations are no outputs and no settings, and outputs may have another name."""

from pathlib import Path

import pytest

from tests.integration.agreement.analyse_file.command import analyse, refused, write_rows

RIGHT = ["yes" if i % 2 else "no" for i in range(12)]


def yes_no(tmp_path: Path) -> Path:
    rows = [f"w{w},i{i},{label if (w, i) != (0, 3) else 'no'}" for i, label in enumerate(RIGHT) for w in range(4)]
    return write_rows(tmp_path / "study.csv", "worker_id,item_id,value", rows)


def numbers(tmp_path: Path) -> Path:
    rows = [f"w{w},i{i},{5 * i + (w * i) % 4}" for i in range(12) for w in range(4)]
    return write_rows(tmp_path / "study.csv", "worker_id,item_id,value", rows)


def model(tmp_path: Path, columns: str, row: str) -> Path:
    rows = [row.format(i=i, label=label, n=5 * i) for i, label in enumerate(RIGHT)]
    return write_rows(tmp_path / "model.csv", f"item_id,{columns}", rows)


@pytest.mark.parametrize(
    ("columns", "row", "option"),
    [
        ("label,explanation", "i{i},{label},because of reason {i}", "--ignore-columns 'explanation'"),
        ("label,latency_ms", "i{i},{label},{n}", "--ignore-columns 'latency_ms'"),
        ("label,confidence", "i{i},{label},high{label}", "--ignore-columns 'confidence'"),
        ("label,prompt,why", "i{i},{label},prompt {i},why {i}", "--ignore-columns 'prompt|why'"),
        ("label,text", "i{i},{label},because of reason {i}", "--ignore-columns text"),
    ],
)
def test_a_column_beside_the_labels_is_no_setting(columns: str, row: str, option: str, tmp_path: Path) -> None:
    probe, judgments = model(tmp_path, columns, row), yes_no(tmp_path)

    [reason] = refused(judgments, tmp_path / "out", "--probe", str(probe))
    assert option in reason
    assert f"(it has item_id, {columns.replace(',', ', ')})" in reason
    ignored = option.removeprefix("--ignore-columns ").strip("'")
    report = analyse(judgments, tmp_path / "out", "--probe", str(probe), "--ignore-columns", ignored)

    scores = {score["metric"]: score["estimate"] for score in report["scores"] if not score["breakdown"]}
    assert scores["accuracy"] == 1


def test_a_column_beside_numbers_is_no_setting(tmp_path: Path) -> None:
    probe, judgments = model(tmp_path, "score,rationale", "i{i},{n},because of {i}"), numbers(tmp_path)

    [reason] = refused(judgments, tmp_path / "out", "--probe", str(probe))
    report = analyse(judgments, tmp_path / "out", "--probe", str(probe), "--ignore-columns", "rationale")

    assert "column rationale: every column beside the output is a setting" in reason
    assert next(score["probe"] for score in report["scores"] if not score["breakdown"]) == "model"


def test_sentences_in_the_place_of_labels_are_refused_and_the_labels_column_is_named(tmp_path: Path) -> None:
    probe = model(tmp_path, "label,answer", "i{i},The answer is {label} for reason {i}.,{label}")
    judgments = yes_no(tmp_path)

    reasons = refused(judgments, tmp_path / "out", "--probe", str(probe))
    report = analyse(judgments, tmp_path / "out", "--probe", str(probe), "--output", "answer")

    assert "none of 12 different texts, such as 'The answer is no for reason 0.', is one of the labels" in reasons[0]
    assert "--output answer" in reasons[0]
    assert report["probes"][0]["coverage"]["is_full"]


@pytest.mark.parametrize("name", ["output", "model_answer", "gpt"])
def test_an_output_under_another_name_is_asked_for_and_taken(name: str, tmp_path: Path) -> None:
    probe, judgments = model(tmp_path, name, "i{i},{label}"), yes_no(tmp_path)

    [reason] = refused(judgments, tmp_path / "out", "--probe", str(probe))
    report = analyse(judgments, tmp_path / "out", "--probe", str(probe), "--output", name)

    assert reason.endswith(f"; --output '{name}' takes that column for it")
    assert report["probes"][0]["coverage"]["is_full"]


def test_columns_that_are_not_there_are_named(tmp_path: Path) -> None:
    probe = model(tmp_path, "label", "i{i},{label}")

    reasons = refused(yes_no(tmp_path), tmp_path / "o", "--probe", str(probe), "--output", "a", "--ignore-columns", "b")

    assert reasons == [f"model.csv: there is no column {name}; it has the columns item_id, label" for name in "ab"]


def test_settings_in_which_items_come_up_again_stay_settings(tmp_path: Path) -> None:
    rows = [f"i{i},{label},{shots},{run}" for i, label in enumerate(RIGHT) for shots in (0, 4) for run in (1, 2)]
    probe = write_rows(tmp_path / "model.csv", "item_id,label,shots,run", rows)

    report = analyse(yes_no(tmp_path), tmp_path / "out", "--probe", str(probe))

    settings = {score["group"] for score in report["scores"] if score["breakdown"] == "setting"}
    assert settings == {"shots=0", "shots=4"}


def test_an_id_of_another_name_is_refused_with_the_columns_and_the_options(tmp_path: Path) -> None:
    rows = [f"i{i},gpt,{label}" for i, label in enumerate(RIGHT)]
    probe, judgments = write_rows(tmp_path / "model.csv", "id,model,output", rows), yes_no(tmp_path)

    [reason] = refused(judgments, tmp_path / "out", "--probe", str(probe))
    assert "the columns are id, model, output" in reason
    assert reason.endswith("--id-column 'id' takes that column for it, and --output 'output' takes that column for it")
    report = analyse(judgments, tmp_path / "out", "--probe", str(probe), "--id-column", "id", "--output", "output")

    [about] = report["probes"]
    assert about["probe"] == "model"
    assert about["notes"] == ["model is 'gpt' in every row, and no setting"]
    assert {score["breakdown"] for score in report["scores"]}.isdisjoint({"setting"})


def test_a_column_that_is_not_there_is_refused_with_those_that_are(tmp_path: Path) -> None:
    probe, judgments = model(tmp_path, "label", "i{i},{label}"), yes_no(tmp_path)

    for flag in ("--id-column", "--model-column", "--output"):
        [reason] = refused(judgments, tmp_path / "out", "--probe", str(probe), flag, "uid")
        assert reason.endswith("there is no column uid; it has the columns item_id, label")


def test_one_value_in_every_row_is_a_note_and_no_setting(tmp_path: Path) -> None:
    probe, judgments = model(tmp_path, "label,temperature,date", "i{i},{label},0.7,2026-11-20"), yes_no(tmp_path)

    report = analyse(judgments, tmp_path / "out", "--probe", str(probe))

    [about] = report["probes"]
    assert about["notes"] == [
        "temperature is '0.7' in every row, and no setting",
        "date is '2026-11-20' in every row, and no setting",
    ]
    assert next(one["estimate"] for one in report["scores"] if one["metric"] == "accuracy") == 1


def test_a_file_of_several_models_is_scored_model_by_model(tmp_path: Path) -> None:
    rows = [f"i{i},{name},{label}" for name in ("a/7b", "b") for i, label in enumerate(RIGHT)]
    rows += [f"i{i},c,{label.upper()}." for i, label in enumerate(RIGHT[:6])]
    probe, judgments = write_rows(tmp_path / "all.csv", "item_id,model,label", rows), yes_no(tmp_path)
    groups = write_rows(tmp_path / "groups.csv", "probe,group", ["b,large", "c,large"])

    report = analyse(judgments, tmp_path / "out", "--probe", str(probe), "--groups", str(groups))

    assert [about["probe"] for about in report["probes"]] == ["a/7b", "b", "c"]
    assert [about["coverage"]["covered"] for about in report["probes"]] == [12, 12, 6]
    assert report["probes"][2]["answers"]["by_rule"] == {"case": 6}
    assert (tmp_path / "out" / "answer-mappings" / "c.csv").is_file()
    assert {row["models"] for row in report["groups"]} == {"large"}
    again = write_rows(tmp_path / "b.csv", "item_id,label", [f"i{i},{label}" for i, label in enumerate(RIGHT)])
    [reason] = refused(judgments, tmp_path / "out2", "--probe", str(probe), str(again))
    assert "two models are named b; scores are told apart by the name" in reason


def test_the_models_of_a_file_may_be_named_by_another_column(tmp_path: Path) -> None:
    rows = [f"i{i},{name},{label}" for name in ("a", "b") for i, label in enumerate(RIGHT)]
    probe, judgments = write_rows(tmp_path / "all.csv", "item_id,engine,label", rows), yes_no(tmp_path)

    report = analyse(judgments, tmp_path / "out", "--probe", str(probe), "--model-column", "engine")

    assert [about["probe"] for about in report["probes"]] == ["a", "b"]
