"""One answer passes the files that docs/journey.md names, step by step, on its way to gold.csv and to a score."""

import os
import re
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.jobs import run_next, running
from annotation.models import Job, User
from tests.factories import a_study, per_assignment_done
from tests.integration.annotation.answering.views.people import begin, save
from tests.integration.researchers import signed_in
from tools import place

JOURNEY = place.ROOT / "docs" / "journey.md"
PAGE = JOURNEY.read_text(encoding="utf-8")
OURS = tuple(f"{place.ROOT}/{folder}/" for folder in ("agreement", "annotation", "config", "studies"))
# The aims are 90 and 115; five more since answers are screened, one since fields of one line check what is stored, five
# since an item has several questions and labels of its own; seven more to a score since models' files have many shapes;
# three more since a report has a verdict, one since pages show whose site it is, one since downloads have a module of
# their own, four since what people look at is made of blocks and files may have columns for bots, one more to a score
# since breakdowns of scores stand with their drawing, one since items show sounds, videos and several pictures.
MOST_TO_GOLD, MOST_TO_SCORE = 156, 196
STEP = re.compile(r"^## \d\. (.+?)\n(.*?)(?=^## )", re.MULTILINE | re.DOTALL)
FILE_OF_A_ROW = re.compile(r"^\| `([\w/]+\.py)` \|", re.MULTILINE)
CODES: dict[str, Any] = {
    "platform": "prolific",
    "code_completed": "DONE123",
    "code_no_consent": "NOCON45",
    "code_failed_comprehension": "FAILED6",
    "pay": "1.50",
    "currency": "GBP",
    "contact": "lab@example.org",
}


class Journey:
    """The files of which a function was called, by step."""

    def __init__(self) -> None:
        self.passed: dict[str, set[str]] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        files = self.passed.setdefault(name, set())

        def called(frame: FrameType, event: str, _arg: Any) -> None:
            if event == "call" and frame.f_code.co_name != "<module>":
                files.add(frame.f_code.co_filename)  # and None: its lines are not traced

        before = sys.gettrace()
        threading.settrace(called)
        sys.settrace(called)
        try:
            yield
        finally:
            sys.settrace(before)
            threading.settrace(before)

    def files(self, name: str) -> set[str]:
        """Our own, but for those of the tests."""
        top = f"{place.ROOT}/"
        return {path.removeprefix(top) for path in self.passed[name] if path.startswith(OURS)}


@pytest.fixture
def journey(client: Client, monkeypatch: pytest.MonkeyPatch) -> Journey:
    """Walks it: few people, for the files are the same for many."""
    monkeypatch.setattr(running, "send_job", lambda _job_id: True)
    study = a_study(**CODES)
    for number in (30, 45, 60):
        per_assignment_done(study, number=number, is_careful=True)
    researcher = signed_in(User.objects.create_superuser("researcher"))
    pages = f"/admin/results/{study.uuid}"
    journey, address = Journey(), begin(client, study)

    with journey.step("The page is shown"):
        assert client.get(address).status_code == 200
    with journey.step("The answer is saved"):
        assert save(client, address, number="42", shown="1").json()["saved"]
    form = researcher.get(f"{pages}/").context["form"]
    filled = {name: form[name].value() or "" for name in ("rules", "toml", "seed", "replicates")}
    with journey.step("An analysis is requested"):
        assert researcher.post(f"{pages}/analyse/", {**filled, "replicates": 100}).status_code == 302
    with journey.step("The job"):
        run_next()
    run_next()  # draws the report, which no answer passes
    release = study.releases.get()
    with journey.step("gold.csv is downloaded"):
        assert researcher.get(f"{pages}/releases/{release.number}/gold/").getvalue().startswith(b"item_id,")
    rows = [f"{item},{at}" for at, item in enumerate(study.items.targets().values_list("item_id", flat=True))]
    probe = SimpleUploadedFile("model.csv", "\n".join(["item_id,score", *rows, ""]).encode())
    given = {
        "name": "model",
        "log_base": "e",
        "similarity": "cosine",
        "transform": "raw",
        "perplexity_form": "token",
        "file": probe,
    }
    with journey.step("A model's outputs are uploaded"):
        assert researcher.post(f"{pages}/models/add/", given).status_code == 302
    with journey.step("The model is scored"):
        run_next()
    with journey.step("The leaderboard is shown"):
        assert researcher.get(f"{pages}/models/").status_code == 200
    assert [(job.kind, job.status) for job in Job.objects.order_by("pk")] == [
        ("analyse", "done"),
        ("report", "done"),
        ("score", "done"),
    ]
    return journey


WRITES = "TOUCHSTONE_TEST_WRITE_JOURNEY"  # set: the page gets the lists of what is passed besides its tables
BESIDES = re.compile(r"^Also passed: (.+?)\.$", re.MULTILINE | re.DOTALL)
LISTED = re.compile(r"`([\w/]+\.py)`")
TO_GOLD = ("The page is shown", "The answer is saved", "An analysis is requested", "The job", "gold.csv is downloaded")


def named_in(text: str) -> set[str]:
    """The files in the tables of a step, and in the sentence on what is passed besides."""
    besides = BESIDES.search(text)
    return {*FILE_OF_A_ROW.findall(text), *(LISTED.findall(besides.group(1)) if besides else ())}


def with_what_is_passed(page: str, journey: Journey) -> str:
    """The page with each step's sentence on what is passed besides its table, as it was passed now."""

    def written(step: re.Match[str]) -> str:
        name, text = step.group(1), BESIDES.sub("", step.group(2)).rstrip()
        besides = sorted(journey.files(name) - set(FILE_OF_A_ROW.findall(text)))
        listed = ", ".join(f"`{file}`" for file in besides)
        sentence = textwrap.fill(f"Also passed: {listed}.", 100, break_long_words=False, break_on_hyphens=False)
        return f"{step.group(0).splitlines()[0]}\n{text.lstrip()}\n\n{sentence if besides else ''}".rstrip() + "\n\n"

    return STEP.sub(written, page)


ALONE = "TOUCHSTONE_TEST_JOURNEY_ALONE"  # set in the process that walks it: nothing is cached by tests before it

if ALONE in os.environ or WRITES in os.environ:

    @pytest.mark.django_db
    def test_each_step_passes_the_files_that_the_page_names_and_no_others(journey: Journey) -> None:
        if WRITES in os.environ:
            JOURNEY.write_text(with_what_is_passed(PAGE, journey), encoding="utf-8")
        page = JOURNEY.read_text(encoding="utf-8")
        named = {name: named_in(text) for name, text in STEP.findall(page)}

        assert set(named) == set(journey.passed)
        assert {name: sorted(files) for name, files in named.items()} == {
            name: sorted(journey.files(name)) for name in journey.passed
        }, f"set {WRITES} to have the lists written"
        to_gold = set[str]().union(*(named[name] for name in TO_GOLD))
        to_score = to_gold.union(*named.values())
        assert f"To gold.csv these are {len(to_gold)} files, to a model's score {len(to_score)}" in " ".join(
            page.split()
        )
        assert len(to_gold) <= MOST_TO_GOLD, "the way may only become shorter, or a note says why it didn't"
        assert len(to_score) <= MOST_TO_SCORE

else:

    def test_the_page_names_the_files_that_are_passed() -> None:
        own = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "TOUCHSTONE_TEST_"))
        }
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
        ended = subprocess.run(
            command, cwd=place.ROOT, env={**own, ALONE: "1"}, capture_output=True, text=True, check=False
        )
        assert ended.returncode == 0, ended.stdout
