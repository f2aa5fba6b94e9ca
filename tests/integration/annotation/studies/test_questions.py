"""Questions of a draft set up by actions: added, changed, moved, removed, and refused with sentences."""

from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from agreement.errors import Refused
from annotation.media.taking import media_from
from annotation.models import Item, Label, Study
from annotation.studies.completeness import what_is_missing
from annotation.studies.item_files import NewItem, read_items
from annotation.studies.question_actions import (
    add_question,
    change_question,
    move_question,
    remove_question,
    store_questions,
)
from annotation.studies.questions import QuestionSettings, questions_of
from annotation.studies.study_life import add_items, change_status, delete_draft, duplicate_study
from tests.factories import a_small_study

pytestmark = pytest.mark.django_db

CHOICE = {
    "name": "relation",
    "kind": "choice",
    "question": "Where is {left}?",
    "labels": [{"value": "above"}, {"value": "below", "display_text": "under it"}],
}
SLIDER = {"name": "fluency", "kind": "slider", "question": "How fluent?", "scale_low": 1, "scale_high": 5}
WHY = {"name": "why", "kind": "text", "question": "Why?", "shown_if": {"question": "relation", "labels": ["below"]}}


def settings(fields: Mapping[str, Any], **changes: Any) -> QuestionSettings:
    return QuestionSettings.of({**fields, **changes})


def a_study_of(*further: Mapping[str, Any], **changes: Any) -> Study:
    study = a_small_study(items=3, live=False, **changes)
    for fields in further:
        add_question(study=study, question=settings(fields), by=None)
    return study


def names_of(study: Study) -> list[str]:
    return [question.name for question in questions_of(Study.objects.get(pk=study.pk))]


def test_questions_are_added_with_labels_and_a_condition_of_their_own() -> None:
    study = a_study_of(CHOICE, WHY)

    assert [each.question_name for each in study.questions()] == ["answer", "relation", "why"]
    relation, why = study.asked(2), study.asked(3)
    assert [label.value for label in relation.labels.all()] == ["above", "below"]
    assert [label.display_text for label in relation.labels.all()] == ["above", "under it"]
    assert not study.labels.exists()
    assert why.further_question is not None
    assert (why.further_question.shown_if, why.further_question.shown_if_labels) == (2, ["below"])
    assert questions_of(study)[2].shown_if == {"question": "relation", "labels": ["below"]}


def test_what_is_read_of_questions_can_be_written_again_and_is_the_same() -> None:
    study = a_study_of(CHOICE, {**SLIDER, "shown_if": {"question": "answer", "low": 50}}, WHY)
    before = questions_of(study)

    store_questions(study, [QuestionSettings.of(question.as_fields()) for question in before])

    assert questions_of(Study.objects.get(pk=study.pk)) == before


def test_forty_labels_are_taken() -> None:
    study = a_study_of({**CHOICE, "labels": [{"value": f"label {number}"} for number in range(40)]})

    assert study.asked(2).labels.count() == 40


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({**CHOICE, "name": "answer"}, "An earlier question is called 'answer' already"),
        ({**CHOICE, "name": "Where to"}, "'Where to' is no name of a question"),
        ({**CHOICE, "kind": "riddle"}, "not a valid choice"),
        ({**CHOICE, "question": " "}, "Write what is asked"),
        ({**CHOICE, "kind": "choices", "labels": []}, "needs at least 2 labels, and has 0"),
        (
            {**CHOICE, "ordered": True, "labels": [{"value": str(n)} for n in range(13)]},
            "2 to 12 points, and this one has",
        ),
        ({**CHOICE, "kind": "choices", "fewest": 2, "most": 1}, "An answer has 2 labels or more"),
        ({**CHOICE, "kind": "choices", "most": 3}, "Only 2 of the labels can be chosen together"),
        ({**CHOICE, "labels": [{"value": "one"}]}, "needs at least 2 labels, and has 1"),
        ({**CHOICE, "labels": [{"value": "a"}, {"value": "a"}]}, "Two labels have the same value, 'a'"),
        (
            {**CHOICE, "labels": [{"value": "a", "display_text": "x"}, {"value": "b", "display_text": "x"}]},
            "Two labels have the same display text, 'x'",
        ),
        ({**CHOICE, "labels": [{"value": "a|b"}, {"value": "c"}]}, "can't have the sign |"),
        ({**SLIDER, "labels": [{"value": "a"}]}, "has no labels"),
        ({**SLIDER, "scale_low": None, "scale_high": None}, "needs a scale"),
        ({**SLIDER, "scale_low": 5}, "must be above the low end"),
        ({**SLIDER, "scale_high": None}, "both ends"),
        ({**SLIDER, "shown_if": {"question": "fluency", "low": 1}}, "can't depend on its own answer"),
        ({**SLIDER, "shown_if": {"question": "nothing", "low": 1}}, "There is no question 'nothing'"),
        ({**SLIDER, "shown_if": {"question": "answer"}}, "Say for which answers"),
        ({**SLIDER, "shown_if": {"question": "answer", "labels": ["a"]}}, "no labels that somebody chooses"),
        ({**SLIDER, "shown_if": {"question": "answer", "low": 60, "high": 50}}, "which is below its beginning"),
        ({**SLIDER, "shown_if": {"question": "answer", "low": 101}}, "its scale is from 0 to 100"),
        ({**SLIDER, "shown_if": {"question": "answer", "low": float("nan")}}, "must be numbers"),
        ({**SLIDER, "metrics": ["nonsense"]}, "nonsense"),
    ],
)
def test_a_question_that_cannot_be_is_refused_in_a_sentence(fields: Mapping[str, Any], sentence: str) -> None:
    study = a_study_of()

    with pytest.raises(Refused, match=sentence.replace("|", r"\|")):
        add_question(study=study, question=settings(fields), by=None)

    assert names_of(study) == ["answer"]


