"""Signs that a person answered, in a browser: what is counted, and that ordinary use of any kind is no sign."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from agreement.kinds.signs import NAMES, flags_of
from annotation.models import AnswerSigns, Study
from tests.browser.people import a_phone, begin, go_on, put, saved, tap, until
from tests.integration.annotation.answering.views.people import a_study_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BY_A_PERSON = "Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })"
LEAVE_AND_COME_BACK = """async () => {
  let isHidden = true;
  Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
  document.dispatchEvent(new Event("visibilitychange"));
  await new Promise((done) => setTimeout(done, 300));
  isHidden = false;
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def a_counting_study(kind: str = "slider", **changes: Any) -> Study:
    return a_study_of(kind, counts_signs=True, **changes)


def counts(page: Page, answers: int = 1) -> dict[str, int]:
    """Of the newest answer, once so many are stored."""
    until(page, lambda: AnswerSigns.objects.count() >= answers, "no signs were stored")
    row = AnswerSigns.objects.latest("pk")
    return {name: getattr(row, name) for name in NAMES}


def text_box(page: Page) -> Any:
    return page.locator("[data-stage] textarea").first


def paste(page: Page, text: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    text_box(page).focus()
    page.keyboard.press("Control+V")


@pytest.fixture
def person(page: Page) -> Page:
    """A tab whose browser doesn't say that a program controls it."""
    page.add_init_script(BY_A_PERSON)
    return page


def test_a_browser_under_a_programs_control_is_flagged(page: Page) -> None:
    begin(page, a_counting_study())
    put(page, 0.5)
    saved(page)
    assert [flag.sign.name for flag in flags_of(counts(page))] == ["webdriver"]


def test_a_mouse_is_no_sign(person: Page) -> None:
    begin(person, a_counting_study())
    for share in (0.3, 0.6, 0.6):
        put(person, share)
    go_on(person)
    put(person, 0.4)
    saved(person)
    assert counts(person, 2)["clicks"] >= 1
    assert not any(flags_of({name: getattr(row, name) for name in NAMES}) for row in AnswerSigns.objects.all())
    assert set(AnswerSigns.objects.values_list("unmoved_clicks", "untrusted_events")) == {(0, 0)}


def test_a_finger_is_no_sign(browser: Browser, live_server: Any) -> None:
    phone = a_phone(browser, live_server)
    phone.add_init_script(BY_A_PERSON)
    begin(phone, a_counting_study())
    tap(phone, 0.7)
    saved(phone)
    assert set(counts(phone).values()) == {0}
    phone.context.close()


@pytest.mark.parametrize("kind", ["slider", "choice"])
def test_a_keyboard_is_no_sign(kind: str, person: Page) -> None:
    begin(person, a_counting_study(kind))
    if kind == "slider":
        person.locator("[data-stage] input[type=range]").first.press("ArrowRight")
    else:
        person.keyboard.press("1")
    saved(person)
    stored = counts(person)
    assert (stored["untrusted_events"], stored["unmoved_clicks"], flags_of(stored)) == (0, 0, [])


def test_a_screen_reader_is_no_sign(person: Page) -> None:
    """It asks the browser for a control's own action, through its tree of accessible objects, and no pointer moves."""
    begin(person, a_counting_study("choice"))
    option = person.locator("[data-stage] [data-offered] input").first
    option.focus()
    option.press("Space")
    saved(person)
    assert flags_of(counts(person)) == []


def test_clicks_by_a_script_are_counted(person: Page) -> None:
    begin(person, a_counting_study("choice"))
    person.evaluate("document.querySelector('[data-stage] [data-offered] input').click()")
    saved(person)
    stored = counts(person)
    assert stored["untrusted_events"] >= 1
    assert [flag.sign.name for flag in flags_of(stored)] == ["untrusted_events"]


def test_clicks_at_places_to_which_no_pointer_moved_are_counted(person: Page) -> None:
    """As software presses that works on the screen's coordinates and moves nothing."""
    begin(person, a_counting_study("choice"))
    session = person.context.new_cdp_session(person)
    for option in person.locator("[data-stage] [data-offered] label").all():
        box = option.bounding_box()
        assert box is not None
        where = {"x": box["x"] + 20, "y": box["y"] + box["height"] / 2, "button": "left", "clickCount": 1}
        for name in ("mousePressed", "mouseReleased"):
            session.send("Input.dispatchMouseEvent", {"type": name, **where})
    saved(person)
    until(person, lambda: AnswerSigns.objects.latest("pk").clicks == 3, "the clicks were not counted")
    stored = counts(person)
    # Where the pointer was before the first of them, nobody knows.
    assert (stored["unmoved_clicks"], stored["untrusted_events"]) == (2, 0)


def test_long_pastes_from_outside_are_counted_by_number_and_length_alone(person: Page) -> None:
    begin(person, a_counting_study("text"))
    paste(person, "x" * 150)
    person.keyboard.press("Tab")
    saved(person)
    stored = counts(person)
    assert (stored["long_pastes"], stored["pasted_characters"]) == (1, 150)


def test_short_pastes_and_own_words_are_no_sign(person: Page) -> None:
    begin(person, a_counting_study("text"))
    paste(person, "y" * 20)
    text_box(person).fill("z" * 130)
    text_box(person).press("Control+A")
    person.keyboard.press("Control+X")
    person.keyboard.press("Control+V")
    person.keyboard.press("Tab")
    saved(person)
    assert counts(person)["long_pastes"] == 0


def test_copying_a_question_and_leaving_is_counted_once_and_so_is_the_time_away(person: Page) -> None:
    begin(person, a_counting_study())
    person.evaluate(
        """() => document.getSelection().selectAllChildren(document.querySelector("[data-stage] legend"))"""
    )
    person.keyboard.press("Control+C")
    person.evaluate(LEAVE_AND_COME_BACK)
    person.evaluate(LEAVE_AND_COME_BACK)
    put(person, 0.4)
    saved(person)
    stored = counts(person)
    assert stored["copied_and_left"] == 1
    assert 500 <= stored["hidden_ms"] < 60_000


def test_each_item_has_its_own_counts(person: Page) -> None:
    begin(person, a_counting_study("choice", items_per_page=3))
    items = person.locator("[data-stage] [data-item]")
    items.nth(1).locator("[data-offered] input").first.focus()
    person.evaluate(LEAVE_AND_COME_BACK)
    for index in range(3):
        items.nth(index).locator("[data-offered] input").first.press("Space")
    saved(person)
    until(person, lambda: AnswerSigns.objects.count() == 3, "not all were stored")
    by_position = AnswerSigns.objects.order_by("assigned_item__position").values_list("hidden_ms", flat=True)
    assert [ms > 0 for ms in by_position] == [False, True, False]


def test_nothing_is_sent_or_loaded_where_it_is_off(person: Page) -> None:
    asked: list[str] = []
    sent: list[str] = []
    person.on("request", lambda request: asked.append(request.url))
    person.on("request", lambda request: sent.append(request.post_data or ""))
    begin(person, a_study_of("slider"))
    put(person, 0.4)
    saved(person)
    assert not [url for url in asked if "signs.js" in url]
    assert not [body for body in sent if "sign_" in body]


def test_nothing_is_counted_before_consent(person: Page) -> None:
    asked: list[str] = []
    person.on("request", lambda request: asked.append(request.url))
    study = a_counting_study()
    person.goto(f"/take/{study.slug}/?PROLIFIC_PID=early&STUDY_ID=st&SESSION_ID=s1")
    person.locator("main form button").click()
    person.get_by_text("What this study counts while you answer").wait_for()
    assert not [url for url in asked if "signs.js" in url]
    assert re.search("/consent/", person.url)
