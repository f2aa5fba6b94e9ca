"""A stimulus beside its question, or before it on phones: the answer stays in reach, and nothing is hidden."""

import hashlib
import io
import json
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from annotation.models import Blob, Study
from tests.browser.people import a_phone, begin, go_on
from tests.browser.test_access import look
from tests.integration.annotation.answering.views.people import a_study_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FIVE = ("entails it", "suggests it", "neither", "speaks against it", "contradicts it")
TEXT: dict[str, object] = {"block": "text", "title": "Premise", "text": "{text}"}
CHAT: dict[str, object] = {"block": "chat", "field": "chat"}
PICTURE: dict[str, object] = {"block": "image", "field": "image", "title": "The picture"}
ROW: dict[str, object] = {"block": "row", "blocks": [TEXT, {"block": "mono", "text": "{text}"}]}
TURNS = json.dumps([{"role": ("user", "assistant")[turn % 2], "content": f"Turn {turn}"} for turn in range(200)])
SHORT = {"text": "It rained all night.\nThe street is wet.", "chat": '[{"role": "user", "content": "Hello"}]'}
LONG = {"text": "It rained all night. " * 5_000, "chat": TURNS, "image": "tall.png"}
# How far the label that has the focus stands above the bar with Next; and the bar's place in the window.
ABOVE_THE_BAR = """() => document.querySelector(".turn").getBoundingClientRect().top
  - document.activeElement.closest("label").getBoundingClientRect().bottom"""


def a_tall_picture() -> Blob:
    """One pixel wide, 20,000 high."""
    stream = io.BytesIO()
    Image.new("RGB", (1, 20_000), "red").save(stream, "PNG")
    content = stream.getvalue()
    sha256 = hashlib.sha256(content).hexdigest()
    return Blob.objects.create(sha256=sha256, content_type="image/png", content=content)


def a_study_with(fields: dict[str, str], *blocks: dict[str, object], **changes: Any) -> Study:
    image = {"image": a_tall_picture()} if "image" in fields else {}
    things = [{"item_id": thing, "fields": {"thing": thing, **fields}, **image} for thing in ("fern", "brick", "raven")]
    stimulus = {"version": 1, "blocks": blocks} if blocks else {}
    settings = {"stimulus": stimulus, "labels": FIVE, "question": "Does it follow?", **changes}
    return a_study_of("choice", items=things, **settings)


def a_desk(browser: Browser, live_server: Any, **changes: Any) -> Page:
    window = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **changes}
    return browser.new_context(base_url=live_server.url, **window).new_page()


def box_of(page: Page, selector: str) -> dict[str, float]:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    x, y, width, height = box["x"], box["y"], box["width"], box["height"]
    return {"x": x, "y": y, "width": width, "height": height, "right": x + width, "bottom": y + height}


def is_whole_in_view(page: Page, selector: str) -> bool:
    box, window = box_of(page, selector), page.viewport_size
    assert window is not None
    return box["y"] >= 0 and box["bottom"] <= window["height"]


def test_a_question_begins_high_and_next_is_in_view_on_a_small_phone(browser: Browser, live_server: Any) -> None:
    page = a_phone(browser, live_server, width=360, height=640)
    study = a_study_with(
        SHORT,
        title="Colours of things that people know from their own kitchen, garden and their own street",
        instructions="Choose the answer that fits best.",
        consent="You agree to take part.",
    )
    begin(page, study)
    expect(page.locator(".progress [data-deadline]")).to_be_visible()
    assert box_of(page, "[data-stage] .question")["y"] < 150
    assert is_whole_in_view(page, ".turn button")
    assert box_of(page, "[data-stage] .offer:last-child")["bottom"] <= box_of(page, ".turn")["y"]
    page.locator("[data-stage] .offer").first.tap()
    go_on(page)
    expect(page.locator("[data-stage] .progress [data-deadline]")).to_be_visible()
    page.locator(".instructions summary").tap()
    expect(page.get_by_role("heading", name="What you agreed to")).to_be_visible()
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_block(browser: Browser, live_server: Any, scheme: Any) -> None:
    markdown: dict[str, object] = {"block": "markdown", "text": "### Context\n\n- {text}"}
    table: dict[str, object] = {"block": "table", "field": "table", "title": "Distances"}
    fields = {**SHORT, "table": '[{"city": "Lund", "km": 12.5}]', "image": "tall.png"}
    study = a_study_with(fields, TEXT, markdown, table, CHAT, ROW, PICTURE, instructions="#### How\n\nChoose.")
    for width in (360, 768, 1280):
        page = a_desk(browser, live_server, viewport={"width": width, "height": 800}, color_scheme=scheme)
        begin(page, study)
        page.locator(".instructions summary").click()
        look(page)
        page.context.close()


