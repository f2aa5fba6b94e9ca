"""One answer passes the files that docs/journey.md names, step by step, on its way to gold.csv and to a score."""

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.jobs import requesting, run_next
from annotation.models import Job, User
from tests.factories import a_study, per_assignment_done
from tests.integration.annotation.answering.views.people import begin, save
from tests.integration.researchers import signed_in
from tools import place

PAGE = (place.ROOT / "docs" / "journey.md").read_text(encoding="utf-8")
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
        top = f"{place.ROOT}/"
        return {path.removeprefix(top) for path in self.passed[name] if path.startswith(top)}


@pytest.fixture
def journey(client: Client, monkeypatch: pytest.MonkeyPatch) -> Journey:
    """Walks it: few people, for the files are the same for many."""
    monkeypatch.setattr(requesting, "send", lambda _job_id: True)
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


@pytest.mark.django_db
def test_each_step_passes_the_files_that_the_page_names(journey: Journey) -> None:
    named = {name: FILE_OF_A_ROW.findall(text) for name, text in STEP.findall(PAGE)}

    assert set(named) == set(journey.passed)
    assert all(named.values())
    missed = {name: [file for file in files if file not in journey.files(name)] for name, files in named.items()}
    assert {name: files for name, files in missed.items() if files} == {}
