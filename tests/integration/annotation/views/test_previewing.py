"""A researcher's preview shows the whole form and stores nothing; a stranger doesn't learn that there is a study."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import AssignedItem, Participation, Study, User
from tests.factories import a_study

pytestmark = pytest.mark.django_db


def look(study: Study, user: User | None) -> tuple[int, str]:
    client = Client()
    if user:
        client.force_login(user)
    reply = client.get(reverse("annotation:preview", kwargs={"slug": study.slug}))
    return reply.status_code, reply.content.decode()


def test_the_owner_sees_an_assignments_worth_of_questions_that_cant_be_answered() -> None:
    owner = User.objects.create_user("owner")
    study = a_study(live=False, owner=owner)

    status, page = look(study, owner)

    assert status == 200
    assert page.count("data-item=") == 12
    assert page.count('<fieldset class="plain-set" disabled>') == 12
    assert "Nothing that you do here is saved" in page
    assert "<form" not in page
    assert not Participation.objects.exists()
    assert not AssignedItem.objects.exists()
    assert study.status == Study.Status.DRAFT


def test_others_are_not_told_that_it_exists() -> None:
    study = a_study(live=False)

    assert look(study, User.objects.create_user("stranger"))[0] == 404
    assert look(study, None)[0] == 302
