"""Media on the page: nothing moves when a picture comes late, answers wait for what is to be seen and heard."""

import re
from typing import Any

import pytest
from axe_core_python.sync_playwright import Axe
from playwright.sync_api import Browser, Route, expect

from annotation.models import Judgment, Study
from tests import tiny_media as tiny
from tests.browser.people import a_phone, begin, go_on, saved
from tests.integration.annotation.answering.views.media import a_media_study
from tests.integration.annotation.answering.views.test_media import a_pair_study, a_sound_study, two_pictures

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# Shifts that nobody caused, as browsers count them.
WATCH = """() => { window.shift = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true }); }"""
HELD_MS = 5_000


def a_study_of_one_picture() -> Study:
    """Without blocks, as studies were before them."""
    return a_media_study([], {"left.png": two_pictures(1200)["left.png"]}, "item_id,thing,image\na,fern,left.png\n")


@pytest.mark.parametrize("make", [a_study_of_one_picture, a_pair_study])
@pytest.mark.parametrize("width", [390, 1280])
def test_a_picture_that_comes_five_seconds_late_moves_nothing_and_starts_the_clock(
    make: Any, width: int, browser: Browser, live_server: Any
) -> None:
    page = a_phone(browser, live_server, width=width)
    begin(page, make())
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(re.compile("picture/"), hold)
    page.goto(page.url, wait_until="commit")
    page.locator(".has-script").wait_for()
    page.evaluate(WATCH)
    waits, answers = page.locator("[data-stage] [data-waits]"), page.locator("[data-stage] [data-answers]")
    expect(waits).to_have_text("You can answer once everything is loaded.")
    assert answers.evaluate("each => each.inert")
    page.keyboard.press("1")
    go_on(page)
    problem = page.locator("[data-stage] .item > [data-problem]")
    expect(problem).to_have_text("You can answer once everything is loaded.")
    page.wait_for_timeout(HELD_MS)
    for route in held:
        route.continue_()
    expect(answers).not_to_have_attribute("inert", "")
    expect(waits).to_have_text("")
    expect(problem).to_be_hidden()
    assert page.evaluate("window.shift") < 0.02
    page.locator("[data-stage] label.offer").first.click()
    saved(page)
    assert (Judgment.objects.get().response_ms or HELD_MS) < HELD_MS
    page.context.close()


def test_a_sound_is_played_to_its_end_by_the_keyboard_before_it_is_answered(browser: Browser, live_server: Any) -> None:
    page = a_phone(browser, live_server)
    begin(page, a_sound_study())
    sound, answers = page.locator("[data-stage] audio"), page.locator("[data-stage] [data-answers]")
    expect(page.locator("[data-stage] [data-waits]")).to_have_text("Please play it to its end before you answer.")
    assert answers.evaluate("each => each.inert")
    sound.focus()
    page.keyboard.press("Space")
    expect(answers).not_to_have_attribute("inert", "")
    page.locator("[data-stage] label.offer").first.click()
    saved(page)
    assert Judgment.objects.get().media_use == {"clip": {"started": 1, "ended": 1}}
    page.locator("[data-stage] summary").click()
    expect(page.locator("[data-stage] .transcript .lines")).to_be_visible()
    assert Axe().run(page)["violations"] == []
    page.context.close()


def test_who_drags_the_handle_to_the_end_has_not_played_it(browser: Browser, live_server: Any) -> None:
    study = a_media_study(
        [{"block": "audio", "field": "clip", "must_play": True}],
        {"a.wav": tiny.wav(30)},
        "item_id,clip\na,a.wav\n",
    )
    page = a_phone(browser, live_server)
    begin(page, study)
    page.locator("[data-stage] audio").evaluate("each => { each.currentTime = 29.5; return each.play(); }")
    page.locator("[data-stage] audio").evaluate(
        "each => each.ended || new Promise((resolve) => { each.onended = resolve; })"
    )
    assert page.locator("[data-stage] [data-answers]").evaluate("each => each.inert")
    page.context.close()


def test_a_sound_that_does_not_come_can_be_asked_for_again_or_given_up(browser: Browser, live_server: Any) -> None:
    page = a_phone(browser, live_server)
    study = a_sound_study()
    page.route(re.compile("/medium/"), lambda route: route.abort())
    begin(page, study)
    sorry = page.locator("[data-stage] figcaption")
    expect(sorry).to_contain_text("The sound could not be loaded.")
    page.unroute(re.compile("/medium/"))
    sorry.get_by_role("button", name="Try again").click()
    expect(sorry).to_be_hidden()
    page.get_by_label("I can't hear the sound").check()
    saved(page)
    row = Judgment.objects.get()
    assert (row.could_not_see, (row.media_use or {})["clip"]["not_perceived"]) == (True, 1)
    page.context.close()


def test_without_script_a_sound_plays_and_its_answer_is_taken(browser: Browser, live_server: Any) -> None:
    page = a_phone(browser, live_server, java_script_enabled=False)
    begin(page, a_sound_study())
    assert page.locator("[data-stage] audio").get_attribute("controls") == ""
    page.locator("[data-stage] label.offer").first.click()
    go_on(page)
    expect(page.locator("[data-stage] audio")).to_have_count(1)
    assert Judgment.objects.get().media_use is None
    page.context.close()


RECORD = """async (type) => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [64, 48];
  const context = canvas.getContext("2d"), stream = canvas.captureStream(25), pieces = [];
  const recorder = new MediaRecorder(stream, { mimeType: type });
  recorder.ondataavailable = ({ data }) => pieces.push(data);
  const ended = new Promise((resolve) => { recorder.onstop = resolve; });
  recorder.start();
  for (let step = 0; step < 20; step += 1) {
    context.fillStyle = `hsl(${step * 18} 80% 50%)`;
    context.fillRect(0, 0, 64, 48);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  recorder.stop();
  await ended;
  return [...new Uint8Array(await new Blob(pieces).arrayBuffer())];
}"""


def test_a_video_that_a_browser_recorded_still_plays_once_it_is_stripped(browser: Browser, live_server: Any) -> None:
    page = a_phone(browser, live_server)
    page.goto("/")
    content = bytes(page.evaluate(RECORD, "video/webm;codecs=vp8"))
    study = a_media_study(
        [{"block": "video", "field": "film", "must_play": True}], {"a.webm": content}, "item_id,film\na,a.webm\n"
    )
    begin(page, study)
    film = page.locator("[data-stage] video")
    assert film.evaluate("each => each.width / each.height") == pytest.approx(64 / 48)
    film.evaluate("each => each.play()")
    expect(page.locator("[data-stage] [data-answers]")).not_to_have_attribute("inert", "")
    page.context.close()