@pytest.mark.parametrize(
    ("condition", "sentence"),
    [
        ({"question": "relation", "labels": ["beside"]}, "relation has no label 'beside'; it has 'above', 'below'"),
        ({"question": "relation", "low": 3}, "relation is of kind choice, whose answers are no numbers"),
        ({"question": "relation", "labels": ["above"], "low": 3}, "and not both"),
    ],
)
def test_a_condition_on_a_choice_needs_labels_that_it_has(condition: Mapping[str, Any], sentence: str) -> None:
    study = a_study_of(CHOICE)

    with pytest.raises(Refused, match=sentence):
        add_question(study=study, question=settings(SLIDER, shown_if=condition), by=None)


def test_questions_that_depend_on_each_other_in_a_circle_are_refused() -> None:
    study = a_study_of(CHOICE)
    first = questions_of(study)[0]
    circle = [
        first,
        settings(CHOICE, shown_if={"question": "fluency", "low": 3}),
        settings(SLIDER, shown_if={"question": "relation", "labels": ["above"]}),
    ]

    with pytest.raises(Refused, match="'fluency' comes later: name an earlier one"):
        store_questions(study, circle)


def test_there_are_eight_questions_at_most_and_one_at_least() -> None:
    study = a_study_of(*({**SLIDER, "name": f"q{number}"} for number in range(2, 9)))

    with pytest.raises(Refused, match="at most 8 questions, not 9"):
        add_question(study=study, question=settings(SLIDER), by=None)
    with pytest.raises(Refused, match="at least one"):
        store_questions(study, [])


def test_a_setting_that_no_question_has_is_refused_with_those_there_are() -> None:
    with pytest.raises(Refused, match="A question has no colour; it has name, kind"):
        settings(SLIDER, colour="red")


def test_a_renamed_question_keeps_the_conditions_on_it() -> None:
    study = a_study_of(CHOICE, WHY)

    change_question(study=study, name="relation", changes={"name": "place", "question": "Which place?"}, by=None)

    assert names_of(study) == ["answer", "place", "why"]
    assert questions_of(study)[2].shown_if == {"question": "place", "labels": ["below"]}


def test_a_question_on_which_another_depends_is_neither_removed_nor_moved_behind_it() -> None:
    study = a_study_of(CHOICE, WHY)

    with pytest.raises(Refused, match="There is no question 'relation'"):
        remove_question(study=study, name="relation", by=None)
    with pytest.raises(Refused, match="'relation' comes later"):
        move_question(study=study, name="relation", to=3, by=None)
    with pytest.raises(Refused, match="There is no question 'x': there are answer, relation, why"):
        remove_question(study=study, name="x", by=None)
    assert names_of(study) == ["answer", "relation", "why"]


def checks(*rows: tuple[str, int]) -> list[NewItem]:
    fields = {"left": "a", "right": "b"}
    return [
        {"item_id": name, "kind": "check", "check_name": "known", "check_question": number, "fields": dict(fields)}
        for name, number in rows
    ]


def test_checks_stay_with_their_question_when_it_moves() -> None:
    study = a_study_of(CHOICE, SLIDER)
    add_items(study=study, items=checks(("one", 1), ("two", 2), ("three", 3)), source="a test")

    move_question(study=study, name="fluency", to=1, by=None)
    change_question(study=Study.objects.get(pk=study.pk), name="relation", changes={"name": "place"}, by=None)

    assert names_of(study) == ["fluency", "answer", "place"]
    now = Study.objects.get(pk=study.pk)
    assert (now.kind, now.question_name, float(now.scale_high or 0)) == ("slider", "fluency", 5)
    numbers = dict(Item.objects.checks().filter(study=study).values_list("item_id", "check_question"))
    assert numbers == {"three": 1, "one": 2, "two": 3}
    assert [label.question for label in Label.objects.filter(study=study)] == [3, 3]


def test_a_question_with_checks_is_not_removed() -> None:
    study = a_study_of(CHOICE)
    add_items(study=study, items=checks(("two", 2)), source="a test")

    with pytest.raises(Refused, match="relation can't be removed: 1 check or practice item is about it"):
        remove_question(study=study, name="relation", by=None)


