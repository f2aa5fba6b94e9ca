"""Files of every shape, read as a stranger would: with `look` first, and then as it says."""

from __future__ import annotations

import csv
import io
import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from django.core.management import call_command

from tests.integration.agreement.analyse_file.command import (
    analyse,
    needs_shared_data,
    published,
    read_rows,
    refused,
    shared,
    write_rows,
)

RATERS = [f"rater{number}" for number in range(1, 13)]
ITEMS = [f"s{number}" for number in range(30)]
Answers = Mapping[str, Mapping[str, int]]  # by item, then by rater


def sparse_answers() -> Answers:
    """Numbers from 1 to 7; each of the items has the answers of five of the raters."""
    return {
        item: {RATERS[(place + 2 * k) % 12]: 1 + (3 * place + (k * place) % 3) % 7 for k in range(5)}
        for place, item in enumerate(ITEMS)
    }


def long_file(path: Path, answers: Answers) -> Path:
    rows = [f"{rater},{item},{value}" for item, each in answers.items() for rater, value in each.items()]
    return write_rows(path / "long.csv", "worker_id,item_id,value", rows)


def cells_by_rater(answers: Answers) -> list[list[str]]:
    return [
        ["id", *RATERS],
        *([item, *(str(each.get(rater, "")) for rater in RATERS)] for item, each in answers.items()),
    ]


