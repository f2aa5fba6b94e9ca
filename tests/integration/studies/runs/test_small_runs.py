"""A small part of each founding study, run as its page is made: what it writes is what is kept in tests/cases/studies.

`WRITE_KEPT_PAGES=1` writes the kept pages anew. The whole pages are held by `test_whole_runs.py`.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from studies.runs import property_norms, study_000, study_001, study_002, study_003, study_named
from studies.runs.site import CommandFailed, Site
from studies.runs.study import Page

KEPT = Path(__file__).parents[3] / "cases" / "studies"


@pytest.fixture
def run_part(tmp_path: Path) -> Callable[..., str]:
    """Runs parts of a study, with the study's own seed, and gives their page."""

    def run(number: str, *parts: Callable[..., None]) -> str:
        study = study_named(number)
        page, site = Page(tmp_path, study.title), Site(tmp_path, None, study.seed)
        for part in parts:
            part(site, page)
        return page.write().read_text(encoding="utf-8")

    return run


def hold(name: str, page: str) -> None:
    """The page is the one that is kept."""
    kept = KEPT / f"{name}.txt"
    if os.environ.get("WRITE_KEPT_PAGES"):
        kept.write_text(page, encoding="utf-8")
    assert page == kept.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.django_db
def test_similarity_of_relations(run_part: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, small in {"WORKERS": 12, "CARELESS": 2, "SENTENCES": 1, "TRANSFORMS": ("column-share",)}.items():
        monkeypatch.setattr(study_000, name, small)

    hold("000-small", run_part("000", study_000.people, study_000.own_terms, study_000.made_model))


def test_precision_and_recall(run_part: Callable[..., str]) -> None:
    hold("001-small", run_part("001", study_001.translation, study_001.spans))


def test_sizes_that_follow_from_others(run_part: Callable[..., str]) -> None:
    hold("002-small", run_part("002", study_002.size_sets, study_002.parts))


@pytest.mark.slow
def test_rules_on_made_scenes(run_part: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study_003, "N", 160)

    hold("003-small", run_part("003", study_003.rules, study_003.models))


@pytest.mark.slow
def test_norms_from_elsewhere(run_part: Callable[..., str]) -> None:
    hold("004-small", run_part("004", property_norms.from_elsewhere))


def test_a_refused_command_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandFailed, match=r"(?s)score_spans nowhere.csv none.csv.*nowhere.csv"):
        Site(tmp_path, None, 1).manage("score_spans", "nowhere.csv", "none.csv")
