"""Every ending leads back to the platform: by a link, a code or words, on a page that says what happened."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotation.answering.judging import open_assignment
from annotation.entry.entering import give_consent
from annotation.entry.links import make_open_link
from annotation.models import Assignment, ComprehensionQuestion, EntryLink, Participation, Study
from annotation.people.leaving import leave
from tests.integration.annotation.answering.views.people import a_study_of, begin, come_in, here, links_of, save

pytestmark = pytest.mark.django_db
ONE_ITEM = [{"item_id": "one", "fields": {"thing": "fern"}}]
WORDS = {
    "prolific": "Please return your submission on Prolific.",
    "connect": "Please return your submission on Connect.",
    "mturk": "Please return the HIT on MTurk.",
    "sona": "Please cancel your sign-up for this study in SONA.",
    "direct": "There is nothing more that you need to do: you can close this page.",
}
QUERY = {
    "prolific": "PROLIFIC_PID={who}&SESSION_ID=s1",
    "connect": "participantId={who}&assignmentId=s1",
    "mturk": "workerId={who}&assignmentId=s1&turkSubmitTo=https://www.mturk.com",
    "sona": "survey_code={who}",
}


def a_study_without_codes(platform: str = "prolific", **changes: Any) -> Study:
    codes = {"code_no_consent": "", "code_failed_comprehension": ""}
    return a_study_of("slider", **{"platform": platform, **codes, **changes})


def entry_of(study: Study, who: str = "w1") -> str:
    if study.platform == "direct":
        link = EntryLink.objects.filter(study=study).first() or make_open_link(study=study, capacity=None)
        return f"/join/{link.token}/"
    return f"/take/{study.slug}/?{QUERY[study.platform].format(who=who)}"


def come(client: Client, study: Study, who: str = "w1") -> Any:
    return client.post(entry_of(study, who), follow=True)


def consent(client: Client, study: Study) -> Any:
    return client.post(here(come(client, study)), {"consent": "yes"}, follow=True)


def at_the_first_question(client: Client, study: Study) -> str:
    return here(client.post(here(consent(client, study)), follow=True))


def say_no(client: Client, study: Study) -> Any:
    return client.post(here(come(client, study)), {"consent": "no"}, follow=True)


def fail_comprehension(client: Client, study: Study) -> Any:
    question = ComprehensionQuestion.objects.create(
        study=study, position=1, text="What is asked?", right_answer="Things", wrong_answers="Words"
    )
    address = at_the_first_question(client, study)
    client.post(address, {f"q{question.pk}": "Words"})
    return client.post(address, {f"q{question.pk}": "Words"}, follow=True)


def find_nothing_left(client: Client, study: Study) -> Any:
    response = consent(client, study)
    study.open_places.all().delete()
    return client.post(here(response), follow=True)


def find_it_paused_after_consent(client: Client, study: Study) -> Any:
    response = consent(client, study)
    Study.objects.filter(pk=study.pk).update(status=Study.Status.PAUSED)
    return client.post(here(response), follow=True)


def run_out_of_time(client: Client, study: Study) -> Any:
    address = at_the_first_question(client, study)
    Assignment.objects.update(expires_at=timezone.now() - dt.timedelta(hours=25))
    return client.get(address, follow=True)


def withdraw_midway(client: Client, study: Study) -> Any:
    address = at_the_first_question(client, study)
    save(client, address, number="5")
    return client.post(client.get(address).context["visit"].withdrawal_address, follow=True)


def find_it_full(client: Client, study: Study) -> Any:
    Study.objects.filter(pk=study.pk).update(capacity=0)
    return come(client, study)


def find_no_place_left(client: Client, study: Study) -> Any:
    study.open_places.all().delete()
    return come(client, study)


def find_it_paused(client: Client, study: Study) -> Any:
    Study.objects.filter(pk=study.pk).update(status=Study.Status.PAUSED)
    return come(client, study)


def find_it_closed(client: Client, study: Study) -> Any:
    Study.objects.filter(pk=study.pk).update(status=Study.Status.CLOSED)
    return come(client, study)


def find_it_not_begun(client: Client, study: Study) -> Any:
    Study.objects.filter(pk=study.pk).update(starts_at=timezone.now() + dt.timedelta(days=1))
    return come(client, study)


ENDINGS: dict[Callable[[Client, Study], Any], str] = {
    say_no: "Thank you for reading.",
    fail_comprehension: "so this study ends here for you",
    find_nothing_left: "There are no more questions for you in this study.",
    find_it_paused_after_consent: "This study is paused at the moment.",
    run_out_of_time: "The time for these questions has run out",
    withdraw_midway: "Your answers have been erased.",
    find_it_full: "This study has all the participants it needs.",
    find_no_place_left: "This study has all the answers it needs.",
    find_it_paused: "This study is paused at the moment.",
    find_it_closed: "This study is closed.",
    find_it_not_begun: "This study has not begun yet.",
}

# Every ending on Prolific, and on the others one of each sort: who was let in, who wasn't, who went.
EVERY_ENDING_AND_EVERY_PLATFORM = [
    *((end, "prolific") for end in ENDINGS),
    *(
        (end, platform)
        for end in (find_nothing_left, find_it_full, withdraw_midway)
        for platform in WORDS
        if platform != "prolific"
    ),
]


@pytest.mark.parametrize(("end", "platform"), EVERY_ENDING_AND_EVERY_PLATFORM)
def test_ending_without_a_code_says_how_to_give_the_submission_back(
    client: Client, end: Callable[[Client, Study], Any], platform: str
) -> None:
    page = end(client, a_study_without_codes(platform))
    assert "be shown" not in page.text
    assert ENDINGS[end] in page.text
    assert WORDS[platform] in page.text
    assert "DONE123" not in page.text
    assert "lab@example.org" in page.text


@pytest.mark.parametrize("end", list(ENDINGS), ids=lambda end: end.__name__)
def test_ending_on_mturk_stays_in_its_frame(client: Client, end: Callable[[Client, Study], Any]) -> None:
    headers = end(client, a_study_without_codes("mturk")).headers
    assert "frame-ancestors https://www.mturk.com" in headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in headers


@pytest.mark.parametrize(("end", "code"), [(say_no, "NOCON45"), (fail_comprehension, "FAILED6")])
def test_ending_with_a_code_shows_it_again_to_who_comes_back(
    client: Client, end: Callable[[Client, Study], Any], code: str
) -> None:
    study = a_study_of("slider")
    first = end(client, study)
    again = come(Client(), study)
    for page in (first, again):
        assert f"cc={code}" in page.text
        assert WORDS["prolific"] not in page.text
    assert here(again).endswith("/done/")


@pytest.mark.parametrize("end", [say_no, fail_comprehension, run_out_of_time, withdraw_midway])
def test_ending_is_there_again_when_the_person_comes_back(client: Client, end: Callable[[Client, Study], Any]) -> None:
    study = a_study_without_codes()
    end(client, study)
    again = come(Client(), study)
    assert ENDINGS[end] in again.text
    assert WORDS["prolific"] in again.text


def test_who_ran_out_of_time_is_told_how_to_withdraw_what_was_kept(client: Client) -> None:
    page = run_out_of_time(client, a_study_without_codes())
    assert links_of(Participation.objects.get())["withdrawal"] in page.text


def test_other_session_with_the_same_id_is_shown_no_code(client: Client) -> None:
    """The id alone proves nothing: another session with it is somebody new, who sees nothing of the first."""
    study = a_study_of("slider")
    client.post(here(come_in(client, study, person="p1", session="s1")), {"consent": "no"})
    page = come_in(Client(), study, person="p1", session="s2").text
    assert "NOCON45" not in page
    assert "Do you want to take part?" in page


def test_who_answered_everything_may_hand_in_a_day_after_the_deadline(client: Client) -> None:
    study = a_study_without_codes(items=ONE_ITEM)
    address = at_the_first_question(client, study)
    save(client, address, number="5")
    Assignment.objects.update(expires_at=timezone.now() - dt.timedelta(hours=25))
    finish = here(come(Client(), study))
    assert finish.endswith("/finish/")
    assert "DONE123" in client.post(finish, follow=True).text


def test_who_withdraws_after_finishing_keeps_the_way_to_hand_in(client: Client) -> None:
    study = a_study_without_codes(items=ONE_ITEM)
    address = at_the_first_question(client, study)
    save(client, address, number="5")
    client.post(address.replace("/1/", "/finish/"))
    page = client.post(links_of(Participation.objects.get())["withdrawal"], follow=True).text
    assert "Your answers have been erased." in page
    assert "cc=DONE123" in page
    assert WORDS["prolific"] not in page


def test_who_left_on_the_platform_is_not_asked_to_return_again(client: Client) -> None:
    study = a_study_without_codes()
    at_the_first_question(client, study)
    leave(participation=Participation.objects.get(), status=Participation.Status.RETURNED)
    page = come(Client(), study).text
    assert "you are no longer taking part" in page
    assert WORDS["prolific"] not in page


def test_who_may_try_again_later_is_not_told_to_go(client: Client) -> None:
    study = a_study_without_codes("direct")
    entry = entry_of(study)
    EntryLink.objects.update(most_per_hour=0)
    page = client.post(entry, follow=True).text
    assert "try again in an hour" in page
    assert "close this page" not in page


def test_ending_speaks_the_studys_language(client: Client) -> None:
    assert "Prolific zurück" in find_it_paused(client, a_study_without_codes(language="de")).text


def test_who_ended_in_another_tab_is_led_to_that_ending(client: Client) -> None:
    study = a_study_without_codes()
    address = here(consent(client, study))
    person = Participation.objects.get()
    give_consent(participation=person)
    open_assignment(participation=person)
    leave(participation=person, status=Participation.Status.TIMED_OUT)
    assert "you are no longer taking part" in client.post(address, follow=True).text


def test_direct_study_sends_nobody_on_who_was_not_let_in(client: Client) -> None:
    study = a_study_without_codes("direct", finish_url="https://lab.example.org/thanks")
    assert "lab.example.org/thanks" in say_no(client, study).text
    assert "lab.example.org/thanks" not in withdraw_midway(Client(), study).text


def test_journey_ends_out_of_time_without_script_too(client: Client) -> None:
    address = begin(client, a_study_without_codes())
    Assignment.objects.update(expires_at=timezone.now() - dt.timedelta(hours=25))
    page = client.post(address, {"i1-number": "5"}, follow=True)
    assert WORDS["prolific"] in page.text
