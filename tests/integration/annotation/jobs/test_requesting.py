"""Asking for a job: the row comes first, and no broker can fail or delay the request."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from celery import Celery

from annotation import jobs
from annotation.jobs import running
from annotation.models import Job, Study, User
from annotation.web import broker

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def study(researcher: User) -> Study:
    return Study.objects.create(slug="a", title="A", kind="text", question="?", owner=researcher)


@pytest.fixture
def broker_at(monkeypatch: pytest.MonkeyPatch) -> Any:
    def use(address: str, folder: Path = Path()) -> None:
        app = Celery("trial", broker=address, set_as_current=False)
        app.conf.broker_transport = broker.transport(address)
        app.conf.broker_transport_options = broker.transport_options(address, folder)
        monkeypatch.setattr(running, "current_app", app)

    return use


@pytest.fixture
def silent_port() -> Iterator[int]:
    """Takes connections and never says a word, as a broker does whose machine hangs."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_job_is_sent_on_commit_and_not_before(
    study: Study, researcher: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(running, "send_job", sent.append)
    with django_capture_on_commit_callbacks(execute=True):
        job = jobs.request_job(kind="trial", study=study, parameters={"seed": 1}, by=researcher)
        assert sent == []
    assert sent == [job.pk]
    assert (job.status, job.created_by) == ("queued", researcher)


def test_double_click_asks_for_one_job(study: Study, researcher: User) -> None:
    first = jobs.request_job(kind="trial", study=study, parameters={"seed": 1}, by=researcher)
    again = jobs.request_job(kind="trial", study=study, parameters={"seed": 1}, by=researcher)
    other = jobs.request_job(kind="trial", study=study, parameters={"seed": 2}, by=researcher)
    assert first == again != other
    Job.objects.filter(pk=first.pk).update(status=Job.Status.RUNNING)
    assert jobs.request_job(kind="trial", study=study, parameters={"seed": 1}, by=researcher) != first


@pytest.mark.parametrize("scheme", ["redis", "amqp"])
def test_refusing_broker_neither_fails_nor_delays(broker_at: Any, scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    broker_at(f"{scheme}://127.0.0.1:{port}//")
    running.send_job(1)  # imports what speaks to such a broker, which takes as long as the machine is busy
    assert any(seconds_of_a_refusal() < 0.5 for _ in range(5))


@pytest.mark.parametrize("scheme", ["redis", "amqp"])
def test_silent_broker_costs_no_more_than_its_patience(broker_at: Any, silent_port: int, scheme: str) -> None:
    broker_at(f"{scheme}://127.0.0.1:{silent_port}//")
    assert any(seconds_of_a_refusal() < 2 * running.PATIENCE_SECONDS for _ in range(5))


def seconds_of_a_refusal() -> float:
    """On a busy machine one of several tries may be held up by others."""
    began = time.monotonic()
    assert running.send_job(1) is False
    return time.monotonic() - began


def test_unwritable_folder_neither_fails_nor_delays(broker_at: Any, tmp_path: Path) -> None:
    broker_at("filesystem://localhost", tmp_path)
    assert running.send_job(1) is True
    (message,) = (tmp_path / "queue").iterdir()
    message.unlink()
    (tmp_path / "queue").rmdir()
    (tmp_path / "queue").write_text("a file where the folder should be")
    assert running.send_job(1) is False
