"""Ten thousand requests made up from the API's description by schemathesis, against a site of its own.

schemathesis is a program of its own, and no dependency: `uvx` fetches it, or name it with --schemathesis. The site has
two studies; the token is of the first one's owner. A smaller run is
tests/integration/annotation/api/test_fuzzed.py.

    python -m benchmarks.fuzz_api
"""

import argparse
import datetime as dt
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

import django

from tools import place

CHECKS = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance",
)  # fmt: skip
# Of the parts of an address, the ones that are there: most made-up ones would end at 404.
HOOKS = """
import random
import schemathesis

KNOWN = {known!r}
drawn = random.Random(1)


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    for name in path_parameters or ():
        if name in KNOWN and drawn.random() < 0.93:
            path_parameters[name] = drawn.choice(KNOWN[name])
    return path_parameters
"""
WAIT_SECONDS = 60


def environment(folder: Path) -> dict[str, str]:
    return {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "TOUCHSTONE_VAR": str(folder),
        "TOUCHSTONE_DATABASE_URL": f"sqlite:///{folder / 'site.sqlite3'}",
        "TOUCHSTONE_SECRET_KEY": "a benchmark's key, which guards nothing at all and is long enough",
        "TOUCHSTONE_ALLOWED_HOSTS": place.HOST,
        "TOUCHSTONE_HTTPS_ONLY": "0",
        **{f"TOUCHSTONE_API_{what}_PER_MINUTE": "1000000" for what in ("READS", "WRITES", "VISITS")},
    }


def a_site() -> tuple[str, dict[str, list[str]]]:
    """A token, and what is there for the parts of addresses."""
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
    from annotation.accounts.token_actions import create_token
    from annotation.models import Scope
    from tests.factories import a_study
    from tests.integration.researchers import a_released_study, a_researcher

    study, release, _ = a_released_study()
    other = a_study(owner=a_researcher())
    if study.owner is None:
        sys.exit("the study has no owner")
    _token, text = create_token(user=study.owner, name="fuzz", scopes=Scope.values, lives=dt.timedelta(days=1))
    known = {
        "study": [*[study.slug] * 8, other.slug, "nobodys"],
        "number": ["1", "1", "2"],
        "what": ["gold", "judgments", "workers", "participants", "payments", "labels", "wide", "bundle", "nothing"],
        "preset": ["typicality", "nothing"],
        "job": [str(uuid) for uuid in study.jobs.values_list("uuid", flat=True)],
        "item": [str(uuid) for uuid in study.items.values_list("uuid", flat=True)[:5]],
        "pseudonym": list(study.participations.values_list("pseudonym", flat=True)),
        "run": [str(release.run.uuid)],
    }
    return text, known


def wait_until_up(site: str) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(f"{site}/health", timeout=2).close()  # noqa: S310 - our own
        except (OSError, urllib.error.URLError):
            time.sleep(0.3)
        else:
            return
    sys.exit("the site did not start")


def a_free_port() -> int:
    with socket.socket() as probe:
        probe.bind((place.HOST, 0))
        return int(probe.getsockname()[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=130, help="for each operation (default: 130)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--schemathesis", nargs="+", default=["uvx", "schemathesis"], help="how to call it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ts-fz-") as made:
        folder, port = Path(made), a_free_port()
        os.environ |= environment(folder)
        token, known = a_site()
        (folder / "hooks.py").write_text(HOOKS.format(known=known), encoding="utf-8")
        serve = [sys.executable, "-m", "granian", "--interface", "rsgi", "--host", place.HOST, "--port", str(port)]
        server = subprocess.Popen([*serve, "config.rsgi:application"], cwd=place.ROOT, stdout=subprocess.DEVNULL)
        try:
            site = f"http://{place.HOST}:{port}"
            wait_until_up(site)
            command = [
                *options.schemathesis, "run", f"{site}/api/v1/schema/", "--header", f"Authorization: Bearer {token}",
                "--checks", ",".join(CHECKS), "--max-examples", str(options.examples), "--seed", str(options.seed),
                "--phases", "coverage,fuzzing", "--continue-on-failure",
            ]  # fmt: skip
            env = {**os.environ, "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(folder)}
            return subprocess.run(command, cwd=folder, env=env, check=False).returncode
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    sys.exit(main())
