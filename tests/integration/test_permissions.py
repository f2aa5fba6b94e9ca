"""Every address of the site, the admin and the API by every role: tests/cases/permissions/ says what each gets.

A new address has no row and fails. To write the tables anew, and then to read what has changed in them:
TOUCHSTONE_TEST_WRITE_PERMISSIONS=1 pytest tests/integration/test_permissions.py
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.test import Client

from agreement.kinds.signs import NAMES
from annotation.accounts.researcher_accounts import new_nonce
from annotation.entry.links import make_invitations, make_open_link
from annotation.models import (
    AnswerSigns,
    ApiToken,
    EndQuestion,
    Job,
    Participation,
    Payment,
    Scope,
    SecondFactor,
    Study,
    User,
    Webhook,
    Worker,
)
from annotation.platforms.tokens import Purpose, Token, sign_token
from annotation.releases.actions.rule_sets import exclude
from annotation.releases.actions.scoring_probes import add_probe, publish_leaderboard
from annotation.releases.models import GoldRelease
from tests import permissions
from tests.factories import per_assignment_done
from tests.integration.annotation.answering.views.people import a_picture
from tests.integration.annotation.api.scripts import ALL, Script
from tests.integration.researchers import a_released_study, a_researcher, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.both]
WRITES = "TOUCHSTONE_TEST_WRITE_PERMISSIONS"
# What each field holds that not everybody may read. Nobody else's page holds such a word.
OF_STUDY, OF_PLATFORM, OF_LINK, OF_NOBODY = "sentinelstudy", "sentinelplatform", "sentinellink", "sentinelnobody"
ROLES = ("nobody", "stranger", "viewer", "editor", "manager", "owner", "administrator")
MAY_LOOK = {"viewer", "editor", "manager", "owner", "administrator"}
MAY_CHANGE = MAY_LOOK - {"viewer"}
MAY_MANAGE = {"manager", "owner", "administrator"}
SLUG = f"{OF_STUDY}-slug"


@pytest.fixture(autouse=True)
def without_a_limit_on_visits(settings: Any) -> None:
    """A quick machine walks all addresses within a minute."""
    settings.API_VISITS_PER_MINUTE = 1_000_000


@dataclass
class World:
    study: Study
    people: dict[str, User]
    person: Participation
    parts: dict[str, str]
    job: Job
    invitation: str
    token: int


@pytest.fixture
def world(tmp_path: Path) -> World:
    study, release, _client = a_released_study()
    owner = study.owner
    assert owner is not None
    people = {"owner": owner, "stranger": a_researcher(), "administrator": User.objects.create_superuser("root")}
    people |= {level: a_researcher(study, level) for level in ("viewer", "editor", "manager")}
    Study.objects.filter(pk=study.pk).update(
        slug=SLUG, title=f"{OF_STUDY} title", contact=f"{OF_STUDY}@example.org", code_completed=OF_LINK,
        platform="prolific", pay="1.00", currency="GBP",
    )  # fmt: skip
    study.refresh_from_db()
    for number, worker in enumerate(Worker.objects.filter(participations__study=study)):
        Worker.objects.filter(pk=worker.pk).update(platform_id=f"{OF_PLATFORM}-{number}")
    open_payments = Payment.objects.filter(participation__study=study, status__in=Payment.OPEN)
    open_payments.update(platform_id=f"{OF_PLATFORM}-pay", session_id=f"{OF_PLATFORM}-session")
    person = study.participations.order_by("pk").first()
    assert person is not None
    person.comments, person.demographics = f"{OF_STUDY} comment", {"age": f"{OF_STUDY} age"}
    person.save(update_fields=["comments", "demographics"])
    EndQuestion.objects.create(study=study, position=1, name="age", text="How old?")
    exclusion = exclude(participation=study.participations.order_by("-pk")[0], reason=f"{OF_STUDY} why", by=owner)
    for link in [*make_invitations(study=study, count=1), make_open_link(study=study, capacity=None)]:
        link.token = f"{OF_LINK}-{link.kind}"
        link.save(update_fields=["token"])
    picture = a_picture()
    SecondFactor.objects.create(user=people["manager"], nonce=f"{OF_NOBODY}-{new_nonce()[:20]}", last_step=0)
    webhook = Webhook.objects.create(
        study=study, address=f"https://example.org/{OF_LINK}", events=["job.ended"], nonce=f"{OF_NOBODY}-nonce"
    )
    board = publish_leaderboard(study=study, by=owner)
    outputs = tmp_path / "outputs.csv"
    rows = [f"{item_id},{number}" for number, item_id in enumerate(study.items.values_list("item_id", flat=True))]
    outputs.write_text("\n".join(["item_id,score", *rows]), encoding="utf-8")
    probe = add_probe(study=study, name=f"{OF_STUDY} model", file=outputs, by=owner)
    job = study.jobs.filter(kind="analyse").first() or study.jobs.order_by("pk")[0]
    token = Script(owner).token
    ApiToken.objects.filter(pk=token.pk).update(digest=f"{OF_NOBODY}-digest")
    parts = {
        "study": str(study.uuid), "job": str(job.uuid), "number": "1", "exclusion": str(exclusion.pk), "what": "gold",
        "name": "judgment-distribution", "slug": SLUG, "sha256": picture.sha256, "link_token": f"{OF_LINK}-open",
        "token": board.token, "pk": str(study.pk), "object_id": "1", "id": str(owner.pk), "link": "1", "to": "paused",
        "action": "archive", "export": "gold", "key": "consent", "webhook": str(webhook.uuid),
        "which": "all", "group": "due", "app_label": "annotation", "url": "nothing/", "content_type_id": "1",
        "status": "returned", "item": str(study.items.order_by("pk")[0].uuid), "preset": "typicality",
        "question": "answer", "evidence": "signs", "first": "1",
        "probe": str(probe.uuid), "run": str(release.run.uuid), "pseudonym": person.pseudonym, "rest": "nothing/",
    }  # fmt: skip
    counted = person.assigned_items.order_by("pk")[0]
    AnswerSigns.objects.create(assigned_item=counted, client_key=uuid4(), **dict.fromkeys(NAMES, 0))
    parts["link"] = str(study.entry_links.order_by("pk")[0].pk)
    return World(study, people, person, parts, job, f"{OF_LINK}-invitation", token.pk)


def part_of(world: World) -> Any:
    """What stands for a part of a route: the study's own things, so that only the role decides."""
    study, person = world.study, world.person

    def part(route: str, name: str) -> str:
        if route.startswith(permissions.API) and name == "study":
            return SLUG
        if name == "study" and "storedruleset" in route:
            return str(study.pk)
        if name in {"pk", "object_id"} and "/admin/" in route:
            return str(_row(route, world))
        if name == "token":
            assignment = person.assignments.order_by("pk")[0]
            purposes = {
                "/p/": (Purpose.PARTICIPATION, person.uuid),
                "/a/": (Purpose.ASSIGNMENT, assignment.uuid),
                "/withdraw/": (Purpose.WITHDRAWAL, person.uuid),
            }
            for beginning, (purpose, uuid) in purposes.items():
                if route.startswith(beginning):
                    return sign_token(purpose, Token(uuid))
        return world.parts[name]  # KeyError: a new kind of part; say here what stands for it

    return part


