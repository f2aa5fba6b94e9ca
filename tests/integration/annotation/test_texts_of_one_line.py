"""Titles and other texts of one line: no control character comes in by the API, a form, a file or a command."""

import io
from pathlib import Path
from typing import Any

import pytest
from django import forms
from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.management import call_command

from agreement.cleaning.rule_set import parse_rules
from agreement.errors import Refused
from agreement.report.data_card import EMPTY, read_card
from annotation.models import EntryLink, Label, Study
from annotation.models.text_fields import LineField
from annotation.pages.admin.accounts import TokenForm
from annotation.pages.admin.forms import InvitationsForm, OpenLinkForm
from annotation.pages.admin.link_pages import DuplicateForm
from annotation.pages.data_card import CardForm
from annotation.studies.study_form import StudyForm
from tests.factories import a_small_study
from tests.integration.annotation.api.scripts import Script
from tests.integration.researchers import a_researcher

TOLD = "is a control character"
BAD = ["a\r\nBcc: b", "a\x1b[2Jb", "a\u202eb", "a\u2028b", "a\x85b", "a\u2066b"]
GOOD = ["naïve 项目 – “a”", "كلمة\u200f!", "🧑\u200d🚀"]
FIELDS = [field for model in apps.get_models() for field in model._meta.fields if isinstance(field, LineField)]
STUDY = ["title", "contact", "researchers", "institution", "ethics", "low_label", "high_label", "code_completed"]
PARTS: list[tuple[str, Any]] = [
    ("labels", [{"value": "BAD", "display_text": "yes"}, {"value": "no", "display_text": "no"}]),
    ("labels", [{"value": "yes", "display_text": "BAD"}, {"value": "no", "display_text": "no"}]),
    ("check_quotas", [{"check_name": "BAD", "per_assignment": 1}]),
    ("comprehension_questions", [{"text": "BAD", "right_answer": "a", "wrong_answers": "b"}]),
    ("comprehension_questions", [{"text": "a", "right_answer": "BAD", "wrong_answers": "b"}]),
    ("end_questions", [{"name": "age", "text": "BAD"}]),
]


def with_bad(value: Any, bad: str) -> Any:
    return [{name: bad if text == "BAD" else text for name, text in row.items()} for row in value]


@pytest.mark.parametrize("bad", BAD)
def test_every_field_of_one_line_refuses_it(bad: str) -> None:
    assert len(FIELDS) >= 25
    for field in FIELDS:
        with pytest.raises(ValidationError, match=TOLD):
            field.clean(bad[: field.max_length or 0], None)


@pytest.mark.parametrize("good", GOOD)
def test_letters_of_any_script_are_taken(good: str) -> None:
    assert LineField(max_length=80).clean(good, None) == good


@pytest.mark.django_db
@pytest.mark.both
def test_whatever_creates_a_row_is_refused() -> None:
    study = a_small_study(items=1)
    with pytest.raises(Refused, match=f"title: Character 2 .U.001B. {TOLD}"):
        Study.objects.create(slug="b", title=BAD[1], kind="slider", question="?")
    with pytest.raises(Refused, match=TOLD):
        EntryLink.objects.create(study=study, note=BAD[0])
    with pytest.raises(Refused, match=TOLD):
        Label.objects.bulk_create([Label(study=study, position=9, value="a", display_text=BAD[2])])


@pytest.mark.django_db
@pytest.mark.both
def test_the_api_refuses_it() -> None:
    user = a_researcher()
    study = a_small_study(items=1, owner=user, status="draft")
    script, address = Script(user), f"studies/{study.slug}/"
    etag = script.get(address).headers["ETag"]
    for name in STUDY:
        for bad in BAD:
            answer = script.patch(address, {name: bad}, headers={"If-Match": etag})
            assert answer.status_code == 422, (name, bad, answer.content)
            assert [error["field"] for error in answer.json()["errors"]] == [name]
    for part, rows in PARTS:
        parts = f"{address}{part.replace('_', '-')}/"
        answer = script.ask("PUT", parts, with_bad(rows, BAD[1]))
        assert (answer.status_code, TOLD in answer.json()["detail"]) == (422, True), (part, answer.content)
    for path, body in (
        ("links/", {"note": BAD[1]}),
        ("invitations/", {"count": 1, "note": BAD[1]}),
        ("duplicate/", {"slug": "other", "title": BAD[1]}),
        ("items/", {"items": [{"item_id": BAD[1], "left": "a", "right": "b"}]}),
    ):
        answer = script.post(address + path, body)
        assert (answer.status_code, "control character" in answer.json()["detail"]) == (422, True), answer.content
    new = {"slug": "new", "preset": "typicality", "title": BAD[1]}
    assert script.post("studies/", new).status_code == 422
    assert Study.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("bad", BAD)
def test_forms_refuse_it_beside_the_field(bad: str) -> None:
    sent: list[tuple[forms.BaseForm, str]] = [
        (TokenForm({"name": bad}), "name"),
        (InvitationsForm({"note": bad}), "note"),
        (OpenLinkForm({"note": bad}), "note"),
        (DuplicateForm({"title": bad}), "title"),
        (CardForm({"title": bad}, card=EMPTY), "title"),
        (CardForm({"language": bad}, card=EMPTY), "language"),
    ]
    study_form = forms.modelform_factory(Study, form=StudyForm, fields=["title", "contact"])
    sent += [(study_form({"title": bad}), "title"), (study_form({"contact": bad}), "contact")]
    for form, name in sent:
        assert any(TOLD in error for error in form.errors[name]), (type(form), name)


@pytest.mark.django_db
def test_files_and_commands_refuse_it(tmp_path: Path) -> None:
    card = tmp_path / "card.toml"
    card.write_text('title = "a\\u001bb"\nkeywords = ["\\u202e"]\ncreators = [{name = "a\\u0007"}]\n')
    with pytest.raises(Refused) as refusal:
        read_card(card)
    assert [TOLD in reason for reason in refusal.value.reasons] == [True] * 3
    with pytest.raises(Refused, match=TOLD):
        parse_rules('name = "a\\u001bb"\n')
    study = a_small_study(items=1)
    (tmp_path / "items.csv").write_text('item_id,left,right\n"i\x1b[2J",a,b\n')
    told = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("import_items", study.slug, tmp_path / "items.csv", stdout=told, stderr=told)
    assert "items.csv, row 2, column item_id: 'i\\x1b[2J' holds a control character" in told.getvalue()
    assert study.items.count() == 1
