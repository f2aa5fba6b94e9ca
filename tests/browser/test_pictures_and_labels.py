"""Pictures that enlarge, many labels that narrow down, ends that stay whole, and what a screen reader hears."""

import re
from io import BytesIO
from typing import Any

import pytest
from axe_core_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from annotation.media.pictures import encoded
from annotation.models import Blob, Judgment, Label, Study
from tests.browser.people import a_phone, begin, go_on, line, saved
from tests.integration.annotation.answering.views.people import a_study_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def a_wide_picture() -> Blob:
    out = BytesIO()
    Image.new("RGB", (3000, 120), "teal").save(out, "PNG")
    content, content_type = encoded(out.getvalue())
    return Blob.objects.create(sha256="a" * 64, content_type=content_type, content=content)


def with_a_wide_picture() -> Study:
    item = {"item_id": "one", "image": a_wide_picture(), "fields": {"thing": "fern", "alternative_text": "a strip"}}
    return a_study_of("choice", items=[item])


def with_forty_labels(kind: str = "choice") -> Study:
    study = a_study_of(kind)
    names = ["crème", "Überzug", *(f"label {number}" for number in range(4, 41))]
    Label.objects.bulk_create(
        Label(study=study, value=name, display_text=name, position=position) for position, name in enumerate(names, 4)
    )
    return study


def nothing_found_by_axe(page: Page) -> None:
    found = Axe().run(page)["violations"]
    assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []


