"""The form of a study: saved as it opens, in sections, with rows that order themselves, by one researcher at a time."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.text import capfirst

from agreement.kinds.registry import KINDS
from annotation.models import AuditEntry, Study
from tests.integration.annotation.pages.admin.test_study_setup import form_data, save
from tests.integration.researchers import a_researcher, an_owned_study, signed_in

pytestmark = pytest.mark.django_db
ADD = "admin:annotation_study_add"


def as_it_opens(client: Client, kind: str) -> dict[str, Any]:
    """What a browser sends of a new study's form if nothing is typed."""
    page = client.get(reverse(ADD), {"kind": kind})
    form = page.context["adminform"].form
    data = {name: form[name].value() for name in form.fields}
    for inline in page.context["inline_admin_formsets"]:
        formset = inline.formset
        data |= {f"{formset.prefix}-TOTAL_FORMS": len(formset.forms), f"{formset.prefix}-INITIAL_FORMS": 0}
        for row in formset.forms:
            data |= {f"{row.prefix}-{name}": row[name].value() for name in row.fields}
    return {name: value for name, value in data.items() if value is not None and value is not False}


@pytest.mark.parametrize("kind", KINDS)
def test_new_study_of_each_kind_is_saved_as_the_form_opens(kind: str) -> None:
    user = a_researcher()
    client = signed_in(user)
    answer = client.post(reverse(ADD), as_it_opens(client, kind))
    study = Study.objects.get()
    assert answer.headers["Location"] == reverse("admin:annotation_study_import_items", args=[study.pk])
    assert (study.owner, study.kind, study.status) == (user, kind, "draft")
    assert study.question == KINDS[kind].first_question
    assert (study.scale_high is not None) == KINDS[kind].has_scale
    assert study.labels.count() >= KINDS[kind].fewest_labels


def test_two_studies_with_one_title_have_two_short_names() -> None:
    client = signed_in(a_researcher())
    for _ in range(2):
        client.post(reverse(ADD), {**as_it_opens(client, "slider"), "title": "Words!"})
    assert sorted(Study.objects.values_list("slug", flat=True)) == ["words", "words-2"]


def test_errors_are_named_with_a_link_to_their_field_and_open_their_section() -> None:
    study, client = an_owned_study(live=False)
    page = save(client, study, pay="1.20", title="Typed and kept")
    assert 'href="#id_currency"' in page.text
    assert "Pay and platform: <a" in " ".join(page.text.split())
    assert 'data-sections="part-people-and-pay"' in page.text
    assert "Typed and kept" in page.text


def test_scale_is_shown_without_zeros_and_is_no_change() -> None:
    study, client = an_owned_study(live=False)
    assert form_data(client, study)["scale_high"] == 100
    assert str(form_data(client, study)["scale_high"]) == "100"
    save(client, study)
    assert not AuditEntry.objects.filter(study=study, action="changed").exists()


def test_fields_of_another_kind_are_emptied_when_the_kind_changes() -> None:
    study, client = an_owned_study(live=False)
    save(client, study, kind="text")
    study.refresh_from_db()
    assert (study.kind, study.scale_low, study.low_label) == ("text", None, "")


def test_open_choice_study_has_no_fields_of_sliders() -> None:
    study, client = an_owned_study()
    assert "word_layout" in form_data(client, study)
    Study.objects.filter(pk=study.pk).update(status="draft")
    study.judgments_per_item = 1
    choice, client = an_owned_study(live=False, kind="choice", scale_low=None, scale_high=None)
    Study.objects.filter(pk=choice.pk).update(status="live")
    fields = form_data(client, choice)
    assert not {"slider_start", "scale_low", "slider_shows_number", "fewest"} & fields.keys()
    assert {"scale_direction", "ordered"} <= fields.keys()  # of labels that may be ordered


def test_fields_that_cannot_change_keep_the_names_that_the_form_has() -> None:
    study, client = an_owned_study()
    page = client.get(reverse("admin:annotation_study_change", args=[study.pk]))
    fields = [field for section in page.context["adminform"] for line in section for field in line]
    names = {capfirst(str(field.field["label"])) for field in fields if field.is_readonly}
    assert {"Short name", "Scale", "Text at the high end"} <= names
    assert "Slug" not in names


# Rows that have an order.


def with_labels() -> tuple[Study, Client]:
    study, client = an_owned_study(live=False, kind="choice", scale_low=None, scale_high=None)
    for position, value in enumerate("abc", start=1):
        study.labels.create(value=value, display_text=value.upper(), position=position)
    return study, client


def labels(study: Study) -> list[tuple[int, str]]:
    return list(study.labels.order_by("position").values_list("position", "value"))


