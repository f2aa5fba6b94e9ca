"""A researcher in a browser follows the import of a large file: it ends on the page that was open."""

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page

from annotation import tasks
from annotation.models import Item, Job, Study
from tests.browser.test_admin import DESK, PHONE, found_on, sign_in
from tests.factories import a_small_study
from tests.integration.researchers import a_researcher

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def a_draft() -> Study:
    return a_small_study(items=1, live=False, owner=a_researcher())


def upload(page: Page, study: Study, *, last: str = "") -> Job:
    rows = "".join(f"new{k},a{k},b{k}\n" for k in range(2_100))
    content = f"item_id,left,right\n{rows}{last}".encode()
    page.goto(reverse("admin:annotation_study_import_items", args=[study.pk]))
    page.get_by_label("File", exact=True).set_input_files(
        {"name": "large.csv", "mimeType": "text/csv", "buffer": content}
    )
    page.get_by_role("button", name="Add all items").click()
    page.get_by_text("It starts as soon as a worker is free.").wait_for()
    return Job.objects.get(status=Job.Status.QUEUED)


def test_page_follows_an_import_until_it_is_done(page: Page) -> None:
    study = a_draft()
    sign_in(page, study)
    tasks.run_job(upload(page, study).pk)
    page.get_by_text("2100 items were imported").wait_for()
    assert Item.objects.filter(study=study).count() == 2_101


def test_import_is_cancelled_by_its_button(page: Page) -> None:
    study = a_draft()
    sign_in(page, study)
    upload(page, study)
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("no items were imported, and the file was deleted").wait_for()
    assert Job.objects.get().status == Job.Status.CANCELLED


@pytest.mark.parametrize(("viewport", "scheme"), [(PHONE, "dark"), (DESK, "light")])
def test_axe_finds_nothing_on_a_waiting_and_a_refused_import(
    viewport: Any, scheme: Any, browser: Browser, live_server: Any
) -> None:
    study = a_draft()
    context = browser.new_context(
        base_url=live_server.url, viewport=viewport, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    sign_in(page, study)
    job = upload(page, study, last=",a,b\n")
    problems = found_on(page)
    tasks.run_job(job.pk)
    page.get_by_text("The import failed").wait_for()
    problems += found_on(page)
    context.close()
    assert problems == []
