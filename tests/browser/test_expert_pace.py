"""Expert pace by keys: the next item comes by itself; undo, skip, flag and comment; pages fetched ahead."""

from collections.abc import Sequence
from time import monotonic, sleep
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from annotation.models import Judgment, Note, Study
from annotation.releases.from_database.judgment_rows import counted_judgments
from tests.browser.people import another, begin, number_shown, saved, until
from tests.browser.test_access import look, looks
from tests.integration.annotation.answering.views.people import COLOURS, a_study_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def things(count: int) -> list[dict[str, Any]]:
    return [{"item_id": f"i{number}", "fields": {"thing": f"thing {number}"}} for number in range(1, count + 1)]


def an_expert_study(kind: str = "choice", count: int = 3, **changes: Any) -> Study:
    return a_study_of(kind, items=things(count), items_per_assignment=count, pace="expert", **changes)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def ready(page: Page) -> None:
    page.locator("[data-expert]:not([hidden])").wait_for()


def labels() -> Sequence[str | None]:
    current = Judgment.objects.current().order_by("assigned_item__position")
    return list(current.values_list("label", flat=True))


def revisions(position: int) -> list[tuple[str | None, str | None]]:
    rows = Judgment.objects.filter(assigned_item__position=position).order_by("revision")
    return list(rows.values_list("label", "no_answer"))


@pytest.mark.parametrize(("items", "seconds_a_key"), [(20, 0.0), pytest.param(60, 0.3, marks=pytest.mark.prove)])
def test_an_item_takes_one_key(page: Page, items: int, seconds_a_key: float) -> None:
    begin(page, an_expert_study(count=items))
    ready(page)
    started = monotonic()
    for number in range(items):
        press(page, str(1 + number % 3))
        sleep(seconds_a_key)
    page.wait_for_url("**/finish/")
    took = monotonic() - started
    assert labels() == [COLOURS[number % 3] for number in range(items)]
    print(f"{items} items by {items} keys in {took:.0f} s, at {seconds_a_key} s a key")
    assert not seconds_a_key or took < 40