def test_rows_change_places() -> None:
    study, client = with_labels()
    save(client, study, **{"labels-0-position": 3, "labels-2-position": 1})
    assert labels(study) == [(1, "c"), (2, "b"), (3, "a")]


def new_rows(*values: str, first: int) -> dict[str, Any]:
    rows: dict[str, Any] = {"labels-TOTAL_FORMS": first + len(values)}
    for at, value in enumerate(values, start=first):
        rows |= {f"labels-{at}-value": value, f"labels-{at}-display_text": "", f"labels-{at}-swatch": ""}
    return rows


def test_new_rows_number_themselves_and_an_empty_one_is_none() -> None:
    study, client = with_labels()
    save(client, study, **new_rows("d", "", "e", first=3), **{"labels-4-position": 9})
    assert labels(study) == [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e")]
    assert study.labels.get(value="d").display_text == "d"


def display_texts(study: Study) -> list[str]:
    return list(study.labels.order_by("position").values_list("display_text", flat=True))


def test_display_text_follows_the_value_unless_it_was_typed() -> None:
    study, client = with_labels()
    save(client, study, **new_rows("d", first=3))
    save(client, study, **{"labels-3-value": "delta", "labels-0-value": "alpha"})
    assert labels(study) == [(1, "alpha"), (2, "b"), (3, "c"), (4, "delta")]
    assert display_texts(study) == ["A", "B", "C", "delta"]


def test_display_text_typed_as_the_old_value_stays() -> None:
    study, client = with_labels()
    save(client, study, **new_rows("1", first=3))
    save(client, study, **{"labels-3-value": "one", "labels-3-display_text": "1"})
    assert display_texts(study) == ["A", "B", "C", "1"]


def test_labels_whose_texts_are_their_values_are_saved_unchanged() -> None:
    study, client = with_labels()
    save(client, study, **new_rows("d", first=3))
    edits = Study.objects.get().edits
    save(client, study)
    assert (display_texts(study)[3], Study.objects.get().edits) == ("d", edits)


def test_row_between_others_and_a_deleted_one_leave_no_gap() -> None:
    study, client = with_labels()
    moved = {"labels-0-DELETE": "on", "labels-3-position": 2, "labels-1-position": 3, "labels-2-position": 1}
    save(client, study, **new_rows("d", first=3), **moved)
    assert labels(study) == [(1, "c"), (2, "d"), (3, "b")]


@pytest.mark.parametrize("prefix", ["comprehension_questions", "end_questions"])
def test_questions_number_themselves(prefix: str) -> None:
    study, client = an_owned_study(live=False)
    rows: dict[str, Any] = {f"{prefix}-TOTAL_FORMS": 2}
    for at in range(2):
        rows |= {f"{prefix}-{at}-text": f"Question {at}?", f"{prefix}-{at}-position": 2 - at}
        rows |= {f"{prefix}-{at}-right_answer": "yes", f"{prefix}-{at}-wrong_answers": "no"}
        rows |= {f"{prefix}-{at}-name": f"name{at}", f"{prefix}-{at}-options": ""}
    save(client, study, **rows)
    assert [part.text for part in getattr(study, prefix).all()] == ["Question 1?", "Question 0?"]


# Two researchers at once.


def test_second_researcher_is_refused_and_loses_nothing_of_what_was_typed() -> None:
    study, client = an_owned_study(live=False)
    other = a_researcher(study, "editor")
    opened = form_data(client, study, title="Mine", contact="me@example.org")
    save(signed_in(other), study, title="Theirs", judgments_per_item=12)
    here = reverse("admin:annotation_study_change", args=[study.pk])
    page = client.post(here, opened)
    study.refresh_from_db()
    assert (study.title, study.judgments_per_item) == ("Theirs", 12)
    assert f"{other.username} saved other changes at" in page.text
    assert "Title: “Theirs”" in page.text
    form = page.context["adminform"].form
    assert (form["title"].value(), form["contact"].value()) == ("Mine", "me@example.org")
    again = {**opened, "edits": form["edits"].value()}
    assert client.post(here, again).status_code == 302
    study.refresh_from_db()
    assert (study.title, study.contact) == ("Mine", "me@example.org")


def test_one_researcher_saves_twice_without_a_word() -> None:
    study, client = an_owned_study(live=False)
    for title in ("One", "Two"):
        save(client, study, title=title)
    study.refresh_from_db()
    assert (study.title, study.edits) == ("Two", 2)


# What is wrong in a row.


def wrong_in(page: Any) -> str:
    """The list of errors at the top of the form, as one line."""
    found = re.search(r'<div class="t-refusal".*?</div>', page.text, re.DOTALL)
    return " ".join(unescape(found[0]).split()) if found else ""


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"value": "a"}, 'href="#id_labels-3-value">labels, row 4</a>. An earlier row has the same.'),
        ({"value": "x|y"}, "labels, row 4, Value</a>. A label can't have the sign |"),
        ({"value": "", "display_text": "typed"}, "labels, row 4, Value</a>. This field is required."),
        ({"value": "d", "swatch": "red"}, "labels, row 4, Swatch</a>. Give a colour as # and six digits"),
    ],
)
def test_wrong_label_is_named_with_its_row_and_linked(row: dict[str, str], said: str) -> None:
    study, client = with_labels()
    given = {f"labels-3-{name}": value for name, value in row.items()}
    page = save(client, study, **{**new_rows("", first=3), **given})
    assert said in wrong_in(page)
    assert labels(study) == [(1, "a"), (2, "b"), (3, "c")]


