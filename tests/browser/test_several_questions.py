"""Items with several questions in a real browser: what comes and goes, what is sent, what is said; "I don't know"."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from axe_core_python.sync_playwright import Axe
from django.templatetags.static import static
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from annotation.models import AssignedItem, Judgment, Study
from tests.browser.people import a_phone, another, begin, go_on, number_shown, put, saved, tap, until
from tests.integration.annotation.answering.views.people import a_picture, a_study_of
from tests.integration.annotation.answering.views.several import a_matrix, a_study_of_four, ask, stored

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CASES = json.loads((Path(__file__).parents[1] / "cases" / "conditions" / "cases.json").read_text())
ONE = [{"item_id": "one", "fields": {"thing": "fern"}}]
WIDTHS = (360, 390, 768, 1280)


def question(page: Page, number: int) -> Locator:
    return page.locator(f"[data-stage] [data-question='{number}']")


def look(page: Page) -> None:
    """Axe finds nothing, and nothing hangs out of the page."""
    violations = Axe().run(page)["violations"]
    assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in violations] == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), page.url


def test_script_shows_what_the_server_shows(page: Page) -> None:
    """The table of cases that tests/unit/annotation/answering/test_conditions.py reads too."""
    begin(page, a_study_of("choice"))
    for case in CASES:
        answers = {
            number: None if "no_answer" in answer else {
                "labels": answer.get("labels", [answer["label"]] if "label" in answer else []),
                "number": answer.get("number"),
            }
            for number, answer in case["answers"].items()
        }  # fmt: skip
        questions = [{"number": number, "condition": case["conditions"].get(str(number))} for number in range(1, 5)]
        shown = page.evaluate(
            "async ([address, questions, answers]) => [...(await import(address)).numbersShown(questions, answers)]",
            [static("pages/conditions.js"), questions, answers],
        )
        assert shown == case["shown"], case["name"]


def test_item_is_answered_by_mouse_from_question_to_question(page: Page) -> None:
    begin(page, a_study_of_four())
    look(page)
    expect(question(page, 2)).to_be_hidden()
    question(page, 1).get_by_label("red").check()
    expect(question(page, 2)).to_be_visible()
    expect(page.locator("[data-comes]").first).to_have_text("Another question follows: Choice 2 of a fern?")
    saved(page)
    assert stored() == {1: "red"}
    assert AssignedItem.objects.get(position=1).done_at is None
    go_on(page)
    expect(question(page, 2).get_by_text("Please answer this question first.")).to_be_visible()
    expect(question(page, 2).locator("[data-offered] input").first).to_be_focused()
    look(page)
    question(page, 2).get_by_label("dark").check()
    go_on(page)
    expect(question(page, 2).get_by_text("Please say how sure you are.")).to_be_visible()
    expect(question(page, 2).locator("[data-sure] input").first).to_be_focused()
    question(page, 2).get_by_label("4", exact=True).check()
    put(page, 0.5)
    go_on(page)
    until(page, lambda: AssignedItem.objects.get(position=1).done_at is not None, "the item is done")
    assert number_shown(page) == "2 of 3"
    answers = stored()
    assert (answers[1], answers[2], answers[4]) == ("red", "dark", "left-empty")
    assert Judgment.objects.get(question=2).confidence == 4
    judgment = Judgment.objects.get(question=3)
    assert (judgment.input_kind, judgment.moves) == ("mouse", 1)
    assert (judgment.response_ms or 0) >= (judgment.first_touch_ms or 0) > 0


def test_question_that_goes_takes_its_answer_along_and_brings_it_again(page: Page) -> None:
    begin(page, a_study_of_four())
    question(page, 1).get_by_label("red").check()
    question(page, 2).get_by_label("dark").check()
    question(page, 2).get_by_label("5: Completely sure").check()
    saved(page)
    top = question(page, 1).bounding_box()
    question(page, 1).get_by_label("blue").check()
    expect(question(page, 2)).to_be_hidden()
    expect(page.locator("[data-comes]").first).to_have_text("No longer asked: Choice 2 of a fern?")
    expect(question(page, 1).get_by_label("blue")).to_be_focused()
    assert question(page, 1).bounding_box() == top
    until(page, lambda: stored() == {1: "blue", 2: "not-asked"}, "hidden on the server too")
    question(page, 1).get_by_label("red").check()
    expect(question(page, 2).get_by_label("dark")).to_be_checked()
    until(page, lambda: stored() == {1: "red", 2: "dark"}, "its answer comes again")


def test_half_an_item_is_found_again_on_another_day(page: Page) -> None:
    study = a_study_of_four()
    begin(page, study, "half")
    question(page, 1).get_by_label("red").check()
    question(page, 4).locator("textarea").fill("half a sen")
    page.wait_for_timeout(700)
    page.reload()
    expect(question(page, 1).get_by_label("red")).to_be_checked()
    expect(question(page, 2)).to_be_visible()
    expect(question(page, 4).locator("textarea")).to_have_value("half a sen")
    assert 4 not in stored()


def test_keys_choose_in_the_question_that_has_the_focus(page: Page) -> None:
    begin(page, a_study_of_four())
    page.keyboard.press("3")
    expect(question(page, 1).get_by_label("red")).to_be_checked()
    question(page, 2).locator("[data-offered] input").first.focus()
    page.keyboard.press("2")
    expect(question(page, 2).get_by_label("dark")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("4")
    expect(question(page, 2).get_by_label("4", exact=True)).to_be_checked()
    page.keyboard.press("Tab")
    expect(question(page, 3).locator("input[type=range]")).to_be_focused()
    page.keyboard.press("1")
    expect(question(page, 1).get_by_label("red")).to_be_checked()
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("2 greens")
    expect(question(page, 4).locator("textarea")).to_have_value("2 greens")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    until(page, lambda: stored() == {1: "red", 2: "dark", 3: 100.0, 4: "2 greens"}, "all by keys")
    assert set(Judgment.objects.values_list("input_kind", flat=True)) == {"keyboard"}


def test_item_is_answered_by_finger_on_a_phone(browser: Browser, live_server: Any) -> None:
    page = a_phone(browser, live_server, width=360)
    begin(page, a_study_of_four())
    question(page, 1).get_by_text("red").tap()
    question(page, 2).get_by_text("light").tap()
    question(page, 2).locator(".steps .offer").nth(2).tap()
    tap(page, 0.25)
    look(page)
    go_on(page)
    until(page, lambda: 3 in stored(), "sent")
    answers = stored()
    assert (answers[1], answers[2], round(answers[3])) == ("red", "light", 25)
    assert set(Judgment.objects.exclude(question=4).values_list("input_kind", flat=True)) == {"touch"}
    page.context.close()


def test_not_knowing_takes_the_answer_back_and_an_answer_takes_that_back(page: Page) -> None:
    begin(page, a_study_of("choice", offers_dont_know=True, asks_confidence=True, items=ONE))
    look(page)
    page.get_by_label("red").check()
    page.get_by_label("2", exact=True).check()
    page.get_by_label("I don't know").check()
    expect(page.get_by_label("red")).not_to_be_checked()
    expect(page.get_by_text("How sure are you?")).to_be_hidden()
    until(page, lambda: stored() == {1: "dont-know"}, "not known")
    page.get_by_label("blue").check()
    expect(page.get_by_label("I don't know")).not_to_be_checked()
    go_on(page)
    expect(page.get_by_text("Please say how sure you are.")).to_be_visible()
    page.get_by_label("1: Not sure at all").check()
    go_on(page)
    page.wait_for_url("**/finish/")
    judgment = Judgment.objects.current().get()
    assert (judgment.label, judgment.confidence) == ("blue", 1)


def test_refusal_stands_at_its_question_and_is_called_by_its_words(page: Page) -> None:
    tab = another(page.context)
    study = a_study_of_four(items=ONE)
    begin(tab, study)
    study.further_questions.filter(number=3).update(scale_high=10)
    question(tab, 1).get_by_label("blue").check()
    put(tab, 0.9)
    expect(question(tab, 3).locator("[data-problem]")).to_have_text("Please give a number from 0 to 10.")
    expect(tab.locator("[data-status] a")).to_have_text("Slider 3 of a fern?: Please give a number from 0 to 10.")
    assert stored() == {1: "blue"}
    question(tab, 1).get_by_label("green").check()
    until(tab, lambda: stored() == {1: "green"}, "the other question is saved")
    expect(question(tab, 3).locator("[data-problem]")).to_be_visible()
    tab.reload()
    expect(question(tab, 3).locator("[data-problem]")).to_be_visible()
    question(tab, 3).get_by_label("I don't know").check()
    until(tab, lambda: stored().get(3) == "dont-know", "put right")
    expect(tab.locator("[data-status=saved]")).to_be_visible()


def test_network_cut_keeps_all_answers_of_the_item(browser_context: BrowserContext) -> None:
    page = another(browser_context)
    begin(page, a_study_of_four(items=ONE))
    browser_context.set_offline(True)
    question(page, 1).get_by_label("blue").check()
    put(page, 0.5)
    question(page, 4).locator("textarea").fill("green")
    go_on(page)
    expect(page.get_by_role("status").last).to_contain_text("still being sent")
    browser_context.set_offline(False)
    page.wait_for_url("**/finish/")
    assert {number: stored()[number] for number in (1, 2, 4)} == {1: "blue", 2: "not-asked", 4: "green"}


def test_picture_that_cant_be_seen_answers_for_all_questions_until_it_can(page: Page) -> None:
    begin(page, a_study_of_four(items=[{**ONE[0], "image": a_picture()}]))
    question(page, 1).get_by_label("blue").check()
    saved(page)
    page.get_by_label("I can't see the picture").check()
    until(page, lambda: stored() == {1: True, 2: "not-asked", 3: "not-asked", 4: "not-asked"}, "unseen")
    page.get_by_label("I can't see the picture").uncheck()
    until(page, lambda: stored()[1] == "blue", "seen after all")
    go_on(page)
    expect(question(page, 3).get_by_text("Please answer this question first.")).to_be_visible()


def test_middle_that_was_passed_over_counts_only_once_something_after_it_is_answered(page: Page) -> None:
    study = a_study_of("choice", items=ONE)
    ask(study, 2, "slider", slider_start=Study.SliderStart.MIDDLE)
    ask(study, 3, "choice", ("no", "yes"), shown_if=2, shown_if_low=40)
    begin(page, study)
    question(page, 1).get_by_label("blue").check()
    saved(page)
    assert stored() == {1: "blue"}
    question(page, 3).get_by_label("yes").check()
    until(page, lambda: stored() == {1: "blue", 2: 50.0, 3: "yes"}, "the middle")


def test_without_script_the_hidden_question_comes_with_the_next_page(browser: Browser, live_server: Any) -> None:
    context = browser.new_context(
        base_url=live_server.url, java_script_enabled=False, viewport={"width": 390, "height": 844}
    )
    page = context.new_page()
    begin(page, a_study_of_four(items=ONE))
    expect(page.locator("[data-question='2']")).to_be_hidden()
    page.get_by_label("red").check()
    page.locator("input[inputmode=decimal]").fill("30")
    go_on(page)
    expect(page).to_have_url(re.compile("/1/#i1-q2$"))
    expect(page.get_by_label("red")).to_be_checked()
    go_on(page)
    expect(page.locator(".problem a")).to_have_text("Choice 2 of a fern?: Please choose an answer.")
    page.get_by_label("light").check()
    page.get_by_label("3", exact=True).check()
    go_on(page)
    page.wait_for_url("**/finish/")
    assert stored() == {1: "red", 2: "light", 3: 30.0, 4: "left-empty"}
    context.close()


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("width", WIDTHS)
def test_matrix_is_a_table_with_room_for_fingers(width: int, language: str, browser: Browser, live_server: Any) -> None:
    page = a_phone(browser, live_server, width=width, color_scheme="light" if language == "en" else "dark")
    begin(page, a_matrix(3, language=language, items=ONE))
    expect(page.locator(".matrix .head")).to_be_visible()
    look(page)
    heads = page.locator(".matrix .head bdi")
    for number in range(1, 4):
        offers = question(page, number).locator(".offer")
        for index in range(5):
            box, head = offers.nth(index).bounding_box(), heads.nth(index).bounding_box()
            assert box is not None
            assert head is not None
            assert min(box["width"], box["height"]) >= 44
            assert abs(box["x"] - head["x"]) < 1
        tops = {round((offers.nth(index).bounding_box() or {"y": -1})["y"]) for index in range(5)}
        assert len(tops) == 1
        offers.nth(number).tap()
    go_on(page)
    page.wait_for_url("**/finish/")
    assert stored() == {1: "rather no", 2: "neither", 3: "rather yes"}
    page.context.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_matrix_without_room_stands_one_under_the_other(width: int, browser: Browser, live_server: Any) -> None:
    values = tuple(f"{word} agreeable" for word in ("entirely", "overwhelmingly", "incomprehensibly", "not", "a bit"))
    page = a_phone(browser, live_server, width=width)
    begin(page, a_matrix(2, values, items=ONE))
    look(page)
    is_page = width >= 704
    expect(page.locator(".matrix .head")).to_be_visible(visible=is_page)
    assert question(page, 1).get_by_text("overwhelmingly agreeable").is_visible()
    page.context.close()


def test_forty_labels_have_a_field_that_narrows_them_in_each_question(page: Page) -> None:
    begin(page, a_matrix(2, tuple(f"label {number}" for number in range(40)), items=ONE))
    expect(page.locator("[data-filter]:visible")).to_have_count(2)
    question(page, 2).get_by_label("Find an answer in the list").fill("39")
    expect(question(page, 2).locator(".offer:visible")).to_have_count(1)
    expect(question(page, 1).locator(".offer:visible")).to_have_count(40)
    look(page)


@pytest.mark.parametrize("width", WIDTHS)
def test_statements_on_ordered_labels_are_a_table_with_named_ends(
    width: int, browser: Browser, live_server: Any
) -> None:
    scale = {"ordered": True, "low_label": "I disagree", "high_label": "I agree"}
    page = a_phone(browser, live_server, width=width)
    begin(page, a_matrix(2, ("1", "2", "3", "4", "5", "6", "7"), scale=scale, items=ONE))
    look(page)
    expect(page.locator(".matrix .head")).to_be_visible()
    expect(page.get_by_text("I disagree")).to_be_visible()
    offers = question(page, 2).locator(".offer")
    boxes: list[Any] = [offers.nth(index).bounding_box() for index in range(7)]
    assert min(box["width"] for box in boxes) >= 44
    assert len({round(box["y"]) for box in boxes}) == 1
    offers.nth(6).tap()
    question(page, 1).locator(".offer").nth(0).tap()
    go_on(page)
    page.wait_for_url("**/finish/")
    assert stored() == {1: "1", 2: "7"}
    page.context.close()
