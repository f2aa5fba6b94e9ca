"""The pages on which a study is duplicated, archived, restored and deleted, and where it is seen afterwards."""

from typing import Any

import pytest
from django.urls import reverse

from annotation.answering.judging import open_assignment
from annotation.models import AuditEntry, Study
from annotation.studies.study_life import archive_study, delete_draft
from tests.factories import a_person, a_small_study, a_study
from tests.integration.researchers import a_researcher, an_owned_study, signed_in

pytestmark = pytest.mark.django_db


def ending(study: Study, how: str) -> str:
    return reverse("admin:annotation_study_end", args=[study.pk, how])


def test_duplicate_is_a_draft_of_ones_own() -> None:
    study, client = an_owned_study()
    page = reverse("admin:annotation_study_duplicate", args=[study.pk])
    assert f"{study.title} (copy)" in client.get(page).text
    answer = client.post(page, {"title": "The main study", "slug": "", "with_items": "on"})
    new = Study.objects.get(slug="the-main-study")
    assert answer.headers["Location"] == reverse("admin:annotation_study_change", args=[new.pk])
    assert (new.owner, new.status, new.items.count()) == (study.owner, "draft", study.items.count())


def test_bad_short_name_of_a_duplicate_is_refused_beside_its_field() -> None:
    study, client = an_owned_study()
    page = reverse("admin:annotation_study_duplicate", args=[study.pk])
    for slug, sentence in (("a b", "no spaces"), (study.slug, "choose another short name")):
        answer = client.post(page, {"title": "Kept", "slug": slug})
        assert (answer.status_code, sentence in answer.text, 'value="Kept"' in answer.text) == (422, True, True)
    assert Study.objects.count() == 1


def test_archived_study_is_out_of_every_list_until_it_is_asked_for() -> None:
    study, client = an_owned_study()
    assert client.post(ending(study, "archive"), {"why": "Done"}).status_code == 302
    studies = reverse("admin:annotation_study_changelist")
    lists = [studies, reverse("admin:index"), reverse("agreement:index")]
    shown = [f"<strong>{study.title}" in client.get(lists[0]).text]
    shown += [f">{study.title}</a>" in client.get(address).text for address in lists[1:]]
    assert shown == [False, False, False]
    assert study.title in client.get(studies, {"archived": "yes"}).text
    page = client.get(reverse("admin:annotation_study_change", args=[study.pk])).text
    assert ending(study, "restore") in page
    assert "Go live" not in page
    client.post(ending(study, "restore"))
    assert f"<strong>{study.title}" in client.get(studies).text


def test_archiving_says_how_many_people_are_answering_and_keeps_the_reason() -> None:
    study, client = an_owned_study()
    open_assignment(participation=a_person(study))
    page = client.post(ending(study, "archive"), {"why": "The paper is out"})
    assert page.status_code == 422
    assert "1 person is answering at the moment, until" in page.text
    assert "The paper is out" in page.text


def test_deleted_draft_is_gone_and_its_short_name_is_free() -> None:
    study, client = an_owned_study(live=False)
    assert client.post(ending(study, "delete"), {"why": "A try"}).status_code == 302
    assert client.get(reverse("admin:annotation_study_change", args=[study.pk])).status_code == 404
    root = signed_in(a_researcher(is_superuser=True))
    assert study.title not in root.get(reverse("admin:annotation_study_changelist"), {"archived": "all"}).text
    assert not Study.objects.filter(slug=study.slug).exists()
    assert AuditEntry.objects.get(action="deleted").why == "A try"


def test_live_study_offers_no_deletion() -> None:
    study, client = an_owned_study()
    page = client.get(ending(study, "delete")).text
    assert "so this is not possible" in page
    assert client.post(ending(study, "delete")).status_code == 422


@pytest.mark.parametrize(
    ("level", "statuses"), [("viewer", (403, 403)), ("editor", (200, 403)), ("manager", (200, 200))]
)
def test_who_may_duplicate_and_who_may_archive(level: str, statuses: tuple[int, int]) -> None:
    study = a_study()
    client = signed_in(a_researcher(study, level))
    duplicate = reverse("admin:annotation_study_duplicate", args=[study.pk])
    assert (client.get(duplicate).status_code, client.get(ending(study, "archive")).status_code) == statuses
    assert signed_in(a_researcher()).get(duplicate).status_code == 404


@pytest.mark.parametrize("act", [archive_study, delete_draft])
def test_page_of_another_end_is_not_there(act: Any) -> None:
    owner = a_researcher()
    study = a_small_study(items=1, live=False, owner=owner)
    act(study=study)
    assert signed_in(owner).get(ending(study, "nonsense")).status_code == 404
