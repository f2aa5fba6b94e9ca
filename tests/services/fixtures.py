"""Fixtures that hand tests a real browser, a real broker and a real worker."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.services import chromium
from tests.services.valkey import throwaway_valkey
from tools import guarded, place

LONG_ENOUGH_MS = 60_000  # what is waited for comes within a second, and within this on a busy machine too


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium without a screen, which reaches this machine alone."""
    found = chromium.find()
    if found is None:
        pytest.fail(chromium.WHAT_TO_INSTALL)
    # Playwright keeps an event loop in this thread; Django would take every query here for one from a coroutine.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=LONG_ENOUGH_MS)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=found,
            args=[
                "--no-proxy-server",
                "--disable-dev-shm-usage",  # a container's /dev/shm is too small for a page
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
            ],
        )
        yield running
        running.close()


@pytest.fixture
def browser_context(browser: Browser, live_server: Any) -> Iterator[BrowserContext]:
    """A person's browser, with nothing stored. `live_server` serves the site from this process."""
    context = browser.new_context(base_url=live_server.url, reduced_motion="reduce")
    context.set_default_timeout(LONG_ENOUGH_MS)
    yield context
    context.close()


@pytest.fixture
def page(browser_context: BrowserContext) -> Iterator[Page]:
    """A tab in which an error of a script or of the content policy fails the test."""
    tab = browser_context.new_page()
    problems: list[str] = []
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    yield tab
    assert problems == []


@pytest.fixture(scope="session")
def valkey_url() -> Iterator[str]:
    with throwaway_valkey() as url:
        yield url


@pytest.fixture(params=["embedded", "valkey"])
def broker_url(request: pytest.FixtureRequest) -> str:
    """Each broker in turn: the one that needs no server, and production's."""
    if request.param == "embedded":
        return "filesystem://localhost"
    return str(request.getfixturevalue("valkey_url"))


def database_url() -> str:
    """The test database's address, for a process of its own."""
    now = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{now['NAME']}"
    return f"postgresql://{now['USER']}@/{now['NAME']}?host={now['HOST']}"


@pytest.fixture
def start_worker(transactional_db: None, tmp_path: Path) -> Iterator[Callable[..., guarded.Guarded]]:
    """Starts real Celery workers on the test database, each a process that a test may kill; `clock` adds the sweep.

    They share a folder, and so the embedded broker's queue. `env` adds settings, and `TOUCHSTONE_VAR` there moves it.
    """
    started: list[guarded.Guarded] = []

    def start(broker: str, *, clock: bool = False, env: dict[str, str] | None = None) -> guarded.Guarded:
        settings = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "TOUCHSTONE_VAR": str(tmp_path),
            "TOUCHSTONE_DATABASE_URL": database_url(),
            "TOUCHSTONE_BROKER_URL": broker,
            **(env or {}),
        }
        for name in ("queue", "control"):
            (Path(settings["TOUCHSTONE_VAR"]) / "broker" / name).mkdir(parents=True, exist_ok=True)
        celery = [
            sys.executable,
            "-W",
            "ignore:You're running the worker",
            "-m",
            "celery",
            "--quiet",
            "--app",
            "config",
        ]
        with (tmp_path / "workers.log").open("ab") as output:
            worker = [*celery, "worker", "--pool", "solo", "--loglevel", "INFO", "--without-gossip", "--without-mingle"]
            started.append(guarded.start(worker, env=settings, cwd=place.ROOT, output=output))
            if clock:
                beat = [*celery, "beat", "--scheduler", "celery.beat:Scheduler", "--pidfile", ""]
                started.append(guarded.start(beat, env=settings, cwd=place.ROOT, output=output))
        return started[-2 if clock else -1]

    yield start
    for process in started:
        process.ask_to_stop()
    for process in started:
        process.stop()


def wait_for(condition: Callable[[], bool], *, seconds: float, what: str) -> None:
    """Waits until the condition holds, and fails with `what` when it takes longer than `seconds`."""
    give_up_at = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > give_up_at:
            pytest.fail(f"After {seconds} s still not so: {what}")
        time.sleep(0.05)