def csv_file(path: Path, rows: Sequence[Sequence[str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)
    return path


def raters_in_columns(folder: Path, answers: Answers) -> Path:
    return csv_file(folder / "wide.csv", [*cells_by_rater(answers), [""] * 13])


def items_in_columns(folder: Path, answers: Answers) -> Path:
    rows = [[rater, *(str(answers[item].get(rater, "")) for item in ITEMS)] for rater in RATERS]
    return csv_file(folder / "survey.csv", [["participant", *ITEMS], *rows])


def lists_per_row(folder: Path, answers: Answers) -> Path:
    rows = [
        {
            "id": item,
            "text": "t",
            "gold": 3,
            "annotators": [*each],
            "annotations": [*each.values()],
            "reasons": ["x"] * 5,
        }
        for item, each in answers.items()
    ]
    path = folder / "train.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def lists_in_cells(folder: Path, answers: Answers) -> Path:
    rows = [[item, str([*each]), str([*each.values()])] for item, each in answers.items()]
    return csv_file(folder / "pandas.csv", [["id", "annotator_ids", "labels"], *rows])


def objects_in_lists(folder: Path, answers: Answers) -> Path:
    def annotators(each: Mapping[str, int]) -> list[dict[str, object]]:
        return [{"annotator_id": who, "label": value, "target": ["a"]} for who, value in each.items()]

    document = {item: {"text": "t", "annotators": annotators(each)} for item, each in answers.items()}
    path = folder / "dataset.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def an_object_per_row(folder: Path, answers: Answers) -> Path:
    path = folder / "ratings.json"
    path.write_text(json.dumps([{"id": item, "ratings": each} for item, each in answers.items()]), encoding="utf-8")
    return path


def parquet(folder: Path, answers: Answers) -> Path:
    path = folder / "train.parquet"
    rows = [{"id": item, "annotators": [*each], "labels": [*each.values()]} for item, each in answers.items()]
    pd.DataFrame(rows).to_parquet(path)
    return path


def columns_of_a_platform(folder: Path, answers: Answers) -> Path:
    rows = [[who, item, str(value)] for item, each in answers.items() for who, value in each.items()]
    return csv_file(folder / "export.csv", [["PROLIFIC_PID", "stimulus", "rating"], *rows])


SHAPES: dict[str, Callable[[Path, Answers], Path]] = {
    "one column per rater": raters_in_columns,
    "one column per item": items_in_columns,
    "lists": lists_per_row,
    "lists in the cells of a CSV": lists_in_cells,
    "objects in lists": objects_in_lists,
    "an object per row": an_object_per_row,
    "Parquet": parquet,
    "other names": columns_of_a_platform,
}


def look(path: Path, *options: str) -> dict[str, Any]:
    said = io.StringIO()
    call_command("look", path, "--json", *options, stdout=said)
    answer: dict[str, Any] = json.loads(said.getvalue())
    return answer


@pytest.fixture(scope="module")
def alpha_of_long(tmp_path_factory: pytest.TempPathFactory) -> float:
    folder = tmp_path_factory.mktemp("long")
    return alpha(analyse(long_file(folder, sparse_answers()), folder / "out", "--scale", "1:7", "--replicates", "20"))


def alpha(report: dict[str, Any]) -> float:
    return float(report["agreement"]["raw"]["krippendorff_alpha"]["interval"]["estimate"])


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_read_as_the_command_that_look_prints_says(
    shape: str, alpha_of_long: float, tmp_path: Path
) -> None:
    path = SHAPES[shape](tmp_path, sparse_answers())
    told = look(path)
    _, command, file, *options = shlex.split(told["command"])
    assert (command, Path(file)) == ("analyse", path)
    assert (told["workers"], told["items"], told["judgments"]) == (12, 30, 150)
    assert told["judgments_per_item"] == {"least": 5, "median": 5.0, "most": 5}
    by_hand = analyse(path, tmp_path / "told", *options, "--replicates", "20")
    by_itself = analyse(path, tmp_path / "itself", "--scale", "1:7", "--replicates", "20")
    assert alpha(by_hand) == alpha(by_itself) == alpha_of_long


def test_one_column_per_rater_gives_the_published_figures(tmp_path: Path) -> None:
    """Fleiss' kappa .4302 and Krippendorff's alpha .8491, from tables as these papers print them."""
    fleiss = as_wide(published("fleiss1971/judgments.csv"), tmp_path / "fleiss.csv")
    report = analyse(fleiss, tmp_path / "one")
    assert report["agreement"]["raw"]["fleiss_kappa"]["estimate"] == pytest.approx(0.4302, abs=5e-5)
    krippendorff = as_wide(published("krippendorff-c/judgments.csv"), tmp_path / "c.csv")
    report = analyse(krippendorff, tmp_path / "two", "--raters-in-columns", "--scale", "1:5")
    assert alpha(report) == pytest.approx(0.8491, abs=5e-5)


def as_wide(path: Path, to: Path) -> Path:
    rows = read_rows(path)
    workers = sorted({row["worker_id"] for row in rows})
    answers: dict[str, dict[str, str]] = {}
    for row in rows:
        answers.setdefault(row["item_id"], {})[row["worker_id"]] = row["value"]
    body = [[item, *(each.get(worker, "") for worker in workers)] for item, each in answers.items()]
    return csv_file(to, [["item", *workers], *body])


def test_raters_as_items_are_told_apart(tmp_path: Path) -> None:
    """What was typed is done; that the columns are called as people are is said."""
    path, said = raters_in_columns(tmp_path, sparse_answers()), io.StringIO()
    options = ("--wide", "--worker", "id", "--columns", "rater*", "--scale", "1:7", "--no-report")
    call_command("analyse_file", path, "--out", tmp_path / "out", *options, stdout=said)
    lines = said.getvalue().splitlines()
    assert lines[0] == "read as: one column per item (worker: id), 30 workers, 12 items, 150 judgments"
    assert lines[1] == (
        "The columns rater1, rater2, rater3, … are read as items, and are called as raters are:"
        " --raters-in-columns reads them so."
    )


def test_what_was_read_and_left_out_is_said_first(tmp_path: Path) -> None:
    path, said = raters_in_columns(tmp_path, sparse_answers()), io.StringIO()
    call_command("analyse_file", path, "--out", tmp_path / "out", "--scale", "1:7", "--no-report", stdout=said)
    assert said.getvalue().startswith("read as: one column per rater (item: id), 12 raters, 30 items, 150 judgments\n")
    assert "1 empty row skipped." in said.getvalue()
    assert "210 cells without an answer left out." in said.getvalue()


def test_missing_cells_of_a_wide_file_are_refused_if_one_asks_for_it(tmp_path: Path) -> None:
    path = raters_in_columns(tmp_path, sparse_answers())
    reasons = refused(path, tmp_path / "out", "--scale", "1:7", "--missing", "refuse")
    assert len(reasons) == 211
    assert reasons[0].startswith("wide.csv: 210 cells have no answer; --missing skip")


def test_two_readings_are_both_named(tmp_path: Path) -> None:
    rows = [[f"{number}", *(str((number * k) % 7) for k in range(1, 6))] for number in range(1, 9)]
    path = csv_file(tmp_path / "matrix.csv", [["id", "q1", "q2", "q3", "q4", "q5"], *rows])
    (reason,) = refused(path, tmp_path / "out")
    assert "it can be read in several ways; it has the columns id, q1, q2, q3, q4, q5;" in reason
    assert "one column per item: type --worker id --wide;" in reason
    assert "or one column per rater: type --item id --raters-in-columns" in reason
    two = csv_file(
        tmp_path / "two.csv", [["worker", "item", "label", "answer"], ["a", "x", "1", "2"], ["b", "x", "1", "3"]]
    )
    (reason,) = refused(two, tmp_path / "out")
    assert "--worker worker --item item --value label; or" in reason
    assert reason.endswith("--worker worker --item item --value answer")


# What other tools and people write, by its header and a row: as what it is read, or what is said of it.
HEADERS = {
    "participant private id,Trial Number,Response,Reaction Time,Item": "p{w},{i},{a},{t},i{i}",
    "rt,stimulus,response,trial_type,trial_index,subject_id": "{t},s{i},{n},slider,{i},u{w}",
    "participant,word,slider.response,slider.rt,session": "{w},w{i},{n},0.5,1",
    "INPUT:image,OUTPUT:result,ASSIGNMENT:worker_id,ASSIGNMENT:status": "x/{i}.png,{a},t{w},APPROVED",
    "Unnamed: 0,annotator_id,comment_id,label": "{k},a{w},c{i},{a}",
    "pid,uid,likert": "{w},{i},{n}",
}


@pytest.mark.parametrize("header", HEADERS)
def test_columns_are_known_by_the_names_that_tools_give_them(header: str, tmp_path: Path) -> None:
    pairs = [(w, i) for w in range(5) for i in range(8)]
    rows = [
        HEADERS[header].format(w=w, i=i, k=8 * w + i, a=("yes", "no")[(w * i) % 2], n=(17 * i + w) % 101, t=300 + i)
        for w, i in pairs
    ]
    told = look(write_rows(tmp_path / "j.csv", header, rows))
    assert (told["read_as"], told["workers"], told["items"], told["judgments"]) == ("one row per judgment", 5, 8, 40)


def test_a_survey_with_a_row_per_response_has_its_items_in_columns(tmp_path: Path) -> None:
    rows = [f"R_{k},{k % 7 + 1},{k % 5 + 1},{k % 3 + 1},{30 + k}" for k in range(12)]
    told = look(write_rows(tmp_path / "j.csv", "ResponseId,Q1,Q2,Q3,Age", rows))
    assert (told["read_as"], told["workers"], told["items"]) == ("one column per item", 12, 3)


def test_columns_that_may_be_people_are_asked_about(tmp_path: Path) -> None:
    """They might as well be three questions."""
    rows = [f"i{k},{k % 2},{k % 3},{(k + 1) % 2}" for k in range(9)]
    path = write_rows(tmp_path / "j.csv", "item,anna,ben,cara", rows)
    (reason,) = refused(path, tmp_path / "out")
    assert reason == (
        "j.csv: it may have one column per rater: type --item item --raters-in-columns if anna, ben, cara are people"
    )
    assert look(path, "--item", "item", "--raters-in-columns")["workers"] == 3


def test_a_list_is_never_an_id(tmp_path: Path) -> None:
    rows = [{"id": f"s{number}", "annotators": ["a", "b"], "label": "x"} for number in range(9)]
    path = tmp_path / "train.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    why = "its cells are lists, and a list is no id"
    reasons = refused(path, tmp_path / "out", "--worker", "annotators", "--item", "id", "--value", "label")
    assert reasons == [f"train.jsonl: column annotators: {why}; --from lists reads one judgment per element"]
    nested = lists_per_row(tmp_path, sparse_answers())
    reasons = refused(nested, tmp_path / "out", "--item", "annotators")
    assert reasons == [f"train.jsonl: --item annotators: {why}"]


def test_answers_of_nobody_are_read_by_their_places_if_one_says_so(tmp_path: Path) -> None:
    """As in SNLI: the labels of five annotators, and nobody's name."""
    labels = ["entailment", "neutral", "contradiction"]
    rows = [{"pairID": f"p{n}", "annotator_labels": [labels[(n * k) % 3] for k in range(5)]} for n in range(12)]
    path = tmp_path / "snli.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (reason,) = refused(path, tmp_path / "out")
    assert "the cells of annotator_labels are lists, and nothing says whose each element is; type" in reason
    assert "--value annotator_labels --raters-in-columns if the first element is always" in reason
    told = look(path, "--value", "annotator_labels", "--raters-in-columns")
    assert (told["workers"], told["items"], told["judgments"]) == (5, 12, 60)
    assert told["notes"][0].startswith("Raters are told apart by their places in the lists alone")
    _, _, _, *options = shlex.split(told["command"])
    report = analyse(path, tmp_path / "out", *options, "--replicates", "20")
    assert report["counts"]["workers"] == 5


def test_wide_alone_is_asked_about_where_columns_are_called_as_raters(tmp_path: Path) -> None:
    (reason,) = refused(raters_in_columns(tmp_path, sparse_answers()), tmp_path / "out", "--wide", "--scale", "1:7")
    assert "one column per item: type --worker id --wide" in reason
    assert "or one column per rater: type --item id --raters-in-columns" in reason


def test_a_column_that_numbers_the_rows_is_no_item(tmp_path: Path) -> None:
    rows = [f"{6 * w + i},text {i},w{w},{'yes' if (w + i) % 2 else 'no'}" for w in range(4) for i in range(6)]
    told = look(write_rows(tmp_path / "j.csv", "id,text,annotator,label", rows))
    assert (told["workers"], told["items"]) == (4, 6)


def test_the_columns_of_lists_may_be_named(alpha_of_long: float, tmp_path: Path) -> None:
    path = lists_per_row(tmp_path, sparse_answers())
    columns = ("--worker", "annotators", "--item", "id", "--value", "annotations")
    assert alpha(analyse(path, tmp_path / "out", *columns, "--scale", "1:7", "--replicates", "20")) == alpha_of_long


def test_lists_of_different_lengths_are_refused_by_row(tmp_path: Path) -> None:
    path = lists_per_row(tmp_path, sparse_answers())
    odd = {"id": "s30", "annotators": ["rater1"], "annotations": [1, 2], "reasons": ["x"]}
    with path.open("a") as stream:
        stream.write(json.dumps(odd))
    reasons = refused(path, tmp_path / "out", "--scale", "1:7")
    assert reasons == ["train.jsonl, row 31, the lists differ in length (annotators: 1, annotations: 2, reasons: 1)."]


def test_a_csv_with_lists_is_held_to_every_row(tmp_path: Path) -> None:
    path = lists_in_cells(tmp_path, sparse_answers())
    with path.open("a") as stream:
        stream.write("s31,\"['rater1']\"\n")
    reasons = refused(path, tmp_path / "out", "--scale", "1:7")
    assert reasons == ["pandas.csv, row 32, 2 cells where the header names 3 columns."]


def test_of_several_questions_the_first_is_looked_at_and_all_are_named(tmp_path: Path) -> None:
    pairs = [(w, i) for w in range(3) for i in range(4)]
    answers = [(w, i, ("mood", "good" if (w + i) % 2 else "bad"), ("sure", f"{10 * w + i}")) for w, i in pairs]
    rows = [f"w{w},i{i},{question},{answer}" for w, i, *both in answers for question, answer in both]
    told = look(write_rows(tmp_path / "j.csv", "worker_id,item_id,question,value", rows))
    assert (told["kind"], told["judgments"]) == ("choice", 12)
    assert told["notes"] == ["The file has several questions, of which this is the first: mood, sure."]
    assert told["command"].endswith(" --question mood")


def test_a_look_at_what_can_not_be_read_shows_the_columns_and_why(tmp_path: Path) -> None:
    path, said, why = write_rows(tmp_path / "j.csv", "who,thing", ["a,b", "c,d"]), io.StringIO(), io.StringIO()
    with pytest.raises(SystemExit):
        call_command("look", path, stdout=said, stderr=why)
    assert said.getvalue().splitlines()[:2] == [
        "j.csv: 2 rows, 2 columns", "  column  seems to be   different  missing  for example",
    ]  # fmt: skip
    assert "type --worker" in why.getvalue()
    for missing in ("nowhere.csv", "nowhere.json"):
        with pytest.raises(SystemExit):
            call_command("look", tmp_path / missing, stdout=io.StringIO(), stderr=why)


def test_response_times_are_read_where_the_unit_is_known_and_asked_for_where_not(tmp_path: Path) -> None:
    rows = [f"p{w},i{i},{(7 * w + 13 * i) % 100},{w + i}.5" for w in range(3) for i in range(6)]
    named = write_rows(tmp_path / "named.csv", "participant,item,rating,rt_s", rows)
    assert "Response times are in the column rt_s, in seconds." in look(named)["notes"]
    analyse(named, tmp_path / "one")
    assert read_rows(tmp_path / "one" / "judgments.csv")[0]["response_ms"] == "500"
    unnamed = write_rows(tmp_path / "unnamed.csv", "participant,item,rating,duration", rows)
    (note,) = look(unnamed)["notes"]
    assert note.startswith("The column duration looks like response times, and nothing says in which unit:")
    analyse(unnamed, tmp_path / "two", "--response-time", "duration=ms")
    assert read_rows(tmp_path / "two" / "judgments.csv")[0]["response_ms"] == "0.5"


def test_columns_that_nothing_uses_and_checks_that_are_none_are_named(tmp_path: Path) -> None:
    rows = [f"p{w},i{i},{(7 * w + 13 * i) % 100},pic{i}.png,{int(i == 3)}" for w in range(3) for i in range(6)]
    path, said = write_rows(tmp_path / "j.csv", "worker_id,item_id,value,picture,attention_check", rows), io.StringIO()
    call_command("analyse_file", path, "--out", tmp_path / "out", "--no-report", stdout=said)
    lines = said.getvalue().splitlines()
    assert lines[1] == "Columns that nothing uses: picture, attention_check; they stay in judgments.csv."
    assert lines[2].startswith("The column attention_check looks like checks and isn't read as such, so that")


def test_of_many_refused_rows_the_first_and_their_kinds_are_shown(tmp_path: Path) -> None:
    rows = [f"w{row},a,{'1000' if row % 3 else 'x'}" for row in range(90)]
    path, said = write_rows(tmp_path / "j.csv", "worker_id,item_id,value", rows), io.StringIO()
    with pytest.raises(SystemExit):
        call_command(
            "analyse_file", path, "--out", tmp_path / "out", "--kind", "slider", stdout=io.StringIO(), stderr=said
        )
    lines = said.getvalue().splitlines()
    assert len(lines) == 22
    start, _, file = lines[20].partition("; all of them are in ")
    assert start == "These are the first 20 of 90 reasons"
    assert lines[21] == "         90 × column value: … is not a number from 0 to 100"
    every = Path(file.rstrip(":"))
    assert len(every.read_text().splitlines()) == 90
    assert every.stat().st_mode & 0o077 == 0
    every.unlink()


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("mixed.jsonl", 2 * '{"id": 1, "annotators": ["a"], "labels": ["x"]}\n'
         + '{"id": 2, "annotators": "b", "labels": ["x", "y"]}\n',
         "mixed.jsonl, row 3, the lists differ in length (annotators: 1, labels: 2)."),
        ("two.jsonl", 2 * '{"id": 1, "annotators": ["a"], "labels": ["x"]}\n'
         + '{"worker_id": "a", "item_id": "2", "value": "y"}\n',
         "two.jsonl, row 3, there is no annotators and no labels in it, as in others; keep rows of different shapes"),
        ("one.json", '{"id": 1}\n{"id": 2}\n',
         "one.json: it has one object per line, which is JSON Lines: give its name the ending .jsonl"),
        ("text.json", '"hello"', "text.json: this is not a list of objects, each with the columns' names"),
        ("torn.json", '[{"id": 1', "torn.json: this is not JSON (Expecting ',' delimiter, line 1, character 10)"),
        ("not.parquet", "PAR1 nothing else", "not.parquet: the Parquet file can't be read ("),
    ],
)  # fmt: skip
def test_files_that_are_broken_are_refused_in_sentences(name: str, content: str, why: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    reasons = refused(tmp_path / name, tmp_path / "out")
    assert reasons[0].startswith(why), reasons


def test_a_large_file_of_one_json_value_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agreement.files.json_lines.MOST_JSON", 1 << 20)
    (tmp_path / "large.json").write_text("[" + " " * (1 << 20) + "]")
    reasons = refused(tmp_path / "large.json", tmp_path / "out")
    assert len(reasons) == 1
    assert reasons[0] == (
        "large.json: it is larger than 1 MiB, and JSON that is one value is read as a whole; save it as JSON Lines, one"
        " object per line, in a file whose name ends in .jsonl"
    )


@needs_shared_data
@pytest.mark.parametrize(
    ("file", "read_as", "counts", "options"),
    [
        ("snow-wordsim/judgments.csv", "one row per judgment", (10, 30, 300), ("--scale=0:10",)),
        ("snow-rte/judgments.csv", "one row per judgment", (164, 800, 8000), ()),
        ("fleiss1971/judgments.csv", "one row per judgment", (6, 30, 180), ()),
        ("alt-test/labels/judgments.csv", "one row per judgment", (8, 246, None), ()),
        ("alt-test/numbers/judgments.csv", "one row per judgment", (10, 711, None), ("--scale=1:5",)),
    ],
)
def test_public_files_are_looked_at(
    file: str, read_as: str, counts: tuple[int, int, int | None], options: tuple[str, ...]
) -> None:
    told = look(shared(file))
    assert told["read_as"] == read_as
    assert (told["workers"], told["items"]) == counts[:2]
    assert counts[2] in (None, told["judgments"])
    assert told["command"].split()[3:] == list(options)