@pytest.mark.parametrize(
    ("prefix", "row", "said"),
    [
        ("comprehension_questions", {"text": "Which?", "right_answer": "Yes", "wrong_answers": "Yes\r\n"},
         "row 1, Wrong answers</a>. Give an answer that is wrong"),
        ("comprehension_questions", {"text": "", "right_answer": "Yes", "wrong_answers": "No"},
         "row 1, Text</a>. This field is required."),
        ("end_questions", {"name": "Your age", "text": "How old are you?", "options": ""},
         "row 1, Name</a>. Use small letters, digits and underscores"),
        ("check_quotas", {"check_name": "", "per_assignment": "3"}, "row 1, Name of the check</a>. This field is"),
    ],
)  # fmt: skip
def test_wrong_row_of_another_table_is_named_too(prefix: str, row: dict[str, str], said: str) -> None:
    study, client = an_owned_study(live=False)
    study.check_quotas.all().delete()
    given = {f"{prefix}-TOTAL_FORMS": 1, **{f"{prefix}-0-{name}": value for name, value in row.items()}}
    assert said in wrong_in(save(client, study, **given))
    assert not getattr(study, prefix).exists()


def test_row_that_is_to_be_deleted_has_no_errors() -> None:
    study, client = with_labels()
    page = save(client, study, pay="1.20", **{"labels-0-value": "", "labels-0-DELETE": "on"})
    assert "Currency" in wrong_in(page)
    assert "row 1" not in wrong_in(page)


# Braces that name no field of the items.


def test_braces_that_name_no_field_are_pointed_out_where_they_are_typed() -> None:
    study, client = an_owned_study(live=False)
    page = save(client, study, question="How similar are {left} and {rigth}?", instructions="Look at {left}.")
    fields = page.context["adminform"].form.fields
    assert "The items have no field for {rigth}: people would read the braces." in fields["question"].help_text
    assert "{left}" in fields["question"].help_text
    assert "People read {left} as it stands here" in fields["instructions"].help_text
    assert "as it stands" not in fields["consent"].help_text


def test_braces_of_fields_that_the_items_have_are_not_pointed_out() -> None:
    study, client = an_owned_study(live=False, question="How similar are {left} and {right?}?")
    page = client.get(reverse("admin:annotation_study_change", args=[study.pk]))
    assert "no field for" not in page.text


FURTHER = "further_questions"


def a_block(number: int, **fields: Any) -> dict[str, Any]:
    """What a browser sends of one of the blocks of further questions."""
    values = {"slider_start": "hidden", "is_required": "on", "id": "", **fields}
    return {f"{FURTHER}-{number}-{name}": value for name, value in values.items()}


CHOICE = {
    "question_name": "relation",
    "kind": "choice",
    "question": "Where is {left}?",
    "labels": "above\nbelow = under",
}


def test_questions_are_added_in_blocks_and_come_back_as_they_were_typed() -> None:
    study, client = an_owned_study(live=False)

    condition = {"shown_if_question": "relation", "shown_if_answers": "below"}
    why = {"question_name": "why", "kind": "text", "question": "Why?", **condition}
    page = save(client, study, **a_block(0, **CHOICE), **a_block(1, **why), **{f"{FURTHER}-TOTAL_FORMS": 2})

    assert "was changed successfully" in page.text
    relation, last = study.asked(2), study.asked(3)
    assert [(each.value, each.display_text) for each in relation.labels.all()] == [
        ("above", "above"),
        ("below", "under"),
    ]
    assert last.further_question is not None
    assert (last.question, last.further_question.shown_if, last.further_question.shown_if_labels) == (
        "Why?", 2, ["below"],
    )  # fmt: skip
    data = form_data(client, study)
    assert data[f"{FURTHER}-0-labels"] == CHOICE["labels"]
    assert data[f"{FURTHER}-1-shown_if_question"] == "relation"
    assert AuditEntry.objects.filter(study=study, action="changed").count() == 1
    save(client, study)
    assert AuditEntry.objects.filter(study=study, action="changed").count() == 1


