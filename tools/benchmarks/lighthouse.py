"""Lighthouse on the pages that annotators see: 95 or more in performance, accessibility and best practices.

The site is served as `make run` serves it. Lighthouse comes by npm into build/lighthouse, the first time only, and
drives the machine's own Chromium.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import django

from tests.faults.crowd.machines import make_web
from tests.services import chromium
from tools import place

VERSION = "13.5.0"
LEAST = 95
CATEGORIES = ("performance", "accessibility", "best-practices")
FOLDER = place.ROOT / "build" / "lighthouse"
FLAGS = "--headless=new --no-sandbox --no-proxy-server --disable-dev-shm-usage"


def lighthouse() -> Path:
    """Its command, installed if it is not there yet."""
    command = FOLDER / "node_modules" / ".bin" / "lighthouse"
    if not command.exists():
        if not shutil.which("npm"):
            sys.exit("This benchmark needs npm, to fetch Lighthouse: install Node.js 22 or newer, then run it again.")
        FOLDER.mkdir(parents=True, exist_ok=True)
        options = ["--prefix", str(FOLDER), "--no-audit", "--no-fund", "--silent"]
        if subprocess.run(["npm", "install", *options, f"lighthouse@{VERSION}"], check=False).returncode:
            sys.exit(
                f"npm could not fetch lighthouse@{VERSION}: check the network or npm's registry, then run it again."
            )
    return command


def a_person_at_work() -> dict[str, str]:
    """A study like the founding one, and the pages that a person of it sees. Imported late: it needs settings."""
    from annotation.answering.judging import open_assignment
    from annotation.platforms.tokens import Purpose, Token, sign_token
    from tests.factories import a_person, a_study

    study = a_study(platform="prolific", pay="1.20", currency="GBP", contact="lab@example.org")
    person = a_person(study)
    assignment = open_assignment(participation=person)
    return {
        "front": "/",
        "first page": f"/take/{study.slug}/?PROLIFIC_PID=someone&SESSION_ID=one",
        "instructions": f"/p/{sign_token(Purpose.PARTICIPATION, Token(person.uuid))}/instructions/",
        "question": f"/a/{sign_token(Purpose.ASSIGNMENT, Token(assignment.uuid, assignment.token_version))}/1/",
    }


def measure(command: Path, url: str) -> tuple[dict[str, int], float]:
    """The scores of one page, and its weight over the wire in kB."""
    options = ["--quiet", "--output=json", f"--only-categories={','.join(CATEGORIES)}", f"--chrome-flags={FLAGS}"]
    env = {**os.environ, "CHROME_PATH": str(chromium.find())}
    done = subprocess.run([command, url, *options], env=env, capture_output=True, check=True, text=True)
    report = json.loads(done.stdout)
    scores = {name: round(100 * report["categories"][name]["score"]) for name in CATEGORIES}
    return scores, report["audits"]["total-byte-weight"]["numericValue"] / 1000


def wait_until_up(url: str) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(url, timeout=5).close()  # noqa: S310  our own server
        except OSError:
            time.sleep(0.1)
        else:
            return
    sys.exit("The site did not start within 30 s.")


def compare(command: Path, folder: Path) -> int:
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
    # A process of its own: which way static files are served is settled by the time that settings have been read.
    collect = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(collect, cwd=place.ROOT, check=True)
    port, pages = place.free_port(), a_person_at_work()
    web = make_web(folder, dict(os.environ), port)
    web.start()
    worst = 100
    try:
        wait_until_up(f"http://{place.HOST}:{port}/health")
        print("page          " + "".join(f"{name:>16}" for name in CATEGORIES) + "      kB")
        for name, path in pages.items():
            scores, weight = measure(command, f"http://{place.HOST}:{port}{path}")
            worst = min(worst, *scores.values())
            print(f"{name:14}" + "".join(f"{scores[one]:16d}" for one in CATEGORIES) + f"{weight:8.1f}", flush=True)
    finally:
        web.stop()
    print(f"worst: {worst} (wanted: {LEAST} or more)")
    return int(worst < LEAST)


def main() -> int:
    if chromium.find() is None:
        sys.exit(chromium.WHAT_TO_INSTALL)
    command = lighthouse()
    with tempfile.TemporaryDirectory(prefix="ts-lh-") as folder:
        os.environ.update(
            {
                "DJANGO_SETTINGS_MODULE": "config.settings",
                "TOUCHSTONE_DATABASE_URL": f"sqlite:///{folder}/touchstone.sqlite3",
                "TOUCHSTONE_VAR": folder,
                "TOUCHSTONE_SECRET_KEY": "protects nothing but this benchmark, and is long enough for every check",
                "TOUCHSTONE_ALLOWED_HOSTS": place.HOST,
                "TOUCHSTONE_HTTPS_ONLY": "0",
            }
        )
        django.setup()
        return compare(command, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
