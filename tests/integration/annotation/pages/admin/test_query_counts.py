"""Lists and pages cost a fixed number of queries, however many rows there are."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Judgment, Role, Study, User
from annotation.pages.admin import records
from annotation.people.payment_groups import unseen_by_participation
from annotation.places.allocation import answers_beyond_target
from annotation.releases.actions.analysing import clean_and_release
from annotation.studies import lacking_questions
from tests.factories import per_assignment_done
from tests.integration.researchers import a_released_study, a_researcher, an_owned_study, signed_in

pytestmark = pytest.mark.django_db
# Session and user, the study filter's names where there is one, the count, the rows.
LISTS = {
    "annotation_study": 4,
    "annotation_item": 5,
    "annotation_participation": 5,
    "annotation_judgment": 5,
    "annotation_auditentry": 5,
    "annotation_job": 5,
    "annotation_payment": 5,
    "agreement_cleaningrun": 5,
    "agreement_verdict": 5,
    "agreement_exclusion": 5,
    "agreement_goldrelease": 5,
    "agreement_storedruleset": 4,
}


def queries(client: Client, address: str) -> list[str]:
    client.get(address)  # content types are read once a process
    with CaptureQueriesContext(connection) as asked:
        assert client.get(address).status_code == 200
    return [query["sql"] for query in asked.captured_queries]


@pytest.fixture
def released(db: None) -> tuple[Study, Client]:
    study, _release, client = a_released_study()
    return study, client


@pytest.mark.parametrize(("section", "expected"), LISTS.items())
def test_list_costs_the_same_few_queries_for_more_rows(
    section: str, expected: int, released: tuple[Study, Client]
) -> None:
    study, client = released
    address = reverse(f"admin:{section}_changelist")
    before = queries(client, address)
    more_of_everything(study)
    after = queries(client, address)
    assert len(before) == len(after) == expected, "\n".join(after)


def more_of_everything(study: Study) -> None:
    per_assignment_done(study, number=95)
    Role.objects.create(study=a_released_study()[0], user=User.objects.get(studies=study), level="viewer")


PAGES: dict[str, tuple[Callable[[Study], str], int]] = {
    "results": (lambda study: reverse("agreement:results", args=[study.uuid]), 25),
    "agreement": (lambda study: reverse("agreement:agreement", args=[study.uuid]), 14),
    "figures": (lambda study: reverse("agreement:figures", args=[study.uuid]), 15),
    "excluded": (lambda study: reverse("agreement:excluded", args=[study.uuid]), 17),
    "claims": (lambda study: reverse("agreement:claims", args=[study.uuid]), 13),
    "methods": (lambda study: reverse("agreement:methods", args=[study.uuid]), 14),
    "releases": (lambda study: reverse("agreement:releases", args=[study.uuid]), 15),
    "pay": (lambda study: reverse("admin:annotation_study_payments", args=[study.pk]), 7),
    "links": (lambda study: reverse("admin:annotation_study_links", args=[study.pk]), 5),
    "setup": (lambda study: reverse("admin:annotation_study_change", args=[study.pk]), 13),
    "index": (lambda _study: reverse("agreement:index"), 3),
    "first": (lambda _study: reverse("admin:index"), 15),
}


@pytest.mark.parametrize("name", PAGES)
def test_page_costs_the_same_few_queries_for_more_people(name: str, released: tuple[Study, Client]) -> None:
    address_of, expected = PAGES[name]
    study, client = released
    more_of_everything(study)  # some answers are newer than the release
    before = queries(client, address_of(study))
    more_of_everything(study)
    after = queries(client, address_of(study))
    assert len(before) == len(after) == expected, "\n".join(after)


DOWNLOADS = {"gold": 7, "judgments": 20, "workers": 16, "bundle": 22}


@pytest.mark.parametrize("what", DOWNLOADS)
def test_download_costs_the_same_few_queries_for_more_people(what: str) -> None:
    asked = []
    for careful in (1, 3):
        study, client = an_owned_study()
        per_assignment_done(study, is_careful=True)
        for number in (*[95] * careful, 30):
            per_assignment_done(study, number=number)
        clean_and_release(study=study, replicates=100, by=study.owner)
        asked.append(download_queries(client, reverse("agreement:download", args=[study.uuid, 1, what])))
    assert len(asked[0]) == len(asked[1]) == DOWNLOADS[what], "\n".join(asked[1])


def test_participants_cost_the_same_few_queries_for_more_people() -> None:
    study, client = an_owned_study()
    asked = []
    for _ in range(2):
        per_assignment_done(study)
        asked.append(download_queries(client, reverse("agreement:participants", args=[study.uuid])))
    assert len(asked[0]) == len(asked[1]) == 9, "\n".join(asked[1])


def download_queries(client: Client, address: str) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).getvalue()
    return [query["sql"] for query in captured.captured_queries]


def test_role_is_asked_for_once_a_page(released: tuple[Study, Any]) -> None:
    study, _ = released
    client = signed_in(a_researcher(study, "editor"))
    asked = queries(client, reverse("admin:annotation_study_change", args=[study.pk]))
    assert len([sql for sql in asked if sql.startswith('SELECT "annotation_role"."level"')]) == 1


# What must not go through all rows of a large study.


def test_the_list_of_judgments_is_counted_no_further_than_it_goes(
    released: tuple[Study, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    study, client = released
    monkeypatch.setattr(records, "MOST_LISTED", 5)
    monkeypatch.setattr(records.JudgmentAdmin, "list_per_page", 3)
    address = f"{reverse('admin:annotation_judgment_changelist')}?study={study.pk}"

    *counts, rows = (sql for sql in queries(client, address) if '"annotation_judgment"' in sql)
    page = client.get(address)

    assert all("LIMIT 5" in sql for sql in counts), "\n".join(counts)
    assert '"annotation_item"."study_id" =' not in rows.partition("WHERE")[2]  # which would begin with all of its items
    assert "The newest 5 judgments: a search or a filter leads to earlier ones" in " ".join(page.text.split())
    assert list(page.context["cl"].result_list) == list(Judgment.objects.of_study(study.pk).order_by("-pk")[:3])


@pytest.mark.parametrize("most", [5, 10_000])
def test_the_list_of_judgments_of_one_study_has_none_of_another(
    most: int, released: tuple[Study, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    other, _release, owner = a_released_study()
    monkeypatch.setattr(records, "MOST_LISTED", most)
    address = f"{reverse('admin:annotation_judgment_changelist')}?study={other.pk}"
    theirs = owner.get(address).context["cl"].result_list
    assert {each.assigned_item.item.study for each in theirs} == {other}
    assert not released[1].get(address).context["cl"].result_list


def test_places_are_looked_at_only_where_an_exclusion_was_lifted(released: tuple[Study, Client]) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert answers_beyond_target(released[0]) == 0
    assert len(asked) == 1
    assert '"annotation_assigneditem"' not in asked.captured_queries[0]["sql"]


def test_who_could_not_see_pictures_begins_with_those_answers(released: tuple[Study, Client]) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert not unseen_by_participation(released[0])
    assert '"annotation_item"."study_id" =' not in asked.captured_queries[0]["sql"]


def test_a_question_is_read_once_however_many_items_it_is_asked_about(
    released: tuple[Study, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    wordings: list[str] = []

    def counted(wording: str) -> list[str]:
        wordings.append(wording)
        return ["left"]

    monkeypatch.setattr(lacking_questions, "fields_of", counted)
    list(lacking_questions.lacking_of_questions(released[0]))
    assert wordings == [released[0].question]
