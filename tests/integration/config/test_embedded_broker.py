"""The broker that needs no server: messages appear whole, are taken once, and its folder may vanish."""

import shutil
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection

from annotation.web import broker
from annotation.web.broker import Channel

pytestmark = pytest.mark.concurrent


@pytest.fixture
def channel(tmp_path: Path) -> Iterator[Channel]:
    address = "filesystem://localhost"
    options = broker.transport_options(address, tmp_path / "broker")
    with Connection(address, transport=broker.transport(address), transport_options=options) as connection:
        opened = connection.channel()
        assert isinstance(opened, Channel)
        yield opened


def taken(channel: Channel) -> list[int]:
    found = []
    while True:
        try:
            found.append(channel._get("jobs")["number"])
        except Empty:
            return found


def test_messages_come_in_the_order_in_which_they_went(channel: Channel) -> None:
    for number in range(50):
        channel._put("jobs", {"number": number})
    channel._put("other", {"number": -1})
    assert taken(channel) == list(range(50))
    assert channel._size("other") == 1


def test_message_that_is_being_written_is_not_seen(channel: Channel, tmp_path: Path) -> None:
    (tmp_path / "broker" / "queue" / "0_half.jobs.msg.part").write_text('{"numb')
    assert taken(channel) == []


def test_four_takers_get_each_message_once(channel: Channel) -> None:
    for number in range(200):
        channel._put("jobs", {"number": number})
    got: list[int] = []
    takers = [threading.Thread(target=lambda: got.extend(taken(channel))) for _ in range(4)]
    for taker in takers:
        taker.start()
    for taker in takers:
        taker.join()
    assert Counter(got) == Counter(range(200))


def test_folder_that_vanished_is_made_again(channel: Channel, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "broker")
    assert taken(channel) == []
    channel._put("jobs", {"number": 1})
    assert taken(channel) == [1]
    assert (tmp_path / "broker" / "queue").stat().st_mode & 0o077 == 0
