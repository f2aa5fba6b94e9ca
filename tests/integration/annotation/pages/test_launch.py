"""The launch checklist: what it counts, what it says of each study, what blocks and what asks."""

from decimal import Decimal
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Study
from annotation.pages.launch import Line, State, checklist_of
from annotation.studies.completeness import recruiting_of
from tests.factories import a_quota, a_small_study, a_study, per_assignment_done
from tests.integration.researchers import a_researcher, an_owned_study, signed_in

pytestmark = pytest.mark.django_db
PAID = {"platform": "prolific", "pay": Decimal("1.00"), "currency": "GBP", "minutes_expected": 10}


def lines_of(study: Study, host: str = "lab.example.org") -> dict[str, Line]:
    return {line.title: line for line in checklist_of(study, host).lines}


@pytest.mark.parametrize(
    ("changes", "people"),
    [
        ({"judgments_per_item": 10, "items_per_assignment": 20}, 33),
        ({"judgments_per_item": 10, "items_per_assignment": 7}, 95),
        ({"judgments_per_item": 10, "items_per_assignment": 500}, 10),
        ({"judgments_per_item": 10, "items_per_assignment": 20, "assignments_per_worker": 2}, 17),
    ],
)
def test_places_are_judgments_over_what_one_person_gives(changes: dict[str, int], people: int) -> None:
    study = a_small_study(items=66, live=False, **changes)
    assert recruiting_of(study).people == people


def test_items_with_judgments_of_their_own_count_with_them() -> None:
    study = a_small_study(items=10, live=False, judgments_per_item=2, items_per_assignment=5)
    study.items.filter(item_id="i0").update(judgments_per_item=12)
    needs = recruiting_of(study)
    assert (needs.judgments, needs.people) == (30, 12)


def test_checks_are_questions_and_no_judgments() -> None:
    needs = recruiting_of(a_study(live=False))
    assert (needs.per_assignment, needs.checks, needs.questions, needs.people) == (10, 2, 12, 66)


def test_cost_has_the_fee_of_the_platform_or_the_researchers_own() -> None:
    study = a_small_study(items=66, live=False, **PAID, items_per_assignment=20, judgments_per_item=10)
    cost = recruiting_of(study).cost
    assert cost is not None
    assert (cost.pay, cost.fee, cost.total) == (Decimal(33), Decimal("11.00"), Decimal("44.00"))
    assert cost.per_hour == Decimal(6)
    study.fee_percent = Decimal("42.8")
    cost = recruiting_of(study).cost
    assert cost is not None
    assert (cost.fee, cost.total) == (Decimal("14.12"), Decimal("47.12"))
    assert lines_of(study)["Cost"].words.startswith("47.12 GBP for 33 people: 33.00 pay and 14.12 fee (42.8 %).")


def test_still_needed_is_counted_from_what_is_open() -> None:
    study = a_study(items_per_assignment=20, judgments_per_item=2)
    per_assignment_done(study)
    needs = recruiting_of(study)
    assert (needs.still_needed, needs.people_more) == (112, 6)


@pytest.mark.parametrize(
    ("changes", "title", "state", "words"),
    [
        (PAID | {"pay": Decimal("0.99")}, "Hourly pay", State.ATTENTION, "5.94 GBP per hour"),
        (PAID, "Hourly pay", State.OK, "Prolific asks for 6 GBP at least"),
        (PAID, "Completion code", State.ATTENTION, "Nothing leads people who have finished back to Prolific"),
        (PAID | {"code_completed": "C1"}, "Completion code", State.OK, "sent back to Prolific"),
        ({"platform": "prolific"}, "Cost", State.ATTENTION, "No pay is set."),
        ({"capacity": 33}, "Judgments per item", State.ATTENTION, "about 5.0 of 10 judgments"),
        ({}, "Careful people", State.OK, "5.5\u00a0%"),
        ({}, "Random clickers", State.ATTENTION, "6.6\u00a0%"),
        ({"contact": "a@b.org", "researchers": "A", "institution": "B", "ethics": "C"}, "Consent and contact",
         State.OK, "filled in"),
        ({"language": "de"}, "Language", State.OK, "Deutsch"),
    ],
)  # fmt: skip
def test_line_of_the_checklist(changes: dict[str, Any], title: str, state: State, words: str) -> None:
    line = lines_of(a_study(live=False, **changes))[title]
    assert (line.state, words in line.words) == (state, True), line.words


@pytest.mark.parametrize(
    ("host", "state"), [("127.0.0.1:8000", State.ATTENTION), ("lab.example.org", State.OK), ("10.0.0.4", "attention")]
)
def test_address_that_only_this_computer_can_open_is_said(host: str, state: str) -> None:
    assert lines_of(a_study(live=False), host)["Public address"].state == state


