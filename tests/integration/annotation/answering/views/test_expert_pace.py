"""Expert pace at the server: skips, what is taken back, notes; pages from a number on, and all items by their state."""

import csv
import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.answering.judging import finish_assignment
from annotation.models import AssignedItem, Assignment, Judgment, Note, Study
from annotation.people.leaving import withdraw
from annotation.releases.exports.export_choice import stream
from annotation.releases.from_database.judgment_rows import counted_judgments
from tests.integration.annotation.answering.views.people import a_study_of, base_of, begin, save
from tests.integration.annotation.answering.views.several import a_study_of_four, stored
from tests.integration.annotation.pages.test_adjudicating import editor

pytestmark = [pytest.mark.django_db, pytest.mark.both]
NOTE = {"note": "1", "is_flagged": "1", "comment": "two ferns"}


def expert_study(**changes: Any) -> Study:
    return a_study_of("choice", pace="expert", judgments_per_item=1, **changes)


def no_answers(position: int = 1) -> list[str | None]:
    rows = Judgment.objects.filter(assigned_item__position=position).order_by("revision")
    return [row.label or row.no_answer for row in rows]


def test_skip_is_no_judgment_and_gives_the_place_to_somebody_else(client: Client) -> None:
    study = expert_study()
    address = begin(client, study)
    assert save(client, address, 1, skip="unclear").json() == {"saved": True}
    for position in (2, 3):
        save(client, address, position, label="red")
    assignment = Assignment.objects.get()
    finish_assignment(assignment=assignment)
    assert no_answers() == ["skipped"]
    assert Note.objects.get().skip_reason == "unclear"
    assert counted_judgments(study).count() == 2
    skipped = assignment.assigned_items.get(position=1)
    assert skipped.released_at
    assert [place.item_id for place in study.open_places.all()] == [skipped.item_id]


def test_answer_after_a_skip_counts(client: Client) -> None:
    study = expert_study()
    address = begin(client, study)
    save(client, address, 1, skip="other")
    save(client, address, 1, label="red")
    assert no_answers() == ["skipped", "red"]
    assert counted_judgments(study).count() == 1
    assert client.get(f"{base_of(address)}overview/").json()["items"][0] == [1, 1, "1", "a"]


def test_what_is_taken_back_is_open_again(client: Client) -> None:
    address = begin(client, expert_study())
    save(client, address, 1, label="red")
    save(client, address, 1, take_back="1")
    assert no_answers() == ["red", "taken-back"]
    assert AssignedItem.objects.unanswered().count() == 3
    assert b"data-answered" not in client.get(address).content
    assert client.get(f"{base_of(address)}", follow=True).redirect_chain[-1][0] == address


def test_the_same_skip_sent_again_changes_nothing(client: Client) -> None:
    address = begin(client, expert_study())
    key = "3f2a3b8e-5a0e-4d2c-9c58-0d4f8a0a1b2c"
    for _ in range(2):
        assert save(client, address, 1, skip="unclear", key=key).status_code == 200
    assert no_answers() == ["skipped"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"skip": "bored"}, "skip"),
        ({**NOTE, "comment": "x" * 1001}, "comment"),
        ({**NOTE, "comment": "\x00"}, "comment"),
    ],
)
def test_what_can_not_be_taken_is_refused_with_its_field(client: Client, fields: dict[str, str], field: str) -> None:
    answer = save(client, begin(client, expert_study()), 1, **fields)
    assert (answer.status_code, answer.json()["field"]) == (422, field)
    assert not Judgment.objects.exists()
    assert not Note.objects.exists()


@pytest.mark.parametrize("fields", [{"skip": "unclear"}, {"take_back": "1"}, NOTE])
def test_nothing_of_it_at_calm_pace_or_in_practice(client: Client, fields: dict[str, str]) -> None:
    assert save(client, begin(client, a_study_of("choice")), 1, **fields).status_code == 422
    items = [{"item_id": "p", "kind": "practice", "fields": {"thing": "x"}}, {"item_id": "i", "fields": {"thing": "y"}}]
    assert save(client, begin(client, expert_study(items=items)), 1, **fields).status_code == 422
    assert not Judgment.objects.exists()
    assert not Note.objects.exists()


def test_note_is_kept_changed_and_removed(client: Client) -> None:
    address = begin(client, expert_study())
    for _ in range(2):
        save(client, address, 2, **NOTE)
    note = Note.objects.get()
    assert (note.assigned_item.position, note.is_flagged, note.comment) == (2, True, "two ferns")
    assert AssignedItem.objects.unanswered().count() == 3
    save(client, address, 2, note="1", comment="")
    assert not Note.objects.exists()