def test_answers_stay_beside_a_stimulus_of_any_length(browser: Browser, live_server: Any) -> None:
    page = a_desk(browser, live_server)
    begin(page, a_study_with(LONG, TEXT, PICTURE, CHAT))
    for share in (0, 0.5, 1):
        page.evaluate("share => scrollTo(0, share * (document.body.scrollHeight - innerHeight))", share)
        assert is_whole_in_view(page, "[data-stage] .item")
        assert is_whole_in_view(page, ".turn button")
        assert box_of(page, "[data-stage] .stimulus")["right"] < box_of(page, "[data-stage] .item")["x"]
        assert box_of(page, "[data-stage] .item")["bottom"] <= box_of(page, ".turn")["y"]
    assert box_of(page, "[data-stage] .stimulus img")["height"] < 900
    page.context.close()


def test_many_answers_beside_a_stimulus_are_scrolled_by_themselves(browser: Browser, live_server: Any) -> None:
    page = a_desk(browser, live_server)
    begin(page, a_study_with(SHORT, TEXT, labels=[f"label {number}" for number in range(40)]))
    last = page.locator("[data-stage] .offer input").last
    last.focus()
    assert page.evaluate(ABOVE_THE_BAR) > 0
    assert is_whole_in_view(page, ".turn button")
    page.context.close()


def test_a_phone_leads_past_a_long_stimulus_and_hides_nothing(browser: Browser, live_server: Any) -> None:
    page = a_phone(browser, live_server, width=360, height=640)
    begin(page, a_study_with(LONG, TEXT, PICTURE, CHAT))
    assert is_whole_in_view(page, ".turn button")
    page.get_by_role("link", name="To the question").tap()
    expect(page.locator("[data-stage] .question")).to_be_in_viewport()
    page.locator("[data-stage] .offer input").first.focus()
    for _label in FIVE[1:]:
        assert page.evaluate(ABOVE_THE_BAR) > 0
        page.keyboard.press("ArrowDown")
    page.evaluate("scrollTo(0, 0)")
    page.locator(".turn button").tap()
    expect(page.locator("[data-stage] .progress p").first).to_have_text("2 of 3")
    page.context.close()


@pytest.mark.parametrize(("width", "is_beside"), [(390, False), (639, False), (640, True), (1280, True)])
def test_a_row_stands_side_by_side_where_there_is_room(
    browser: Browser,
    live_server: Any,
    width: int,
    is_beside: bool,  # noqa: FBT001
) -> None:
    page = a_desk(browser, live_server, viewport={"width": width, "height": 800})
    begin(page, a_study_with(SHORT, ROW))
    first, second = (each.bounding_box() for each in page.locator(".side-by-side .block").all())
    assert first is not None
    assert second is not None
    assert (second["x"] >= first["x"] + first["width"]) == is_beside
    assert (second["y"] >= first["y"] + first["height"]) == (not is_beside)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    weights = page.locator(".block .lines").evaluate_all("all => all.map(one => getComputedStyle(one).fontWeight)")
    assert set(weights) == {"400"}
    page.context.close()


def test_each_text_runs_as_it_is_written(browser: Browser, live_server: Any) -> None:
    page = a_desk(browser, live_server)
    begin(page, a_study_with({**SHORT, "text": "أمطرت طوال الليل.\nالشارع مبتل."}, TEXT, CHAT, language="en"))
    assert page.locator(".block .lines").first.evaluate("one => getComputedStyle(one).direction") == "rtl"
    assert page.locator(".chat .lines").first.evaluate("one => getComputedStyle(one).direction") == "ltr"
    page.context.close()
