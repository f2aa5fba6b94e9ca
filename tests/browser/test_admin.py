"""A researcher in a browser: signs in, sets up a study, follows an analysis, reads the results, downloads the gold."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from axe_core_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from annotation.entry.links import make_invitations, make_open_link
from annotation.jobs import run_job
from annotation.models import AuditEntry, Job, Study, User
from annotation.people.payment_groups import GROUPS
from annotation.people.payment_lists import FROM
from annotation.releases.models import GoldRelease
from annotation.studies import presets
from annotation.studies.study_life import create_study
from tests.factories import per_assignment_done
from tests.integration.researchers import a_judged_study, a_released_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PASSWORD = "wall-nut-tree-9"
ANNOTATION = ("study", "item", "participation", "judgment", "auditentry", "job", "payment")
AGREEMENT = ("cleaningrun", "verdict", "exclusion", "goldrelease", "storedruleset")
PLANNED = "source=simulated&goal=alpha&target=0.1&items=66&items_per_person=9"
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 800}


def sign_in(page: Page, study: Study) -> None:
    page.goto(reverse("admin:index"))
    page.get_by_label("Username").fill(User.objects.get(studies=study).username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="Home", exact=True).wait_for()


def test_researcher_signs_in_reads_the_results_and_downloads_the_gold(page: Page, tmp_path: Path) -> None:
    study, release, _ = a_released_study()
    sign_in(page, study)
    page.get_by_role("link", name=study.title, exact=True).first.click()
    expect(page.get_by_role("heading", name="Who is out, and why")).to_be_visible()
    expect(page.get_by_text("answered 95, at most 60").first).to_be_visible()
    with page.expect_download() as waiting:
        page.get_by_role("link", name="gold.csv").click()
    waiting.value.save_as(tmp_path / "gold.csv")
    assert waiting.value.suggested_filename == f"{study.slug}-release-1-gold.csv"
    assert hashlib.sha256((tmp_path / "gold.csv").read_bytes()).hexdigest() == release.sha256
    assert AuditEntry.objects.filter(action=AuditEntry.Action.EXPORTED, by=study.owner).count() == 1


def test_page_follows_an_analysis_until_it_is_done(page: Page) -> None:
    study, _ = a_judged_study(people=2)
    per_assignment_done(study, is_careful=True)
    sign_in(page, study)
    page.goto(reverse("agreement:results", args=[study.uuid]))
    page.get_by_role("button", name="Analyse now").click()
    page.get_by_text("It starts as soon as a worker is free.").wait_for()
    run_job(Job.objects.get().pk)
    page.get_by_role("heading", name="Gold release 1").wait_for()
    assert GoldRelease.objects.get().study == study


def test_study_is_set_up_from_a_preset_with_the_keyboard_alone(page: Page) -> None:
    study, _, _ = a_released_study()
    sign_in(page, study)
    page.goto(reverse("admin:annotation_study_from_preset"))
    page.get_by_text("A preset with items, terms or a name of your own").focus()
    page.keyboard.press("Enter")
    page.locator("#id_preset").select_option("spatial-similarity")
    page.get_by_label("Short name").focus()
    page.keyboard.type("made-by-keys")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="People and pay").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Pay", exact=True).fill("1.20")
    page.get_by_label("Currency").fill("GBP")
    page.keyboard.press("Enter")
    page.get_by_text("was changed successfully").wait_for()
    page.goto(reverse("admin:annotation_study_status", args=[Study.objects.get(slug="made-by-keys").pk, "live"]))
    page.get_by_label("Why").fill("ready")
    page.get_by_role("button", name="Go live").click()
    page.get_by_text("is live now").wait_for()
    made = Study.objects.get(slug="made-by-keys")
    assert (str(made.pay), made.currency, made.status) == ("1.20", "GBP", "live")


def test_list_is_filtered_with_the_keyboard_alone(page: Page) -> None:
    study, _, _ = a_released_study()
    sign_in(page, study)
    page.goto(reverse("admin:agreement_verdict_changelist"))
    page.get_by_role("button", name="Filters").focus()
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Failed").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**outcome__exact=failed*")


def addresses(study: Study) -> list[str]:
    person = study.participations.all()[0]
    lists = [f"annotation_{name}" for name in ANNOTATION] + [f"agreement_{name}" for name in AGREEMENT]
    return [
        reverse("admin:index"),
        *(reverse(f"admin:{section}_changelist") for section in lists),
        reverse("admin:annotation_item_changelist") + f"?study={study.pk}",
        *(reverse(f"admin:annotation_study_{name}", args=[study.pk]) for name in ("change", "links")),
        *(reverse(f"agreement:{name}", args=[study.uuid]) for name in ("watch", "people", "items")),
        reverse("agreement:person", args=[study.uuid, person.pseudonym]),
        *(reverse("agreement:item", args=[study.uuid, item.uuid]) for item in study.items.order_by("-kind")[:2]),
        reverse("admin:annotation_study_import_items", args=[study.pk]),
        reverse("admin:annotation_study_status", args=[study.pk, "paused"]),
        reverse("admin:annotation_study_from_preset"),
        f"{reverse('admin:annotation_study_add')}?kind=choice",
        *(reverse(f"admin:annotation_study_{name}", args=[study.pk]) for name in ("preview", "duplicate")),
        reverse("admin:annotation_study_end", args=[study.pk, "archive"]),
        reverse("agreement:launch", args=[study.uuid]),
        f"{reverse('agreement:plan', args=[study.uuid])}?{PLANNED}",
        *(reverse(f"admin:annotation_participation_{name}", args=[person.pk]) for name in ("change", "withdraw")),
        *(reverse("admin:annotation_participation_leave", args=[person.pk, left]) for left in ("returned", "rejected")),
        reverse("admin:annotation_participation_find"),
        reverse("admin:annotation_study_payments", args=[study.pk]),
        *(reverse("admin:annotation_study_decide_on_pay", args=[study.pk, group]) for group in GROUPS),
        reverse("admin:annotation_payment_changelist") + f"?study={study.pk}",
        reverse("admin:annotation_payment_change", args=[person.payment.pk]),
        *(reverse("admin:annotation_payment_decide", args=[person.payment.pk, to]) for to in FROM),
        reverse("agreement:index"),
        reverse("agreement:results", args=[study.uuid]),
        reverse("agreement:exclude", args=[study.uuid]),
    ]


@pytest.mark.parametrize(("viewport", "scheme"), [(PHONE, "dark"), (DESK, "light")])
def test_axe_finds_nothing_and_nothing_hangs_out(
    viewport: Any, scheme: Any, browser: Browser, live_server: Any
) -> None:
    study, _, _ = a_released_study()
    make_open_link(study=study, capacity=5, note="class")
    make_invitations(study=study, count=2)
    context = browser.new_context(
        base_url=live_server.url, viewport=viewport, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    problems: list[str] = []
    page.goto(reverse("admin:login"))
    problems += found_on(page)
    sign_in(page, study)
    for address in addresses(study):
        page.goto(address)
        problems += found_on(page)
    context.close()
    assert problems == []


def found_on(page: Page) -> list[str]:
    """What axe says, best practices included, and whether the page is wider than the window."""
    page.wait_for_load_state("load")
    where = page.url.partition("/admin")[2]
    found = [f"{where}: {one['id']} {[node['html'][:160] for node in one['nodes'][:3]]}" for one in axe(page)]
    fits = page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    return found if fits else [*found, f"{where}: wider than the window"]


def axe(page: Page) -> list[dict[str, Any]]:
    violations: list[dict[str, Any]] = Axe().run(page)["violations"]
    return violations


def test_further_question_shows_the_fields_of_its_kind_and_is_saved(page: Page) -> None:
    study, _, _ = a_released_study()
    sign_in(page, study)
    draft = create_study(slug="two", preset=presets.load("typicality"), owner=study.owner)
    address = reverse("admin:annotation_study_change", args=[draft.pk])
    page.goto(f"{address}#section-further-questions")
    page.locator("#id_further_questions-0-kind").select_option("slider")
    expect(page.locator("#id_further_questions-0-labels")).to_be_hidden()
    page.locator("#id_further_questions-0-kind").select_option("choice")
    expect(page.locator("#id_further_questions-0-scale_low")).to_be_hidden()
    page.locator("#id_further_questions-0-question_name").fill("known")
    page.locator("#id_further_questions-0-question").fill("Do you know it?")
    page.locator("#id_further_questions-0-labels").fill("yes\nno")
    page.get_by_role("button", name="Save").first.click()
    page.get_by_text("was changed successfully").wait_for()
    page.get_by_role("button", name="Save").first.click()  # with a block that nobody has filled in
    page.get_by_text("was changed successfully").wait_for()
    assert [each.question_name for each in draft.questions()] == ["answer", "known"]
    assert list(draft.asked(2).labels.values_list("value", flat=True)) == ["yes", "no"]
