"""`manage.py plan`: the page's plan on the terminal, of a study or of a file."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from agreement.planning.precision import Goal
from annotation.pages.plan import PlanRequest, planned
from tests.factories import a_study
from tests.integration.researchers import a_released_study


def plan(of: object, target: str, *more: str) -> dict[str, Any]:
    told = io.StringIO()
    call_command("plan", str(of), "--target", target, *more, "--json", stdout=told)
    found: dict[str, Any] = json.loads(told.getvalue())
    return found


def a_file(folder: Path) -> Path:
    """Items from 10 to 90 by four workers who each add something to everything."""
    rows = [f"w{w},i{i},{10 + 8 * i + 2 * w + (i * w) % 3}" for w in range(4) for i in range(10)]
    file = folder / "judgments.csv"
    file.write_text("\n".join(["worker_id,item_id,value", *rows]) + "\n")
    return file


@pytest.mark.django_db
def test_a_study_has_the_plan_of_its_page() -> None:
    study, _release, _client = a_released_study()
    items = study.items.targets().count()
    asked = PlanRequest("simulated", Goal.GOLD, 10, items=items, items_per_person=5, people=None)
    found = plan(study.slug, "gold=10", "--items-per-person", "5", "--from", "simulated")
    assert found["says"] == planned(study, asked)["answer"]
    assert found["best"]["precision"] <= 10
    assert len(found["curve"]) > 10


@pytest.mark.django_db
def test_a_study_that_nobody_has_judged_is_planned_from_simulated_people() -> None:
    study = a_study()
    found = plan(study.slug, "alpha=0.2", "--people", "1")
    assert "can't even give two judgments" in found["says"]
    assert found["best"] is None


def test_a_file_is_planned_without_a_database(tmp_path: Path) -> None:
    found = plan(a_file(tmp_path), "gold=1", "--kind", "slider")
    assert (found["items"], found["items_per_worker"], found["cost"]) == (10, 10, None)
    told = io.StringIO()
    call_command("plan", str(a_file(tmp_path)), "--target", "gold=1", "--kind", "slider", stdout=told)
    assert told.getvalue().startswith("For each item's gold within ±1: ")
    assert "judgments per item   people  precision" in told.getvalue()


@pytest.mark.parametrize("target", ["alpha", "beta=0.05", "alpha=no", "alpha=0", "alpha=-1", "alpha=inf", "alpha=nan"])
def test_a_bad_target_is_refused(target: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"no goal with a number|above 0"):
        plan(a_file(tmp_path), target)


def test_what_can_not_be_planned_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "judgments.csv"
    file.write_text("worker_id,item_id,value\nw1,i1,5\nw1,i2,7\n")
    assert "There is no plan: " in refused(capsys, file, "--kind", "slider", "--scale", "0:100")
    assert "a file has no form" in refused(capsys, a_file(tmp_path), "--from", "simulated")
    assert "--items 1: it has to be 2 or more." in refused(capsys, a_file(tmp_path), "--items", "1")


def refused(capsys: pytest.CaptureFixture[str], file: Path, *more: str) -> str:
    with pytest.raises(SystemExit):
        plan(file, "alpha=0.05", *more)
    return capsys.readouterr().err
