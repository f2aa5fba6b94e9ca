"""The road of one annotator, page by page, as a browser without script walks it."""

import pytest
from django.test import Client

from annotation.models import Judgment, Participation, Study
from tests.integration.annotation.answering.views.people import a_study_of, arrival, begin, come_in, here, links_of

pytestmark = [pytest.mark.django_db, pytest.mark.both]
KEY = "11111111-1111-4111-8111-111111111111"


def test_front_page_answers_and_leads_researchers_in(client: Client) -> None:
    response = client.get("/")
    assert response.status_code == 200
    assert 'href="/admin/"' in response.text


def test_first_page_says_what_is_asked_for_how_much_and_how_long(client: Client) -> None:
    study = a_study_of("slider", minutes_expected=12)
    response = client.get(f"/take/{study.slug}/", arrival())
    for text in ("You are asked about things.", "1.50", "GBP", "about 12 minutes", "lab@example.org"):
        assert text in response.text


def test_first_page_stores_nothing(client: Client) -> None:
    study = a_study_of("slider")
    client.get(f"/take/{study.slug}/", arrival())
    assert not Participation.objects.exists()


def test_journey_without_script_ends_with_prolifics_link_and_code(client: Client) -> None:
    study = a_study_of("slider")
    address = begin(client, study)
    for position in (1, 2, 3):
        assert address.endswith(f"/{position}/")
        form = {f"i{position}-key": KEY, f"i{position}-number": "42", f"i{position}-shown": "1"}
        address = here(client.post(address, form, follow=True))
    assert address.endswith("/finish/")
    response = client.post(address, {"comments": "Fine."}, follow=True)
    assert "https://app.prolific.com/submissions/complete?cc=DONE123" in response.text
    assert "DONE123</code>" in response.text
    participation = Participation.objects.get()
    assert participation.status == Participation.Status.FINISHED
    assert participation.comments == "Fine."
    judgments = Judgment.objects.all()
    assert [judgment.number for judgment in judgments] == [42.0] * 3
    assert {judgment.input_kind for judgment in judgments} == {"no-script"}


def test_consent_keeps_the_version_that_was_read(client: Client) -> None:
    study = a_study_of("slider", consent_version="2026-11")
    begin(client, study)
    participation = Participation.objects.get()
    assert participation.consent_version == "2026-11"
    assert participation.consented_at is not None


def test_no_ends_kindly_with_its_own_code(client: Client) -> None:
    study = a_study_of("slider")
    response = client.post(here(come_in(client, study)), {"consent": "no"}, follow=True)
    assert "cc=NOCON45" in response.text
    assert "DONE123" not in response.text
    assert Participation.objects.get().status == Participation.Status.DECLINED


def test_instructions_can_be_read_again_without_losing_the_place(client: Client) -> None:
    study = a_study_of("slider")
    address = begin(client, study)
    instructions = f"{links_of(Participation.objects.get())['participation']}instructions/"
    assert client.get(instructions).status_code == 200
    assert here(client.post(instructions, follow=True)) == address


def test_coming_back_by_the_platforms_link_resumes_at_the_same_question(client: Client) -> None:
    study = a_study_of("slider")
    address = begin(client, study, person="5f1d")
    following = here(client.post(address, {"i1-key": KEY, "i1-number": "42"}, follow=True))
    again = come_in(Client(), study, person="5f1d")
    assert here(again) == following
    assert Participation.objects.count() == 1


def test_resuming_needs_the_session_too(client: Client) -> None:
    study = a_study_of("slider")
    begun = begin(client, study, person="5f1d")
    other = come_in(client, study, person="5f1d", session="s2")
    assert here(other).endswith("/consent/")
    assert here(come_in(Client(), study, person="5f1d")) == begun
    assert Participation.objects.count() == 2


def test_finished_person_who_comes_back_gets_the_code_again(client: Client) -> None:
    study = a_study_of("slider", items=[{"item_id": "one", "fields": {"thing": "fern"}}])
    address = begin(client, study, person="5f1d")
    client.post(address, {"i1-key": KEY, "i1-number": "42"})
    client.post(address.replace("/1/", "/finish/"))
    assert "DONE123" in come_in(Client(), study, person="5f1d").text


def test_finish_with_an_unanswered_question_goes_back_to_it(client: Client) -> None:
    study = a_study_of("slider")
    address = begin(client, study)
    client.post(address, {"i1-key": KEY, "i1-number": "42"})
    response = client.post(address.replace("/1/", "/finish/"), follow=True)
    assert here(response) == address.replace("/1/", "/2/")
    assert Participation.objects.get().status == Participation.Status.WORKING


def test_finishing_twice_changes_nothing(client: Client) -> None:
    study = a_study_of("slider", items=[{"item_id": "one", "fields": {"thing": "fern"}}])
    address = begin(client, study)
    client.post(address, {"i1-key": KEY, "i1-number": "42"})
    client.post(address.replace("/1/", "/finish/"))
    first = Participation.objects.get().finished_at
    assert "DONE123" in client.post(address.replace("/1/", "/finish/"), follow=True).text
    assert Participation.objects.get().finished_at == first


def test_several_items_share_a_page_where_the_study_says_so(client: Client) -> None:
    study = a_study_of("slider", items_per_page=2)
    address = begin(client, study)
    form = {"i1-key": KEY, "i1-number": "10", "i2-key": KEY, "i2-number": "20"}
    assert here(client.post(address, form, follow=True)).endswith("/2/")
    assert list(Judgment.objects.order_by("pk").values_list("number", flat=True)) == [10.0, 20.0]


def test_answers_given_are_shown_on_the_way_back(client: Client) -> None:
    study = a_study_of("slider")
    address = begin(client, study)
    client.post(address, {"i1-key": KEY, "i1-number": "42"})
    assert 'value="42"' in client.get(address).text


def test_study_that_closed_meanwhile_gives_no_new_places(client: Client) -> None:
    study = a_study_of("slider")
    response = client.post(here(come_in(client, study)), {"consent": "yes"}, follow=True)
    Study.objects.filter(pk=study.pk).update(status=Study.Status.PAUSED)
    refused = client.post(here(response))
    assert refused.status_code == 409
    assert "This study is paused at the moment." in refused.text


def test_person_with_several_assignments_goes_from_one_to_the_next(client: Client) -> None:
    study = a_study_of("slider", items_per_assignment=2, assignments_per_worker=3)
    address = begin(client, study)
    seen = 0
    while "/finish/" not in address:
        seen += 1
        form = {f"i{address.split('/')[3]}-key": KEY, f"i{address.split('/')[3]}-number": "42"}
        address = here(client.post(address, form, follow=True))
        if "/finish/" in address and seen == 2:
            assert "Part 1 of up to 3" in client.get(address).text
            address = here(client.post(address, follow=True))
    assert seen == 3
    done = client.post(address, follow=True)
    assert "DONE123" in done.text
    assert Participation.objects.get().assignments.count() == 2