def test_withdrawal_erases_notes_and_takes_no_more(client: Client) -> None:
    address = begin(client, expert_study())
    save(client, address, 1, skip="unclear")
    save(client, address, 2, **NOTE)
    withdraw(participation=Assignment.objects.get().participation)
    assert not Note.objects.exists()
    assert save(client, address, 2, **NOTE).status_code == 410


def test_several_questions_are_skipped_and_taken_back_together(client: Client) -> None:
    address = begin(client, a_study_of_four(pace="expert"))
    save(
        client, address, 1, **{"q1-label": "blue", "q1-asked": "1", "q3-number": "10", "q3-asked": "1", "q4-asked": "1"}
    )
    assert AssignedItem.objects.get(position=1).done_at
    save(client, address, 1, skip="broken")
    assert stored() == {1: "skipped", 2: "not-asked", 3: "not-asked", 4: "not-asked"}
    save(client, address, 1, **{"take_back": "1", "q1-label": "green", "q1-asked": "1"})
    assert {number: answer for number, answer in stored().items() if number in (1, 3)} == {1: "green", 3: "taken-back"}
    assert AssignedItem.objects.get(position=1).done_at is None
    save(client, address, 1, take_back="1")
    assert stored()[1] == "taken-back"


def test_without_script_the_fields_do_the_same(client: Client) -> None:
    address = begin(client, expert_study())
    page = client.get(address).content.decode()
    assert 'name="i1-skip"' in page
    key = "3f2a3b8e-5a0e-4d2c-9c58-0d4f8a0a1b2c"
    sent = {"i1-key": key, "i1-note": "1", "i1-comment": "blurred", "i1-is_flagged": "1", "i1-skip": "undecidable"}
    assert client.post(address, sent).headers["Location"].endswith("/2/")
    note = Note.objects.get()
    assert (note.skip_reason, note.is_flagged, note.comment) == ("undecidable", True, "blurred")
    page = client.get(address).content.decode()
    assert 'data-skipped="undecidable"' in page
    again = {**sent, "i1-key": key.replace("3", "4"), "i1-skip": "", "i1-label": "red"}
    client.post(address, again)
    assert no_answers() == ["skipped", "red"]


def test_pages_from_a_number_on_and_all_items_by_their_state(client: Client) -> None:
    items = [{"item_id": f"i{number}", "fields": {"thing": "fern"}} for number in range(130)]
    address = begin(client, expert_study(items=items, items_per_assignment=130))
    save(client, address, 2, label="red")
    save(client, address, 3, skip="other")
    save(client, address, 4, **NOTE)
    page = client.get(f"{base_of(address)}pages/71/").content.decode()
    assert page.count("<template") == 60
    assert 'data-page="71"' in page
    assert 'data-page="130"' in page
    states = client.get(f"{base_of(address)}overview/")
    assert states.json()["items"][:4] == [[1, 1, "1", ""], [2, 2, "2", "a"], [3, 3, "3", "s"], [4, 4, "4", "fc"]]
    assert len(states.content) < 25 * 130
    withdraw(participation=Assignment.objects.get().participation)
    assert client.get(f"{base_of(address)}pages/71/").status_code == 410


def test_researchers_see_and_export_what_people_said(client: Client) -> None:
    study = expert_study()
    address = begin(client, study)
    save(client, address, 1, label="red")
    save(client, address, 1, **NOTE)
    save(client, address, 2, skip="unclear")
    desk, who = editor(study), Assignment.objects.get().participation.pseudonym
    person = desk.get(reverse("agreement:person", args=[study.uuid, who])).content.decode()
    assert "skipped: The question is unclear" in person
    assert "flagged" in person
    assert "two ferns" in person
    assert (
        "items: 1 flagged, 1 commented on, 1 skipped"
        in desk.get(reverse("agreement:people", args=[study.uuid]), {"show": "noted"}).content.decode()
    )
    one, other = (AssignedItem.objects.get(position=position).item for position in (1, 3))
    assert "two ferns" in desk.get(reverse("agreement:item", args=[study.uuid, one.uuid])).content.decode()
    listed = desk.get(reverse("agreement:items", args=[study.uuid]), {"show": "noted"}).content.decode()
    assert f">{one.item_id}<" in listed
    assert f">{other.item_id}<" not in listed
    file = desk.get(reverse("agreement:notes", args=[study.uuid])).getvalue()
    assert file == b"".join(stream(study, "notes", release=None))
    rows = list(csv.DictReader(io.StringIO(file.decode("utf-8-sig"))))
    assert [(row["skipped"], row["skip_reason"], row["flagged"], row["comment"]) for row in rows] == [
        ("0", "", "1", "two ferns"),
        ("1", "unclear", "0", ""),
    ]
    assert {row["worker_id"] for row in rows} == {who}
