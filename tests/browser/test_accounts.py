"""A researcher in a browser: an app is set up, the log-in asks for its code, and axe finds nothing on these pages."""

import base64
import time

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from annotation.accounts.researcher_accounts import MOST_PER_ACCOUNT, STEP_SECONDS, code_at
from annotation.models import Job, User
from annotation.releases.models import StoredRuleSet
from tests.browser.test_access import look, looks
from tests.integration.annotation.jobs.test_retrying import a_job
from tests.integration.researchers import a_released_study, a_researcher

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PASSWORD = "wall-nut-tree-9"


def log_in(page: Page, user: User, password: str = PASSWORD) -> None:
    page.goto(reverse("admin:login"))
    page.get_by_label("Username").fill(user.username)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


def apps_code(key: str, steps_on: int = 0) -> str:
    secret = base64.b32decode(key.replace(" ", ""))
    return code_at(secret, int(time.time() // STEP_SECONDS) + steps_on)


def test_researcher_sets_up_an_app_and_logs_in_with_it(browser: Browser, live_server: object) -> None:
    for page in looks(browser, live_server):
        user = a_researcher()
        log_in(page, user)
        page.goto(reverse("second_factor"))
        look(page)
        key = page.locator("p code").inner_text()
        page.get_by_role("textbox", name="Code").fill(apps_code(key))
        page.get_by_role("button", name="Set up").click()
        expect(page.locator(".t-codes li")).to_have_count(10)
        look(page)
        recovery = page.locator(".t-codes code").first.inner_text()
        page.get_by_role("link", name="I have saved them").click()
        page.get_by_text("10 of your recovery codes are unused.").wait_for()
        look(page)
        page.context.clear_cookies()
        log_in(page, user)
        page.get_by_role("textbox", name="Code").fill("not a code")
        page.get_by_role("button", name="Log in").click()
        page.get_by_text("That is not the code").wait_for()
        look(page)
        page.get_by_role("textbox", name="Code").fill(
            apps_code(key, steps_on=1)
        )  # the one before was used to set it up
        page.get_by_role("button", name="Log in").click()
        page.get_by_role("heading", name="Home", exact=True).wait_for()
        page.goto(reverse("second_factor"))
        page.get_by_role("textbox", name="Code").fill(recovery)
        page.get_by_role("button", name="Remove the second factor").click()
        page.get_by_text("You now log in with the password alone.").wait_for()
        page.context.close()


def test_pages_of_accounts_jobs_and_rule_sets(browser: Browser, live_server: object) -> None:
    study, _release, _ = a_released_study()
    failed = a_job(study)
    chief = a_researcher(is_superuser=True)
    for page in looks(browser, live_server):
        page.goto(reverse("admin:login"))
        look(page)
        log_in(page, chief)
        for address in (
            reverse("admin:annotation_loginattempt_changelist"),
            reverse("admin:annotation_accountentry_changelist"),
            reverse("admin:annotation_job_change", args=[failed.pk]),
            reverse("admin:agreement_storedruleset_change", args=[StoredRuleSet.objects.get().pk]),
        ):
            page.goto(address)
            look(page)
        page.context.close()


def test_locked_out_researcher_reads_how_long(browser: Browser, live_server: object) -> None:
    page, desk = looks(browser, live_server)
    desk.context.close()
    user = a_researcher()
    for _ in range(MOST_PER_ACCOUNT):
        log_in(page, user, "wrong")
    log_in(page, user)
    expect(page.get_by_text("wait 15 minutes and try again")).to_be_visible()
    expect(page.get_by_label("Username")).to_have_value(user.username)
    look(page)
    page.context.close()


def test_failed_job_is_tried_again_by_its_button(page: Page) -> None:
    study, _release, _ = a_released_study()
    failed = a_job(study)
    assert study.owner is not None
    log_in(page, study.owner)
    page.get_by_role("heading", name="Home", exact=True).wait_for()
    page.goto(reverse("agreement:results", args=[study.uuid]))
    page.get_by_role("button", name="Try again").click()
    page.get_by_text("The job was started again as a new job.").wait_for()
    assert Job.objects.get(retry_of=failed).status == "queued"
