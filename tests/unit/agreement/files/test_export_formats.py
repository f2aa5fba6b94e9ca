"""Exports of other tools: every declared format reads its own sample, and refuses what is wrong by its place."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agreement.errors import Refused
from agreement.files.column_mapping import ColumnMapping, read_mapping
from agreement.files.export_formats import EXPORT_FORMATS
from agreement.judgments.judgments_file import Judgments, read_judgments

MTURK = """\
"HITId","HITTypeId","Title","AssignmentId","WorkerId","AssignmentStatus","SubmitTime","WorkTimeInSeconds","Input.left","Answer.similarity"
"h1","t","Similarity","a1","A1","Approved","Mon Mar 02 10:00:00 PST 2026","12","above","90"
"h1","t","Similarity","a2","A2","Approved","Mon Mar 02 10:01:00 PST 2026","10","above","85"
"h2","t","Similarity","a3","A1","Rejected","Mon Mar 02 10:02:00 PST 2026","11","left","15"
"h2","t","Similarity","a4","A2","Approved","Mon Mar 02 10:03:00 PST 2026","9","left","20"
"""
QUALTRICS = """\
StartDate,Status,IPAddress,RecipientEmail,ResponseId,PROLIFIC_PID,RecordedDate,Q1_1,Q1_2,Q2_PAGE_SUBMIT,Q9_TEXT
Start Date,Response Type,IP Address,Email,Response ID,PROLIFIC_PID,Recorded,"Over, above","Left, right",Timing,Remarks
"{""ImportId"":""startDate""}","{""ImportId"":""status""}","{""ImportId"":""ipAddress""}","{""ImportId"":""recipientEmail""}","{""ImportId"":""_recordId""}","{""ImportId"":""PROLIFIC_PID""}","{""ImportId"":""recordedDate""}","{""ImportId"":""QID1_1""}","{""ImportId"":""QID1_2""}","{""ImportId"":""QID2_PAGE_SUBMIT""}","{""ImportId"":""QID9_TEXT""}"
2026-03-01 10:00:00,IP Address,192.0.2.1,a@example.org,R_1,A1,2026-03-01 10:05:00,90,15,3.2,fine
2026-03-01 10:00:00,IP Address,192.0.2.2,b@example.org,R_2,A2,2026-03-01 10:05:00,85,20,2.9,
2026-03-01 10:00:00,Survey Preview,192.0.2.3,,R_3,,2026-03-01 10:05:00,1,2,1.0,
"""


def task(number: int, *answers: int, people: tuple[object, ...] = (1, 2)) -> dict[str, object]:
    def annotation(at: int, answer: int) -> dict[str, object]:
        result = {"from_name": "similarity", "to_name": "t", "type": "number", "value": {"number": answer}}
        return {"id": 10 * number + at, "completed_by": people[at], "lead_time": 2.5, "result": [result]}

    made = [annotation(at, answer) for at, answer in enumerate(answers)]
    made.append({"id": 99 * number, "completed_by": 3, "was_cancelled": True, "result": []})
    return {"id": number, "data": {"text": "above"}, "annotations": made, "predictions": []}


def potato(user: str, item: str, answer: int) -> str:
    line = {
        "user_id": user, "instance_id": item, "displayed_text": "above", "span_annotations": [],
        "label_annotations": {"similarity": {"slider": str(answer)}}, "behavioral_data": {"time_spent": 2.5},
    }  # fmt: skip
    return json.dumps(line) + "\n"


def lines(*rows: Mapping[str, object]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


ANSWERS = {"1": (90, 85), "2": (15, 20)}
LISTS = lines(
    *({"id": item, "text": "above", "annotators": ["ann", "bob"], "ratings": list(each), "gold_label": 50}
      for item, each in ANSWERS.items())
)  # fmt: skip
PRODIGY = lines(
    *({"text": "above", "_input_hash": int(item), "_task_hash": -int(item), "answer": "accept", "slider": answer,
       "_annotator_id": f"scores-{who}", "_session_id": f"scores-{who}", "_timestamp": 1760000000}
      for item, each in ANSWERS.items() for who, answer in zip(("ann", "bob"), each, strict=True))
)  # fmt: skip
ARGILLA = lines(
    *({"id": item, "status": "completed", "text": "above", "sure.suggestion": None, "similarity.responses": list(each),
       "similarity.responses.users": ["u1", "u2"], "similarity.responses.status": ["submitted", "submitted"]}
      for item, each in ANSWERS.items())
)  # fmt: skip
DOCCANO = lines(
    *({"id": int(item), "text": "above", "annotations": [{"label": answer, "user": user, "id": 9}
       for user, answer in enumerate(each, start=1)], "meta": {}} for item, each in ANSWERS.items())
)  # fmt: skip

# For each format the file's name and text: two people (the first one with a smaller answer to the second item).
SAMPLES = {
    "mturk": ("batch.csv", MTURK),
    "qualtrics": ("survey.csv", QUALTRICS),
    "label-studio": ("project.json", json.dumps([task(1, 90, 85), task(2, 15, 20)])),
    "potato": (
        "annotated_instances.jsonl",
        potato("A1", "1", 90) + potato("A2", "1", 85) + potato("A1", "2", 15) + potato("A2", "2", 20),
    ),
    "lists": ("train.jsonl", LISTS),
    "prodigy": ("scores.jsonl", PRODIGY),
    "argilla": ("records.jsonl", ARGILLA),
    "doccano": ("project.jsonl", DOCCANO),
}
TYPED: dict[str, dict[str, Any]] = {"prodigy": {"value": "slider"}}  # what a format can't tell


def mapping_of(name: str) -> ColumnMapping:
    return ColumnMapping(export=name, **TYPED.get(name, {}))


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def rows_of(read: Judgments) -> list[tuple[str, str, float]]:
    workers, items = read.worker.text(), read.items.frame["item_id"].to_numpy()[read.item]
    return [(str(w), str(i), float(x)) for w, i, x in zip(workers, items, np.asarray(read.answers), strict=True)]


@pytest.mark.parametrize("name", EXPORT_FORMATS)
def test_every_format_reads_its_own_export(name: str, tmp_path: Path) -> None:
    file, text = SAMPLES[name]
    read = read_judgments(written(tmp_path, file, text), mapping=mapping_of(name))
    rows = rows_of(read)
    assert len({worker for worker, _, _ in rows}) == 2
    assert len({item for _, item, _ in rows}) == 2
    assert sorted(answer for _, _, answer in rows) == [15, 20, 85, 90]
    assert read.kind == "slider"


@pytest.mark.parametrize("name", EXPORT_FORMATS)
def test_every_format_names_the_place_of_a_bad_answer(name: str, tmp_path: Path) -> None:
    file, text = SAMPLES[name]
    path = written(tmp_path, file, text.replace("15", "150"))
    places = {
        "mturk": "row 4, column Answer.similarity: '150'",
        "qualtrics": "row 4, column Q1_2: '150'",
        "label-studio": "task 2, annotation 20, column value: '150'",
        "potato": "row 3, column value: '150'",
        "lists": "row 2, judgment 1, column ratings: '150'",
        "prodigy": "row 3, column value: '150'",
        "argilla": "record 2, response 1, column value: '150'",
        "doccano": "row 2, column value: '150'",
    }
    with pytest.raises(Refused) as refused:
        read_judgments(path, mapping=mapping_of(name))
    assert list(refused.value.reasons) == [f"{file}, {places[name]} is not a number from 0 to 100."]


@pytest.mark.parametrize("name", EXPORT_FORMATS)
@pytest.mark.parametrize("text", ["", "nonsense", "[]", "{}", "a,b\n1,2\n", "[1, 2]", '{"label_annotations": 3}\n'])
def test_no_format_takes_another_file_for_its_own(name: str, text: str, tmp_path: Path) -> None:
    path = written(tmp_path, SAMPLES[name][0], text)
    with pytest.raises(Refused) as refused:
        read_judgments(path, mapping=ColumnMapping(export=name))
    assert refused.value.reasons


@pytest.mark.parametrize("name", EXPORT_FORMATS)
def test_every_format_is_recognised_by_what_is_in_it(name: str, tmp_path: Path) -> None:
    file, text = SAMPLES[name]
    read = read_judgments(written(tmp_path, file, text), mapping=ColumnMapping(**TYPED.get(name, {})))
    assert sorted(answer for _, _, answer in rows_of(read)) == [15, 20, 85, 90]


def test_mturk_keeps_times_as_days_and_says_what_it_leaves_out(tmp_path: Path) -> None:
    read = read_judgments(written(tmp_path, "b.csv", MTURK), mapping=ColumnMapping(export="mturk"))
    assert list(read.table.columns["submitted_at"].text())[:1] == ["2026-03-02T10:00:00"]
    assert list(read.table.columns["assignment_id"].text()) == ["a1", "a2", "a3", "a4"]
    assert read.left_out.columns == ("HITTypeId", "Title")
    assert list(read.items.frame["left"]) == ["above", "left"]


def test_mturk_with_several_answers_asks_which(tmp_path: Path) -> None:
    header, *rows = MTURK.splitlines()
    text = "\n".join([f'{header},"Answer.sure"', *(f'{row},"1"' for row in rows)])
    path = written(tmp_path, "b.csv", text + "\n")
    with pytest.raises(Refused, match=r"say which one, such as --value Answer\.similarity, of: .*Answer\.sure"):
        read_judgments(path, mapping=ColumnMapping(export="mturk"))
    read = read_judgments(path, mapping=ColumnMapping(export="mturk", value="Answer.similarity"))
    assert len(rows_of(read)) == 4


def test_mturk_reads_crowd_elements(tmp_path: Path) -> None:
    header = "HITId,AssignmentId,WorkerId,Answer.taskAnswers\n"
    rows = ['h1,a1,A1,"[{""colour"":{""label"":""red""}}]"', 'h1,a2,A2,"[{""colour"":{""red"":false,""blue"":true}}]"']
    path = written(tmp_path, "b.csv", header + "\n".join(rows) + "\n")
    read = read_judgments(path, mapping=ColumnMapping(export="mturk"))
    assert list(read.table.columns["value"].text()) == ["red", "blue"]


def test_one_assignment_of_two_workers_is_refused_by_row(tmp_path: Path) -> None:
    path = written(tmp_path, "b.csv", MTURK.replace('"a2"', '"a1"'))
    with pytest.raises(Refused, match=r"row 3, column WorkerId: 'A2' and, in row 2, 'A1' have the same AssignmentId"):
        read_judgments(path, mapping=ColumnMapping(export="mturk"))


def test_one_person_with_two_responses_is_refused_by_row(tmp_path: Path) -> None:
    path = written(tmp_path, "s.csv", QUALTRICS.replace(",A2,", ",A1,"))
    with pytest.raises(Refused, match=r"row 5, column PROLIFIC_PID: 'A1' has the response R_2 here and R_1 in row 4"):
        read_judgments(path, mapping=ColumnMapping(export="qualtrics"))


def test_qualtrics_leaves_out_previews_and_what_identifies_people(tmp_path: Path) -> None:
    read = read_judgments(written(tmp_path, "s.csv", QUALTRICS), mapping=ColumnMapping(export="qualtrics"))
    assert read.left_out.notes == ("1 preview of the survey left out.",)
    assert read.left_out.columns == ("IPAddress", "RecipientEmail")
    assert not {"IPAddress", "RecipientEmail"} & read.table.columns.keys()


def test_label_studio_says_which_annotator_has_two_addresses(tmp_path: Path) -> None:
    people = ({"id": 7, "email": "a@example.org"}, {"id": 7, "email": "b@example.org"})
    path = written(tmp_path, "p.json", json.dumps([task(1, 90, 85, people=people)]))
    with pytest.raises(Refused, match=r"annotator 7 is 'b@example\.org' here, 'a@example\.org' before"):
        read_judgments(path, mapping=ColumnMapping(export="label-studio"))


def test_potato_reads_a_folder_with_a_folder_per_annotator(tmp_path: Path) -> None:
    for user in ("ann", "bob"):
        (tmp_path / "out" / user).mkdir(parents=True)
        line = {"id": "1", "displayed_text": "x", "label_annotations": {"mood": {"good": "true", "bad": False}}}
        written(tmp_path / "out" / user, "annotated_instances.jsonl", json.dumps(line) + "\n")
    read = read_judgments(tmp_path / "out", mapping=ColumnMapping(export="potato"), kind="choice")
    assert list(read.worker.text()) == ["ann", "bob"]
    assert read.labels == ("good",)


def reasons(path: Path, **mapping: Any) -> list[str]:
    with pytest.raises(Refused) as refused:
        read_judgments(path, mapping=ColumnMapping(**mapping))
    return list(refused.value.reasons)


def test_header_rows_of_qualtrics_are_no_labels(tmp_path: Path) -> None:
    text = QUALTRICS.replace(",90,15,", ",Agree,Disagree,").replace(",85,20,", ",Agree,Agree,")
    read = read_judgments(written(tmp_path, "s.csv", text), mapping=ColumnMapping(export="qualtrics"))
    assert (read.kind, read.labels) == ("choice", ("Agree", "Disagree"))


def test_rows_and_cells_that_are_skipped_are_no_labels(tmp_path: Path) -> None:
    text = "who\tsim_1\tsim_2\nWho?\tFern\tMoss\np1\tred\tblue\np2\tNA\tred\n"
    mapping = ColumnMapping(worker="who", columns=("sim_*",), skip_rows=(1,), missing="skip", missing_as=("NA",))
    assert read_judgments(written(tmp_path, "w.tsv", text), mapping=mapping).labels == ("blue", "red")


def test_a_column_that_a_format_lacks_is_refused_once_with_the_option_to_type(tmp_path: Path) -> None:
    path = written(tmp_path, "b.csv", MTURK)
    [said] = reasons(path, export="mturk", value="Answer.sim")
    assert said.startswith("b.csv: --value names the column Answer.sim; it has the columns HITId, ")
    assert said.endswith("; type --value Answer.similarity")


def test_one_address_of_two_annotators_is_refused(tmp_path: Path) -> None:
    people = ({"id": 7, "email": "a@example.org"}, {"id": 8, "email": "a@example.org"})
    path = written(tmp_path, "p.json", json.dumps([task(1, 90, 85, people=people)]))
    [said] = reasons(path, export="label-studio")
    assert said.startswith(
        "p.json: task 1, annotation 11: 'a@example.org' is annotator 8 here and 7 before: one person with two ids;"
    )


@pytest.mark.parametrize(
    ("found", "mapping", "why"),
    [
        (
            {"id": None},
            {},
            "number 1 in the list of tasks: there is no id in it; its data has text, so type --item text",
        ),
        ({}, {"item": "doc"}, "task 1: there is no doc in it; its data has text, so type --item text"),
        ({}, {"value": "mood"}, "no answer is of mood; there are similarity: type --value similarity"),
        ({"annotations": {"a": 1}}, {}, "task 1: its annotations are not a list of objects with results"),
        ({"annotations": [5]}, {}, "task 1: its annotations are not a list of objects with results"),
        ({"annotations": [{"result": ["x"]}]}, {}, "task 1: its annotations are not a list of objects with results"),
    ],
)
def test_label_studio_says_where_a_task_is_broken_and_nothing_more(
    found: dict[str, object], mapping: dict[str, str], why: str, tmp_path: Path
) -> None:
    path = written(tmp_path, "p.json", json.dumps([{**task(1, 90, 85), **found}]))
    assert reasons(path, export="label-studio", **mapping) == [f"p.json: {why}"]


@pytest.mark.parametrize("name", EXPORT_FORMATS)
def test_utf_16_is_named(name: str, tmp_path: Path) -> None:
    file, text = SAMPLES[name]
    (tmp_path / file).write_bytes(text.encode("utf-16"))
    assert reasons(tmp_path / file, export=name) == [f"{file}: the file is UTF-16 text; save it as UTF-8"]


@pytest.mark.parametrize(
    ("line", "mapping", "why"),
    [
        (
            '{"user_id": "c", "label_annotations": {}}',
            {},
            "there is no instance_id in it; it has user_id, label_annota",
        ),
        (
            '{"instance_id": "3", "label_annotations": {}}',
            {},
            "there is no user_id in it; it has instance_id, label_an",
        ),
        (
            '{"user_id": "c", "instance_id": "3"}',
            {},
            "there are no label_annotations in it; it has user_id, instance_id",
        ),
        ('{"user_id": "c"', {}, "not JSON (Expecting ',' delimiter): '{\"user_id\": \"c\"'"),
        ("[1]", {}, "'[1]' is not an object"),
    ],
)
def test_potato_names_the_row_that_lacks_something(
    line: str, mapping: dict[str, str], why: str, tmp_path: Path
) -> None:
    file, text = SAMPLES["potato"]
    [said] = reasons(written(tmp_path, file, f"{text}{line}\n"), export="potato", **mapping)
    assert said.startswith(f"{file}, row 5, {why}")


def test_potato_takes_no_other_column_for_the_one_that_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, *SAMPLES["potato"])
    for option in ("worker", "item"):
        said = reasons(path, export="potato", **{option: "annotator"})
        assert len(said) == 4
        assert "row 1, there is no annotator in it; it has user_id, instance_id, " in said[0]
        assert said[0].endswith(f": type --{option} NAME.")


# A file of one's own.

OWN = "participant;word;Rating;note\np1;fern;70;\np2;fern;;x\np1;moss;20;\np2;moss;30;\n"


def test_columns_are_named_with_the_option_to_type(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        read_judgments(written(tmp_path, "own.csv", OWN.replace("participant", "somebody")))
    assert refused.value.reasons[-1] == (
        "own.csv: it has the columns somebody, word, Rating, note; type --worker COLUMN --item word --value Rating"
    )


def test_columns_that_can_be_one_thing_alone_are_read(tmp_path: Path) -> None:
    read = read_judgments(written(tmp_path, "own.csv", OWN), mapping=ColumnMapping(missing="skip"))
    assert rows_of(read) == [("p1", "fern", 70), ("p1", "moss", 20), ("p2", "moss", 30)]


def test_named_columns_are_read_and_empty_cells_skipped_and_counted(tmp_path: Path) -> None:
    named = ColumnMapping(worker="participant", item="word", value="Rating")
    path = written(tmp_path, "own.csv", OWN)
    with pytest.raises(Refused) as refused:
        read_judgments(path, mapping=named)
    assert list(refused.value.reasons) == [
        "own.csv: 1 cell has no answer; --missing skip leaves such cells out and counts them",
        "own.csv, row 3, column Rating: '' is not a number from 0 to 100.",
    ]
    read = read_judgments(
        path, mapping=ColumnMapping(worker="participant", item="word", value="Rating", missing="skip")
    )
    assert rows_of(read) == [("p1", "fern", 70), ("p1", "moss", 20), ("p2", "moss", 30)]
    assert read.left_out.notes == ("1 cell without an answer left out.",)


def test_an_absent_column_is_refused_with_those_that_are_there(tmp_path: Path) -> None:
    named = ColumnMapping(worker="Participant", item="word", value="Rating")
    with pytest.raises(Refused, match="--worker names the column Participant; it has the columns participant, word"):
        read_judgments(written(tmp_path, "own.csv", OWN), mapping=named)


WIDE = "who\tsim_1\tsim_2\tage\nWho?\tFern\tMoss\tAge\np1\t70\t20\t31\np2\tNA\t30\t45\n"


def test_a_wide_file_is_read_by_patterns_of_columns(tmp_path: Path) -> None:
    mapping = ColumnMapping(worker="who", columns=("sim_*",), skip_rows=(1,), missing="skip", missing_as=("NA",))
    read = read_judgments(written(tmp_path, "wide.tsv", WIDE), mapping=mapping)
    assert rows_of(read) == [("p1", "sim_1", 70), ("p1", "sim_2", 20), ("p2", "sim_2", 30)]
    assert list(read.table.columns["age"].text()) == ["31", "31", "45"]


def test_a_bad_cell_of_a_wide_file_is_named_by_row_and_column(tmp_path: Path) -> None:
    mapping = ColumnMapping(worker="who", columns=("sim_*",), skip_rows=(1,))
    with pytest.raises(Refused) as refused:
        read_judgments(written(tmp_path, "wide.tsv", WIDE), mapping=mapping, kind="slider")
    assert list(refused.value.reasons) == ["wide.tsv, row 4, column sim_1: 'NA' is not a number from 0 to 100."]


def test_one_worker_in_two_rows_of_a_wide_file_is_named_by_cell(tmp_path: Path) -> None:
    path = written(tmp_path, "wide.csv", "who,a,b\np1,70,20\np1,60,30\n")
    with pytest.raises(Refused) as refused:
        read_judgments(path, mapping=ColumnMapping(worker="who", wide=True))
    assert refused.value.reasons[0].startswith(
        "wide.csv, row 3, column a, column who: 'p1' judges 'a' in row 2, column a too; --repeats"
    )


@pytest.mark.parametrize(
    ("mapping", "why"),
    [
        (ColumnMapping(worker="who", columns=("Q*",)), "--columns Q*: no column is called so"),
        (ColumnMapping(worker="who", wide=True, skip_rows=(9,)), "--skip-rows 9: it has 3 rows below the header"),
    ],
)
def test_a_mapping_that_fits_nothing_is_refused(mapping: ColumnMapping, why: str, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        read_judgments(written(tmp_path, "wide.tsv", WIDE), mapping=mapping)
    assert any(why in reason for reason in refused.value.reasons)


# The mapping as a file.


def test_a_mapping_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    mapping = ColumnMapping(
        export="qualtrics",
        worker='a "b"',
        columns=("Q1_*", "Q2_*"),
        skip_rows=(1, 2),
        missing="skip",
        missing_as=("NA",),
    )
    assert read_mapping(written(tmp_path, "m.toml", mapping.toml())) == mapping
    assert ColumnMapping().toml() == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("workers = 'x'", "key workers: there is no such key; the keys are from, worker, item, value, wide"),
        ("wide = 1", "key wide: write true or false"),
        ("skip_rows = [0]", "key skip_rows: write a list of whole numbers from 1"),
        ("missing = 'drop'", "key missing: write one of refuse, skip"),
        ("worker = 3", "key worker: write a text in quotes"),
        ("worker", "this is not TOML"),
    ],
)
def test_wrong_keys_of_a_mapping_are_named(text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        read_mapping(written(tmp_path, "m.toml", text))
    assert why in refused.value.reasons[0]


def test_every_format_has_a_sample() -> None:
    assert SAMPLES.keys() == EXPORT_FORMATS.keys()


# Formats in the forms that their versions write.


def read_rows(path: Path, **mapping: Any) -> list[tuple[str, str, str]]:
    read = read_judgments(path, mapping=ColumnMapping(**mapping))
    texts = (read.table.columns[name].text().tolist() for name in ("worker_id", "item_id", "value"))
    return [*zip(*texts, strict=True)]


def test_doccano_reads_a_folder_with_a_file_per_annotator(tmp_path: Path) -> None:
    for who, labels in {"ann": ["good"], "bob": ["bad"], "unknown": []}.items():
        rows = [{"id": item, "text": "t", "label": labels, "Comments": []} for item in (1, 2)]
        written(tmp_path, f"{who}.jsonl", lines(*rows))
    assert read_rows(tmp_path) == [
        ("ann", "1", "good"), ("ann", "2", "good"), ("bob", "1", "bad"), ("bob", "2", "bad"),
    ]  # fmt: skip


def test_doccano_says_when_nobody_can_tell_whose_labels_they_are(tmp_path: Path) -> None:
    shared = {"id": 1, "text": "t", "label": ["good"], "Comments": []}
    (reason,) = reasons(written(tmp_path, "all.jsonl", lines(shared)))
    assert "it has the labels of all annotators together" in reason
    (reason,) = reasons(written(tmp_path, "ann.jsonl", lines({**shared, "label": [[0, 2, "PER"]]})))
    assert "its labels are of parts of the text" in reason


BOTH = [("good", "u1"), ("bad", "u2")]
SUBMITTED = [{"user_id": user, "value": value, "status": "submitted"} for value, user in BOTH]


@pytest.mark.parametrize(
    "row",
    [
        {"id": "r1", "fields": {"text": "t"}, "responses": {"mood": [{"value": v, "user_id": u} for v, u in BOTH]}},
        {"external_id": "r1", "mood": [*SUBMITTED, {"user_id": "u3", "value": None, "status": "discarded"}]},
        {"id": "r1", "text": "t", "mood": {"user_id": ["u1", "u2"], "value": ["good", "bad"]}},
        {"id": "r1", "mood.responses": ["good", "bad", "x"], "mood.responses.users": ["u1", "u2", "u3"],
         "mood.responses.status": ["submitted", "submitted", "draft"], "mood.suggestion": "good"},
    ],
)  # fmt: skip
def test_argilla_reads_what_each_of_its_versions_writes(row: dict[str, object], tmp_path: Path) -> None:
    path = written(tmp_path, "records.json", json.dumps([row]))
    assert read_rows(path) == [("u1", "r1", "good"), ("u2", "r1", "bad")]


def test_argilla_with_several_questions_asks_which(tmp_path: Path) -> None:
    row = {"id": 1, "responses": {name: [{"value": "x", "user_id": "u"}] for name in ("mood", "topic")}}
    path = written(tmp_path, "records.json", json.dumps([row]))
    assert reasons(path) == [
        "records.json: it has answers to several questions; say which, such as --value mood, of: mood, topic"
    ]
    assert read_rows(path, value="topic") == [("u", "1", "x")]


def test_prodigy_reads_choices_and_yes_or_no_and_counts_what_was_ignored(tmp_path: Path) -> None:
    options = [{"id": "A", "text": "a"}, {"id": "B", "text": "b"}]
    task = {"text": "t", "_input_hash": 1, "_task_hash": 2, "options": options, "_timestamp": 1760000000}
    rows = [
        {**task, "accept": ["A", "B"], "answer": "accept", "_session_id": "set-ann"},
        {**task, "accept": ["B"], "answer": "accept", "_annotator_id": "set-bob", "_session_id": "set-2026"},
        {**task, "accept": [], "answer": "ignore", "_annotator_id": "set-cem"},
    ]
    path = written(tmp_path, "choice.jsonl", lines(*rows))
    assert read_rows(path) == [("set-ann", "1", "A|B"), ("set-bob", "1", "B")]
    read = read_judgments(path)
    assert read.left_out.notes == ("1 ignored task left out.",)
    assert read.table.columns["submitted_at"].text().tolist()[0] == "2025-10-09T08:53:20+00:00"
    binary = {"text": "t", "label": "SPAM", "_input_hash": 1, "_task_hash": 2, "_annotator_id": "ann"}
    path = written(tmp_path, "yes.jsonl", lines({**binary, "answer": "reject"}))
    assert read_rows(path) == [("ann", "2", "reject")]
    path = written(tmp_path, "spans.jsonl", lines({**binary, "answer": "accept", "spans": []}))
    assert "its answer is of spans, which can't be read" in reasons(path)[0]