def _row(route: str, world: World) -> int:
    """The first row of that model that belongs to the study."""
    if "/tokens/" in route:
        return world.token
    app, model = route.split("/")[2:4]
    if app == "r":  # the admin's redirect to whatever there is
        return 1
    if (app, model) == ("annotation", "study"):
        return world.study.pk
    if (app, model) == ("annotation", "participation"):
        return world.person.pk
    found = apps.get_model(app, model)._default_manager.order_by("pk").first()
    return 1 if found is None else int(found.pk)


def compare(name: str, found: Mapping[tuple[str, str], Mapping[str, str]]) -> None:
    if os.environ.get(WRITES):
        (permissions.FOLDER / f"{name}.csv").write_text(permissions.written(found), encoding="utf-8")
    told = permissions.differences(permissions.read(name), found)
    assert told == [], "\n".join(told)


def leaks(role: str, body: bytes, route: str) -> list[str]:
    """The sentinels that this role must not read, and did."""
    text = body.decode("utf-8", "replace")
    refused = [OF_NOBODY]
    refused += [OF_PLATFORM] if role not in MAY_MANAGE else []
    refused += [OF_LINK] if role not in MAY_LOOK and not route.startswith(PUBLIC) else []
    refused += [OF_STUDY] if role not in MAY_LOOK and not route.startswith(PUBLIC) else []
    return [f"{role} reads {word} at {route}" for word in refused if word in text]


