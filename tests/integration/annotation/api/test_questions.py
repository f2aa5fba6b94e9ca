"""Several questions by the API: read with their study, sent with it, and refused field by field."""

from typing import Any

import pytest

from annotation.models import AuditEntry, Study
from annotation.studies.study_life import change_status
from tests.factories import a_small_study
from tests.integration.annotation.api.scripts import Script
from tests.integration.researchers import a_researcher

pytestmark = [pytest.mark.django_db, pytest.mark.both]

ADEQUACY: dict[str, Any] = {
    "name": "adequacy",
    "kind": "choice",
    "question": "Does {left} say it?",
    "labels": [{"value": "yes", "display_text": "Yes"}, {"value": "no", "display_text": "No"}],
}
FLUENCY = {"name": "fluency", "kind": "slider", "question": "How fluent?", "scale_low": 1, "scale_high": 5.5}
WHY = {"name": "why", "kind": "text", "question": "Why?", "shown_if": {"question": "adequacy", "labels": ["no"]}}
ALL = [ADEQUACY, FLUENCY, WHY]


@pytest.fixture
def script() -> Script:
    return Script(a_researcher())


def a_draft(script: Script) -> Study:
    return a_small_study(items=2, live=False, owner=script.token.user, question="{left} and {right}?")


def send(script: Script, study: Study, **fields: Any) -> Any:
    path = f"studies/{study.slug}/"
    return script.patch(path, fields, headers={"If-Match": script.get(path).headers["ETag"]})


def errors_of(answer: Any) -> dict[str, str]:
    return {error["field"]: error["detail"] for error in answer.json()["errors"]}


def test_study_of_several_questions_is_made_and_read(script: Script) -> None:
    made = script.post("studies/", {"slug": "quality", "title": "Quality", "questions": ALL})

    assert made.status_code == 201, made.content
    questions = made.json()["questions"]
    assert [question["name"] for question in questions] == ["adequacy", "fluency", "why"]
    assert questions[0]["labels"] == [{**label, "swatch": "", "exclusive": False} for label in ADEQUACY["labels"]]
    assert questions[1]["scale_high"] == 5.5
    assert questions[2]["shown_if"] == {"question": "adequacy", "labels": ["no"], "low": None, "high": None}
    assert questions[0]["shown_if"] is None
    assert made.json()["kind"] == "choice"
    assert script.get("studies/").json()["results"][0]["questions"] == questions
    study = Study.objects.get(slug="quality")
    assert [each.kind for each in study.questions()] == ["choice", "slider", "text"]


def test_study_of_one_question_shows_it_among_its_questions(script: Script) -> None:
    study = a_draft(script)

    (question,) = script.get(f"studies/{study.slug}/").json()["questions"]

    assert (question["name"], question["kind"], question["question"]) == ("answer", "slider", study.question)


def test_questions_of_a_draft_are_replaced_and_what_was_read_can_be_sent(script: Script) -> None:
    study = a_draft(script)

    changed = send(script, study, questions=ALL, title="New")
    assert changed.status_code == 200, changed.content
    questions = changed.json()["questions"]
    assert [question["name"] for question in questions] == ["adequacy", "fluency", "why"]
    again = send(script, study, questions=questions)
    assert again.json()["questions"] == questions
    assert AuditEntry.objects.filter(study=study, detail__fields=["questions"]).exists()

    fewer = send(script, study, questions=questions[:1])
    assert [question["name"] for question in fewer.json()["questions"]] == ["adequacy"]


