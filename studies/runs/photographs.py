"""Photographs of forms for the pages of the studies: in a clone alone, with a web process and a Chromium."""

from __future__ import annotations

import os
import secrets
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, sync_playwright

from agreement.errors import Refused
from tests.faults.crowd.machines import make_web
from tests.services import chromium
from tools import place

PHONE, DESKTOP = ViewportSize(width=390, height=844), ViewportSize(width=1280, height=800)
START_SECONDS = 60


@dataclass(frozen=True)
class Photographs:
    """`address` is that of the site's web process."""

    address: str

    def of_form(self, preset: str, folder: Path) -> Path:
        """The first question of a study of its own, as a new annotator sees it: who is shown one holds its place."""
        from annotation.studies import presets
        from annotation.studies.study_life import change_status, create_study

        study = create_study(slug=f"{preset}-form", preset=presets.load(preset))
        change_status(study=study, status="live")
        file = folder / f"{preset}-phone.png"
        with _tab(PHONE) as tab:
            tab.goto(self.address + _first_question(study.slug))
            tab.wait_for_load_state("networkidle")
            tab.screenshot(path=file)
        return file

    def of_coding_page(self, slug: str, folder: Path) -> Path:
        """As a researcher sees it who has signed in."""
        from django.urls import reverse

        from annotation.models import Study, User

        password = secrets.token_urlsafe()
        User.objects.create_superuser("researcher", password=password)
        address = reverse("agreement:coding", args=[Study.objects.get(slug=slug).uuid])
        file = folder / "coding.png"
        with _tab(DESKTOP) as tab:
            tab.goto(f"{self.address}{reverse('admin:index')}")
            tab.get_by_label("Username").fill("researcher")
            tab.get_by_label("Password").fill(password)
            tab.get_by_role("button", name="Log in").click()
            tab.get_by_role("heading", name="Latest studies").wait_for()
            tab.goto(f"{self.address}{address}?show=coded")
            tab.wait_for_load_state("networkidle")
            tab.screenshot(path=file)
        return file


@contextmanager
def _tab(size: ViewportSize) -> Iterator[Page]:
    phone = size == PHONE
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.find(), args=["--no-proxy-server", "--disable-dev-shm-usage", "--no-sandbox"]
        )
        yield browser.new_page(viewport=size, is_mobile=phone, has_touch=phone, reduced_motion="reduce")
        browser.close()


def _first_question(slug: str) -> str:
    from annotation.answering.judging import open_assignment
    from annotation.models import Study
    from annotation.platforms.tokens import Purpose, Token, sign_token
    from tests.factories import a_person

    assignment = open_assignment(participation=a_person(Study.objects.get(slug=slug)))
    return f"/a/{sign_token(Purpose.ASSIGNMENT, Token(assignment.uuid, assignment.token_version))}/1/"


@contextmanager
def photographs_of(var: Path) -> Iterator[Photographs]:
    """With a web process on the site in `var`, whose settings this process has."""
    if chromium.find() is None:
        raise Refused(chromium.WHAT_TO_INSTALL)
    port = place.free_port()
    address = f"http://{place.HOST}:{port}"
    web = make_web(var, dict(os.environ), port)
    web.start()
    try:
        _wait_until_up(f"{address}/health")
        yield Photographs(address)
    finally:
        web.stop()


def _wait_until_up(url: str) -> None:
    give_up_at = time.monotonic() + START_SECONDS
    while True:
        try:
            urllib.request.urlopen(url, timeout=5).close()  # noqa: S310 - our own server
        except OSError:
            if time.monotonic() > give_up_at:
                raise Refused(f"The site did not start within {START_SECONDS} s.") from None
            time.sleep(0.1)
        else:
            return
