"""Items with several questions, without script and as the page's script sends them."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotation.answering.views.previewing import page_address
from annotation.models import AssignedItem, Judgment, Study
from tests.integration.annotation.answering.views.people import a_picture, a_study_of, base_of, begin, save
from tests.integration.annotation.answering.views.several import a_matrix, a_study_of_four, ask, stored
from tests.integration.researchers import a_researcher, signed_in

pytestmark = pytest.mark.django_db
ONE = [{"item_id": "one", "fields": {"thing": "fern"}}]
RED = {"q1-label": "red"}


def is_done(position: int = 1) -> bool:
    return AssignedItem.objects.get(position=position).done_at is not None


def marked(*numbers: int, **fields: str) -> dict[str, str]:
    """A form without script, in which these questions are shown."""
    form = {"i1-key": "9e2d4b1c-3d52-4a9e-9c43-000000000001", **{f"i1-q{number}-asked": "1" for number in numbers}}
    return {**form, **{f"i1-{name.replace('_', '-', 1)}": value for name, value in fields.items()}}


def test_page_shows_every_question_and_hides_what_is_not_asked_yet(client: Client) -> None:
    page = client.get(begin(client, a_study_of_four()))
    item = page.context["page"].items[0]
    assert [(each.number, each.is_shown) for each in item.questions] == [(1, True), (2, False), (3, True), (4, True)]
    html = page.text.partition("<template")[0]
    assert html.count("hidden disabled") == 1
    assert 'name="i1-q3-number"' in html
    assert "Not sure at all" in html


def test_page_takes_one_statement_more_than_that_of_one_question(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for study, statements in ((a_study_of("choice"), 4), (a_study_of_four(), 5)):
        address = begin(client, study)
        with django_assert_num_queries(statements):
            client.get(address)


def test_hidden_question_comes_on_the_next_page_and_next_goes_on_once_all_is_done(client: Client) -> None:
    address = begin(client, a_study_of_four())
    form = marked(1, 3, 4, q1_label="red", q3_number="40", q4_text="")
    answer = client.post(address, form)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"{address}#i1-q2")
    assert stored() == {1: "red", 3: 40.0}
    assert not is_done()
    page = client.get(address)
    assert "hidden disabled" not in page.text.partition("<template")[0]
    form = marked(1, 2, 3, 4, q1_label="red", q2_label="dark", q2_confidence="4", q3_number="40", q4_text="")
    form["i1-key"] = "9e2d4b1c-3d52-4a9e-9c43-000000000002"
    answer = client.post(address, form)
    assert answer.headers["Location"].endswith("/2/")
    assert stored() == {1: "red", 2: "dark", 3: 40.0, 4: "left-empty"}
    assert is_done()
    assert Judgment.objects.get(question=2).confidence == 4


def test_what_is_missing_is_named_by_the_questions_words_and_the_rest_is_saved(client: Client) -> None:
    address = begin(client, a_study_of_four(items=ONE))
    answer = client.post(address, marked(1, 3, 4, q1_label="blue", q4_text="x" * 5001))
    assert answer.status_code == 422
    html = answer.text
    assert '<a href="#i1-q3">Slider 3 of a fern?: Please place your answer on the line.</a>' in html
    assert '<a href="#i1-q4">Text 4 of a fern?: Please write at most 5000 characters.</a>' in html
    assert "x" * 5001 in html
    assert answer.context["first_problem"] == "1-q3"
    assert stored() == {1: "blue"}
    assert not is_done()


def test_who_is_gone_after_half_an_item_finds_that_page_again(client: Client) -> None:
    address = begin(client, a_study_of_four())
    for position in (1, 3):
        save(client, address, position, **{"q1-label": "blue", "q3-dont_know": "1"})
    save(client, address, 2, **RED)
    assert client.get(base_of(address)).headers["Location"].endswith("/2/")
    page = client.get(f"{base_of(address)}2/").context["page"]
    assert [each.is_answered for each in page.items[0].questions] == [True, False, False, False]
    assert [option.is_chosen for option in page.items[0].question.inputs.options] == [False, False, True]
    answer = client.get(f"{base_of(address)}finish/")
    assert [one.called for one in answer.context["unanswered"]] == ["Question 2"]
    answer = client.post(f"{base_of(address)}finish/")
    assert answer.headers["Location"].endswith("/2/")


def test_answer_to_a_hidden_question_is_stored_nowhere(client: Client) -> None:
    address = begin(client, a_study_of_four())
    forced = {"q2-label": "dark", "q2-confidence": "5", "q2-asked": "1"}
    save(client, address, **{"q1-label": "blue"}, **forced)
    assert stored() == {1: "blue"}
    save(client, address, **{"q3-number": "7"}, **forced)
    assert stored() == {1: "blue", 2: "not-asked", 3: 7.0, 4: "left-empty"}
    assert not Judgment.objects.filter(label="dark").exists()


def test_answer_that_hides_a_question_leaves_its_earlier_answer_as_history(client: Client) -> None:
    address = begin(client, a_study_of_four())
    save(client, address, **RED, **{"q2-label": "dark", "q2-confidence": "5", "q3-number": "7"})
    assert is_done()
    save(client, address, **{"q1-label": "green"})
    assert stored() == {1: "green", 2: "not-asked", 3: 7.0, 4: "left-empty"}
    assert is_done()
    save(client, address, **RED)
    assert not is_done()
    assert Judgment.objects.filter(question=2, label="dark").count() == 1


def test_confidence_is_wanted_with_an_answer_and_says_of_which_question(client: Client) -> None:
    address = begin(client, a_study_of_four())
    answer = save(client, address, **RED, **{"q2-label": "dark"})
    assert (answer.status_code, answer.json()["field"]) == (422, "q2-confidence")
    assert answer.json()["sentence"] == "Please say how sure you are."
    assert stored() == {1: "red"}


def test_refused_answer_sent_again_with_its_key_is_refused_again(client: Client) -> None:
    """The first reply was lost: a second that says "saved" would be untrue."""
    address = begin(client, a_study_of_four())
    key = "9e2d4b1c-3d52-4a9e-9c43-000000000003"
    for _ in range(2):
        answer = save(client, address, key=key, **RED, **{"q3-number": "7000"})
        assert (answer.status_code, answer.json()["field"]) == (422, "q3-number")
    assert save(client, address, key=key, **RED).json() == {"saved": True}
    assert Judgment.objects.get().revision == 1


def test_device_that_nobody_has_is_refused_and_not_stored(client: Client) -> None:
    """Even where the questions that are shown have no answer in the form."""
    items = [{**ONE[0], "image": a_picture()}]
    address = begin(client, a_study_of_four(items=items))
    answer = save(client, address, input_kind="telepathy", could_not_see="1")
    assert (answer.status_code, answer.json()["field"]) == (422, "input_kind")
    assert not Judgment.objects.exists()


def test_picture_that_cant_be_seen_ends_the_item_and_keeps_its_times(client: Client) -> None:
    items = [{**ONE[0], "image": a_picture()}]
    address = begin(client, a_study_of_four(items=items))
    save(client, address, could_not_see="1", response_ms="900")
    assert stored() == {1: True, 2: "not-asked", 3: "not-asked", 4: "not-asked"}
    assert is_done()
    assert Judgment.objects.get(question=1).response_ms == 900


def test_text_that_may_be_left_empty_can_be_emptied_again(client: Client) -> None:
    address = begin(client, a_study_of_four())
    save(client, address, **{"q4-text": "green", "q4-asked": "1"})
    save(client, address, **{"q4-text": "", "q4-asked": "1"})
    assert stored() == {4: "left-empty"}
    save(client, address, **{"q1-label": "blue", "q3-number": "1"})
    assert is_done()


def test_slider_from_the_middle_that_was_passed_over_counts_as_the_middle(client: Client) -> None:
    study = a_study_of("choice", items=ONE)
    ask(study, 2, "slider", slider_start=Study.SliderStart.MIDDLE)
    address = begin(client, study)
    client.post(address, marked(1, 2, q1_label="red", q2_number=""))
    assert stored() == {1: "red", 2: 50.0}
    assert Judgment.objects.get(question=2).is_untouched_middle


def test_dont_know_and_confidence_beside_the_only_question(client: Client) -> None:
    study = a_study_of("choice", offers_dont_know=True, asks_confidence=True)
    address = begin(client, study)
    answer = client.post(address, {**marked(), "i1-label": "red"})
    assert answer.status_code == 422
    assert 'aria-describedby="i1-problem"' in answer.text.partition("data-sure")[2]
    client.post(address, {**marked(), "i1-label": "red", "i1-confidence": "2"})
    assert (Judgment.objects.get().label, Judgment.objects.get().confidence) == ("red", 2)
    page = client.get(address)
    assert page.context["page"].items[0].question.confidence == "2"
    assert page.text.partition("<template")[0].count("checked") == 2
    client.post(f"{base_of(address)}2/", {"i2-key": "9e2d4b1c-3d52-4a9e-9c43-000000000004", "i2-dont_know": "1"})
    assert Judgment.objects.get(assigned_item__position=2).no_answer == "dont-know"
    assert "data-dont-know checked" in client.get(f"{base_of(address)}2/").text.partition("<template")[0]
    again = {"i2-key": "9e2d4b1c-3d52-4a9e-9c43-000000000005", "i2-dont_know": "1"}
    assert client.post(f"{base_of(address)}2/", again).headers["Location"].endswith("/3/")
    assert Judgment.objects.count() == 2


def test_statements_on_one_scale_make_one_table_and_a_condition_ends_it(client: Client) -> None:
    study = a_matrix(3)
    ask(study, 4, "choice", ("no", "yes"))
    ask(study, 5, "choice", ("no", "yes"), shown_if=4, shown_if_labels=["yes"])
    item = client.get(begin(client, study)).context["page"].items[0]
    groups = [([each.number for each in group.questions], group.fits) for group in item.groups]
    assert groups == [([1, 2, 3], "everywhere"), ([4], ""), ([5], "")]


def test_forty_labels_make_no_table(client: Client) -> None:
    study = a_matrix(2, tuple(f"label {number}" for number in range(40)))
    page = client.get(begin(client, study))
    assert [group.fits for group in page.context["page"].items[0].groups] == [""]
    assert 'class="matrix"' not in page.text


def test_own_question_of_an_item_stands_for_the_first(client: Client) -> None:
    study = a_study_of_four(items=[{"item_id": "one", "fields": {"thing": "fern", "question": "Choose blue."}}])
    item = client.get(begin(client, study)).context["page"].items[0]
    assert [str(each.wording) for each in item.questions][:3] == [
        "Choose blue.",
        "Choice 2 of a fern?",
        "Slider 3 of a fern?",
    ]


def test_preview_has_every_question_and_stores_nothing(client: Client) -> None:
    owner = a_researcher()
    study = a_study_of_four(owner=owner)
    page = signed_in(owner).get(page_address(study, "q1"))
    questions = page.context["page"].items[0].questions
    assert [each.number for each in questions] == [1, 2, 3, 4]
    assert page.text.partition("<template")[0].count("data-question=") == 4
    assert not Judgment.objects.exists()


def test_example_for_those_who_have_not_accepted_shows_all_of_an_item(client: Client) -> None:
    study = a_study_of_four(platform="mturk")
    address = f"/take/{study.slug}/?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=h1"
    html = client.get(address).text
    assert html.count("data-question=") == 4
    assert "How sure are you?" in html


@pytest.mark.parametrize(
    ("ends", "sentence"),
    [
        ({"low_label": "", "high_label": ""}, "A number from 0 to 100"),
        ({"low_label": "none", "high_label": "all"}, "A number from 0 (none) to 100 (all)"),
    ],
)
def test_without_script_a_number_is_asked_for_in_words(client: Client, ends: dict[str, str], sentence: str) -> None:
    study = a_study_of("choice", items=[{"item_id": "one", "fields": {"thing": "fern"}}])
    ask(study, 2, "slider", (), **ends)

    page = " ".join(client.get(begin(client, study)).text.split())

    assert sentence in page