def test_a_question_is_not_added_changed_moved_or_removed_while_the_study_is_open() -> None:
    study = change_status(study=a_study_of(CHOICE, SLIDER), status=Study.Status.LIVE)

    with pytest.raises(Refused, match="relation can't be removed: the study is open"):
        remove_question(study=study, name="relation", by=None)
    with pytest.raises(Refused, match="No question can be added once a study is open"):
        add_question(study=study, question=settings(WHY, shown_if=None), by=None)
    with pytest.raises(Refused, match="stay in their order"):
        move_question(study=study, name="fluency", to=2, by=None)
    with pytest.raises(Refused, match="fluency: question, is_required can't change once the study is open"):
        change_question(study=study, name="fluency", changes={"question": "New?", "is_required": False}, by=None)
    with pytest.raises(Refused, match="relation: labels can't change"):
        change_question(study=study, name="relation", changes={"labels": [{"value": "x"}, {"value": "y"}]}, by=None)
    assert names_of(study) == ["answer", "relation", "fluency"]


def test_how_a_question_is_reported_may_change_while_the_study_is_open() -> None:
    study = change_status(study=a_study_of(CHOICE), status=Study.Status.LIVE)

    change_question(study=study, name="relation", changes={"synonyms": {"over": ["above"]}}, by=None)

    assert study.asked(2).synonyms == {"over": ["above"]}


def test_a_study_opens_only_when_each_of_its_questions_can_be_answered() -> None:
    study = a_study_of({**CHOICE, "question": "Where is {thing}?"})
    add_items(
        study=study,
        items=[{**checks(("two", 2))[0], "expected": ["beside"], "fields": {"left": "a", "right": "b", "thing": "c"}}],
        source="a test",
    )

    reasons = "\n".join(what_is_missing(study))

    assert "The question relation uses {thing}, which 3 of the items don't have (the first is i0)" in reasons
    assert "Item two, expected: 'beside' is not among the answers' labels" in reasons


def test_a_choice_may_leave_its_labels_to_the_items() -> None:
    study = a_study_of({**CHOICE, "labels": []})
    assert "relation: give labels, or a column options" in "\n".join(what_is_missing(study))

    for item in study.items.all():
        item.fields["options"] = "cat|dog"
        item.save()

    assert not list(what_is_missing(study))


def test_a_duplicate_has_all_questions_and_a_deleted_draft_none() -> None:
    study = a_study_of(CHOICE, WHY)
    add_items(study=study, items=checks(("two", 2)), source="a test")

    new = duplicate_study(study=study, slug="another", title="Another", by=None)
    delete_draft(study=study)

    assert questions_of(new)[1:] == [settings(CHOICE), settings(WHY)]
    assert new.items.get(item_id="two").check_question == 2
    assert not study.further_questions.exists()
    assert not Label.objects.filter(study=study).exists()


def test_an_item_names_the_question_that_it_checks(tmp_path: Path) -> None:
    study = a_study_of(CHOICE, SLIDER)
    path = tmp_path / "items.csv"
    path.write_text(
        "item_id,left,right,check,check_question,expected,min\n"
        "one,a,b,known,relation,above,\ntwo,a,b,known,fluency,,60\nthree,a,b,,,,\n"
    )

    call_command("import_items", study.slug, str(path), stdout=StringIO())

    stored = {item.item_id: item for item in study.items.exclude(item_id__startswith="i")}
    assert {name: item.check_question for name, item in stored.items()} == {"one": 2, "two": 3, "three": 1}
    assert "check_question" not in stored["one"].fields


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ("one,a,b,known,,above,", "which question it is about is not said; name one of answer, relation, fluency"),
        ("one,a,b,known,place,above,", "'place' is no question of the study; name one of answer, relation, fluency"),
        ("one,a,b,known,relation,beside,", "'beside' is not among the answers' labels"),
        ("one,a,b,known,relation,,40", "bounds are for sliders; kind choice uses expected"),
        ("one,a,b,known,fluency,above,", "expected"),
        ("one,a,b,,relation,,", "stands beside an item that is no check"),
    ],
)
def test_a_check_that_does_not_fit_its_question_is_refused(tmp_path: Path, rows: str, sentence: str) -> None:
    study = a_study_of(CHOICE, SLIDER)
    path = tmp_path / "items.csv"
    path.write_text(f"item_id,left,right,check,check_question,expected,min\n{rows}\n")

    with media_from(lambda _name: None) as none, pytest.raises(Refused, match=sentence):
        read_items(path, study, none)


def test_with_one_question_its_name_may_stand_beside_a_check_and_no_other(tmp_path: Path) -> None:
    study = a_study_of()
    path = tmp_path / "items.csv"
    path.write_text("item_id,left,right,check,check_question,min\none,a,b,known,answer,60\n")
    with media_from(lambda _name: None) as none:
        items = read_items(path, study, none)
        assert "check_question" not in items[0]["fields"]
        path.write_text("item_id,left,right,check,check_question,min\none,a,b,known,fluency,60\n")
        with pytest.raises(Refused, match="'fluency' is no question of the study; the only question is answer"):
            read_items(path, study, none)
