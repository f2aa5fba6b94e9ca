"""participants.csv: everybody who came, as things stand now, with what they said of themselves."""

import csv
import datetime as dt
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from agreement.errors import Refused
from annotation.models import AuditEntry, EndQuestion, Participation, Payment, Study
from annotation.people.leaving import withdraw
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.exports.bundle_zip import bundle
from annotation.releases.exports.export_choice import release_numbered, stream
from annotation.releases.exports.judgment_stream import Form
from annotation.releases.exports.release_tables import participants
from annotation.releases.models import GoldRelease
from tests.integration.agreement.crowds import a_slider_crowd, answers, came

pytestmark = [pytest.mark.django_db, pytest.mark.both]
CAME = dt.datetime(2026, 11, 18, 20, 30, 10, tzinfo=dt.UTC)
CONSENTED = CAME + dt.timedelta(seconds=20)
FINISHED = CONSENTED + dt.timedelta(minutes=3, seconds=45)
FIXED = ["pseudonym", "status", "entered_at", "finished_at", "minutes", "device", "verified", "pay_status"]
LAST = "could_not_see"
AGREED = {"consented_at": CONSENTED, "consent_version": "1"}


def a_question(study: Study, name: str, options: str = "", position: int = 1) -> EndQuestion:
    return EndQuestion.objects.create(study=study, position=position, name=name, text=f"{name}?", options=options)


def arrived(study: Study, name: str, **changes: Any) -> Participation:
    person = came(study, name, **changes)
    Participation.objects.filter(pk=person.pk).update(entered_at=CAME)
    return person


def rows(pieces: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(pieces).decode())))


def a_study_with_answers() -> Study:
    """It asks for gender with options and age as free text; ann said something everywhere, and ben nothing."""
    study = a_slider_crowd()
    a_question(study, "age", position=1)
    a_question(study, "gender", "female\nmale\nother", position=2)
    study.participations.filter(pseudonym="ann").update(
        demographics={"gender": "female", "age": "34", "old_name": "kept"}, comments="=1+1, said\nin two lines"
    )
    return study


def test_participants_have_the_promised_columns() -> None:
    study = a_study_with_answers()
    assert list(rows(participants(study))[0]) == [*FIXED, "age", "gender", "old_name", "comment", LAST]


def test_participants_say_status_times_device_and_pay() -> None:
    study = a_slider_crowd()
    person = arrived(study, "yan", **AGREED, finished_at=FINISHED, device="tablet", is_verified=False)
    Payment.objects.create(participation=person, status="due", amount="0.60", currency="GBP")
    found = next(row for row in rows(participants(study)) if row["pseudonym"] == "yan")
    assert found == {
        "pseudonym": "yan", "status": "finished", "entered_at": "2026-11-18T20:30Z",
        "finished_at": "2026-11-18T20:34Z", "minutes": "3.8", "device": "tablet", "verified": "0", "pay_status": "due",
        "comment": "", "could_not_see": "0",
    }  # fmt: skip


def test_participants_are_blank_where_nothing_is_known() -> None:
    study = a_slider_crowd()
    arrived(study, "yan", status="entered", finished_at=None)
    found = next(row for row in rows(participants(study)) if row["pseudonym"] == "yan")
    assert [name for name, cell in found.items() if not cell] == [
        "finished_at", "minutes", "device", "pay_status", "comment",
    ]  # fmt: skip


def test_participants_are_all_who_came_by_pseudonym() -> None:
    study = a_slider_crowd()
    for number, status in enumerate(reversed(Participation.Status.values)):
        came(study, f"came{9 - number}", status=status)
    found = rows(participants(study))
    assert [row["pseudonym"] for row in found] == ["ann", "ben", *(f"came{n}" for n in range(10)), "eve", "zoe"]
    assert {row["status"] for row in found} == set(Participation.Status.values)


def test_participants_keep_every_answer_and_comment() -> None:
    ann, ben, *_ = rows(participants(a_study_with_answers()))
    assert (ann["age"], ann["gender"], ann["old_name"]) == ("34", "female", "kept")
    assert ann["comment"] == "'=1+1, said\nin two lines"
    assert {ben[name] for name in ("age", "gender", "old_name", "comment")} == {""}


def test_end_questions_stand_in_the_order_of_the_study_and_lost_names_after_them() -> None:
    study = a_slider_crowd()
    a_question(study, "zodiac", position=1)
    a_question(study, "age", position=2)
    study.participations.filter(pseudonym="ann").update(demographics={"was_b": "1", "was_a": "2"})
    assert list(rows(participants(study))[0]) == [*FIXED, "zodiac", "age", "was_a", "was_b", "comment", LAST]


@pytest.mark.parametrize("name", ["status", "comment", "could_not_see"])
def test_end_question_named_as_a_fixed_column_gets_a_prefix(name: str) -> None:
    study = a_slider_crowd()
    a_question(study, name)
    study.participations.filter(pseudonym="ann").update(demographics={name: "married"})
    ann = rows(participants(study))[0]
    assert ann[f"question:{name}"] == "married"
    assert ann["status"] == "finished"
    assert list(ann)[-2:] == ["comment", LAST]


def test_participants_as_json_lines_say_the_same_and_escape_nothing() -> None:
    study = a_study_with_answers()
    lines = b"".join(participants(study, Form(as_json_lines=True))).decode().splitlines()
    found = [json.loads(line) for line in lines]
    assert found[0]["comment"] == "=1+1, said\nin two lines"
    escaped = [{**row, "comment": row["comment"].removeprefix("'")} for row in rows(participants(study))]
    assert found == escaped