def test_tap_enlarges_the_picture_and_escape_goes_back(browser: Browser, live_server: Any) -> None:
    study = with_a_wide_picture()
    page = a_phone(browser, live_server)
    begin(page, study)
    small = page.locator("[data-stage] figure img").bounding_box()
    assert small is not None
    assert small["width"] <= 390
    page.locator("[data-stage] figure img").tap()
    large = page.get_by_role("dialog", name="a strip")
    expect(large).to_be_visible()
    large.locator("img").evaluate("image => image.decode()")  # it is there once it has come
    box = large.locator("img").bounding_box()
    assert box is not None
    assert box["height"] >= 120
    nothing_found_by_axe(page)
    page.keyboard.press("Escape")
    expect(large).to_be_hidden()
    expect(page.locator("[data-enlarge]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(large).to_be_visible()
    page.get_by_role("button", name="Close").tap()
    expect(large).to_be_hidden()
    assert page.url.endswith("/1/")
    page.context.close()


def test_picture_opens_by_its_link_without_script(browser: Browser, live_server: Any) -> None:
    study = with_a_wide_picture()
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    begin(page, study)
    with context.expect_page() as opened:
        page.get_by_role("link", name="a strip").click()
    assert "/picture/" in opened.value.url
    context.close()


def test_filter_narrows_many_labels_down_by_keyboard(page: Page) -> None:
    begin(page, with_forty_labels())
    field = page.get_by_role("searchbox", name="Find an answer in the list")
    field.press_sequentially("CREME")
    expect(page.locator("[data-stage] .offer:visible")).to_have_count(1)
    expect(page.get_by_role("status").filter(has_text="1 of 42 answers")).to_be_visible()
    nothing_found_by_axe(page)
    field.press("Enter")
    expect(page.get_by_label("crème")).to_be_focused()
    page.keyboard.press("Space")
    saved(page)
    assert Judgment.objects.get().label == "crème"
    field.press("Escape")
    expect(page.locator("[data-stage] .offer:visible")).to_have_count(42)
    expect(field).to_have_value("")


def test_filter_never_hides_what_is_chosen_and_is_no_answer(page: Page) -> None:
    begin(page, with_forty_labels("choices"))
    page.locator("input[value=red]").check()
    saved(page)
    field = page.get_by_role("searchbox")
    field.fill("zzz")
    expect(page.locator("[data-stage] .offer:visible")).to_have_count(1)
    field.fill("label 7")
    page.get_by_label("label 7").check()
    go_on(page)
    saved(page)
    assert Judgment.objects.current().get().labels == ["label 7", "red"]


def test_few_labels_have_no_filter(page: Page) -> None:
    begin(page, a_study_of("choice"))
    expect(page.get_by_role("searchbox")).to_have_count(0)


def test_many_labels_are_all_there_without_script(browser: Browser, live_server: Any) -> None:
    study = with_forty_labels()
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    begin(page, study)
    expect(page.locator(".offer:visible")).to_have_count(42)
    expect(page.locator("[data-filter]")).to_be_hidden()
    context.close()


@pytest.mark.parametrize("text_px", [16, 32])
@pytest.mark.parametrize("width", [320, 390])
def test_end_labels_never_break_inside_a_word(width: int, text_px: int, browser: Browser, live_server: Any) -> None:
    study = a_study_of("slider", low_label="völlige Unähnlichkeit", high_label="Verwechselbarkeit hoch")
    page = a_phone(browser, live_server, width=width)
    begin(page, study)
    page.evaluate("size => { document.documentElement.style.fontSize = `${size}px`; }", text_px)
    for end in page.locator("[data-stage] .ends bdi").all():
        lines = end.evaluate(
            """end => {
              const words = [...end.textContent.matchAll(/\\S+/g)];
              return words.map(word => {
                const range = document.createRange();
                range.setStart(end.firstChild, word.index);
                range.setEnd(end.firstChild, word.index + word[0].length);
                return new Set([...range.getClientRects()].map(rect => Math.round(rect.top))).size;
              });
            }"""
        )
        assert set(lines) == {1}
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.context.close()


def test_ends_stay_in_sight_over_many_lines(browser: Browser, live_server: Any) -> None:
    study = a_study_of("sliders")
    Label.objects.bulk_create(
        Label(study=study, value=f"label {number}", display_text=f"label {number}", position=number)
        for number in range(4, 20)
    )
    page = a_phone(browser, live_server)
    begin(page, study)
    line(page, 15).scroll_into_view_if_needed()
    assert page.evaluate("window.scrollY") > 300
    box = page.locator("[data-stage] .ends").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 100
    page.context.close()


def test_progress_is_full_at_the_last_question(page: Page) -> None:
    begin(page, a_study_of("choice"))
    for number in (1, 2, 3):
        bar = page.locator("[data-stage] progress")
        expect(bar).to_have_js_property("value", number)
        expect(bar).to_have_js_property("max", 3)
        page.get_by_label("red").check()
        go_on(page)


@pytest.mark.parametrize(("language", "word"), [("en", "and"), ("de", "und")])
def test_pair_is_heard_with_a_word_between(language: str, word: str, page: Page) -> None:
    items = [{"item_id": "one", "fields": {"left": "under", "right": "in"}}]
    begin(page, a_study_of("slider", items=items, question="How similar?", language=language))
    expect(line(page)).to_have_accessible_name(re.compile(rf"How similar\? (under {word} in|in {word} under)"))
    box = page.get_by_text(word, exact=True).bounding_box()
    assert box is not None
    assert box["width"] <= 1


def test_error_is_heard_at_the_control_that_has_the_focus(page: Page) -> None:
    begin(page, a_study_of("sliders"))
    line(page).press("End")
    go_on(page)
    expect(line(page, 1)).to_be_focused()
    expect(line(page, 1)).to_have_attribute("aria-invalid", "true")
    expect(line(page, 1)).to_have_accessible_description(re.compile("Please answer this question first"))
    expect(line(page, 0)).not_to_have_attribute("aria-invalid", "true")
    nothing_found_by_axe(page)
    line(page, 1).press("End")
    expect(line(page, 1)).not_to_have_attribute("aria-invalid", "true")
    expect(line(page, 1)).not_to_have_accessible_description(re.compile("Please answer this question first"))


def test_keyboard_is_told_how_to_answer_a_line(page: Page) -> None:
    begin(page, a_study_of("slider"))
    expect(line(page)).to_have_accessible_description(re.compile("use the arrow keys to move your answer"))
    hint = page.locator("[data-stage] .how")
    expect(hint).to_have_css("opacity", "0")
    page.keyboard.press("Tab")
    line(page).focus()
    expect(hint).to_have_css("opacity", "1")


def test_without_script_the_error_is_tied_to_its_field(browser: Browser, live_server: Any) -> None:
    study = a_study_of("sliders")
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    begin(page, study)
    fields = page.locator("main form input[inputmode=decimal]")
    fields.nth(0).fill("40")
    go_on(page)
    expect(fields.nth(1)).to_be_focused()
    expect(fields.nth(1)).to_have_accessible_description("Please place an answer on every line.")
    expect(fields.nth(0)).to_have_value("40")
    context.close()
