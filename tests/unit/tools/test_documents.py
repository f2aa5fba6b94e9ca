"""Documents and comments name only files that are in the repository."""

import re
from pathlib import Path

import pytest

from tools import place

LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
FOLDERS = (
    *("annotation", "agreement", "config", "jobs", "questions", "simulation", "tables"),
    *("benchmarks", "deploy", "docs", "templates", "tests", "tools"),
)
NAMED = re.compile(rf"\b((?:{'|'.join(FOLDERS)}|static)/[\w./-]+\.\w+)")
# Made by a run, or by the person who deploys.
NOT_THERE_YET = {"deploy/touchstone.env"}


def texts(*endings: str) -> list[Path]:
    top = [path for path in place.ROOT.iterdir() if path.is_file()]
    below = [path for folder in FOLDERS for path in (place.ROOT / folder).rglob("*")]
    return sorted(path for path in [*top, *below] if path.suffix in endings and "migrations" not in path.parts)


def home(page: Path) -> Path:
    """The folder that a page's links start from. The words around the tables of docs/coverage.md wait elsewhere."""
    return place.ROOT / "docs" if page.name == "coverage_page.md" else page.parent


@pytest.mark.parametrize("page", texts(".md"), ids=lambda page: str(page.relative_to(place.ROOT)))
def test_links_lead_to_files_that_are_there(page: Path) -> None:
    missing = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if not (home(page) / link).exists()]

    assert missing == []


def test_files_that_are_named_are_there() -> None:
    missing = {
        f"{path.relative_to(place.ROOT)} names {name}"
        for path in texts(".md", ".py", ".html", ".toml")
        for name in NAMED.findall(path.read_text(encoding="utf-8"))
        if name not in NOT_THERE_YET
        and not any((place.ROOT / root / name).exists() for root in ("", "templates", "static"))
    }

    assert missing == set()