def test_two_of_each_check_let_fewer_clickers_through_and_lose_more_careful_people() -> None:
    study = a_study(live=False)
    study.check_quotas.update(per_assignment=2)
    checks = checklist_of(study, "lab.example.org").checks
    assert checks.clicker_passes == pytest.approx((61 / 101 * 11 / 101) ** 2)
    assert checks.careful_fails == pytest.approx(1 - ((1 - 0.01) * (1 - 0.0453)) ** 2, abs=1e-3)


def test_study_without_checks_is_told_so() -> None:
    assert (
        "nothing would tell a careless person"
        in lines_of(a_small_study(items=2, live=False))["Checks per person"].words
    )


def page_of(study: Study) -> str:
    return reverse("agreement:launch", args=[study.uuid])


def test_what_is_missing_blocks_and_links_to_where_it_is_mended() -> None:
    study, client = an_owned_study(live=False)
    a_quota(study, "ghost", 3)
    study.items.targets().delete()
    page = client.get(page_of(study))
    blocking = page.context["checklist"].blocking
    assert [(line.title, line.link.partition("#")[2]) for line in blocking] == [
        ("Items", ""), ("Checks", "check_quotas-group"),
    ]  # fmt: skip
    assert "First mend what is marked" in page.text
    assert client.post(page_of(study), {"to": "live", "has_read": "on"}).status_code == 422
    study.refresh_from_db()
    assert study.status == "draft"


def test_attention_asks_before_the_study_opens_and_keeps_what_was_typed() -> None:
    study, client = an_owned_study(live=False)
    page = client.post(page_of(study), {"to": "live", "why": "The pilot went well"})
    assert page.status_code == 422
    assert "then tick this box" in page.text
    assert "The pilot went well" in page.text
    answer = client.post(page_of(study), {"to": "live", "why": "The pilot went well", "has_read": "on"})
    assert answer.headers["Location"] == reverse("admin:annotation_study_links", args=[study.pk])
    study.refresh_from_db()
    assert study.status == "live"
    assert study.audit_entries.get(action="changed-status").why == "The pilot went well"


@pytest.mark.parametrize("to", ["draft", "closed", "nonsense", ""])
def test_only_steps_that_open_are_taken_here(to: str) -> None:
    study, client = an_owned_study(live=False)
    assert client.post(page_of(study), {"to": to, "has_read": "on"}).status_code == 422


def test_viewer_reads_the_checklist_and_opens_nothing() -> None:
    study = a_study(live=False)
    client = signed_in(a_researcher(study, "viewer"))
    page = client.get(page_of(study))
    assert (page.status_code, "Open the study" in page.text) == (200, False)
    assert client.post(page_of(study), {"to": "live", "has_read": "on"}).status_code == 403
    assert signed_in(a_researcher()).get(page_of(study)).status_code == 404


def queries(client: Client, address: str) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return [query["sql"] for query in captured.captured_queries]


def test_page_costs_the_same_few_queries_for_more_items_and_people() -> None:
    counted = []
    for items, people in ((3, 1), (60, 6)):
        owner = a_researcher()
        study = a_small_study(items=items, owner=owner)
        for _ in range(people):
            per_assignment_done(study)
        counted.append(len(queries(signed_in(owner), page_of(study))))
    assert counted == [17, 17]


@pytest.mark.parametrize(
    ("status", "said", "heading"),
    [
        ("live", "This study is open.", ""),
        ("piloting", "This study is open as a pilot.", "After the pilot"),
        ("paused", "This study is paused: nobody new comes in.", "Open the study again"),
        ("closed", "This study is closed, and can't be opened again.", ""),
    ],
)
def test_page_of_a_study_that_is_no_draft_says_what_it_is_and_what_can_be_done(
    status: str, said: str, heading: str
) -> None:
    study, client = an_owned_study()
    Study.objects.filter(pk=study.pk).update(status=status)
    text = unescape(client.get(page_of(study)).text)
    assert said in text
    assert ("It can open" in text) == ("<h3>Open the study" in text) == (status == "paused")
    assert not heading or heading in text


def test_page_of_a_draft_is_about_opening_it() -> None:
    study, client = an_owned_study(live=False)
    text = client.get(page_of(study)).text
    assert "It can open." in text
    assert "This study is" not in text


def test_what_needs_a_look_stands_before_the_button_and_what_is_in_order_after_it() -> None:
    study, client = an_owned_study(live=False)
    page = client.get(reverse("agreement:launch", args=[study.uuid])).text
    expected = ("Contact is empty", 'value="live"', "People to ask", "in order", "The pages speak")
    places = [page.index(words) for words in expected]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("changes", "words"), [({}, "Create a link for people below."), ({"platform": "prolific"}, "Give people its link.")]
)
def test_opening_says_whether_there_is_a_link_to_give(changes: dict[str, str], words: str) -> None:
    study, client = an_owned_study(live=False, **changes)
    address = reverse("agreement:launch", args=[study.uuid])
    page = client.post(address, {"to": "live", "has_read": "on", "why": ""}, follow=True).text
    assert words in page
    assert ('class="t-button t-primary" type="submit">Create an open link' in page) is (not changes)
