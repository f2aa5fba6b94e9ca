"""Every address as it is used, then with hostile values in its parts, its query and its own form: never a 500."""

import copy
import datetime as dt
import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

import pytest
from django.contrib import admin
from django.contrib.contenttypes.models import ContentType
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from annotation.accounts.researcher_accounts import create_token
from annotation.entry.links import make_open_link
from annotation.models import (
    AccountEntry,
    Blob,
    ComprehensionQuestion,
    EndQuestion,
    EntryLink,
    Item,
    Job,
    LogInAttempt,
    Payment,
    Study,
    User,
)
from annotation.releases.actions.scoring_probes import publish_leaderboard
from annotation.releases.models import Exclusion, GoldRelease, StoredRuleSet
from tests.addresses import routes
from tests.integration.annotation.answering.views.people import a_picture, a_study_of, begin, come_in, here, links_of
from tests.integration.annotation.jobs.test_retrying import a_job
from tests.integration.researchers import a_released_study, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.both]
HUGE = "9" * 25
HOSTILE = ("\x00", HUGE, "x" * 300)
TYPED = ("\x00", HUGE, "x" * 3_000, "[" * 3_000, "nan", "-1")
LARGE = 40  # fields: those of a study are checked one by one even if all are bad, and its page takes a second
DEEP = b"[" * 100_000
FILES = {
    "deep.jsonl": DEEP, "deep.csv": b"item_id,left,right\n1," + DEEP + b",\n", "nul.csv": b"item_id,left\n\x00,\xff\n",
    "empty.csv": b"", "not.zip": b"PK\x03\x04" + DEEP, "deep.json": b'{"item_id": ' + DEEP,
}  # fmt: skip
# What would end the walk, or walk out of it.
LEFT_OUT = {"/admin/logout/"}


@dataclass
class Form:
    """A form of a page as a browser reads it: what each field stands at, and which of them take a file."""

    action: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return [name for name in self.fields if name != "csrfmiddlewaretoken"]


