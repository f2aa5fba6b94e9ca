"""Coding properties: what a researcher merges, sets and leaves out, by page and by file, and what analyses make."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from agreement.errors import Refused
from agreement.judgments.property_coding import Code, proposed_code
from annotation.models import AuditEntry, Study
from annotation.people.leaving import withdraw
from annotation.releases.actions.adjudicating import Change, code_properties, coding_as_csv, import_coding
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.freezing import newest_out_of_date
from annotation.releases.exports.bundle_zip import bundle
from annotation.releases.exports.export_choice import stream
from annotation.releases.exports.release_tables import gold
from annotation.releases.models import PropertyCode
from tests.integration.agreement.crowds import a_study_of, answers, came
from tests.integration.researchers import a_researcher, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.both]
ITEMS = [{"item_id": "fox", "fields": {"concept": "fox"}}, {"item_id": "vase", "fields": {"concept": "vase"}}]
SAID = {
    "ann": {"fox": ["is furry", "is red", "lives in woods"], "vase": ["is made of clay"]},
    "ben": {"fox": ["is hairy", "Is furry.", "is clever"], "vase": ["made of porcelain", "is brittle"]},
    "kim": {"fox": ["is red"], "vase": ["is made of clay", "made of porcelain"]},
}
FUR = Code("has", "fur", "visual perceptual")


def a_study() -> Study:
    study = a_study_of("list", ITEMS, judgments_per_item=3)
    for name, given in SAID.items():
        answers(came(study, name), "properties", given)
    return study


def code(study: Study, *coded: tuple[str, Code], seen: int = 0, by: Any = None) -> Any:
    return code_properties(study=study, changes=[Change(name, code, seen) for name, code in coded], by=by)


def lines_of(content: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(content).decode())))


def test_a_coding_is_applied_to_the_next_release_and_alters_none_that_is_there() -> None:
    study = a_study()
    first = clean_and_release(study=study, replicates=50)
    before = b"".join(gold(first))
    code(study, ("is furry", FUR), ("is hairy", FUR), ("is clever", Code("", "", is_left_out=True)))

    second = clean_and_release(study=study, replicates=50)

    assert b"".join(gold(first)) == before
    assert "property_type" not in before.decode()
    assert "coding" not in first.report
    found = {(line["item_id"], line["property"]): line for line in lines_of(gold(second))}
    fur = found["fox", "has fur"]
    assert (fur["frequency"], fur["n"]) == ("2", "3")  # ben named it twice and is one person
    assert [fur[f"property_{part}"] for part in ("relation", "feature", "type")] == ["has", "fur", "visual perceptual"]
    assert found["vase", "made of clay"]["frequency"] == "2"  # as proposed
    assert not {("fox", "is clever"), ("fox", "is furry"), ("fox", "is hairy")} & found.keys()
    assert second.report["coding"]["name"] == f"{study.slug}, coding 1"
    assert (second.report["coding"]["spellings"], second.report["coding"]["left_out"]) == (3, 1)
    assert second.report["coding"]["sha256"] in second.methods
    assert "takes 2 spellings for 1 property and left out 1" in second.methods
    judged = lines_of(stream(study, "judgments", release=second))
    assert "is furry" in {part for line in judged for part in line["value"].split("|")}


def test_a_changed_coding_puts_a_release_out_of_date() -> None:
    study = a_study()
    code(study, ("is furry", FUR))
    release = clean_and_release(study=study, replicates=50)
    assert newest_out_of_date(release) == ""

    code(study, ("is hairy", FUR))

    assert "properties were coded" in newest_out_of_date(release)


def test_a_bundle_has_the_coding_and_computes_the_same_gold(tmp_path: Path) -> None:
    import zipfile

    study = a_study()
    code(study, ("is furry", FUR), ("is hairy", FUR), ("is clever", Code("is", "clever", is_left_out=True)))
    release = clean_and_release(study=study, replicates=50)
    code(study, ("is hairy", Code("is", "hairy")), seen=1)

    with zipfile.ZipFile(io.BytesIO(b"".join(bundle(release)))) as archive:
        archive.extractall(tmp_path)

    assert "--coding coding.csv" in (tmp_path / "README.txt").read_text()
    inputs = {name: str(tmp_path / f"{name}.csv") for name in ("items", "coding")}
    out = tmp_path / "again"
    call_command(
        "analyse_file", str(tmp_path / "judgments.csv"), kind="list", out=out, replicates=50, stdout=io.StringIO(),
        **{name: Path(path) for name, path in inputs.items()},
    )  # fmt: skip
    assert (out / "gold.csv").read_bytes() == (tmp_path / "gold.csv").read_bytes()


def test_two_researchers_at_once_lose_nothing() -> None:
    study = a_study()
    ada, bob = a_researcher(study, "editor"), a_researcher(study, "editor")
    code(study, ("is furry", FUR), by=ada)

    coded = code(study, ("is furry", Code("is", "furry")), ("is red", Code("is", "red", "visual perceptual")), by=bob)

    assert coded.revision == 2
    assert set(coded.saved) == {"is red"}
    assert coded.meanwhile["is furry"].by == ada
    in_force = PropertyCode.objects.of_study(study).in_force()
    assert (in_force["is furry"].code, in_force["is red"].by) == (FUR, bob)
    assert code(study, ("is furry", Code("is", "furry")), seen=1, by=bob).revision == 3
    assert PropertyCode.objects.filter(study=study, spelling="is furry").count() == 2


def test_spellings_of_one_property_have_one_type() -> None:
    study = a_study()
    code(study, ("is furry", FUR))
    code(study, ("is hairy", Code("has", "fur")))
    of = PropertyCode.objects.of_study(study)
    assert of.in_force()["is hairy"].type == "visual perceptual"

    code(study, ("is hairy", Code("has", "fur", "other perceptual")), seen=2)

    assert {row.type for row in of.in_force().values()} == {"other perceptual"}
    with pytest.raises(Refused, match="has fur is one property and has one type"):
        code(study, ("is furry", FUR), ("is hairy", Code("has", "fur", "functional")), seen=9)
    code(study, ("is hairy", Code("has", "fur")), seen=9)
    assert {row.type for row in of.in_force().values()} == {""}


def test_saving_is_recorded_without_quoting_anybody() -> None:
    study = a_study()
    ada = a_researcher(study, "editor")

    code(study, ("is furry", FUR), by=ada)

    entry = AuditEntry.objects.get(study=study, action=AuditEntry.Action.CHANGED)
    assert (entry.by, entry.detail) == (ada, {"coding": 1, "spellings": 1})


def test_rows_are_append_only() -> None:
    study = a_study()
    code(study, ("is furry", FUR))

    with pytest.raises(DatabaseError), transaction.atomic():
        PropertyCode.objects.update(feature="wool")
    assert PropertyCode.objects.get().feature == "fur"


def test_withdrawal_erases_what_only_that_person_had_written() -> None:
    study = a_study()
    code(study, ("is furry", FUR), ("is hairy", FUR), ("is clever", Code("is", "clever", "encyclopaedic")))

    withdraw(participation=study.participations.get(pseudonym="ben"))

    left = set(PropertyCode.objects.of_study(study).in_force())
    assert left == {"is furry"}
    assert code(study, ("is red", Code("is", "red"))).revision == 2


def test_a_revision_that_a_run_has_seen_is_not_given_again() -> None:
    study = a_study()
    code(study, ("is hairy", FUR))
    clean_and_release(study=study, replicates=50)
    withdraw(participation=study.participations.get(pseudonym="ben"))
    assert not PropertyCode.objects.of_study(study).exists()

    assert code(study, ("is red", Code("is", "crimson"))).revision == 2


def a_file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "coding.csv"
    path.write_text(text)
    return path


def test_a_coding_goes_out_and_comes_in_again(tmp_path: Path) -> None:
    study, other = a_study(), a_study()
    code(study, ("is furry", FUR), ("is clever", Code("is", "clever", is_left_out=True)))
    path = a_file(tmp_path, coding_as_csv(study).decode())

    assert import_coding(study=study, file=path, by=None).revision == 0
    assert import_coding(study=other, file=path, by=None).revision == 1

    assert PropertyCode.objects.of_study(other).as_coding("") == PropertyCode.objects.of_study(study).as_coding("")


HEADER = "property,relation,feature,type,left_out,revision\n"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("is red,is,,,0,", "row 3, column feature: it is blank"),
        ("is red,is,red,pretty,0,", "row 3, column type: 'pretty' is none of visual perceptual"),
        ("is red,is,red,,maybe,", "row 3, column left_out: 'maybe' is neither 1 nor 0"),
        (",is,red,,0,", "row 3, column property: it is blank"),
        ("Is  furry.,is,red,,0,", "row 3, column property: 'is furry' stands in row 2 already"),
        ("is hairy,has,fur,functional,0,", "row 3, column type: 'has fur' is visual perceptual in row 2"),
        ("is red,is,red", "row 3, 3 cells where the header names 6 columns"),
        ("is hairy,is,bald,,0,1", "row 3, 'is hairy' was coded by somebody since the file was exported (revision 2)"),
        ("is hairy,is,bald,,0,soon", "row 3, column revision: 'soon' is not the number of a revision"),
    ],
)
def test_a_bad_row_is_refused_by_its_number_and_nothing_is_stored(tmp_path: Path, row: str, said: str) -> None:
    study = a_study()
    code(study, ("is furry", FUR))
    code(study, ("is hairy", FUR))
    path = a_file(tmp_path, f"{HEADER}is furry,has,fur,visual perceptual,0,\n{row}\n")

    with pytest.raises(Refused) as refused:
        import_coding(study=study, file=path, by=None)

    assert len(refused.value.reasons) == 1
    assert said in refused.value.reasons[0]
    assert PropertyCode.objects.of_study(study).last_revision() == 2


def test_a_file_without_its_columns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="there is no column relation and no column feature"):
        import_coding(study=a_study(), file=a_file(tmp_path, "property\nis red\n"), by=None)


# The page.


def a_browser(study: Study, level: str = "editor") -> Client:
    return signed_in(a_researcher(study, level))


def address(study: Study, name: str = "coding") -> str:
    return reverse(f"agreement:{name}", args=[study.uuid])


def fields(client: Client, study: Study, query: str = "") -> dict[str, str]:
    """The form as the page has it."""
    lines = client.get(address(study) + query).context["lines"]
    sent: dict[str, str] = {}
    for line in lines:
        code, at = line.code, line.number
        sent |= {f"spelling-{at}": line.named.spelling, f"seen-{at}": str(line.named.revision)}
        sent |= {f"relation-{at}": code.relation, f"feature-{at}": code.feature, f"type-{at}": code.type}
        sent |= {f"left-out-{at}": "on"} if code.is_left_out else {}
        sent[f"was-{at}"] = "|".join([code.relation, code.feature, code.type, "1" if code.is_left_out else "0"])
    return sent


def number_of(sent: dict[str, str], spelling: str) -> str:
    return next(name for name, value in sent.items() if value == spelling and name.startswith("spelling")).split("-")[1]


def test_page_lists_what_people_named_the_commonest_first() -> None:
    study = a_study()

    page = a_browser(study, "viewer").get(address(study))

    listed = [(line.named.spelling, line.named.people, line.named.items) for line in page.context["lines"]]
    assert listed[:4] == [("is furry", 2, 1), ("is made of clay", 2, 1), ("is red", 2, 1), ("made of porcelain", 2, 1)]
    assert page.context["lines"][1].code == proposed_code("made of clay")
    assert "disabled" in page.content.decode()


def test_page_merges_saves_and_leaves_out_without_script() -> None:
    study = a_study()
    client = a_browser(study)
    sent = fields(client, study)
    for spelling in ("is furry", "is hairy"):
        sent[f"tick-{number_of(sent, spelling)}"] = "on"
    sent[f"type-{number_of(sent, 'is furry')}"] = "visual perceptual"
    sent[f"left-out-{number_of(sent, 'is clever')}"] = "on"

    page = client.post(address(study), {**sent, "into": "has fur", "merge": ""}, follow=True)

    assert "3 spellings were coded (coding 1)." in page.content.decode()
    in_force = PropertyCode.objects.of_study(study).in_force()
    assert {name: row.code for name, row in in_force.items()} == {
        "is furry": FUR,
        "is hairy": FUR,
        "is clever": Code("is", "clever", is_left_out=True),
    }
    assert "Nothing was changed." in client.post(address(study), fields(client, study), follow=True).content.decode()


def test_page_shows_both_where_two_saved_the_same_and_keeps_what_was_typed() -> None:
    study = a_study()
    ada, bob = a_browser(study), a_browser(study)
    of_ada, of_bob = fields(ada, study), fields(bob, study)
    at, red = number_of(of_bob, "is furry"), number_of(of_bob, "is red")
    ada.post(address(study), {**of_ada, f"feature-{at}": "fluffy"})

    page = bob.post(address(study), {**of_bob, f"feature-{at}": "woolly", f"type-{red}": "visual perceptual"})

    assert page.status_code == 409
    html = page.content.decode()
    assert "Somebody else coded 1 of these spellings in the meantime." in html
    assert "is fluffy" in html
    assert 'value="woolly"' in html
    in_force = PropertyCode.objects.of_study(study).in_force()
    assert (in_force["is furry"].feature, in_force["is red"].type) == ("fluffy", "visual perceptual")
    lines = page.context["lines"]
    again = {f"spelling-{line.number}": line.named.spelling for line in lines}
    line = next(line for line in lines if line.named.spelling == "is furry")
    again |= {f"seen-{line.number}": str(line.named.revision), f"relation-{line.number}": "is"}
    again |= {f"feature-{line.number}": "woolly", f"was-{line.number}": "is|fluffy||0"}
    only = {name: value for name, value in again.items() if name.endswith(f"-{line.number}")}
    assert bob.post(address(study), only).status_code == 302
    assert PropertyCode.objects.of_study(study).in_force()["is furry"].feature == "woolly"


def test_page_refuses_a_blank_feature_and_keeps_what_was_typed() -> None:
    study = a_study()
    client = a_browser(study)
    sent = fields(client, study)
    at = number_of(sent, "is red")

    page = client.post(address(study), {**sent, f"feature-{at}": "", f"relation-{at}": "looks"})

    assert page.status_code == 422
    assert "is red: feature: it is blank" in page.content.decode()
    assert 'value="looks"' in page.content.decode()
    assert not PropertyCode.objects.exists()


def test_merging_needs_a_tick_and_a_property() -> None:
    study = a_study()
    client = a_browser(study)

    page = client.post(address(study), {**fields(client, study), "into": "has fur", "merge": ""})

    assert page.status_code == 422
    assert "Tick the spellings that are one property" in page.content.decode()


def test_a_viewer_looks_and_a_stranger_is_told_of_nothing() -> None:
    study = a_study()

    viewer, stranger = a_browser(study, "viewer"), signed_in(a_researcher())

    assert viewer.post(address(study), {"spelling-0": "is red", "feature-0": "x"}).status_code == 403
    assert viewer.get(address(study, "import_coding")).status_code == 403
    assert viewer.get(address(study, "download_coding")).status_code == 200
    assert stranger.get(address(study)).status_code == 404
    assert a_browser(other := a_study_of("text", ITEMS)).get(address(other)).status_code == 404


def test_page_filters_and_imports() -> None:
    study = a_study()
    client = a_browser(study)
    file = SimpleUploadedFile("mine.csv", b"property,relation,feature,type\nis furry,has,fur,visual-perceptual\n")
    assert client.post(address(study, "import_coding"), {"file": file}).status_code == 302

    names = {
        query: [line.named.spelling for line in client.get(address(study) + query).context["lines"]]
        for query in ("?show=coded", "?q=fur", "?show=left-out", "?show=open&q=red")
    }

    assert names == {
        "?show=coded": ["is furry"],
        "?q=fur": ["is furry"],
        "?show=left-out": [],
        "?show=open&q=red": ["is red"],
    }
    bad = SimpleUploadedFile("mine.csv", b"property,relation,feature\nis furry,has,\n")
    page = client.post(address(study, "import_coding"), {"file": bad})
    assert page.status_code == 422
    assert "mine.csv, row 2, column feature" in page.content.decode()


def test_norms_of_a_coded_release_can_be_scored_against(tmp_path: Path) -> None:
    study = a_study()
    code(study, ("is furry", FUR), ("is hairy", FUR))
    release = clean_and_release(study=study, replicates=50)

    rows = lines_of(stream(study, "norms", release=release))

    assert list(rows[0]) == ["concept", "relation", "feature", "type", "pf"]
    assert {"concept": "fox", "relation": "has", "feature": "fur", "type": "visual perceptual", "pf": "2"} in rows


def test_page_costs_the_same_few_queries_for_more_properties() -> None:
    from django.test.utils import CaptureQueriesContext

    study = a_study()
    client = a_browser(study)
    client.get(address(study))
    counts = []
    for name in ("one", "two"):
        with CaptureQueriesContext(connection) as asked:
            client.get(address(study))
        counts.append(len(asked))
        answers(came(study, name), "properties", {"fox": [f"is {name}", f"has {name}"]})
        code(study, (f"is {name}", Code("is", name)))
    assert counts[0] == counts[1]
