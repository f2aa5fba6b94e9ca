"""A request that is sent again with its key: the first answer, for those alone who may still see what is in it."""

from typing import Any

import pytest
from django.apps import apps

from annotation.api.once import SHOWN_ONCE
from annotation.models import AuditEntry, Role, Study, Webhook
from annotation.notices.webhooks import secret_of
from tests.factories import a_small_study
from tests.integration.annotation.api.scripts import ALL, Script
from tests.integration.researchers import a_researcher

pytestmark = [pytest.mark.django_db, pytest.mark.both]
KEY = {"Idempotency-Key": "one"}
REPLAYED = "Idempotency-Replayed"
POSTS: dict[str, dict[str, Any]] = {
    "links/": {"note": "for all"},
    "invitations/": {"count": 1},
    "webhooks/": {"address": "https://example.org/SECRET", "events": ["job.ended"]},
}


@pytest.mark.parametrize("path", POSTS)
def test_what_one_token_was_shown_is_not_shown_to_another_with_fewer_scopes(path: str) -> None:
    user = a_researcher()
    address = f"studies/{a_small_study(items=2, owner=user).slug}/{path}"
    first = Script(user).post(address, POSTS[path], headers=KEY)
    assert first.status_code == 201, first.content
    fewer = Script(user, ("read", "write")).post(address, POSTS[path], headers=KEY)
    assert fewer.status_code == 403
    assert "its answer is not given again" in fewer.json()["detail"]
    again = Script(user).post(address, POSTS[path], headers=KEY)
    shown = {**first.json(), "secret": SHOWN_ONCE} if path == "webhooks/" else first.json()
    assert (again.status_code, again.json(), again.headers[REPLAYED]) == (201, shown, "true")


def test_a_webhooks_secret_is_not_kept() -> None:
    user = a_researcher()
    address = f"studies/{a_small_study(items=2, owner=user).slug}/webhooks/"
    secret = Script(user).post(address, POSTS["webhooks/"], headers=KEY).json()["secret"]
    assert secret == secret_of(Webhook.objects.get())
    for model in apps.get_models():
        assert secret not in str(list(model._default_manager.values())), model


def test_more_scopes_than_the_first_token_had_are_no_hindrance() -> None:
    user = a_researcher()
    address = f"studies/{a_small_study(items=2, owner=user).slug}/links/"
    first = Script(user, ("read", "write")).post(address, POSTS["links/"], headers=KEY)
    again = Script(user, ALL).post(address, POSTS["links/"], headers=KEY)
    assert (again.status_code, again.json()) == (201, first.json())


@pytest.mark.parametrize(("level", "status"), [("", 403), ("viewer", 403), ("editor", 403), ("manager", 201)])
def test_a_study_that_became_somebody_elses_is_shown_as_far_as_the_role_goes(level: str, status: int) -> None:
    script = Script(a_researcher())
    body = {"slug": "mine", "preset": "typicality", "code_completed": "C0DE"}
    assert script.post("studies/", body, headers=KEY).status_code == 201
    Study.objects.update(owner=a_researcher())
    if level:
        Role.objects.create(study=Study.objects.get(), user=script.token.user, level=level)
    again = script.post("studies/", body, headers=KEY)
    assert (again.status_code, b"C0DE" in again.content) == (status, status == 201)


def test_a_status_is_changed_once_however_often_it_is_asked_for() -> None:
    user = a_researcher()
    study = a_small_study(items=2, owner=user)
    address, body = f"studies/{study.slug}/status/", {"to": "paused"}
    etag = Script(user).get(f"studies/{study.slug}/").headers["ETag"]
    first = Script(user).post(address, body, headers=KEY)
    assert (first.status_code, first.json()["status"]) == (200, "paused")
    Script(user).post(address, {"to": "live"})
    again = Script(user).post(address, body, headers={**KEY, "If-None-Match": etag})
    assert (again.json(), again.headers[REPLAYED]) == (first.json(), "true")
    assert Study.objects.get().status == "live"
    assert AuditEntry.objects.filter(action="changed-status", detail__to="paused").count() == 1


def test_a_change_is_answered_whole_whatever_was_read_before() -> None:
    user = a_researcher()
    study = a_small_study(items=2, owner=user)
    script, address = Script(user), f"studies/{study.slug}/"
    live = script.get(address).headers["ETag"]
    script.post(f"{address}status/", {"to": "paused"})
    answer = script.post(f"{address}status/", {"to": "live"}, headers={**KEY, "If-None-Match": live})
    assert (answer.status_code, answer.json()["status"]) == (200, "live")
