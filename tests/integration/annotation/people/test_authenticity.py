"""Prolific's authenticity results: joined by the session, all of a file or nothing, shown, exported and erased."""

import csv
import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse

from agreement.errors import Refused
from annotation.answering.judging import open_assignment
from annotation.entry.entering import enter, give_consent
from annotation.models import AuditEntry, AuthenticityResult, Participation, Study
from annotation.people.authenticity import Columns, ImportedResults, import_authenticity
from annotation.people.leaving import withdraw
from tests.factories import a_small_study
from tests.integration.researchers import a_researcher, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.both]
HEADER = "Submission id,Participant id,Status,Authenticity check: LLM,Authenticity check: bot\n"


def a_prolific_study() -> Study:
    return a_small_study(items=2, platform="prolific")


def a_person(study: Study, session: str, *, is_verified: bool = True) -> Participation:
    person = enter(
        study=study, platform="prolific", platform_id=f"pid-{session}", session_id=session, is_verified=is_verified
    )
    give_consent(participation=person)
    return person


def a_file(folder: Path, *rows: str, header: str = HEADER) -> Path:
    path = folder / "prolific.csv"
    path.write_text(header + "".join(f"{row}\n" for row in rows))
    return path


def stored() -> set[tuple[str, str, str]]:
    return set(AuthenticityResult.objects.values_list("participation__pseudonym", "check_name", "result"))


def test_results_are_joined_by_the_session(tmp_path: Path) -> None:
    study = a_prolific_study()
    one, other = a_person(study, "s1"), a_person(study, "s2")
    file = a_file(tmp_path, "s1,p1,APPROVED,High,Low", "s2,p2,APPROVED,mixed,", "s9,p9,APPROVED,Low,Low")

    counts = import_authenticity(study=study, file=file, by=None)

    assert counts == ImportedResults(new=3, unknown=["s9"])
    assert stored() == {
        (one.pseudonym, "texts", "high"),
        (one.pseudonym, "automation", "low"),
        (other.pseudonym, "texts", "mixed"),
    }


def test_they_are_joined_after_the_ids_were_purged_too(tmp_path: Path) -> None:
    study = a_prolific_study()
    person = a_person(study, "s1")
    person.worker.platform_id = None
    person.worker.save()

    import_authenticity(study=study, file=a_file(tmp_path, "s1,p1,APPROVED,High,High"), by=None)

    assert len(stored()) == 2


def test_the_same_file_twice_changes_nothing_and_a_newer_one_replaces(tmp_path: Path) -> None:
    study = a_prolific_study()
    a_person(study, "s1")
    file = a_file(tmp_path, "s1,p1,APPROVED,High,Low")
    import_authenticity(study=study, file=file, by=None)
    before = list(AuthenticityResult.objects.values())

    assert import_authenticity(study=study, file=file, by=None) == ImportedResults(there_already=2)
    assert list(AuthenticityResult.objects.values()) == before
    newer = import_authenticity(study=study, file=a_file(tmp_path, "s1,p1,APPROVED,Mixed,Low"), by=None)

    assert newer == ImportedResults(changed=1, there_already=1)
    assert AuditEntry.objects.filter(action=AuditEntry.Action.IMPORTED, detail__changed=1).exists()


def test_every_bad_row_is_named_and_nothing_is_stored(tmp_path: Path) -> None:
    study = a_prolific_study()
    a_person(study, "s1")
    file = a_file(
        tmp_path,
        "s1,p1,APPROVED,High,Low",
        "s2,p2,APPROVED,Perhaps,Low",
        ",p3,APPROVED,High,",
        "s1,p1,APPROVED,Low,Low",
    )

    with pytest.raises(Refused) as refusal:
        import_authenticity(study=study, file=file, by=None)

    assert list(refusal.value.reasons) == [
        "prolific.csv, row 3, column Authenticity check: LLM: 'Perhaps' is not High, Mixed or Low.",
        "prolific.csv, row 4, column Submission id: '' is not a submission's id.",
        "prolific.csv, row 5, column Submission id: 's1' has another result in row 2.",
    ]
    assert stored() == set()


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("Participant id,Authenticity check\n", "no column with the submissions' ids"),
        ("Submission id,Age\n", "No column looks like the result"),
        ("Submission id,Authenticity,LLM check\n", "may both be meant"),
    ],
)
def test_columns_that_can_not_be_told_are_refused(header: str, reason: str, tmp_path: Path) -> None:
    file = a_file(tmp_path, ",".join("x" for _ in header.split(",")), header=header)
    with pytest.raises(Refused, match=reason):
        import_authenticity(study=a_prolific_study(), file=file, by=None)