@pytest.mark.parametrize("items", [30, pytest.param(1000, marks=pytest.mark.prove)])
def test_every_answer_counts_though_the_network_is_cut_twice(browser_context: BrowserContext, items: int) -> None:
    """The longer one comes to the last page that is here, and waits there for the network."""
    page = another(browser_context)
    begin(page, an_expert_study(count=items))
    ready(page)
    cuts = [range(items // 3, items // 3 + min(150, items // 6)), range(items // 2, items // 2 + min(70, items // 5))]
    answers, edges = [], 0
    for number in range(items):
        if number in {cut.start for cut in cuts}:
            browser_context.set_offline(True)
        if number in {cut.stop for cut in cuts}:
            browser_context.set_offline(False)
        if number and number_shown(page) != f"{number + 1} of {items}":
            if not page.evaluate("navigator.onLine"):
                expect(page.locator("[data-status]")).to_contain_text("The next questions can't be loaded yet")
                press(page, "1", "2")  # to no item: these are for none that is shown
                browser_context.set_offline(False)
                edges += 1
            until(page, lambda: number_shown(page) == f"{number + 1} of {items}", "the next page")  # noqa: B023
        answers.append(COLOURS[number * 7 % 3])
        press(page, str(1 + number * 7 % 3))
    page.wait_for_url("**/finish/")
    assert labels() == answers
    assert counted_judgments(Study.objects.get()).count() == items
    print(f"{items} of {items} answers counted, the network cut twice and {edges} times at the last page that was here")


def test_undo_restores_what_was_before_as_a_revision(page: Page) -> None:
    begin(page, an_expert_study())
    ready(page)
    press(page, "1", "2")
    saved(page)
    expect(page.locator("[data-stage] .question")).to_be_focused()
    press(page, "u")
    assert number_shown(page) == "2 of 3"
    expect(page.locator("[data-stage] input:checked")).to_have_count(0)
    press(page, "u")
    assert number_shown(page) == "1 of 3"
    saved(page)
    press(page, "3")
    saved(page)
    press(page, "ArrowLeft", "2")
    saved(page)
    press(page, "u")
    assert number_shown(page) == "1 of 3"
    expect(page.get_by_label("red")).to_be_checked()
    saved(page)
    assert revisions(1) == [("blue", None), (None, "taken-back"), ("red", None), ("green", None), ("red", None)]
    assert revisions(2) == [("green", None), (None, "taken-back")]
    page.goto(page.url.rsplit("/", 2)[0] + "/finish/")
    expect(page.get_by_role("link", name="Question 2")).to_be_visible()
    expect(page.get_by_role("link", name="Question 1")).to_have_count(0)


def test_skip_flag_and_comment(page: Page) -> None:
    begin(page, an_expert_study())
    ready(page)
    press(page, "f", "c")
    page.keyboard.type("it is 1 of 2, for s and u")
    press(page, "Control+Enter", "Escape", "s", "2")
    assert number_shown(page) == "2 of 3"
    press(page, "ArrowLeft")
    expect(page.locator("[data-marks]")).to_have_text("Skipped: It can't be decided · Flagged · Commented")
    saved(page)
    note = Note.objects.get()
    assert (note.skip_reason, note.is_flagged, note.comment) == ("undecidable", True, "it is 1 of 2, for s and u")
    assert revisions(1) == [(None, "skipped")]
    press(page, "2")
    saved(page)
    assert revisions(1) == [(None, "skipped"), ("green", None)]
    page.reload()
    ready(page)
    press(page, "ArrowLeft")
    expect(page.locator("[data-marks]")).to_have_text("Flagged · Commented")
    expect(page.locator("[data-note] textarea")).to_have_value("it is 1 of 2, for s and u")


def test_keys_of_sliders_and_texts(page: Page) -> None:
    begin(page, an_expert_study("sliders", count=2, labels=["red", "green"]))
    ready(page)
    press(page, "7", "5", "Enter", "0", "Enter")
    assert number_shown(page) == "2 of 2"
    saved(page)
    assert Judgment.objects.current().get().numbers == {"red": 75, "green": 100}
    begin(page, an_expert_study("text", count=2))
    ready(page)
    page.keyboard.type("suf")
    press(page, "Control+Enter")
    assert number_shown(page) == "2 of 2"
    expect(page.locator("[data-stage] [data-typed]")).to_be_focused()
    press(page, "Escape", "ArrowLeft")
    assert number_shown(page) == "1 of 2"


def test_arrows_in_a_group_of_labels_choose_and_stay(page: Page) -> None:
    begin(page, an_expert_study())
    ready(page)
    page.get_by_label("blue").focus()
    press(page, "ArrowDown", "ArrowRight")
    expect(page.get_by_label("red")).to_be_checked()
    assert number_shown(page) == "1 of 3"
    press(page, "Enter")
    assert number_shown(page) == "2 of 3"


def test_keys_can_be_switched_off(page: Page) -> None:
    study = an_expert_study()
    begin(page, study)
    ready(page)
    press(page, "?")
    page.get_by_label("Use these keys on this device").uncheck()
    press(page, "Escape", "1", "n", "s")
    assert number_shown(page) == "1 of 3"
    expect(page.locator("[data-stage] input:checked")).to_have_count(0)
    page.reload()
    ready(page)
    press(page, "1")
    expect(page.locator("[data-stage] input:checked")).to_have_count(0)
    page.get_by_label("red").click()
    assert number_shown(page) == "2 of 3"


def test_overview_leads_to_every_item_by_its_state(page: Page) -> None:
    begin(page, an_expert_study(count=130))
    ready(page)
    press(page, "1", "s", "1", "f", "o")
    sheet = page.locator("[data-overview]")
    expect(sheet.locator("[data-all] a")).to_have_count(130)
    states = ("open", "answered", "skipped", "flagged")
    assert [sheet.locator(f"[data-show={name}] b").inner_text() for name in states] == ["128", "1", "1", "1"]
    sheet.locator("[data-show=flagged]").click()
    expect(sheet.locator("[data-all] a")).to_have_text(["3"])
    sheet.locator("[data-show=all]").click()
    sheet.get_by_role("link", name="128", exact=False).click()
    until(page, lambda: number_shown(page) == "128 of 130", "the page far away")
    press(page, "2")
    assert number_shown(page) == "129 of 130"
    saved(page)
    assert Judgment.objects.current().filter(label="green").get().assigned_item.position == 128


def test_digits_on_a_page_of_several_items_go_to_the_next_open_one(page: Page) -> None:
    begin(page, a_study_of("choice", items=things(5), items_per_page=5))
    page.locator(".has-script").wait_for()
    press(page, "1", "2", "3", "1", "2")
    saved(page)
    until(page, lambda: labels() == ["blue", "green", "red", "blue", "green"], "five answers")


def test_pages_beyond_the_first_ones_are_fetched_and_the_edge_says_so(browser_context: BrowserContext) -> None:
    page = another(browser_context)
    begin(page, a_study_of("choice", items=things(130), items_per_assignment=130))
    with page.expect_response("**/pages/62/"):
        press(page, *["1", "Enter"] * 40)
    browser_context.set_offline(True)
    press(page, *["2", "Enter"] * 84)
    expect(page.locator("[data-status]")).to_contain_text("The next questions can't be loaded yet")
    assert number_shown(page) == "121 of 130"
    browser_context.set_offline(False)
    for number in range(122, 131):
        until(page, lambda: number_shown(page) == f"{number} of 130", "the page")  # noqa: B023
        press(page, "3", "Enter")
    page.wait_for_url("**/finish/")
    assert labels() == ["blue"] * 40 + ["green"] * 81 + ["red"] * 9


def test_axe_finds_nothing_on_what_only_expert_pace_has(browser: Browser, live_server: Any) -> None:
    for page in looks(browser, live_server):
        begin(page, an_expert_study(count=20))
        ready(page)
        press(page, "1", "f", "s", "2", "3", "f", "c")
        page.keyboard.type("two at once")
        press(page, "Escape")
        look(page)
        press(page, "?")
        look(page)
        press(page, "Escape", "o")
        page.locator("[data-all] a").first.wait_for()
        look(page)
        page.context.close()
