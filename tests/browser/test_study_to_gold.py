"""A study with checks of its own names, from the empty form to gold.csv, as a researcher and twelve people would."""

import csv
import re
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from annotation.jobs import run_job
from annotation.models import Job, Study
from annotation.releases.models import Exclusion
from tests.browser.people import go_on, line, question_shown, saved
from tests.browser.test_admin import sign_in
from tests.integration.researchers import a_released_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.both]
EXPECTED = Path(__file__).parents[1] / "cases" / "journeys" / "own-checks-gold.csv"
THINGS = ("robin", "sparrow", "eagle", "owl", "ostrich", "penguin")
TYPICAL = dict(zip(THINGS, (90, 80, 70, 60, 40, 30), strict=True))
CHECKS = {"bird": 100, "table": 0}
ITEMS = "item_id,object,category,kind,check,min,max\n" + "".join(
    [
        *(f"{thing},{thing},bird,,,,\n" for thing in THINGS),
        "a-bird,bird,bird,check,clearly,80,\n",
        "a-table,table,bird,check,never,,20\n",
    ]
)
CAREFUL = [{**{thing: number + shift for thing, number in TYPICAL.items()}, **CHECKS} for shift in range(-5, 5)]
RANDOM = [
    {**dict(zip(THINGS, (10, 95, 33, 77, 5, 64), strict=True)), "bird": 41, "table": 58},
    {**dict(zip(THINGS, (71, 12, 88, 3, 97, 26), strict=True)), "bird": 93, "table": 66},
]


def test_checks_of_ones_own_names_clean_the_gold_and_a_lift_survives_the_next_analysis(
    page: Page, browser: Browser, live_server: object, tmp_path: Path
) -> None:
    sign_in(page, a_released_study()[0])
    study = made_and_opened(page, tmp_path)
    link = open_link(page, study)
    for answers in CAREFUL + RANDOM:
        answered(browser, link, answers)
    first, second = list(study.participations.order_by("pk"))[10:]

    analysed(page, study)
    expect(page.get_by_role("link", name="2 of 12", exact=True)).to_be_visible()
    assert {each.participation for each in Exclusion.objects.in_force().filter(participation__study=study)} == {
        first,
        second,
    }
    page.goto(reverse("agreement:excluded", args=[study.uuid]))
    expect(page.get_by_text("answered 41, at least 80").first).to_be_visible()

    page.get_by_role("link", name=f"Include {first.pseudonym} again").click()
    page.get_by_label("Why").fill("was interrupted, and wrote to us")
    page.get_by_role("button", name="Include again").click()
    expect(
        page.get_by_text("6 judgments, which the exclusion had made necessary, are no longer needed.")
    ).to_be_visible()
    expect(page.get_by_text("Release 1 is out of date")).to_be_visible()
    assert study.open_places.count() == 6

    analysed(page, study)
    expect(page.get_by_role("heading", name="Gold release 2")).to_be_visible()
    expect(page.get_by_role("link", name="1 of 12", exact=True)).to_be_visible()
    assert study.releases.get(number=2).run.rule_set.name == "own-bounds"
    with page.expect_download() as waiting:
        page.get_by_role("link", name="gold.csv").click()
    waiting.value.save_as(tmp_path / "gold.csv")
    assert as_expected(tmp_path / "gold.csv") == as_expected(EXPECTED)
    cleaned_by_thresholds_of_ones_own(page, study)


def cleaned_by_thresholds_of_ones_own(page: Page, study: Study) -> None:
    """On the Clean page: the preview follows what is typed, a sweep shows the grid, and the rules are applied."""
    page.goto(reverse("agreement:clean", args=[study.uuid]))
    expect(page.get_by_role("heading", name="What these rules would do")).to_be_visible()
    expect(page.locator("[data-live-line]")).to_contain_text("1 of 12 workers excluded")
    page.locator("summary", has_text="1. Check items").click()
    rule = page.get_by_role("group", name="1. Check items")
    rule.get_by_label("Checks named").fill("clearly")
    expect(page.locator("[data-form-errors]")).to_contain_text("looks at the check items named never")
    rule.get_by_label("At least").fill("150")
    expect(rule.get_by_text("At least: 150, not a number from 0 to 100.")).to_be_visible()
    rule.get_by_label("At least").fill("95")
    expect(page.locator("summary", has_text="1. Check items")).to_contain_text("at least 95 % of the scale")
    page.get_by_text("Add a rule").click()
    page.get_by_role("button", name="Check items", exact=True).click()
    other = page.get_by_role("group", name="2. Check items")
    other.get_by_label("Checks named").fill("never")
    other.get_by_label("At most").fill("60")
    page.get_by_text("Name, checks that decide nothing").click()
    page.get_by_label("Name of the rule set").fill("mine")
    expect(other.get_by_label("At most")).to_have_value("60")  # what was typed while a preview was under way
    expect(page.locator("#id_toml")).to_have_value(re.compile(r'name = "mine".*min = 95.*max = 60', re.DOTALL))
    page.locator("summary", has_text="Sweep the thresholds").click()
    page.get_by_role("button", name="Sweep the thresholds").click()
    page.locator("[data-figure=threshold-sweep]").scroll_into_view_if_needed()
    expect(page.locator("[data-figure=threshold-sweep] svg")).to_be_visible()
    page.locator("summary", has_text="1. Check items").click()
    expect(page.get_by_role("group", name="1. Check items").get_by_label("At least")).to_have_value("95")
    page.get_by_role("button", name="Apply and analyse").click()
    page.get_by_text("It starts as soon as a worker is free.").first.wait_for()
    page.goto("about:blank")  # a page that sees the job end loads itself again, and would interrupt the next address
    run_job(Job.objects.get(kind="analyse", study=study, status="queued").pk)
    page.goto(reverse("agreement:results", args=[study.uuid]))
    expect(page.get_by_role("heading", name="Gold release 3")).to_be_visible()
    assert study.releases.get(number=3).run.rule_set.name == "mine"


