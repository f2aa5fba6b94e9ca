"""Every kind of question in a real browser, with script and without."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Judgment
from tests.browser.people import another, begin, go_on, line, number_shown, put, saved
from tests.integration.annotation.answering.views.people import a_picture, a_study_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WITH_PICTURE = [{"item_id": "one", "fields": {"thing": "fern", "alternative_text": "a red field"}}]


def test_number_key_chooses(page: Page) -> None:
    begin(page, a_study_of("choice"))
    page.keyboard.press("2")
    saved(page)
    judgment = Judgment.objects.get()
    assert (judgment.label, judgment.input_kind) == ("green", "keyboard")


def test_number_key_writes_in_a_text(page: Page) -> None:
    begin(page, a_study_of("text"))
    page.locator("textarea").press_sequentially("2 ferns")
    expect(page.locator("textarea")).to_have_value("2 ferns")


def test_choices_take_several(page: Page) -> None:
    begin(page, a_study_of("choices"))
    page.get_by_label("blue").check()
    page.get_by_label("red").check()
    go_on(page)
    saved(page)
    assert Judgment.objects.current().get().labels == ["blue", "red"]


def test_verify_by_click(page: Page) -> None:
    begin(page, a_study_of("verify"))
    page.get_by_label("false").check()
    saved(page)
    assert Judgment.objects.get().label == "false"


def test_list_takes_one_a_line(page: Page) -> None:
    begin(page, a_study_of("list"))
    page.locator("textarea").fill("is green\n\nhas leaves")
    go_on(page)
    saved(page)
    assert Judgment.objects.get().properties == ["is green", "has leaves"]


def test_several_a_page_each_say_what_they_lack(page: Page) -> None:
    begin(page, a_study_of("choice", items_per_page=3))
    page.get_by_label("red").first.check()
    go_on(page)
    expect(page.get_by_text("Please answer this question first.")).to_have_count(2)
    for index in (1, 2):
        page.get_by_label("blue").nth(index).check()
    go_on(page)
    page.wait_for_url("**/finish/")
    assert sorted(label or "" for label in Judgment.objects.values_list("label", flat=True)) == ["blue", "blue", "red"]


def test_of_several_lines_the_one_left_out_is_pointed_at(page: Page) -> None:
    begin(page, a_study_of("sliders"))
    for index in (0, 2):
        put(page, 0.4, index)
    go_on(page)
    expect(page.get_by_text("Please answer this question first.")).to_be_visible()
    expect(line(page, 1)).to_be_focused()
    assert not Judgment.objects.exists()


def test_picture_has_alternative_text_and_can_be_called_unseen(page: Page) -> None:
    items = [{**WITH_PICTURE[0], "image": a_picture()}]
    begin(page, a_study_of("choice", items=items))
    expect(page.get_by_alt_text("a red field")).to_be_visible()
    page.get_by_label("I can't see the picture").check()
    go_on(page)
    page.wait_for_url("**/finish/")
    assert Judgment.objects.get().could_not_see is True


def test_picture_that_fails_says_so_and_can_be_asked_for_again(page: Page) -> None:
    tab = another(page.context)
    tab.route("**/picture/*", lambda route: route.fulfill(status=404, body="gone"))
    begin(tab, a_study_of("choice", items=[{**WITH_PICTURE[0], "image": a_picture()}]))
    expect(tab.get_by_text("The picture could not be loaded.")).to_be_visible()
    tab.unroute("**/picture/*")
    tab.get_by_role("button", name="Try again").click()
    expect(tab.get_by_text("The picture could not be loaded.")).to_be_hidden()


def test_practice_shows_its_feedback_before_it_lets_go(page: Page) -> None:
    practice = {"item_id": "try", "kind": "practice", "fields": {"thing": "chair", "feedback": "Most say red."}}
    begin(page, a_study_of("choice", items=[practice, {"item_id": "one", "fields": {"thing": "fern"}}]))
    expect(page.get_by_text("Most say red.")).to_be_hidden()
    page.get_by_label("red").check()
    go_on(page)
    expect(page.get_by_text("Most say red.")).to_be_visible()
    saved(page)
    expect(page.get_by_text("Most say red.")).to_be_visible()
    go_on(page)
    assert number_shown(page) == "1 of 1"


def test_practice_shows_the_feedback_that_its_answer_deserves(page: Page) -> None:
    fields = {"thing": "chair", "feedback_right": "Well seen.", "feedback_wrong": "Look again."}
    practice = {"item_id": "try", "kind": "practice", "expected": ["red"], "fields": fields}
    begin(page, a_study_of("choice", items=[practice, {"item_id": "one", "fields": {"thing": "fern"}}]))
    page.get_by_label("blue").check()
    expect(page.get_by_text("Look again.")).to_be_visible()
    page.get_by_label("red").check()
    expect(page.get_by_text("Well seen.")).to_be_visible()
    expect(page.get_by_text("Look again.")).to_be_hidden()
    go_on(page)
    assert number_shown(page) == "1 of 1"


def test_practice_without_a_word_for_a_right_answer_goes_on_at_once(page: Page) -> None:
    fields = {"thing": "chair", "feedback_wrong": "Look again."}
    practice = {"item_id": "try", "kind": "practice", "expected": ["red"], "fields": fields}
    begin(page, a_study_of("choice", items=[practice, {"item_id": "one", "fields": {"thing": "fern"}}]))
    page.get_by_label("red").check()
    go_on(page)
    expect(page.get_by_text("What of a fern?")).to_be_visible()


def test_practice_holds_nobody_back_whose_network_is_gone(page: Page) -> None:
    fields = {"thing": "chair", "feedback_wrong": "Look again."}
    practice = {"item_id": "try", "kind": "practice", "expected": ["red"], "fields": fields}
    tab = another(page.context)
    begin(tab, a_study_of("choice", items=[practice, {"item_id": "one", "fields": {"thing": "fern"}}]))
    tab.route("**/save/", lambda route: route.abort())
    tab.get_by_label("blue").check()
    go_on(tab)
    expect(tab.locator("[data-status=waiting]")).to_be_attached()
    go_on(tab)
    expect(tab.get_by_text("What of a fern?")).to_be_visible()


ANSWERS = {
    "slider": ("input[inputmode=decimal]", "42"),
    "sliders": ("input[inputmode=decimal]", "42"),
    "choice": ("input[type=radio]", None),
    "verify": ("input[type=radio]", None),
    "choices": ("input[type=checkbox]", None),
    "list": ("textarea", "is green"),
    "text": ("textarea", "A fern."),
}


@pytest.mark.parametrize("kind", ANSWERS)
def test_kind_works_without_script_and_an_unmoved_one_is_no_answer(
    kind: str, browser: Browser, live_server: Any
) -> None:
    study = a_study_of(kind)
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    begin(page, study)
    go_on(page)
    expect(page.locator(".problem:visible")).to_have_count(1)
    assert not Judgment.objects.exists()
    selector, text = ANSWERS[kind]
    for _question in range(3):
        for field in page.locator(f"main form {selector}").all() if text else [page.locator(selector).first]:
            field.fill(text) if text else field.check()
        go_on(page)
    page.wait_for_url(re.compile("/finish/$"))
    page.locator("main form button").click()
    expect(page.locator("code")).to_have_text("DONE123")
    assert set(Judgment.objects.values_list("input_kind", flat=True)) == {"no-script"}
    context.close()


def rows(page: Page) -> list[str]:
    return page.locator("[data-stage] [data-row] bdi").all_inner_texts()


def test_ranking_is_made_by_keys_and_each_move_is_told(page: Page) -> None:
    begin(page, a_study_of("ranking"))
    assert rows(page) == ["blue", "green", "red"]
    go_on(page)
    expect(page.get_by_text("Please answer this question first.")).to_be_visible()
    page.get_by_role("button", name="Move red up").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert rows(page) == ["red", "blue", "green"]
    expect(page.get_by_role("button", name="Move red up")).to_be_focused()
    expect(page.locator("[data-announce]")).to_have_text("red: place 1 of 3")
    page.keyboard.press("Enter")  # which is as far as it goes
    page.get_by_label("Place of green").select_option("2")
    assert rows(page) == ["red", "green", "blue"]
    expect(page.get_by_label("Place of blue")).to_have_value("3")
    saved(page)
    judgment = Judgment.objects.current().get()
    assert (judgment.labels, judgment.input_kind, judgment.moves) == (["red", "green", "blue"], "keyboard", 3)
    page.reload()
    assert rows(page) == ["red", "green", "blue"]


def test_ranking_that_stands_right_already_is_kept_by_a_button(page: Page) -> None:
    begin(page, a_study_of("ranking"))
    page.get_by_role("button", name="Keep this order").click()
    saved(page)
    assert Judgment.objects.get().labels == ["blue", "green", "red"]
    expect(page.get_by_role("button", name="Keep this order")).to_be_hidden()


def test_ranking_whose_script_never_arrives_is_still_answered_by_its_lists(page: Page) -> None:
    tab = another(page.context)
    tab.route("**/label-order.js", lambda route: route.abort())
    begin(tab, a_study_of("ranking"))
    for label, place in (("blue", "2"), ("green", "2"), ("red", "1")):
        tab.get_by_label(f"Place of {label}").select_option(place)
    expect(tab.get_by_text("“blue” and “green” both have place 2.").first).to_be_visible()
    tab.get_by_label("Place of green").select_option("3")
    saved(tab)
    assert Judgment.objects.current().get().labels == ["red", "blue", "green"]


def test_ranking_without_script_names_two_labels_in_one_place_and_keeps_what_was_chosen(
    browser: Browser, live_server: Any
) -> None:
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    begin(page, a_study_of("ranking"))
    expect(page.get_by_role("button", name="Move red up")).to_have_count(0)
    go_on(page)
    expect(page.get_by_text("Please give each answer a place.")).to_be_visible()
    for label, place in (("blue", "3"), ("green", "1"), ("red", "3")):
        page.get_by_label(f"Place of {label}").select_option(place)
    go_on(page)
    expect(page.get_by_text("“blue” and “red” both have place 3.")).to_be_visible()
    assert [one.get_attribute("aria-invalid") for one in page.locator("main select").all()] == ["true", None, "true"]
    expect(page.get_by_label("Place of green")).to_have_value("1")
    page.get_by_label("Place of red").select_option("2")
    go_on(page)
    page.wait_for_url(re.compile("/2/$"))
    assert Judgment.objects.get().labels == ["green", "red", "blue"]
    context.close()


def test_script_that_never_arrives_leaves_a_form_that_works(page: Page) -> None:
    tab = another(page.context)
    tab.route("**/line.js", lambda route: route.abort())
    begin(tab, a_study_of("slider"))
    go_on(tab)
    field = tab.locator("input[inputmode=decimal]")
    expect(field).to_be_visible()
    field.fill("33")
    go_on(tab)
    assert Judgment.objects.get().number == 33.0
