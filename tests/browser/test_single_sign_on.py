"""Logging in by OpenID Connect: off unless a file names providers; then beside passwords, and only for who is known."""

import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client, override_settings
from playwright.sync_api import Browser, Page, expect

from annotation.accounts.researcher_accounts import MOST_FROM_ANYWHERE, account_digest
from config.environment import providers
from tests.services.fixtures import LONG_ENOUGH_MS
from tests.services.oidc_provider import OidcProvider
from tools import place

SECRET_KEY = "a test's key, which guards nothing at all and is long enough"
MAKE = """
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0, interactive=False)
from annotation.models import User
User.objects.create_user("ada", "ada@example.org", "wall-nut-tree-9", is_staff=True)
User.objects.create_user("left", "left@example.org", "wall-nut-tree-9", is_staff=False)
"""


@dataclass
class Site:
    address: str
    database: Path


@pytest.fixture(scope="module")
def provider() -> Iterator[OidcProvider]:
    found = OidcProvider()
    yield found
    found.stop()


@pytest.fixture(scope="module")
def site(provider: OidcProvider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site of its own, for whether there is such a log-in is decided as it starts."""
    folder = tmp_path_factory.mktemp("sso")
    file = folder / "oidc.toml"
    file.write_text(
        f'[[provider]]\nid = "uni"\nname = "The University"\nserver = "{provider.address}"\nclient_id = "touchstone"\n'
        'client_secret = "s3cret"\n',
        encoding="utf-8",
    )
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TOUCHSTONE_")}
    env = {
        **kept,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "TOUCHSTONE_VAR": str(folder),
        "TOUCHSTONE_DATABASE_URL": f"sqlite:///{folder / 'sso.sqlite3'}",
        "TOUCHSTONE_SECRET_KEY": SECRET_KEY,
        "TOUCHSTONE_ALLOWED_HOSTS": "127.0.0.1",
        "TOUCHSTONE_HTTPS_ONLY": "0",
        "TOUCHSTONE_OIDC_FILE": str(file),
    }
    subprocess.run([sys.executable, "-c", MAKE], cwd=place.ROOT, env=env, check=True)
    serve = [sys.executable, "-m", "granian", "--interface", "rsgi", "--host", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen([*serve, "config.rsgi:application"], cwd=place.ROOT, env=env, stdout=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            break
        except OSError:
            time.sleep(0.2)
    yield Site(f"http://127.0.0.1:{port}", folder / "sso.sqlite3")
    server.terminate()
    server.wait()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    context.set_default_timeout(LONG_ENOUGH_MS)
    yield context.new_page()
    context.close()


def log_in(tab: Page, site: Site, next_page: str = "/admin/results/") -> None:
    tab.goto(f"{site.address}/admin/login/?next={next_page}")
    tab.get_by_role("button", name="Log in with The University").click()


def test_a_researcher_logs_in_and_is_known_by_the_providers_id_from_then_on(
    tab: Page, site: Site, provider: OidcProvider
) -> None:
    provider.person = {"sub": "1", "email": "ada@example.org", "email_verified": True}
    log_in(tab, site)
    expect(tab).to_have_url(f"{site.address}/admin/results/")
    assert provider.asked[-1]["code_challenge_method"] == "S256"
    with closing(sqlite3.connect(site.database)) as database:
        assert database.execute("SELECT provider, uid FROM socialaccount_socialaccount").fetchall() == [("uni", "1")]
        assert database.execute("SELECT COUNT(*) FROM socialaccount_socialtoken").fetchone() == (0,)
    provider.person = {"sub": "1", "email": "changed@example.org", "email_verified": True}
    tab.context.clear_cookies()
    log_in(tab, site)
    expect(tab).to_have_url(f"{site.address}/admin/results/")


def test_wrong_passwords_that_somebody_else_typed_keep_nobody_out(
    tab: Page, site: Site, provider: OidcProvider
) -> None:
    provider.person = {"sub": "1", "email": "ada@example.org", "email_verified": True}
    with override_settings(SECRET_KEY=SECRET_KEY):
        account = account_digest("ada")
    with closing(sqlite3.connect(site.database)) as database, database:
        database.executemany(
            "INSERT INTO annotation_loginattempt (account, network, at, outcome)"
            " VALUES (?, ?, datetime('now'), 'wrong')",
            [(account, f"network {number % 20}") for number in range(MOST_FROM_ANYWHERE)],
        )
    log_in(tab, site)
    expect(tab).to_have_url(f"{site.address}/admin/results/")


@pytest.mark.parametrize(
    "person",
    [
        {"sub": "2", "email": "nobody@example.org", "email_verified": True},
        {"sub": "3", "email": "ada@example.org", "email_verified": False},
        {"sub": "4", "email": "left@example.org", "email_verified": True},
        {"sub": "5"},
    ],
    ids=["unknown", "unverified", "no researcher", "no address"],
)
def test_nobody_else_gets_in_and_no_account_is_made(
    tab: Page, site: Site, provider: OidcProvider, person: dict[str, object]
) -> None:
    provider.person = person
    log_in(tab, site)
    expect(tab.get_by_text("There is no researcher's account")).to_be_visible()
    with closing(sqlite3.connect(site.database)) as database:
        assert database.execute("SELECT COUNT(*) FROM annotation_user").fetchone() == (2,)


def test_passwords_go_on_working(tab: Page, site: Site) -> None:
    tab.goto(f"{site.address}/admin/login/")
    tab.get_by_label("Username").fill("ada")
    tab.get_by_label("Password").fill("wall-nut-tree-9")
    tab.get_by_role("button", name="Log in", exact=False).first.click()
    expect(tab).to_have_url(f"{site.address}/admin/")


def test_only_a_page_of_this_site_follows_the_log_in(tab: Page, site: Site, provider: OidcProvider) -> None:
    provider.person = {"sub": "1", "email": "ada@example.org", "email_verified": True}
    log_in(tab, site, next_page="https://example.org/")
    expect(tab).to_have_url(f"{site.address}/admin/")


def test_a_state_that_was_not_given_here_is_refused(tab: Page, site: Site) -> None:
    tab.goto(f"{site.address}/admin/sso/oidc/uni/login/callback/?code=c1&state=made-up")
    expect(tab.get_by_text("did not log you in")).to_be_visible()


@pytest.mark.django_db
def test_without_a_file_there_is_none_of_it() -> None:
    client = Client()
    assert client.get("/admin/sso/oidc/uni/login/").status_code in {302, 404}
    page = client.get("/admin/login/")
    assert "sso" not in page.content.decode()
    assert "form-action 'self';" in page.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "has no"),
        ("[[provider]]\nid = 'x'", "lacks name, server, client_id, client_secret"),
        ("[[provider]]\nid='x'\nname='x'\nserver='https://x'\nclient_id='x'\nclient_secret='x'\ncolour='x'", "colour"),
        ("[[provider]]\nid='x'\nname='x'\nserver='x'\nclient_id='x'\nclient_secret='x'", "https://"),
        ("[[provider", "can't be read"),
    ],
)
def test_a_file_that_is_not_right_is_refused_at_the_start(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "oidc.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ImproperlyConfigured, match=told):
        providers(str(file))