class Forms(HTMLParser):
    """The forms that are sent, and the addresses with a query that the page leads to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.queries: set[str] = set()
        self._select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        if tag == "form" and has.get("method", "").lower() == "post":
            self.forms.append(Form(has.get("action", "")))
        elif tag == "a":
            self.queries |= {name for name, _ in parse_qsl(urlsplit(has.get("href", "")).query, keep_blank_values=True)}
        elif self.forms and (name := has.get("name")):
            self._take(self.forms[-1], tag, name, has)
        elif tag == "option" and self._select and self.forms:
            given = self.forms[-1].fields[self._select]
            if "selected" in has or not given:
                given[:] = [has.get("value", "")]

    def _take(self, form: Form, tag: str, name: str, has: dict[str, str]) -> None:
        self._select = name if tag == "select" else ""
        if has.get("type") == "file":
            form.files.append(name)
        elif has.get("type") in {"checkbox", "radio"} and "checked" not in has:
            form.fields.setdefault(name, [])
        elif tag in {"input", "select", "textarea", "button"}:
            form.fields.setdefault(name, []).append(has.get("value", ""))


def a_sound() -> Blob:
    content = b"RIFF"
    sha256 = hashlib.sha256(content).hexdigest()
    return Blob.objects.create(sha256=sha256, content_type="audio/wav", content=content)


@pytest.fixture
def known() -> dict[str, tuple[object, ...]]:
    """What is really there for each address that has parts. A new address has to be given its own here."""
    judged, release, _ = a_released_study()
    owner = judged.owner
    assert owner is not None
    publish_leaderboard(study=judged, by=owner)
    ours = a_study_of("slider", assignments_per_worker=2)
    EndQuestion.objects.create(study=ours, position=1, name="age", text="How old?", options="18\n19")
    Item.objects.filter(study=ours, item_id="fern").update(image=a_picture())
    begin(Client(), ours)
    link, job = make_open_link(study=judged, capacity=None), a_job(judged)
    AccountEntry.objects.create(user=owner, by=owner, action=AccountEntry.Action.values[0])
    LogInAttempt.objects.create(account="x", at=timezone.now())
    a_token, _ = create_token(user=owner, name="a script", scopes=["read"], lives=dt.timedelta(days=1))
    return (
        rows_of_the_admin()
        | for_annotators(ours, judged, link)
        | for_who_collects(ours)
        | for_who_analyses(judged, release, job)
        | {
            "/admin/annotation/study/{}/links/{}/revoke/": (judged.pk, link.pk),
            "/admin/tokens/{}/": (a_token.pk,),
            "/admin/r/": (ContentType.objects.get_for_model(Study).pk, ours.pk),
            "/admin/{}": ("nowhere",),
            "/admin/{}/": ("annotation",),
        }
    )


def rows_of_the_admin() -> dict[str, tuple[object, ...]]:
    """Of every model that the admin lists, the row that was made last."""
    return {
        f"/admin/{model._meta.label_lower.replace('.', '/')}/": (model._default_manager.latest("pk").pk,)
        for model in admin.site._registry
    }


def for_annotators(ours: Study, judged: Study, link: EntryLink) -> dict[str, tuple[object, ...]]:
    """The pages of a person who has begun, of who comes, and those that anybody with a link sees."""
    addresses = links_of(ours.participations.get())
    token = {name: address.split("/")[2] for name, address in addresses.items()}
    return {
        "/a/": (token["assignment"], 1),
        "/p/": (token["participation"],),
        **{f"/p/{{}}/{page}/": (token_of_one_at(page),) for page in ("consent", "instructions", "questions")},
        "/withdraw/": (token["withdrawal"],),
        "/take/": (ours.slug,),
        "/preview/": (ours.slug, "landing"),
        "/preview/{}/questions/{}/": (ours.slug, 1),
        "/preview/{}/questions/pages/{}/": (ours.slug, 1),
        "/join/": (link.token,),
        "/picture/": (a_picture().sha256,),
        "/medium/": (a_sound().sha256,),
        "/institution/": ("0" * 64,),
        "/leaderboard/": (judged.public_leaderboard.token,),
    }


def for_who_collects(ours: Study) -> dict[str, tuple[object, ...]]:
    """A study, its person and payment, and its import."""
    person = ours.participations.get()
    return {
        "/admin/annotation/participation/": (person.pk, "returned"),
        "/admin/annotation/payment/": (Payment.objects.get(participation=person).pk, "approved"),
        "/admin/annotation/study/": (ours.pk,),
        "/admin/annotation/study/{}/end/{}/": (ours.pk, "archive"),
        "/admin/annotation/study/{}/import-items/{}/": (ours.pk, an_import(ours).uuid),
        "/admin/annotation/study/{}/items-sample/": (ours.pk, "caption-relevance"),
        "/admin/annotation/study/{}/payments/{}.csv": (ours.pk, "open"),
        "/admin/annotation/study/{}/payments/{}/": (ours.pk, "waive-unfinished"),
        "/admin/annotation/study/{}/status/{}/": (ours.pk, "paused"),
    }


def for_who_analyses(judged: Study, release: GoldRelease, job: Job) -> dict[str, tuple[object, ...]]:
    """The results of a study with a release: its rules, people, items, exclusions and jobs."""
    return {
        "/admin/agreement/storedruleset/": (StoredRuleSet.objects.latest("pk").pk, judged.pk),
        "/admin/results/": (judged.uuid,),
        "/admin/results/{}/exclusions/": (judged.uuid, Exclusion.objects.latest("pk").pk),
        "/admin/results/{}/items/": (judged.uuid, judged.items.earliest("pk").uuid),
        "/admin/results/{}/jobs/": (judged.uuid, job.uuid),
        "/admin/results/{}/people/": (judged.uuid, judged.participations.earliest("pk").pseudonym),
        "/admin/results/{}/releases/": (judged.uuid, release.number, "gold"),
    }


def token_of_one_at(page: str) -> str:
    """Somebody who has got as far as this page of the beginning."""
    study, client = a_study_of("choice"), Client()
    ComprehensionQuestion.objects.create(study=study, position=1, text="What?", right_answer="This", wrong_answers="No")
    response: Any = come_in(client, study)
    if page != "consent":
        response = client.post(here(response), {"consent": "yes"}, follow=True)
    if page == "questions":
        response = client.post(here(response), follow=True)
    assert here(response).endswith(f"/{page}/")
    return here(response).split("/")[2]


def an_import(study: Study) -> Job:
    return Job.objects.create(kind="import", study=study, parameters={"file": "items.csv", "upload": 0})


def paths(known: dict[str, tuple[object, ...]]) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Each address and what is there for its parts: of all beginnings that fit, the longest. The API has tests of its
    own for that (tests/integration/annotation/api/test_fuzzed.py), with tokens.
    """
    for route in routes():
        if route.startswith("/api/"):
            continue
        fitting = [beginning for beginning in known if route.startswith(beginning)]
        parts = known[max(fitting, key=len)] if fitting else ()
        assert len(parts) >= route.count("{}"), f"what is there for {route} is not known"
        yield route, parts[: route.count("{}")]


@pytest.fixture
def superuser() -> Client:
    client = signed_in(User.objects.create_superuser("root"))
    client.raise_request_exception = False
    return client