def test_columns_can_be_named(tmp_path: Path) -> None:
    study = a_prolific_study()
    a_person(study, "s1")
    file = a_file(tmp_path, "s1,Low,High", header="ref,one,two\n")
    columns = Columns(session="ref", texts="one", automation="two")

    assert import_authenticity(study=study, file=file, columns=columns, by=None).new == 2
    with pytest.raises(Refused, match="There is no column 'three'"):
        import_authenticity(study=study, file=file, columns=Columns(session="three"), by=None)


def test_a_session_that_several_claim_is_named_and_joined_to_the_verified_one(tmp_path: Path) -> None:
    study = a_prolific_study()
    person = a_person(study, "s1")
    enter(study=study, platform="prolific", platform_id="claims", session_id="s1", is_verified=False)
    for name in ("a", "b"):
        enter(study=study, platform="prolific", platform_id=name, session_id="s2", is_verified=False)
    file = a_file(tmp_path, "s1,p,APPROVED,High,", "s2,p,APPROVED,High,")

    assert import_authenticity(study=study, file=file, by=None) == ImportedResults(new=1, shared=["s2"])
    assert stored() == {(person.pseudonym, "texts", "high")}


def test_withdrawing_erases_results_and_they_do_not_come_back(tmp_path: Path) -> None:
    study = a_prolific_study()
    person = a_person(study, "s1")
    file = a_file(tmp_path, "s1,p1,APPROVED,High,Low")
    import_authenticity(study=study, file=file, by=None)

    withdraw(participation=person)

    assert import_authenticity(study=study, file=file, by=None) == ImportedResults(withdrawn=1)
    assert stored() == set()


def test_a_low_result_rejects_nobody(tmp_path: Path) -> None:
    study = a_prolific_study()
    person = a_person(study, "s1")
    open_assignment(participation=person)
    before = Participation.objects.filter(pk=person.pk).values().get()

    import_authenticity(study=study, file=a_file(tmp_path, "s1,p1,APPROVED,Low,Low"), by=None)

    assert Participation.objects.filter(pk=person.pk).values().get() == before


def test_the_command_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = a_prolific_study()
    a_person(study, "s1")
    file = a_file(tmp_path, "s1,p1,APPROVED,High,Low", "s9,p9,APPROVED,High,")
    call_command("import_authenticity", study.slug, str(file))
    call_command("import_authenticity", study.slug, str(file), "--json")

    words, _, machine = capsys.readouterr().out.partition("{")
    assert words == "2 results were imported.\nNobody came to this study with session 's9'.\n"
    assert json.loads("{" + machine)["there_already"] == 2


def test_the_page_imports_shows_and_exports(tmp_path: Path) -> None:
    study = a_prolific_study()
    person = a_person(study, "s1")
    client = signed_in(a_researcher(study, "editor"))
    address = reverse("agreement:import_authenticity", args=[study.uuid])
    bad = a_file(tmp_path, "s1,p1,APPROVED,Maybe,")
    with bad.open("rb") as stream:
        refused = client.post(address, {"file": stream})
    assert (refused.status_code, stored()) == (422, set())
    assert "is not High, Mixed or Low" in refused.content.decode()

    with a_file(tmp_path, "s1,p1,APPROVED,High,Low").open("rb") as stream:
        page = client.post(address, {"file": stream}, follow=True).content.decode()
    assert "2 results were imported." in page
    assert "Prolific's check of automation: low" in page.replace("&#x27;", "'")
    one = client.get(reverse("agreement:person", args=[study.uuid, person.pseudonym])).content.decode()
    assert "no ground for withholding pay or rejecting work" in one

    file = client.get(reverse("agreement:download_signs", args=[study.uuid, "authenticity"]))
    rows = list(csv.DictReader(io.StringIO(b"".join(file.streaming_content).decode("utf-8-sig"))))  # type: ignore[attr-defined]
    assert [(row["worker_id"], row["check"], row["result"]) for row in rows] == [
        (person.pseudonym, "automation", "low"),
        (person.pseudonym, "texts", "high"),
    ]
