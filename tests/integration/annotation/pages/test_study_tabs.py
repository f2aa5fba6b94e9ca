import pytest
from django.urls import reverse

from annotation.pages.study_tabs import PLACES, RECORDS, Place, Tab, uuid
from tests.factories import a_study
from tests.integration.researchers import a_released_study, a_researcher, an_owned_study, signed_in

pytestmark = pytest.mark.django_db


def test_a_page_that_is_not_installed_has_no_tab() -> None:
    assert Tab("none", "None", "agreement:no_such_page", uuid).address(a_study()) == ""


def test_every_page_has_a_key_of_its_own() -> None:
    keys = [tab.key for place in PLACES for tab in place.tabs]
    assert len(set(keys)) == len(keys)


def test_a_study_has_five_places() -> None:
    assert [place.name for place in PLACES] == ["Build", "Collect", "People", "Results", "Models"]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.key)
def test_every_page_of_a_place_marks_its_place_and_itself(place: Place) -> None:
    study, client = an_owned_study()
    is_alone = len(place.tabs) == 1
    for tab in place.tabs:
        if not tab.address(study):
            continue
        page = client.get(tab.address(study)).content.decode()
        bar = page.partition('aria-label="This study"')[2].partition("</nav>")[0]
        assert f'aria-current="{"page" if is_alone else "true"}">{place.name}</a>' in bar
        assert f'<a href="{tab.address(study)}" aria-current="page">{tab.name}</a>' in bar
        assert bar.count("aria-current") == (1 if is_alone else 2)


def test_viewer_finds_only_the_pages_that_they_may_see() -> None:
    study, _client = an_owned_study()
    page = signed_in(a_researcher(study, "viewer")).get(reverse("agreement:watch", args=[study.uuid])).content.decode()
    assert reverse("admin:annotation_study_links", args=[study.pk]) not in page
    assert reverse("admin:annotation_study_payments", args=[study.pk]) not in page
    assert ">Actions<" not in page


def test_records_lead_to_lists_of_this_study_that_keep_its_bar() -> None:
    study, _release, client = a_released_study()
    page = client.get(reverse("agreement:records", args=[study.uuid])).content.decode()
    for tab in RECORDS:
        assert tab.address(study) in page
        listed = client.get(tab.address(study))
        assert listed.status_code == 200
        assert 'aria-current="page">Records</a>' in listed.content.decode(), tab.key


def test_a_list_of_a_study_that_is_not_shared_carries_no_bar() -> None:
    _mine, client = an_owned_study()
    other = an_owned_study(title="Not for everybody")[0]
    page = client.get(f"{reverse('admin:annotation_judgment_changelist')}?study={other.pk}").content.decode()
    assert 'aria-label="This study"' not in page
    assert other.title not in page


def test_sidebar_marks_studies_on_every_page_of_a_study() -> None:
    study, client = an_owned_study()
    addresses = (
        reverse("agreement:results", args=[study.uuid]),
        reverse("agreement:launch", args=[study.uuid]),
        reverse("admin:annotation_study_changelist"),
        reverse("admin:annotation_study_links", args=[study.pk]),
        f"{reverse('admin:annotation_item_changelist')}?study={study.pk}",
        f"{reverse('admin:agreement_verdict_changelist')}?study={study.pk}",
    )
    for address in addresses:
        groups = client.get(address).context["sidebar_navigation"]
        assert [str(item["title"]) for group in groups for item in group["items"] if item["active"]] == ["Studies"]