def ask(client: Client, method: str, address: str, **sent: Any) -> Any:
    """Answered, and everything that it did taken back, so that the next request finds what this one found."""
    cookies = copy.deepcopy(client.cookies)
    with transaction.atomic():
        response = getattr(client, method)(address, **sent)
        if getattr(response, "streaming", False):
            b"".join(response.streaming_content)
        transaction.set_rollback(True)
    client.cookies = cookies
    return response


def kinds_of(form: Form) -> list[str]:
    """The fields of a form, and of rows of the same fields those of the first."""
    return list({re.sub(r"-\d+-", "-", name): name for name in reversed(form.names)}.values())


def one_by_one() -> tuple[str, ...]:
    """What a database may fail on: SQLite on a number that is too large, PostgreSQL on a NUL in a text as well."""
    return (HUGE,) if connection.vendor == "sqlite" else HOSTILE[:2]


def at(route: str, parts: Iterable[object]) -> str:
    return route.format(*(quote(str(part), safe="") for part in parts))


def found_broken(response: Any, *what: object) -> list[str]:
    if response.status_code < 500:
        return []
    error = getattr(response, "exc_info", None)
    return [f"{[str(one)[:80] for one in what]}: {error[1] if error else response.content[:200]!r}"]


def test_every_address_is_known_and_answers_as_it_is_used(
    known: dict[str, tuple[object, ...]], superuser: Client
) -> None:
    answers = {
        route: ask(superuser, "get", at(route, parts)).status_code
        for route, parts in paths(known)
        if route not in LEFT_OUT
    }
    unusual = {route: status for route, status in answers.items() if status not in {200, 204, 302, 403, 405, 410}}
    # Nothing of ours has an address of its own to be led to; this site's institution has no logo; nobody can be let in
    # without the platform's ids; this study's answers are no lists of properties, no report of it is drawn yet, and it
    # counts no signs.
    assert unusual == {
        "/admin/{}": 404,
        "/admin/r/{}/{}/": 404,
        "/admin/results/{}/people/{}.csv": 404,
        "/institution/{}/": 404,
        "/take/{}/": 400,
        **dict.fromkeys((f"/admin/results/{{}}/coding/{page}" for page in ("", "import/", "coding.csv")), 404),
        **dict.fromkeys((f"/admin/results/{{}}/releases/{{}}/{page}" for page in ("page/", "figures/{}.svg")), 404),
    }


def test_hostile_value_in_each_part_of_an_address(known: dict[str, tuple[object, ...]], superuser: Client) -> None:
    broken = []
    for route, parts in paths(known):
        for number in range(len(parts)):
            for value in HOSTILE:
                address = at(route, [*parts[:number], value, *parts[number + 1 :]])
                for method in ("get", "post"):
                    broken += found_broken(ask(superuser, method, address), method, route, number, value)
    assert broken == []


@pytest.mark.slow
def test_hostile_value_in_each_query_that_a_page_leads_to(
    known: dict[str, tuple[object, ...]], superuser: Client
) -> None:
    broken = []
    for route, parts in paths(known):
        address = at(route, parts)
        if route in LEFT_OUT or (page := ask(superuser, "get", address)).status_code != 200:
            continue
        names = Forms(page.text).queries if "html" in page.headers.get("Content-Type", "") else set()
        for name in names | {"q", "p", "o", "e"}:
            for value in one_by_one():
                broken += found_broken(ask(superuser, "get", address, query_params={name: value}), route, name, value)
    assert broken == []


@pytest.mark.slow
def test_hostile_value_in_each_field_of_each_form(known: dict[str, tuple[object, ...]], superuser: Client) -> None:
    broken, seen = [], set()
    for route, parts in paths(known):
        address = at(route, parts)
        if route in LEFT_OUT or (page := ask(superuser, "get", address)).status_code != 200:
            continue
        if "html" not in page.headers.get("Content-Type", ""):
            continue
        for form in Forms(page.text).forms:
            to = urlsplit(form.action).path or address
            if to in LEFT_OUT or (to, *kinds_of(form)) in seen:
                continue
            seen.add((to, *kinds_of(form)))
            sendings = [{name: [value] for name in form.names} for value in TYPED]
            if len(kinds_of(form)) < LARGE:
                sendings += [{**form.fields, name: [value]} for name in kinds_of(form) for value in one_by_one()]
            for sent in sendings:
                broken += found_broken(ask(superuser, "post", to, data=sent), to, sent)
            for name in form.files:
                for file, content in FILES.items():
                    upload = {**form.fields, name: SimpleUploadedFile(file, content)}
                    broken += found_broken(ask(superuser, "post", to, data=upload), to, name, file)
    assert len(seen) > 40
    assert broken == []