def test_label_that_stands_alone_is_kept() -> None:
    study, client = an_owned_study(live=False)
    labels = {"labels": "red\nblue\nnone of these", "alone": "none of these", "most": 2}
    block = {"question_name": "colours", "kind": "choices", "question": "Which?", **labels}

    save(client, study, **a_block(0, **block))

    assert list(study.asked(2).labels.filter(exclusive=True).values_list("value", flat=True)) == ["none of these"]
    assert form_data(client, study)[f"{FURTHER}-0-alone"] == "none of these"


def test_questions_change_places_and_go() -> None:
    study, client = an_owned_study(live=False)
    slider = {"question_name": "fluency", "kind": "slider", "question": "Fluent?", "scale_low": 1, "scale_high": 5}
    save(client, study, **a_block(0, **CHOICE), **a_block(1, **slider), **{f"{FURTHER}-TOTAL_FORMS": 2})

    save(client, study, **{f"{FURTHER}-0-number": 3, f"{FURTHER}-1-number": 2})
    assert [each.question_name for each in study.questions()] == ["answer", "fluency", "relation"]
    assert study.asked(3).labels.count() == 2

    save(client, study, **{f"{FURTHER}-0-DELETE": "on"})
    assert [each.question_name for each in study.questions()] == ["answer", "relation"]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"question_name": "answer"}, "An earlier question is called &#x27;answer&#x27; already"),
        ({"question_name": "No Name"}, "is no name of a question"),
        ({"kind": "choices", "labels": "one"}, "needs at least 2 labels, and has 1"),
        ({"shown_if_question": "later", "shown_if_low": 3}, "There is no question &#x27;later&#x27;"),
        ({"shown_if_question": "answer", "shown_if_answers": "near"}, "which has no labels that somebody chooses"),
        ({"shown_if_low": 3}, "There is no question"),
        ({"question": ""}, "This field is required"),
    ],
)
def test_wrong_question_is_named_in_its_block_and_nothing_is_lost(fields: dict[str, Any], sentence: str) -> None:
    study, client = an_owned_study(live=False)

    page = save(client, study, title="Typed and kept", **a_block(0, **{**CHOICE, **fields}))

    assert sentence in page.text
    assert f'href="#id_{FURTHER}-0-' in page.text
    assert "Typed and kept" in page.text
    assert not study.further_questions.exists()


def test_condition_may_name_a_label_that_is_added_to_the_first_question_at_the_same_time() -> None:
    study, client = an_owned_study(live=False, kind="choice", scale_low=None, scale_high=None)
    rows = {f"labels-{row}-value": value for row, value in enumerate(("near", "far"))}
    why = {"question_name": "why", "kind": "text", "question": "Why?"}
    condition = {"shown_if_question": "answer", "shown_if_answers": "far"}

    page = save(client, study, **a_block(0, **why, **condition), **rows, **{"labels-TOTAL_FORMS": 2})

    assert "was changed successfully" in page.text
    assert study.asked(2).further_question is not None


def test_open_study_shows_its_questions_and_changes_none() -> None:
    study, client = an_owned_study(live=False)
    save(client, study, **a_block(0, **CHOICE))
    Study.objects.filter(pk=study.pk).update(status="live")

    page = client.get(reverse("admin:annotation_study_change", args=[study.pk]))
    assert "Where is {left}?" in page.text
    assert "below = under" in page.text
    assert f'name="{FURTHER}-0-question"' not in page.text
    others = {f"{FURTHER}-0-{name}": value for name, value in {**CHOICE, "question": "Another?"}.items()}
    save(client, study, **others, title="New title")

    assert study.asked(2).question == "Where is {left}?"
    study.refresh_from_db()
    assert study.title == "New title"


def test_how_further_questions_are_reported_may_change_once_the_study_is_open() -> None:
    study, client = an_owned_study(live=False)
    save(client, study, **a_block(0, **CHOICE))
    Study.objects.filter(pk=study.pk).update(status="live")

    data = form_data(client, study)
    sent = {name.removeprefix(f"{FURTHER}-0-") for name in data if name.startswith(f"{FURTHER}-0-")}
    assert {"metrics", "synonyms"} <= sent <= {"id", "study", "metrics", "synonyms", "slider_shows_number"}
    page = save(client, study, **{f"{FURTHER}-0-metrics": "accuracy", f"{FURTHER}-0-synonyms": "over = above"})

    assert "was changed successfully" in page.text
    asked = study.asked(2)
    assert (asked.metrics, asked.synonyms, asked.question) == (["accuracy"], {"over": ["above"]}, "Where is {left}?")
    page = save(client, study, **{f"{FURTHER}-0-synonyms": "over = nowhere"})
    assert "nowhere" in page.text
    assert study.asked(2).synonyms == {"over": ["above"]}
