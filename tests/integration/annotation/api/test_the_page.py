"""docs/api.md does what it says: its programs run, one after the other, against the site."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotation.jobs import run_next
from tests.integration.annotation.api.scripts import Script
from tests.integration.researchers import a_researcher
from tools import place

PAGE = (place.ROOT / "docs" / "api.md").read_text(encoding="utf-8")
PROGRAM = re.compile(r"^```(sh|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)
PEOPLE = re.compile(r"`manage\.py (simulate [^`]+)`")
SECONDS = 120
RUN_BY = {"sh": ["bash", "-euo", "pipefail", "-c"], "python": [sys.executable, "-c"]}


def steps() -> list[tuple[str, str]]:
    """What the page runs, in its order: programs, and commands that stand in for people."""
    found = [(match.start(), match[1], match[2]) for match in PROGRAM.finditer(PAGE)]
    found += [(match.start(), "people", match[1]) for match in PEOPLE.finditer(PAGE)]
    return [(kind, text) for _at, kind, text in sorted(found)]


def run(kind: str, text: str, folder: Path, environment: dict[str, str]) -> str:
    """The program's output. Its jobs are done here meanwhile."""
    program = subprocess.Popen(
        [*RUN_BY[kind], text], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    end = time.monotonic() + SECONDS
    while program.poll() is None and time.monotonic() < end:
        run_next()
        time.sleep(0.1)
    program.kill()
    said = program.communicate()[0]
    assert program.returncode == 0, said
    return said


@pytest.mark.django_db(transaction=True)
def test_programs_of_the_page_run(live_server: Any, tmp_path: Path) -> None:
    script = Script(a_researcher(), scopes=["read", "write", "links:read"])
    environment = {**os.environ, "SITE": live_server.url, "TOKEN": script.text}
    said = []
    for kind, text in steps():
        if kind == "people":
            name, *more = text.split()
            call_command(name, *more)
        else:
            said.append(run(kind, text, tmp_path, environment))
    assert [kind for kind, _ in steps()] == ["sh", "people", "sh", "python", "people", "python"]
    assert '"can_open":true' in said[0]
    assert "item_id,left,right,mean" in said[1]
    assert '"name":"a-model"' in said[1]
    assert "/join/" in said[2]
    assert "lengths" in said[3]
