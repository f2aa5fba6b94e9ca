"""A study's qualification round set up: by the form, the API, files of items, presets; looked through; simulated."""

from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from agreement.errors import Refused
from agreement.typed_json import JsonObject
from annotation.media.files import in_folder
from annotation.media.taking import media_from
from annotation.models import Item, Participation, Study
from annotation.pages.launch import State, checklist_of
from annotation.simulating.crowds import simulate
from annotation.simulating.over_http import simulate_over_http
from annotation.studies import presets
from annotation.studies.item_files import read_items
from annotation.studies.study_life import add_items, change_status, create_study, duplicate_study
from tests.factories import a_person, a_small_study
from tests.integration.annotation.answering.views.test_qualification import a_study_with_qualification, qualification
from tests.integration.annotation.api.scripts import Script
from tests.integration.annotation.api.test_writing import errors_of
from tests.integration.annotation.pages.admin.test_study_setup import save, upload
from tests.integration.researchers import a_researcher, an_owned_study, signed_in

pytestmark = pytest.mark.django_db
NEEDED, EACH, FEEDBACK = "qualification_pass_mark", "qualification_items", "qualification_feedback"


def test_form_has_the_round_in_a_section_and_saves_it() -> None:
    study, client = an_owned_study(live=False)
    page = client.get(reverse("admin:annotation_study_change", args=[study.pk])).text
    assert "Right answers needed" in page
    assert "Code: qualification failed" in page
    save(client, study, **{NEEDED: 3, EACH: 5, FEEDBACK: "on", "code_failed_qualification": "C9"})
    study.refresh_from_db()
    assert (study.qualification_pass_mark, study.qualification_items, study.qualification_feedback) == (3, 5, True)
    assert study.code_failed_qualification == "C9"


WRONG: list[tuple[dict[str, Any], str]] = [
    ({NEEDED: 0}, "Give a number from 1 to 1,000."),
    ({NEEDED: -1}, "Give a number from 1 to 1,000."),
    ({NEEDED: 6, EACH: 5}, "Each person answers 5 items: give a number up to 5."),
    ({EACH: 5}, "Say how many of the items have to be answered right."),
]


@pytest.mark.parametrize(("fields", "sentence"), WRONG)
def test_numbers_that_make_no_round_are_refused_beside_their_field(fields: dict[str, Any], sentence: str) -> None:
    study, client = an_owned_study(live=False)
    assert sentence in save(client, study, **fields).text
    script = Script(study.owner)  # type: ignore[arg-type]
    path = f"studies/{study.slug}/"
    answer = script.patch(path, fields, headers={"If-Match": script.get(path).headers["ETag"]})
    assert errors_of(answer).keys() == {NEEDED}
    study.refresh_from_db()
    assert study.qualification_pass_mark is None


@pytest.mark.both
def test_database_holds_the_same() -> None:
    study, _client = an_owned_study(live=False)
    for fields in ({NEEDED: 0}, {EACH: 2}, {NEEDED: 3, EACH: 2}):
        with transaction.atomic(), pytest.raises(IntegrityError, match="pass_mark"):
            Study.objects.filter(pk=study.pk).update(**fields)


def test_it_changes_while_the_study_is_paused_alone() -> None:
    owner = a_researcher()
    study, client = a_study_with_qualification(owner=owner), signed_in(owner)
    assert "The study is live: pause it before you change this." in save(client, study, **{NEEDED: 1}).text
    script, path = Script(owner), f"studies/{study.slug}/"
    etag = {"If-Match": script.get(path).headers["ETag"]}
    assert errors_of(script.patch(path, {NEEDED: None}, headers=etag)).keys() == {NEEDED}
    assert script.patch(path, {NEEDED: 2, "title": "Same"}, headers=etag).status_code == 200
    change_status(study=Study.objects.get(), status=Study.Status.PAUSED)
    save(client, study, **{NEEDED: 1})
    assert Study.objects.get().qualification_pass_mark == 1


def read(study: Study, folder: Path, content: str) -> list[str]:
    (folder / "items.csv").write_text(content)
    with media_from(in_folder(folder)) as pictures:
        try:
            items = read_items(folder / "items.csv", study, pictures)
        except Refused as refusal:
            return list(refusal.reasons)
    return [f"{item['kind']} {item['expected']}" for item in items]


def test_file_brings_its_items_with_their_right_answers(tmp_path: Path) -> None:
    study = a_study_with_qualification()
    change_status(study=study, status=Study.Status.PAUSED)
    rows = "item_id,kind,expected,thing\nq8,qualification,{},coal\nq9,Qualification,red,ruby\n"
    study.refresh_from_db()
    assert read(study, tmp_path, rows.format("green")) == ["qualification ['green']", "qualification ['red']"]
    (blank,) = read(study, tmp_path, rows.format(""))
    assert blank == (
        "items.csv, row 2, column expected: is blank, as min and max are; a qualification item needs its right answer."
    )
    (unknown,) = read(study, tmp_path, rows.format("mauve"))
    assert "'mauve' is not among the answers' labels" in unknown


def test_file_with_its_items_is_refused_while_people_come(tmp_path: Path) -> None:
    reasons = read(a_study_with_qualification(), tmp_path, "item_id,kind,expected,thing\nq8,qualification,red,coal\n")
    assert "pause the study first" in reasons[0]


