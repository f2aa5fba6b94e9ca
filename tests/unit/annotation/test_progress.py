"""The progress of a command: on a terminal alone, and not before two seconds are over."""

import io
import time

import pytest

from annotation.management.base import TouchstoneCommand


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def a_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """In the test itself: between a fixture and its test pytest puts its own in the place of standard error."""
    there = Terminal()
    monkeypatch.setattr("sys.stderr", there)
    return there


def after(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    began = time.monotonic()
    monkeypatch.setattr("time.monotonic", lambda: began + seconds)


def test_what_is_done_within_two_seconds_shows_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = a_terminal(monkeypatch)
    with TouchstoneCommand().progress("people") as report:
        assert report is not None
        report(1, 2)
    assert terminal.getvalue() == ""


def test_what_takes_longer_shows_how_much_of_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = a_terminal(monkeypatch)
    with TouchstoneCommand().progress("people") as report:
        assert report is not None
        after(2.5, monkeypatch)
        report(1000, 2000)
    assert terminal.getvalue() == f"\r[{'#' * 15}{' ' * 15}] 1,000 of 2,000 people\n"


def test_where_nobody_knows_the_end_it_says_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = a_terminal(monkeypatch)
    with TouchstoneCommand().progress("lines") as report:
        assert report is not None
        after(2.5, monkeypatch)
        report(12345, 0)
    assert terminal.getvalue() == "\r12,345 lines\n"


def test_what_is_no_terminal_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    with TouchstoneCommand().progress("people") as report:
        assert report is None
