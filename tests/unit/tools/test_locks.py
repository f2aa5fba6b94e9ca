"""The lock files hold what is needed, once each, with hashes, and nothing about where it came from."""

import re
from pathlib import Path

import pytest

from tools import place

FILES = ["run.txt", "dev.txt"]


def text(name: str) -> str:
    return (place.ROOT / "tools" / "requirements" / name).read_text()


def pins(name: str) -> list[tuple[str, str]]:
    """Names and versions; a name comes twice where older Pythons need an older version."""
    return re.findall(r"^([A-Za-z0-9_.-]+(?:\[[\w,-]+\])?)==(\S+)", text(name), flags=re.MULTILINE)


@pytest.mark.parametrize("name", FILES)
def test_lock_names_no_place_to_fetch_from(name: str) -> None:
    assert not re.search(r"https?://|file://|^--(?:extra-)?index-url|^--find-links|@ ", text(name), flags=re.MULTILINE)


@pytest.mark.parametrize("name", FILES)
def test_each_package_has_a_hash(name: str) -> None:
    entries = re.findall(r"^[A-Za-z0-9].*?(?=^[A-Za-z0-9]|\Z)", text(name), flags=re.MULTILINE | re.DOTALL)
    assert len(entries) == len(pins(name)) > 20
    assert all("--hash=sha256:" in entry for entry in entries)


def test_tests_run_on_the_versions_that_people_run() -> None:
    assert set(pins("run.txt")) - set(pins("dev.txt")) == set()


def test_direct_dependencies_each_say_why() -> None:
    lines = (place.ROOT / "pyproject.toml").read_text().splitlines()
    named = [line for line in lines if re.match(r'    "[A-Za-z].*[><=~].*",', line) and "select" not in line]
    assert named
    assert [line for line in named if "#" not in line] == []


def test_nothing_the_tools_make_is_committed() -> None:
    ignored = (place.ROOT / ".gitignore").read_text().splitlines()
    assert {"/var/", "/.venv", "__pycache__/"} <= set(ignored)
    assert not Path(place.ROOT / "var" / ".gitkeep").exists()
