"""A new researcher in a browser: from the log-in to a study that people can take part in, without the shell."""

import re
from typing import Any

import pytest
from axe_core_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import Browser, Page, Route, expect

from agreement.kinds.registry import KINDS
from annotation.models import AssignedItem, Judgment, Study
from tests.browser.people import slide_to_the_right
from tests.browser.test_admin import DESK, PHONE
from tests.integration.researchers import a_researcher, an_owned_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PASSWORD = "wall-nut-tree-9"
MOST_CLICKS, MOST_CLICKS_OF_A_PRESET = 8, 5
OWN_CSV = """item_id,left,right,habitat,attention_check
robin-penguin,robin,penguin,land,
robin-wren,robin,wren,land,
ostrich-penguin,ostrich,penguin,land,1
duck-swan,duck,swan,water,
"""


class Clicks:
    """Counts what is clicked; typing is not counted, as in the first count of 18."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, locator: Any) -> None:
        self.count += 1
        locator.click()


def log_in(page: Page, username: str) -> None:
    page.goto(reverse("admin:index"))
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Home", exact=True).wait_for()


def test_a_study_from_a_preset_runs_after_five_clicks(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    log_in(page, a_researcher().username)
    click = Clicks()
    click(page.get_by_role("link", name="New study", exact=True))
    click(page.get_by_role("button", name="How typical is it?"))
    click(page.get_by_role("link", name="Go on to launch"))
    expect(page.get_by_role("button", name="Go live")).to_be_in_viewport()
    click(page.get_by_label("I have read the lines marked"))
    click(page.get_by_role("button", name="Go live"))
    page.get_by_text("is live now. Create a link for people below.").wait_for()
    study = Study.objects.get()
    assert (study.preset, study.status, study.open_places.count()) == ("typicality", "live", 350)
    assert click.count <= MOST_CLICKS_OF_A_PRESET, click.count


def test_new_researcher_opens_a_study_in_few_clicks(page: Page) -> None:
    log_in(page, a_researcher().username)
    click = Clicks()
    click(page.get_by_role("link", name="New study", exact=True))
    click(page.get_by_role("link", name="Slider", exact=True))
    page.locator("#id_title").fill("How close are these birds?")
    page.locator("#id_question").fill("How similar are {left} and {right}?")
    click(page.get_by_role("button", name="Save", exact=True))
    page.get_by_label("Items", exact=True).fill("robin, penguin\nrobin, wren\nostrich, penguin")
    click(page.get_by_role("button", name="Add 3 items"))
    page.get_by_text("3 items were added").wait_for()
    click(page.get_by_role("button", name="Add these checks"))
    page.get_by_text("8 checks (unrelated and self) were added").wait_for()
    click(page.get_by_role("link", name="Launch", exact=True))
    click(page.get_by_label("I have read the lines marked"))
    click(page.get_by_role("button", name="Go live"))
    page.get_by_text("is live now").wait_for()
    study = Study.objects.get(slug="how-close-are-these-birds")
    assert (study.status, study.items.count(), study.open_places.count()) == ("live", 11, 30)
    assert click.count <= MOST_CLICKS, click.count


def test_items_pasted_before_the_script_is_there_are_looked_at(page: Page) -> None:
    log_in(page, a_researcher().username)
    page.goto(f"{reverse('admin:annotation_study_add')}?kind=slider")
    page.locator("#id_title").fill("Birds")
    page.locator("#id_question").fill("How similar are {left} and {right}?")
    held: list[Route] = []
    page.route("**/items*.js", lambda route: held.append(route))  # noqa: PLW0108  playwright marks what it calls
    page.get_by_role("button", name="Save", exact=True).click(no_wait_after=True)
    page.get_by_label("Items", exact=True).fill("robin, penguin\nrobin, wren")
    held[0].continue_()
    expect(page.get_by_role("button", name="Add 2 items")).to_be_visible()


def test_kind_shows_its_own_fields_and_its_labels_order_themselves(page: Page) -> None:
    log_in(page, a_researcher().username)
    page.goto(f"{reverse('admin:annotation_study_add')}?kind=slider")
    page.locator("#id_kind").select_option("choice")
    expect(page.locator("#id_scale_low")).to_be_hidden()
    values = page.locator("#labels-group tbody:not(.empty-form) input[name$=-value]")
    expect(values).to_have_count(3)
    page.get_by_role("button", name="Move this row down").first.click()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("heading", name="Add items", exact=True).wait_for()
    study = Study.objects.get()
    assert list(study.labels.order_by("position").values_list("value", flat=True)) == ["green", "red", "blue"]
    assert (study.scale_low, study.question) == (None, "Which colour does the {thing} have?")


def test_error_opens_the_section_that_has_it_and_its_link_leads_to_the_field(page: Page) -> None:
    study, _ = an_owned_study(live=False)
    assert study.owner is not None
    log_in(page, study.owner.username)
    page.goto(reverse("admin:annotation_study_change", args=[study.pk]))
    page.locator("#id_title").fill("Kept")
    page.get_by_role("button", name="People and pay").click()
    page.get_by_label("Pay", exact=True).fill("1.20")
    page.get_by_role("button", name="Question").click()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("heading", name="Not saved yet").wait_for()
    expect(page.get_by_label("Currency")).to_be_visible()
    expect(page.locator("#id_title")).to_have_value("Kept")
    page.get_by_role("button", name="Question").click()
    page.locator(".t-refusal a").click()
    expect(page.get_by_label("Currency")).to_be_focused()


def test_own_csv_is_understood_before_it_is_stored_and_runs(page: Page) -> None:
    log_in(page, a_researcher().username)
    click = Clicks()
    click(page.get_by_role("link", name="New study", exact=True))
    click(page.get_by_role("link", name="Slider", exact=True))
    click(page.get_by_role("button", name="Save", exact=True))
    page.locator("#add_file").set_input_files({"name": "own.csv", "mimeType": "text/csv", "buffer": OWN_CSV.encode()})
    page.get_by_role("heading", name="What was understood").wait_for()
    expect(page.get_by_role("row", name="attention_check")).to_contain_text("Looks like checks")
    expect(page.get_by_role("row", name="habitat")).to_contain_text("broken down")
    assert Axe().run(page)["violations"] == []
    study = Study.objects.get()
    assert not study.items.exists()
    click(page.get_by_role("button", name="Add 4 items"))
    click(page.get_by_role("button", name="Add these checks"))
    page.get_by_text("checks (unrelated and self) were added").wait_for()
    click(page.get_by_role("link", name="Launch", exact=True))
    click(page.get_by_label("I have read the lines marked"))
    click(page.get_by_role("button", name="Go live"))
    page.get_by_text("is live now").wait_for()
    assert study.items.targets().count() == 4
    assert click.count <= MOST_CLICKS, click.count


def test_question_takes_the_columns_of_a_csv_without_ids_and_what_is_pasted_later_is_meant(page: Page) -> None:
    log_in(page, a_researcher().username)
    page.goto(f"{reverse('admin:annotation_study_add')}?kind=slider")
    page.get_by_role("button", name="Save", exact=True).click()
    rows = b"word_1,word_2\nrobin,penguin\nrobin,wren\n"
    page.locator("#add_file").set_input_files({"name": "words.csv", "mimeType": "text/csv", "buffer": rows})
    page.get_by_role("button", name="Use this question").click()
    page.get_by_text("How similar are robin and wren?").wait_for()
    expect(page.locator("[data-question]")).to_have_text("How similar are {word_1} and {word_2}?")
    expect(page.get_by_role("button", name="Add 2 items")).to_be_in_viewport()
    assert Axe().run(page)["violations"] == []
    page.get_by_label("Items", exact=True).fill("word_1,word_2\nduck,swan")
    page.get_by_text("How similar are duck and swan?").wait_for()
    page.get_by_role("button", name="Add 1 item").click()
    page.get_by_role("heading", name="Proposed checks: 4 items").wait_for()
    assert Study.objects.get().items.get().fields == {"word_1": "duck", "word_2": "swan"}


def test_a_further_slider_begins_with_a_scale_and_nothing_of_the_form_overlaps(page: Page) -> None:
    log_in(page, a_researcher().username)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{reverse('admin:annotation_study_add')}?kind=choice")
    box = {name: page.locator(f"#id_labels-0-{name}").bounding_box() for name in ("value", "display_text")}
    assert box["value"] is not None
    assert box["display_text"] is not None
    assert box["value"]["x"] + box["value"]["width"] <= box["display_text"]["x"]
    page.get_by_text("Further questions", exact=True).click()
    page.locator("#id_further_questions-0-kind").select_option("slider")
    expect(page.locator("#id_further_questions-0-scale_high")).to_have_value("100")
    page.locator("#id_further_questions-0-question_name").fill("clear")
    page.locator("#id_further_questions-0-question").fill("How clear is it?")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("heading", name="Add items").wait_for()
    page.goto(f"{reverse('admin:annotation_study_change', args=[Study.objects.get().pk])}#roles-group")
    expect(page.get_by_text("Shared with")).to_be_in_viewport()
    before, preview = page.locator(".t-before").bounding_box(), page.locator(".t-live-preview").bounding_box()
    assert before is not None
    assert preview is not None
    assert before["y"] + before["height"] <= preview["y"]


@pytest.mark.parametrize(("viewport", "scheme"), [(PHONE, "dark"), (DESK, "light")])
def test_form_is_shown_as_people_see_it_while_it_is_typed(
    viewport: Any, scheme: Any, browser: Browser, live_server: Any
) -> None:
    context = browser.new_context(
        base_url=live_server.url, viewport=viewport, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    log_in(page, a_researcher().username)
    page.goto(reverse("admin:annotation_study_from_preset"))
    assert Axe().run(page)["violations"] == []
    page.get_by_role("link", name="Choice", exact=True).click()
    inside = page.frame_locator(".t-phone iframe:not(.t-coming)")
    inside.get_by_text("Which colour does the ‹thing› have?").wait_for()
    page.locator("#id_question").fill("What is {this} made of? <b>bold</b>")
    page.locator("#id_labels-0-value").fill("wood")
    inside.get_by_text("What is ‹this› made of? <b>bold</b>").wait_for()
    inside.get_by_label("wood").wait_for()
    page.get_by_role("button", name="Texts").click()
    page.locator("#id_instructions").fill("# Look closely")
    inside.get_by_role("heading", name="Look closely").wait_for()
    assert Axe().run(page)["violations"] == []
    assert page.evaluate("history.length") <= 5
    assert not Study.objects.exists()
    context.close()


def test_preview_is_walked_through_like_the_study_and_stores_nothing(page: Page) -> None:
    study, _ = an_owned_study(live=False, items_per_assignment=2)
    study.check_quotas.all().delete()
    assert study.owner is not None
    log_in(page, study.owner.username)
    page.goto(reverse("admin:annotation_study_preview", args=[study.pk]))
    inside = page.frame_locator("[data-preview]")
    # By keyboard: on a busy machine Chromium drops a click on a frame that it hasn't drawn yet.
    inside.get_by_role("button", name="Continue").press("Enter")
    inside.get_by_role("button", name="I agree to take part").press("Enter")
    expect(page.get_by_role("link", name="Instructions")).to_have_attribute("aria-current", "page")
    inside.get_by_role("button", name="Begin").press("Enter")
    for number in (1, 2):
        inside.get_by_text(f"{number} of 2", exact=True).wait_for()
        expect(page.get_by_role("link", name=f"Page {number}", exact=True)).to_have_attribute("aria-current", "page")
        slide_to_the_right(inside)
        inside.get_by_role("button", name="Next").press("Enter")
    inside.get_by_role("button", name="Submit").press("Enter")
    inside.get_by_role("heading", name="Thank you").wait_for()
    page.get_by_role("link", name="Back", exact=True).click()
    inside.get_by_role("button", name="Submit").wait_for()
    page.get_by_role("link", name="Computer").click()
    expect(page.locator("[data-device]")).to_have_class(re.compile("t-device-desktop"))
    assert Axe().run(page)["violations"] == []
    assert not Judgment.objects.exists()
    assert not AssignedItem.objects.exists()
    page.get_by_role("link", name="Setup", exact=True).click()
    page.locator("#id_title").wait_for()


def test_back_leads_from_the_page_that_is_seen_before_all_of_it_is_loaded(page: Page) -> None:
    study, _ = an_owned_study(live=False)
    assert study.owner is not None
    log_in(page, study.owner.username)

    def with_a_picture_that_never_comes(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("</main>", '<img src="/never.png"></main>'))

    page.route("**/never.png", lambda _route: None)
    page.route("**/preview/*/done/", with_a_picture_that_never_comes)
    page.goto(f"{reverse('admin:annotation_study_preview', args=[study.pk])}?page=finish")
    inside = page.frame_locator("[data-preview]")
    inside.get_by_role("button", name="Submit").wait_for()
    page.get_by_role("link", name="Next", exact=True).click()
    inside.get_by_role("heading", name="Thank you").wait_for()
    page.get_by_role("link", name="Back", exact=True).click()
    inside.get_by_role("button", name="Submit").wait_for()


def test_labels_that_nobody_typed_over_follow_the_kind_and_moved_rows_stay_when_the_form_is_refused(page: Page) -> None:
    log_in(page, a_researcher().username)
    page.goto(f"{reverse('admin:annotation_study_add')}?kind=slider")
    page.locator("#id_kind").select_option("choice")
    page.locator("#id_kind").select_option("verify")
    values = page.locator("#labels-group tbody:not(.empty-form) input[name$=-value]")
    first = [values.nth(at).input_value() for at in range(2)]
    assert first == list(KINDS["verify"].first_labels)
    page.get_by_role("button", name="Move this row down").first.click()
    page.get_by_role("button", name="People and pay").click()
    page.get_by_text("Fee, other codes and retention").click()
    page.get_by_label("Retention days").fill("999999999")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("link", name="Retention days").wait_for()
    assert page.get_by_text("Give a number from 0 to 365,250.").count() == 2
    page.get_by_role("button", name="Question", exact=True).click()
    assert [values.nth(at).input_value() for at in range(2)] == first[::-1]