def test_withdrawn_person_keeps_status_and_times_and_nothing_that_was_said() -> None:
    study = a_study_with_answers()
    study.participations.filter(pseudonym="ann").update(**AGREED, finished_at=FINISHED, device="phone")
    withdraw(participation=study.participations.get(pseudonym="ann"))
    ann = rows(participants(study))[0]
    assert (ann["status"], ann["finished_at"], ann["minutes"]) == ("withdrawn", "2026-11-18T20:34Z", "3.8")
    assert {ann[name] for name in ("device", "age", "gender", "comment")} == {""}
    assert "old_name" not in ann


def test_participants_take_four_queries_for_any_number(django_assert_num_queries: Any) -> None:
    study = a_study_with_answers()
    for number in range(20):
        came(study, f"more-{number}", demographics={f"name_{number}": "x"})
    with django_assert_num_queries(4):
        assert len(rows(participants(study))) == 24


def test_participants_are_given_before_the_first_release_and_recorded(tmp_path: Path) -> None:
    study, path = a_study_with_answers(), tmp_path / "people.csv"
    out = io.StringIO()
    call_command("export", study.slug, "participants", "--out", str(path), stdout=out)
    assert len(rows([path.read_bytes()])) == 4
    assert "as they stand now" in out.getvalue()
    assert AuditEntry.objects.get(action="exported").detail == {
        "what": "participants", "release": None, "only_kept": False, "with_platform_ids": False,
    }  # fmt: skip


def test_participants_are_of_no_release_after_one_too(tmp_path: Path) -> None:
    study = a_study_with_answers()
    clean_and_release(study=study, replicates=50)
    came(study, "later")
    out = io.StringIO()
    call_command("export", study.slug, "participants", "--out", str(tmp_path / "a.jsonl"), "--json", stdout=out)
    assert json.loads(out.getvalue())["release"] is None
    assert "later" in (tmp_path / "a.jsonl").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["participants", "--release", "1"], "belongs to no release"),
        (["participants", "--platform-ids"], "never the platform's ids"),
        (["gold", "--participants"], "can be added to a bundle, and not to gold"),
    ],
)
def test_participants_are_refused_where_they_make_no_sense(
    arguments: list[str], said: str, tmp_path: Path, capsys: Any
) -> None:
    study = clean_and_release(study=a_slider_crowd(), replicates=50).study
    with pytest.raises(SystemExit) as ended:
        call_command("export", study.slug, *arguments, "--out", str(tmp_path / "never.csv"))
    assert ended.value.code == 1
    assert said in capsys.readouterr().err
    assert not (tmp_path / "never.csv").exists()


@pytest.fixture
def release() -> GoldRelease:
    study = a_study_with_answers()
    study.participations.filter(pseudonym="ben").update(demographics={"gender": "typed by hand"})
    return clean_and_release(study=study, replicates=50)


def files(pieces: Any) -> dict[str, bytes]:
    archive = zipfile.ZipFile(io.BytesIO(b"".join(pieces)))
    return {name: archive.read(name) for name in archive.namelist()}


def test_bundle_has_no_participants_unless_asked(release: GoldRelease) -> None:
    plain = files(bundle(release))
    assert "participants.csv" not in plain
    assert b"participants.csv" not in plain["README.txt"]
    assert b"".join(stream(release.study, "bundle", release=release)) == b"".join(bundle(release))
    with_them = files(bundle(release, with_participants=True))
    others = {name for name in with_them if with_them[name] != plain.get(name)}
    assert others == {"participants.csv", "README.txt", "SHA256SUMS", "data-dictionary.csv"}
    assert b"participants.csv has everybody who came" in with_them["README.txt"]


def test_bundle_has_participants_without_comments_and_free_text(release: GoldRelease) -> None:
    found = rows([files(bundle(release, with_participants=True))["participants.csv"]])
    assert list(found[0]) == [*FIXED, "gender", LAST]
    assert [row["pseudonym"] for row in found] == ["ann", "ben", "eve", "zoe"]
    assert [row["gender"] for row in found] == ["female", "", "", ""]


def test_bundle_with_participants_takes_three_queries_more(
    release: GoldRelease, django_assert_num_queries: Any
) -> None:
    for number in range(20):
        came(release.study, f"more-{number}", demographics={"gender": "male"})
    without = {"sqlite": 16, "postgresql": 14}[connection.vendor]
    for asked_for, expected in ((False, without), (True, without + 3)):
        found = release_numbered(release.study, 1)
        assert found is not None
        with django_assert_num_queries(expected):
            b"".join(bundle(found, with_participants=asked_for))


def test_bundle_with_participants_is_given_by_the_command(release: GoldRelease, tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip"
    call_command("export", release.study.slug, "bundle", "--participants", "--out", str(path), stdout=io.StringIO())
    assert "participants.csv" in zipfile.ZipFile(path).namelist()
    assert AuditEntry.objects.get(action="exported").detail["with_participants"] is True


def test_export_refuses_nothing_of_what_it_offers(release: GoldRelease) -> None:
    for what in ("gold", "judgments", "workers", "bundle"):
        assert b"".join(stream(release.study, what, release=release))
    assert b"".join(stream(release.study, "participants", release=None))
    with pytest.raises(
        Refused,
        match="judgments, workers, gold, labels, wide, norms, similarity-matrix, report, bundle, published-bundle,"
        " published-key, participants",
    ):
        stream(release.study, "people", release=None)


def test_who_answered_in_a_study_is_nobody_in_another() -> None:
    study, other = a_study_with_answers(), a_slider_crowd()
    answers(came(other, "stranger", demographics={"secret": "x"}), "number", {"i1": 5.0})
    found = rows(participants(study))
    assert "stranger" not in {row["pseudonym"] for row in found}
    assert "secret" not in found[0]