def test_item_pages_keep_to_the_same_rules() -> None:
    owner = a_researcher()
    study, client = a_study_with_qualification(owner=owner), signed_in(owner)
    add = reverse("admin:annotation_item_add")
    new = {"study": study.pk, "item_id": "q9", "kind": "qualification", "fields": '{"thing": "coal"}'}
    assert "pause it before you change its qualification items" in client.post(add, new).text
    change_status(study=Study.objects.get(), status=Study.Status.PAUSED)
    assert "A qualification item needs its right answer." in client.post(add, new).text
    client.post(add, {**new, "expected": '["green"]'})
    item = Item.objects.get(item_id="q9")
    change_status(study=Study.objects.get(), status=Study.Status.LIVE)
    page = client.post(reverse("admin:annotation_item_delete", args=[item.pk]), {"post": "yes"})
    assert "pause the study first" in page.text
    assert Item.objects.filter(item_id="q9").exists()


def test_its_items_come_by_the_page_of_imports() -> None:
    study, client = an_owned_study(live=False)
    upload(client, study, "item_id,kind,min,left,right\nq1,qualification,80,sea,ocean\n")
    assert list(study.items.filter(kind="qualification").values_list("item_id", "min")) == [("q1", 80.0)]


def lines(study: Study) -> dict[str, tuple[State, str]]:
    return {line.title: (line.state, line.words) for line in checklist_of(study, "lab.example.org").lines}


def test_checklist_says_what_the_round_lacks_and_what_it_asks() -> None:
    study = a_small_study(items=3, live=False, qualification_pass_mark=2)
    state, words = lines(study)["Qualification"]
    assert state == State.BLOCKING
    assert "needs 2 qualification items and has 0" in words

    fields: JsonObject = {"left": "sea", "right": "ocean"}
    for name in ("q1", "q2", "q3"):
        add_items(
            study=study,
            items=[{"item_id": name, "kind": "qualification", "min": 80, "fields": fields}],
            source="a test",
        )
    state, words = lines(study)["Qualification"]
    assert (state, words) == (
        State.OK, "People go on with 2 of 3 qualification items answered right; the others are sent back.",
    )  # fmt: skip

    Study.objects.update(qualification_feedback=True, platform="prolific")
    study.refresh_from_db()
    assert lines(study)["Feedback of the qualification"][1] == "Feedback is on, and 3 qualification items have none."
    assert lines(study)["Code of who doesn't qualify"][0] == State.ATTENTION

    Study.objects.update(qualification_pass_mark=None)
    study.refresh_from_db()
    state, words = lines(study)["Qualification"]
    assert state == State.BLOCKING
    assert "3 qualification items and no pass mark" in words


def test_preset_may_have_a_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "items").mkdir()
    (tmp_path / "items" / "pilot.csv").write_text(
        "item_id,kind,expected,thing\nq1,qualification,red,ruby\none,,,fern\n"
    )
    path = tmp_path / "pilot.toml"
    path.write_text(
        'version = "1"\n[study]\ntitle = "Things"\nkind = "choice"\nquestion = "What of a {thing}?"\n'
        "qualification_pass_mark = 1\nqualification_feedback = true\n"
        '[[label]]\nvalue = "red"\ndisplay_text = "red"\n'
        '[[label]]\nvalue = "blue"\ndisplay_text = "blue"\n'
    )
    monkeypatch.setattr(presets, "_files", lambda: {"pilot": path})
    study = create_study(slug="pilot", preset=presets.load("pilot"))
    assert (study.qualification_pass_mark, study.qualification_feedback) == (1, True)
    assert study.items.filter(kind="qualification").count() == 1
    assert change_status(study=study, status=Study.Status.LIVE).status == "live"


def test_duplicate_has_the_round_and_not_its_code() -> None:
    study = a_study_with_qualification()
    new = duplicate_study(study=study, slug="again", title="Again", by=None)
    assert (new.qualification_pass_mark, new.code_failed_qualification) == (2, "")
    assert new.items.filter(kind="qualification").count() == 3


def test_participants_who_failed_can_be_listed_by_a_script() -> None:
    owner = a_researcher()
    study = a_study_with_qualification(owner=owner, platform="direct")
    person = a_person(study)
    Participation.objects.update(status="failed-qualification")
    rows = Script(owner).get(f"studies/{study.slug}/participants/?status=failed-qualification").json()["results"]
    assert [row["pseudonym"] for row in rows] == [person.pseudonym]


def a_study_to_simulate(**changes: Any) -> Study:
    """Eight items that careful people answer right, and who clicks at random mostly wrong; six are to be right."""
    things = [qualification(f"q{n}", expected=("red", "green", "blue")[n % 3]) for n in range(8)]
    targets = [{"item_id": f"t{n}", "fields": {"thing": f"target {n}"}} for n in range(6)]
    return a_study_with_qualification(items=[*things, *targets], qualification_pass_mark=6, **changes)


def test_simulated_people_who_are_careless_do_not_qualify() -> None:
    study = a_study_to_simulate(platform="direct")
    result = simulate(study=study, workers=12, careless=4, seed=5)
    failed = set(study.participations.filter(status="failed-qualification").values_list("pseudonym", flat=True))
    finished = set(study.participations.filter(status="finished").values_list("pseudonym", flat=True))
    assert failed == result.careless
    assert finished == set(result.vices) - failed
    assert len(finished) == 8


@pytest.mark.django_db(transaction=True)
def test_simulated_people_take_the_round_on_the_real_pages(live_server: Any) -> None:
    study = a_study_to_simulate(unverified_per_hour=50)
    result = simulate_over_http(study=study, site=live_server.url, workers=8, careless=2, seed=5)
    failed = set(study.participations.filter(status="failed-qualification").values_list("pseudonym", flat=True))
    assert failed == result.careless
    assert study.participations.filter(status="finished").count() == 6