@pytest.mark.parametrize(
    ("questions", "field"),
    [
        ([ADEQUACY, ADEQUACY], "questions.1.name"),
        ([ADEQUACY, {**FLUENCY, "scale_high": 0}], "questions.1.scale_high"),
        ([ADEQUACY, {**FLUENCY, "name": "Fluency!"}], "questions.1.name"),
        ([{**ADEQUACY, "kind": "choices", "labels": []}], "questions.0.labels"),
        ([ADEQUACY, {**FLUENCY, "colour": "red"}], "questions.1.colour"),
        ([WHY, ADEQUACY], "questions.0.shown_if"),
        ([ADEQUACY, {**WHY, "shown_if": {"question": "why", "labels": ["no"]}}], "questions.1.shown_if"),
        ([ADEQUACY, {**WHY, "shown_if": {"labels": ["no"]}}], "questions.1.shown_if"),
        ([ADEQUACY, {**WHY, "kind": "riddle"}], "questions.1.kind"),
        ([{**FLUENCY, "name": f"q{number}"} for number in range(9)], "questions"),
        ([], "questions"),
        ([{}], "questions.0.kind"),
        ([{**ADEQUACY, "labels": [{}, {}]}], "questions.0.labels"),
    ],
)
def test_wrong_questions_are_refused_field_by_field(script: Script, questions: list[Any], field: str) -> None:
    study = a_draft(script)

    refused = send(script, study, questions=questions)

    assert refused.status_code == 422, refused.content
    assert field in errors_of(refused)
    assert not study.further_questions.exists()


def test_first_question_is_given_in_one_place(script: Script) -> None:
    refused = script.post("studies/", {"slug": "x", "title": "X", "questions": ALL, "kind": "text", "labels": []})

    assert refused.status_code == 422
    assert {"kind", "labels"} <= errors_of(refused).keys()


def test_preset_brings_its_own_questions(script: Script) -> None:
    refused = script.post("studies/", {"slug": "x", "preset": "typicality", "questions": ALL})

    assert "questions" in errors_of(refused)


def test_questions_of_an_open_study_stay(script: Script) -> None:
    study = a_draft(script)
    send(script, study, questions=[FLUENCY, {**FLUENCY, "name": "again"}])
    change_status(study=Study.objects.get(pk=study.pk), status=Study.Status.LIVE)

    refused = send(script, study, questions=[FLUENCY])

    assert refused.status_code == 422
    assert "again can't be removed: the study is open" in refused.content.decode()
    assert study.further_questions.count() == 1


def test_questions_are_added_changed_moved_and_removed_by_themselves(script: Script) -> None:
    study = a_draft(script)
    path = f"studies/{study.slug}/questions/"

    for question in (ADEQUACY, FLUENCY):
        made = script.post(path, question)
        assert made.status_code == 201, made.content
        assert made.headers["Location"] == f"/api/v1/{path}{question['name']}/"
    one = f"{path}fluency/"
    etag = script.get(one).headers["ETag"]
    assert script.patch(one, {"question": "New?"}).status_code == 428
    changed = script.patch(one, {"question": "New?", "name": "flow", "number": 1}, headers={"If-Match": etag})
    assert (changed.status_code, changed.json()["question"]) == (200, "New?"), changed.content
    assert [question["name"] for question in script.get(path).json()] == ["flow", "answer", "adequacy"]
    assert script.get(one).status_code == 404

    assert script.ask("DELETE", f"{path}flow/").status_code == 204
    assert script.ask("DELETE", f"{path}flow/").status_code == 404
    refused = script.post(path, {**WHY, "shown_if": {"question": "flow", "low": 3}})
    assert refused.status_code == 422
    assert "There is no question 'flow'" in refused.content.decode()
    assert [question["name"] for question in script.get(path).json()] == ["answer", "adequacy"]


def test_items_say_which_question_they_check(script: Script) -> None:
    study = a_draft(script)
    send(script, study, questions=ALL)
    item = {"item_id": "c", "left": "a", "check": "known", "check_question": "fluency", "min": 60}

    refused = script.post(f"studies/{study.slug}/items/", {"items": [{**item, "check_question": "place"}]})
    assert "name one of adequacy, fluency, why" in refused.content.decode()
    assert script.post(f"studies/{study.slug}/items/", {"items": [item]}).status_code == 201

    items = {row["item_id"]: row for row in script.get(f"studies/{study.slug}/items/").json()["results"]}
    assert (items["c"]["check_question"], items["i0"]["check_question"]) == ("fluency", None)
    assert script.get(f"studies/{study.slug}/items/{items['c']['id']}/").json()["check_question"] == "fluency"
