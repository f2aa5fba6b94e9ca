"""`manage.py create_study`: whose study it is."""

import io

import pytest
from django.core.management import call_command

from annotation.models import Study, User

pytestmark = pytest.mark.django_db


def create(**options: str) -> None:
    call_command("create_study", "colours", preset="memory-colours", stdout=io.StringIO(), **options)


def test_study_belongs_to_the_researcher_who_is_named() -> None:
    ann = User.objects.create_user("ann", is_staff=True)
    create(owner="ann")
    assert Study.objects.get(slug="colours").owner == ann


def test_unknown_owner_is_refused_and_no_study_is_made(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        create(owner="nobody")
    assert "--owner nobody: there is no researcher of that name" in capsys.readouterr().err
    assert not Study.objects.exists()
    create()
    assert Study.objects.get(slug="colours").owner is None
