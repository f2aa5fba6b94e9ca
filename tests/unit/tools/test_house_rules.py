"""The rules that hold for every test do hold."""

import socket

import pytest

from tests.house_rules import NetworkUsed


def test_no_test_reaches_another_machine() -> None:
    with socket.socket() as outside, pytest.raises(NetworkUsed, match=r"192\.0\.2\.1"):
        outside.connect(("192.0.2.1", 80))


def test_this_machine_is_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
