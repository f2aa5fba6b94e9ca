"""Webhooks: told once of what happens, by ids alone, signed, tried again, and never sent into a private network."""

import datetime as dt
import hashlib
import hmac
import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from django.utils import timezone

from agreement.errors import Refused
from annotation.models import Job, Webhook, WebhookDelivery
from annotation.notices import webhooks
from annotation.notices.webhooks import MOST_READ, NotSent, notice_events, post, refuse_unfit_address, send_deliveries
from tests.factories import a_small_study, per_assignment_done
from tests.integration.annotation.api.scripts import Script
from tests.integration.researchers import a_released_study, a_researcher

pytestmark = [pytest.mark.django_db, pytest.mark.both, pytest.mark.concurrent]


class Receiver:
    """A machine that takes notices; `answers` are the statuses of its next replies, then 204."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[int] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append((dict(self.headers), body))
                self.send_response(receiver.answers.pop(0) if receiver.answers else 204)
                self.send_header("Location", f"{receiver.address}elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/hook?key=1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOKS_TO_PRIVATE = True
    found = Receiver()
    yield found
    found.server.shutdown()
    found.server.server_close()


def run(after: dt.timedelta = dt.timedelta()) -> int:
    notice_events(now=timezone.now() + after)
    return send_deliveries(now=timezone.now() + after)


def test_events_of_a_study_are_told_once_and_signed(receiver: Receiver) -> None:
    script = Script(a_researcher())
    study = a_small_study(items=2, owner=script.token.user, judgments_per_item=1)
    events = ["study.filled", "job.ended", "release.made"]
    made = script.post(f"studies/{study.slug}/webhooks/", {"address": receiver.address, "events": events})
    assert made.status_code == 201, made.content
    assert run() == 0
    per_assignment_done(study)
    job = Job.objects.create(study=study, kind="analyse", status="done", finished_at=timezone.now(), progress=1)
    assert run() == 2
    assert run() == 0
    told = {json.loads(body)["event"]: json.loads(body) for _, body in receiver.got}
    assert told["job.ended"]["job"] == str(job.uuid)
    assert set(told["study.filled"]) == {"id", "event", "study", "at", "judgments"}
    headers, body = receiver.got[0]
    at, digest = (part.partition("=")[2] for part in headers["Touchstone-Signature"].split(","))
    expected = hmac.new(made.json()["secret"].encode(), at.encode() + b"." + body, hashlib.sha256).hexdigest()
    assert digest == expected
    listed = script.get(f"studies/{study.slug}/webhooks/{made.json()['id']}/deliveries/").json()["results"]
    assert {(one["last_status"], one["attempts"]) for one in listed} == {(204, 1)}
    assert "secret" not in script.get(f"studies/{study.slug}/webhooks/{made.json()['id']}/").json()


def test_a_release_is_told(receiver: Receiver) -> None:
    study, release, _ = a_released_study()
    assert study.owner is not None
    Script(study.owner).post(
        f"studies/{study.slug}/webhooks/", {"address": receiver.address, "events": ["release.made"]}
    )
    Webhook.objects.update(created_at=release.created_at - dt.timedelta(minutes=1))
    assert run() == 1
    assert json.loads(receiver.got[0][1])["release"] == 1


def test_a_notice_is_tried_again_with_the_same_id_and_given_up_in_the_end(receiver: Receiver) -> None:
    script = Script(a_researcher())
    study = a_small_study(items=2, owner=script.token.user)
    script.post(f"studies/{study.slug}/webhooks/", {"address": receiver.address, "events": ["job.ended"]})
    Job.objects.create(study=study, kind="analyse", status="failed", finished_at=timezone.now())
    receiver.answers = [500, 302, 404, 500, 500, 500, 500, 500]
    waits = [0, 11, 100, 500, 3_000, 12_000, 40_000, 90_000, 200_000]
    assert [run(dt.timedelta(seconds=wait)) for wait in waits] == [0] * 9
    assert len(receiver.got) == 8
    assert len({json.loads(body)["id"] for _, body in receiver.got}) == 1
    delivery = WebhookDelivery.objects.get()
    assert (delivery.attempts, delivery.due_at, delivery.delivered_at, delivery.last_status) == (8, None, None, 500)


def test_nothing_is_sent_for_a_creator_who_lost_the_role(receiver: Receiver) -> None:
    study = a_small_study(items=2, owner=a_researcher())
    editor = a_researcher(study, "editor")
    Script(editor).post(f"studies/{study.slug}/webhooks/", {"address": receiver.address, "events": ["job.ended"]})
    Job.objects.create(study=study, kind="analyse", status="failed", finished_at=timezone.now())
    study.roles.update(level="viewer")
    assert run() == 0
    delivery = WebhookDelivery.objects.get()
    assert (receiver.got, delivery.due_at) == ([], None)
    assert "can't change the study any more" in delivery.last_reply


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    receiver.answers = [302]
    assert post(receiver.address, b"{}", {}).status == 302
    assert len(receiver.got) == 1


@pytest.mark.parametrize("beginning", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n"])
def test_a_reply_that_comes_byte_by_byte_is_cut_off(
    beginning: bytes, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEBHOOKS_TO_PRIVATE = True
    monkeypatch.setattr(webhooks, "SECONDS_IN_ALL", 0.2)
    sent: list[bytes] = []

    def drip(server: socket.socket) -> None:
        there, _ = server.accept()
        with there, suppress(OSError):  # until the other end has gone
            there.sendall(beginning)
            while len(sent) < MOST_READ - 1:
                there.sendall(b"H")
                sent.append(b"H")
                threading.Event().wait(0.01)

    with socket.create_server(("127.0.0.1", 0)) as server:
        dripping = threading.Thread(target=drip, args=(server,))
        dripping.start()
        with suppress(NotSent):
            assert post(f"http://127.0.0.1:{server.getsockname()[1]}/", b"{}", {}).status == 200
        dripping.join()
    assert len(sent) < MOST_READ - 1


@pytest.fixture
def silent(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, list[socket.socket]]]:
    """The address of a machine that takes connections and never says a word, and the connections."""
    settings.WEBHOOKS_TO_PRIVATE = True
    monkeypatch.setattr(webhooks, "SECONDS", 0.2)
    taken: list[socket.socket] = []

    def take(server: socket.socket) -> None:
        with suppress(OSError):  # the end of the test
            while True:
                taken.append(server.accept()[0])

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=take, args=(server,), daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/", taken
        for connection in taken:
            connection.close()
        server.shutdown(socket.SHUT_RDWR)


def test_a_silent_receiver_is_asked_once_and_others_get_theirs(
    receiver: Receiver, silent: tuple[str, list[socket.socket]]
) -> None:
    address, taken = silent
    script = Script(a_researcher())
    study = a_small_study(items=2, owner=script.token.user)
    for each in (address, receiver.address):
        script.post(f"studies/{study.slug}/webhooks/", {"address": each, "events": ["job.ended"]})
    for _ in range(6):
        Job.objects.create(study=study, kind="analyse", status="failed", finished_at=timezone.now())
    assert run() == 6
    assert (len(taken), len(receiver.got)) == (1, 6)
    silenced = WebhookDelivery.objects.filter(delivered_at=None)
    assert sorted(silenced.values_list("attempts", flat=True)) == [0, 0, 0, 0, 0, 1]
    assert run(dt.timedelta(seconds=11)) == 0  # the one that was tried is tried again, as ever
    assert run(dt.timedelta(seconds=12)) == 0
    assert len(taken) == 2
    run(dt.timedelta(minutes=7))
    assert len(taken) == 3


def test_one_process_sends_at_a_time_and_the_others_do_not_wait(receiver: Receiver, settings: Any) -> None:
    script = Script(a_researcher())
    study = a_small_study(items=2, owner=script.token.user)
    script.post(f"studies/{study.slug}/webhooks/", {"address": receiver.address, "events": ["job.ended"]})
    Job.objects.create(study=study, kind="analyse", status="failed", finished_at=timezone.now())
    code = "import fcntl, sys; file = open(sys.argv[1], 'ab'); fcntl.flock(file, fcntl.LOCK_EX); print(1); input()"
    with subprocess.Popen(
        [sys.executable, "-u", "-c", code, str(settings.VAR_DIR / webhooks.LOCK)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as other:  # fmt: skip
        assert other.stdout is not None
        other.stdout.readline()
        assert run() == 0
        other.kill()
    assert run() == 1


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/", "https://127.0.0.1/", "https://10.0.0.1/", "https://[::1]/", "https://169.254.169.254/",
        "https://[::ffff:10.0.0.1]/", "https://me:pw@example.org/", "https:///x", "ftp://example.org/", "https://x:0/",
        "https://example.org:99999/", "example.org", "https://[bad", "https://0.0.0.0/", "https://example.org/#x",
        "https://[fec0::1]/", "https://[64:ff9b::10.0.0.1]/", "https://[64:ff9b::a9fe:a9fe]/", "https://[64:ff9b:1::1]/",
        "https://[::10.0.0.1]/",
    ],
)  # fmt: skip
def test_unfit_addresses_are_refused_when_they_are_typed(address: str) -> None:
    with pytest.raises(Refused):
        refuse_unfit_address(address)


@pytest.mark.parametrize(
    "found", [["127.0.0.1"], ["93.184.216.34", "10.0.0.1"], ["fd00::1"], ["fec0::7"], ["64:ff9b::a00:1"]]
)
def test_a_name_that_means_a_private_machine_gets_nothing(found: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def look_up(host: str, port: int, **_: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in found]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(NotSent, match="private network"):
        post("https://innocent.example.org/", b"{}", {})


def test_who_may_not_change_a_study_sees_no_webhook_and_no_address_shows_without_its_scope(receiver: Receiver) -> None:
    owner = a_researcher()
    study = a_small_study(items=2, owner=owner)
    path = f"studies/{study.slug}/webhooks/"
    Script(owner).post(path, {"address": receiver.address, "events": ["job.ended"]})
    (shown,) = Script(owner, ["read"]).get(path).json()["results"]
    assert shown["address"] is None
    assert Script(a_researcher(study, "viewer")).get(path).status_code == 403
    assert Script(owner).ask("DELETE", f"{path}{shown['id']}/").status_code == 204
    assert not Webhook.objects.exists()
