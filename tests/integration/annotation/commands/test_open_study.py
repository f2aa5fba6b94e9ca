"""`manage.py open_study` and `simulate`, from a draft to answers, without the admin."""

import io
import json
from typing import Any

import pytest
from django.core.management import call_command

from annotation.models import AuditEntry, Judgment, Study
from tests.integration.annotation.answering.views.people import a_study_of

pytestmark = pytest.mark.django_db


def said(*words: str, **options: Any) -> str:
    out = io.StringIO()
    call_command(*words, stdout=out, **options)
    return out.getvalue()


def a_draft() -> Study:
    call_command("create_study", "spatial", preset="spatial-similarity", stdout=io.StringIO())
    return Study.objects.get()


def test_draft_is_opened_simulated_and_audited() -> None:
    study = a_draft()

    assert said("open_study", "spatial") == "spatial is live: 660 judgments are needed.\n"
    said("simulate", "spatial", workers=2)

    study.refresh_from_db()
    assert study.status == "live"
    assert AuditEntry.objects.filter(action="changed-status", why="by manage.py open_study").count() == 1
    assert Judgment.objects.exists()


def test_a_study_that_is_open_already_stays_so() -> None:
    a_draft()
    said("open_study", "spatial")

    assert json.loads(said("open_study", "spatial", json=True)) == {"study": "spatial", "status": "live", "places": 660}
    assert AuditEntry.objects.filter(action="changed-status").count() == 1


def test_a_pilot_opens_as_a_pilot() -> None:
    a_draft()

    assert said("open_study", "spatial", pilot=True).startswith("spatial is piloting: ")


def test_what_is_missing_is_said_and_the_draft_stays_one(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("create_study", "colours", preset="colour-order", stdout=io.StringIO())
    Study.objects.get().items.all().delete()

    with pytest.raises(SystemExit) as stopped:
        said("open_study", "colours")

    assert stopped.value.code == 1
    assert "item" in capsys.readouterr().err
    assert Study.objects.get().status == "draft"


def test_closed_study_is_not_opened_again(capsys: pytest.CaptureFixture[str]) -> None:
    study = a_study_of("slider")
    Study.objects.filter(pk=study.pk).update(status="closed")

    with pytest.raises(SystemExit):
        said("open_study", study.slug)

    assert "is closed: it can become nothing else, not live" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("status", "how"),
    [
        ("draft", ": `manage.py open_study spatial` opens it"),
        ("paused", ": `manage.py open_study spatial` opens it"),
        ("closed", ""),
    ],
)
def test_nobody_is_simulated_while_a_study_is_not_open(
    status: str, how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    a_draft()
    Study.objects.update(status=status)

    with pytest.raises(SystemExit) as stopped:
        said("simulate", "spatial", workers=3)

    assert stopped.value.code == 1
    assert capsys.readouterr().err == f"Nobody can take part while spatial is {status}{how}.\n"
    assert not Judgment.objects.exists()


def test_people_are_simulated_from_a_shell_that_has_no_secret_key(settings: Any) -> None:
    a_draft()
    said("open_study", "spatial")
    settings.SECRET_KEY = ""

    said("simulate", "spatial", workers=2)

    assert Judgment.objects.exists()
