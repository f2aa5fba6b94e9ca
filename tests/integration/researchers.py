"""Researchers with a role in a study, signed in, and studies with results, for the tests of their pages."""

import time
from itertools import count
from typing import Any

from django.test import Client

from annotation.models import Role, Study, User
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.models import GoldRelease
from annotation.web.middleware import LOGGED_IN_AT, SEEN_AT
from tests.factories import a_study, per_assignment_done

_numbers = count(1)


def a_researcher(study: Study | None = None, level: str = "", **changes: Any) -> User:
    user = User.objects.create_user(
        f"researcher-{next(_numbers)}", password="wall-nut-tree-9", is_staff=True, **changes
    )
    if study is not None and level:
        Role.objects.create(study=study, user=user, level=level)
    return user


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    session = client.session  # as the log-in page leaves it
    session[LOGGED_IN_AT] = session[SEEN_AT] = int(time.time())
    session.save()
    return client


def an_owned_study(**changes: Any) -> tuple[Study, Client]:
    """A study and its owner's browser."""
    owner = a_researcher()
    return a_study(owner=owner, **changes), signed_in(owner)


def a_judged_study(people: int = 3, **changes: Any) -> tuple[Study, Client]:
    """People gave 95 to everything: they fail the checks that ask for a low answer."""
    study, client = an_owned_study(**changes)
    for _ in range(people):
        per_assignment_done(study, number=95)
    return study, client


def a_released_study() -> tuple[Study, GoldRelease, Client]:
    """Two careful people, one who fails the unrelated check, and one who fails the self check."""
    study, client = an_owned_study()
    for number in (95, 30):
        per_assignment_done(study, number=number)
    for number in (40, 60):
        per_assignment_done(study, number=number, is_careful=True)
    return study, clean_and_release(study=study, replicates=100, by=study.owner), client