def made_and_opened(page: Page, tmp_path: Path) -> Study:
    """From a template, with items from a file, quotas and places for twelve."""
    page.goto(reverse("admin:annotation_study_from_preset"))
    page.get_by_text("A preset with items, terms or a name of your own").click()
    page.locator("#id_preset").select_option("typicality")
    page.get_by_label("Short name").fill("birds")
    (tmp_path / "items.csv").write_text(ITEMS)
    page.locator("#id_items").set_input_files(tmp_path / "items.csv")
    page.get_by_role("button", name="Create the draft").click()
    page.get_by_text("was created as a draft with 8 items").wait_for()
    study = Study.objects.get(slug="birds")

    page.goto(reverse("admin:annotation_study_change", args=[study.pk]))
    page.get_by_role("button", name="People and pay").click()
    page.get_by_label("Judgments per item").fill("12")
    page.locator("#id_items_per_assignment").fill("6")  # the checks have a column of the same name
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("was changed successfully").wait_for()
    page.goto(reverse("admin:annotation_study_status", args=[study.pk, "live"]))
    page.get_by_role("button", name="Go live").click()
    page.get_by_text("is live now").wait_for()
    study.refresh_from_db()
    return study


def open_link(page: Page, study: Study) -> str:
    page.goto(reverse("admin:annotation_study_links", args=[study.pk]))
    page.get_by_role("button", name="Create an open link").click()
    return page.get_by_role("textbox", name="Open link").input_value()


def answered(browser: Browser, link: str, answers: dict[str, int]) -> None:
    """One person, in a browser of their own, by the keyboard."""
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(link)
    page.locator("main form button").click()
    page.locator("button[value=yes]").click()
    page.locator("main form button:not([value])").click()
    page.wait_for_url(re.compile(r"/a/[^/]+/\d+/$"))  # with its scripts
    for number in range(1, len(answers) + 1):
        page.get_by_text(f"{number} of {len(answers)}", exact=True).wait_for()
        said = question_shown(page)
        (thing,) = [thing for thing in answers if f"is “{thing}”?" in said]
        slide_to(page, answers[thing])
        saved(page)
        go_on(page)
    page.get_by_role("button", name="Submit").click()
    page.get_by_role("heading", name="Thank you").wait_for()
    context.close()


def slide_to(page: Page, number: int) -> None:
    line(page).focus()
    steps = number - 50
    for _ in range(abs(steps) // 10):
        page.keyboard.press("PageUp" if steps > 0 else "PageDown")
    for _ in range(abs(steps) % 10):
        page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")
    if not steps:
        page.keyboard.press(" ")


def analysed(page: Page, study: Study) -> None:
    page.goto(reverse("agreement:results", args=[study.uuid]))
    page.get_by_role("button", name=re.compile("Analyse (now|again)")).click()
    page.get_by_text("It starts as soon as a worker is free.").first.wait_for()
    releases = study.releases.count()
    run_job(Job.objects.get(kind="analyse", status=Job.Status.QUEUED).pk)
    page.get_by_role("heading", name=f"gold release {releases + 1}").wait_for()


def as_expected(path: Path) -> list[list[object]]:
    """The columns of the expected file, numbers as numbers to twelve digits."""
    with EXPECTED.open() as stream:
        columns = next(csv.reader(stream))
    with path.open(newline="") as stream:
        rows = sorted(csv.DictReader(stream), key=lambda row: row["item_id"])
    return [[row["item_id"], *(float(f"{float(row[name]):.12g}") for name in columns[1:])] for row in rows]
