"""The site that the studies run on: a database of its own, a web process for photographs, and the commands."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django
from playwright.sync_api import ViewportSize, sync_playwright

from tests.faults.crowd.machines import make_web
from tests.services import chromium
from tools import place

PHONE, DESKTOP = ViewportSize(width=390, height=844), ViewportSize(width=1280, height=800)
START_SECONDS = 60


class CommandFailed(Exception):
    """A command of a study was refused."""


@dataclass(frozen=True)
class Site:
    """`folder` is the study's own; `data` the folder of public files, if there is one."""

    folder: Path
    data: Path | None
    address: str

    def manage(self, *arguments: object) -> str:
        """Run a `manage.py` command in the study's folder, as a researcher would, and return what it printed."""
        command = [sys.executable, str(place.ROOT / "manage.py"), *map(str, arguments)]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise CommandFailed(f"manage.py {' '.join(map(str, arguments))}\n{done.stderr.strip()}")
        return done.stdout

    def command(self, lines: list[str], *arguments: object) -> Any:
        """The command's answer as JSON; the command itself is kept in `lines`, for the page."""
        lines.append(f"python manage.py {shlex.join(map(str, arguments))}")
        return json.loads(self.manage(*arguments, "--json"))

    def new(self, name: str) -> str:
        """A name in the study's folder at which nothing of an earlier run lies."""
        there = self.folder / name
        if there.is_dir():
            shutil.rmtree(there)
        there.unlink(missing_ok=True)
        return name

    def form_on_phone(self, preset: str, *, slug: str, file: str) -> Path:
        """A preset's form, from a study of its own: who is shown a question holds its place."""
        from annotation.studies import presets
        from annotation.studies.study_life import change_status, create_study

        study = create_study(slug=slug, preset=presets.load(preset))
        change_status(study=study, status="live")
        return self.screenshot(study.slug, file, phone=True)

    def screenshot(self, slug: str, name: str, *, phone: bool = True) -> Path:
        """The first question of an open study, as a new annotator sees it."""
        file = self.folder / name
        page = self.address + first_question(slug)
        size = PHONE if phone else DESKTOP
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium.find(), args=["--no-proxy-server", "--disable-dev-shm-usage", "--no-sandbox"]
            )
            tab = browser.new_page(viewport=size, is_mobile=phone, has_touch=phone, reduced_motion="reduce")
            tab.goto(page)
            tab.wait_for_load_state("networkidle")
            tab.screenshot(path=file)
            browser.close()
        return file


def first_question(slug: str) -> str:
    from annotation.answering.judging import open_assignment
    from annotation.models import Study
    from annotation.platforms.tokens import Purpose, Token, sign
    from tests.factories import a_person

    assignment = open_assignment(participation=a_person(Study.objects.get(slug=slug)))
    return f"/a/{sign(Purpose.ASSIGNMENT, Token(assignment.uuid, assignment.token_version))}/1/"


@contextmanager
def running_site(folder: Path) -> Iterator[str]:
    """The address of a web process on a new database in `folder`; this process and the commands have its settings."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    os.environ.update(
        {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "TOUCHSTONE_DATABASE_URL": f"sqlite:///{folder / 'touchstone.sqlite3'}",
            "TOUCHSTONE_VAR": str(folder),
            "TOUCHSTONE_SECRET_KEY": "protects nothing but this run of the studies, and is long enough for every check",
            "TOUCHSTONE_ALLOWED_HOSTS": place.HOST,
            "TOUCHSTONE_HTTPS_ONLY": "0",
        }
    )
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
    port = place.free_port()
    address = f"http://{place.HOST}:{port}"
    web = make_web(folder, dict(os.environ), port)
    web.start()
    try:
        _wait_until_up(f"{address}/health")
        yield address
    finally:
        web.stop()


def _wait_until_up(url: str) -> None:
    give_up_at = time.monotonic() + START_SECONDS
    while True:
        try:
            urllib.request.urlopen(url, timeout=5).close()  # noqa: S310 - our own server
        except OSError:
            if time.monotonic() > give_up_at:
                raise CommandFailed(f"The site did not start within {START_SECONDS} s.") from None
            time.sleep(0.1)
        else:
            return