# Where the study is for anybody who has the link, and the platform's address.
PUBLIC = ("/take/", "/join/", "/p/", "/a/", "/withdraw/", "/leaderboard/", "/preview/")


def test_every_address_by_every_role(world: World) -> None:
    """Pages by browsers that are signed in, the API by tokens with every scope."""
    browsers = {role: permissions.browser(signed_in(user)) for role, user in world.people.items()}
    browsers["nobody"] = permissions.browser(Client())
    scripts = {role: permissions.script(Client(), Script(user).text) for role, user in world.people.items()}
    scripts["nobody"] = permissions.script(Client(), "")
    part, told = part_of(world), []
    found: dict[tuple[str, str], dict[str, str]] = {}
    for address in permissions.addresses():
        path, askers = address.filled(part), scripts if address.route.startswith(permissions.API) else browsers
        for method in address.methods:
            if "logout" in address.route and method == "POST":
                continue
            row = found.setdefault((method, address.route), {})
            for role in ROLES:
                answer = permissions.asked(askers[role], method, path)
                row[role] = answer.word
                told += leaks(role, answer.body, address.route)
    assert told == []
    assert not [key for key, row in found.items() if any(word.startswith("5") for word in row.values())]
    compare("roles", found)


SHOWN_BY = {Scope.PLATFORM_IDS: OF_PLATFORM, Scope.LINKS: OF_LINK}


def test_every_address_of_the_api_by_every_scope(world: World) -> None:
    """The owner with a token of one scope alone: without the scope for them no platform id and no link shows."""
    scripts = {scope: permissions.script(Client(), Script(world.people["owner"], [scope]).text) for scope in ALL}
    part, told = part_of(world), []
    found: dict[tuple[str, str], dict[str, str]] = {}
    for address in permissions.addresses():
        if not address.route.startswith(permissions.API):
            continue
        for method in address.methods:
            row = found.setdefault((method, address.route), {})
            for scope, ask in scripts.items():
                answer = permissions.asked(ask, method, address.filled(part))
                row[scope] = answer.word
                text = answer.body.decode("utf-8", "replace")
                told += [f"{scope}: {method} {address.route}"] if OF_NOBODY in text else []
                told += (
                    [f"{scope}: {method} {address.route}"]
                    if OF_PLATFORM in text and scope != Scope.PLATFORM_IDS
                    else []
                )
                told += [f"{scope}: {method} {address.route}"] if OF_LINK in text and scope != Scope.LINKS else []
    assert told == []
    compare("scopes", found)


ANNOTATOR = ("/p/", "/a/", "/withdraw/", "/join/")


def test_annotators_reach_their_own_study_and_nothing_else(world: World) -> None:
    """An annotator has links and no log-in: with those of another study nothing of this one is seen."""
    from tests.factories import a_study

    elsewhere = per_assignment_done(a_study()).participation
    part, told = part_of(world), []
    found: dict[tuple[str, str], dict[str, str]] = {}
    people = {"annotator": world.person, "annotator_elsewhere": elsewhere}
    ask = permissions.browser(Client())
    for address in permissions.addresses():
        if not address.route.startswith(ANNOTATOR):
            continue
        for method in address.methods:
            row = found.setdefault((method, address.route), {})
            for role, person in people.items():
                own = part_of(World(**{**world.__dict__, "person": person})) if role == "annotator_elsewhere" else part
                answer = permissions.asked(ask, method, address.filled(own))
                row[role] = answer.word
                text = answer.body.decode("utf-8", "replace")
                seen = [OF_NOBODY, OF_PLATFORM] + ([OF_STUDY] if role == "annotator_elsewhere" else [])
                if not address.route.startswith("/join/"):
                    told += [f"{role} reads {word} at {address.route}" for word in seen if word in text]
    assert told == []
    compare("annotators", found)


def test_pages_of_a_study_are_walked(world: World) -> None:
    """The walk is worth something only where the owner gets in."""
    del world
    rows = permissions.read("roles")
    got_in = [
        key for key, row in rows.items() if row["owner"] in {"200", "201", "202", "204", "302", "409", "422", "428"}
    ]
    assert len(got_in) > len(rows) / 2
    assert GoldRelease.objects.exists()
