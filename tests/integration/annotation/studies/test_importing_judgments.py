"""import_judgments: answers from elsewhere come in marked as imported, once, and never over what is there."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from agreement.kinds.data import data_of
from agreement.kinds.registry import KINDS
from annotation.models import AssignedItem, Assignment, AuditEntry, Judgment, OpenPlace, Participation, Study, Worker
from annotation.people.leaving import withdraw
from annotation.releases.from_database.reading_judgments import crowd_of
from tests.by_kind import ANSWERS, labels_of
from tests.factories import a_small_study, a_study, per_assignment_done

pytestmark = [pytest.mark.django_db, pytest.mark.both]

ROWS = ["w1,i0,90,1200,2026-03-01T10:00:00Z", "w2,i0,80,900,2026-03-01T10:01:00Z", "w1,i1,20,,2026-03-01 11:00"]
HEADER = "worker_id,item_id,value,response_ms,submitted_at"


def a_file(folder: Path, rows: list[str], header: str = HEADER, name: str = "elsewhere.csv") -> Path:
    path = folder / name
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def imported(study: Study, path: Path, *options: str) -> dict[str, Any]:
    said = io.StringIO()
    call_command("import_judgments", study.slug, path, "--json", *options, stdout=said)
    found: dict[str, Any] = json.loads(said.getvalue())
    return found


def refused(study: Study, path: Path, *options: str) -> list[str]:
    before = (Judgment.objects.count(), Participation.objects.count(), Worker.objects.count())
    said = io.StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("import_judgments", study.slug, path, *options, stdout=io.StringIO(), stderr=said)
    assert stopped.value.code == 1
    assert (Judgment.objects.count(), Participation.objects.count(), Worker.objects.count()) == before
    return said.getvalue().splitlines()


def test_rows_say_where_they_came_from(tmp_path: Path) -> None:
    study = a_small_study(items=3, judgments_per_item=2)
    found = imported(study, a_file(tmp_path, ROWS))
    assert {key: found[key] for key in ("people", "judgments", "there_already", "beyond")} == {
        "people": 2, "judgments": 3, "there_already": 0, "beyond": 0,
    }  # fmt: skip
    assert set(Judgment.objects.values_list("input_kind", "revision", "is_late")) == {("imported", 1, False)}
    given = Judgment.objects.order_by("created_at").values_list("number", "response_ms", "created_at")
    assert [(number, ms, f"{at:%d %H:%M}") for number, ms, at in given] == [
        (90, 1200, "01 10:00"), (80, 900, "01 10:01"), (20, None, "01 11:00"),
    ]  # fmt: skip
    assert set(Participation.objects.values_list("status", "is_verified", "consented_at")) == {
        ("finished", False, None)
    }
    assert set(Assignment.objects.values_list("status", flat=True)) == {"submitted"}
    entry = AuditEntry.objects.get(study=study, action="imported", detail__judgments=3)
    assert entry.detail["from"] == "elsewhere.csv"
    assert len(entry.detail["sha256"]) == 64
    assert "w1" not in json.dumps(entry.detail)


def test_rows_that_the_platform_marks_as_not_valid_are_spoken_of_or_left_out(tmp_path: Path) -> None:
    study = a_small_study(items=3, judgments_per_item=2)
    rows = [f"{row},{'REJECTED' if row.startswith('w2') else 'APPROVED'}" for row in ROWS]
    path = a_file(tmp_path, rows, f"{HEADER},Status")

    without = imported(study, path, "--leave-out", "Status=REJECTED")
    found = imported(study, path)

    assert (without["judgments"], without["left_out"]) == (2, ["1 row with Status REJECTED left out."])
    assert (found["judgments"], found["there_already"]) == (1, 2)
    assert found["left_out"][0].startswith("1 of the 3 judgments, by 1 worker, is in rows that the platform marks")


def test_a_second_run_stores_nothing_and_a_longer_file_the_rest(tmp_path: Path) -> None:
    study = a_small_study(items=3, judgments_per_item=2)
    imported(study, a_file(tmp_path, ROWS))
    entries = AuditEntry.objects.count()
    again = imported(study, a_file(tmp_path, ROWS))
    assert (again["judgments"], again["there_already"]) == (0, 3)
    assert AuditEntry.objects.count() == entries
    more = imported(study, a_file(tmp_path, [*ROWS, "w2,i1,30,,"]))
    assert (more["people"], more["judgments"], more["there_already"]) == (1, 1, 3)
    assert Participation.objects.count() == 2
    assert Judgment.objects.count() == 4


def test_open_places_are_taken_and_what_is_beyond_them_is_counted(tmp_path: Path) -> None:
    study = a_small_study(items=2, judgments_per_item=1)
    found = imported(study, a_file(tmp_path, ROWS))
    assert found["beyond"] == 1
    assert OpenPlace.objects.filter(study=study).count() == 0
    assert sorted(AssignedItem.objects.values_list("item__item_id", "slot"), key=str) == [
        ("i0", 1), ("i0", None), ("i1", 1),
    ]  # fmt: skip
    assert crowd_of(study).n_judgments == 3


def test_another_answer_to_the_same_item_is_refused_by_row(tmp_path: Path) -> None:
    study = a_small_study(items=3)
    imported(study, a_file(tmp_path, ROWS))
    changed = a_file(tmp_path, [ROWS[0].replace("90", "91"), "w3,i0,5,,"])
    assert refused(study, changed) == [
        "elsewhere.csv, row 2, column value: 'w1' has another answer to this item, and answers stay as they are."
    ]


def test_unknown_items_and_bad_answers_are_all_named(tmp_path: Path) -> None:
    study = a_small_study(items=1)
    advice = "manage.py import_items brings items in"
    bad = a_file(tmp_path, ["w1,i0,90,,", "w1,nope,90,,", "w2,neither,80,,"])
    assert refused(study, bad) == [
        f"elsewhere.csv, row {row}, column item_id: '{item}' is not an item of {study.slug}; {advice}."
        for row, item in ((3, "nope"), (4, "neither"))
    ]
    assert refused(study, a_file(tmp_path, ["w1,i0,101,,"])) == [
        "elsewhere.csv, row 2, column value: '101' is not a number from 0 to 100."
    ]


def test_a_draft_takes_no_judgments(tmp_path: Path) -> None:
    study = a_small_study(items=3, live=False)
    assert "is a draft" in refused(study, a_file(tmp_path, ROWS))[0]


def test_who_takes_part_here_is_refused(tmp_path: Path) -> None:
    study = a_study()
    per_assignment_done(study)
    worker = Worker.objects.get()
    item = study.items.targets().first()
    assert item is not None
    said = refused(study, a_file(tmp_path, [f"{worker.platform_id},{item.item_id},90,,"]))
    assert "takes part in this study here; import other people's answers" in said[0]


def test_who_has_withdrawn_is_not_brought_back(tmp_path: Path) -> None:
    study = a_small_study(items=3)
    imported(study, a_file(tmp_path, ROWS))
    withdraw(participation=Participation.objects.get(worker__platform_id="w1"))
    again = imported(study, a_file(tmp_path, ROWS))
    assert (again["judgments"], again["there_already"], again["withdrawn"]) == (0, 1, 2)
    assert Judgment.objects.count() == 1


def test_mturks_workers_are_known_as_such(tmp_path: Path) -> None:
    study = a_small_study(items=2)
    batch = a_file(tmp_path, ["i0,a1,A1,70", "i1,a2,A1,"], "HITId,AssignmentId,WorkerId,Answer.sim", "batch.csv")
    found = imported(study, batch, "--from", "mturk", "--missing", "skip")
    assert found["left_out"] == ["1 cell without an answer left out."]
    assert list(Worker.objects.values_list("platform", "platform_id")) == [("mturk", "A1")]


def test_the_methods_say_that_judgments_were_imported(tmp_path: Path) -> None:
    study = a_small_study(items=3)
    rows = [f"w{w},i{i},{10 * w + 20 * i},,2026-03-01T10:00:00Z" for w in range(3) for i in range(3)]
    imported(study, a_file(tmp_path, rows))
    call_command("analyse", study.slug, "--rules", "own-bounds", "--replicates", "10", stdout=io.StringIO())
    methods = study.releases.get().methods
    assert (
        "the judgments were given on 1 March 2026 (UTC). The judgments of 3 people were gathered elsewhere" in methods
    )
    assert "consented" not in methods
    assert "open link or" not in methods
    out = tmp_path / "judgments.csv"
    call_command("export", study.slug, "judgments", "--out", out, stdout=io.StringIO())
    with out.open() as stream:
        assert {row["submitted_at"] for row in csv.DictReader(stream)} == {"2026-03-01T10:00Z"}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_stores_what_it_reads_back(kind: str) -> None:
    import numpy as np

    data, labels = data_of(kind), labels_of(kind)
    stored = data.stored(ANSWERS[kind], labels)
    given = np.empty(len(stored), dtype=object)
    given[:] = stored
    read, _ = data.from_database(given if KINDS[kind].column != "number" else given.astype(float), labels)
    assert data.stored(read, labels) == stored
    assert len(stored) == 6
