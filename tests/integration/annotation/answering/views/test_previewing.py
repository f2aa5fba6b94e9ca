"""A researcher walks through the pages that people get, and nothing is stored; a stranger learns of no study."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from agreement.kinds.registry import QUESTION_KINDS
from annotation.answering.views.previewing import page_address, pages_to_preview
from annotation.models import AssignedItem, ComprehensionQuestion, EndQuestion, Judgment, Participation, Study, User
from tests.factories import a_study
from tests.integration.annotation.answering.views.people import a_study_of
from tests.integration.researchers import a_researcher, an_owned_study, signed_in

pytestmark = pytest.mark.django_db


def with_everything(**changes: Any) -> tuple[Study, Client]:
    study, client = an_owned_study(live=False, **changes)
    ComprehensionQuestion.objects.create(
        study=study, position=1, text="What is asked?", right_answer="Words", wrong_answers="Things"
    )
    EndQuestion.objects.create(study=study, position=1, name="age", text="How old?")
    return study, client


def test_every_page_that_people_see_is_there_in_order() -> None:
    study, client = with_everything()
    pages = pages_to_preview(study)
    questions = [f"q{number}" for number in range(1, 13)]
    assert [page.key for page in pages] == [
        "landing", "consent", "instructions", "comprehension", *questions, "finish", "done", "declined", "failed",
        "full", "late", "withdraw", "withdrawn",
    ]  # fmt: skip
    for page in pages:
        answer = client.get(page_address(study, page.key))
        assert answer.status_code == 200, page.key
        assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
    assert not Participation.objects.exists()
    assert not AssignedItem.objects.exists()


def test_questions_are_paged_as_in_the_form_and_have_their_own_items() -> None:
    study, client = with_everything(items_per_page=5)
    assert [page.key for page in pages_to_preview(study) if page.group == "Questions"] == ["q1", "q2", "q3"]
    page = client.get(page_address(study, "q1")).text
    assert page.partition("<template")[0].count("data-item=") == 5
    first = study.items.targets().order_by("position")[0]
    assert first.fields["left"] in page


def test_sending_each_page_leads_on_to_the_next() -> None:
    study, client = with_everything()
    keys = [page.key for page in pages_to_preview(study)]
    for key in keys[: keys.index("done")]:
        answer = client.post(page_address(study, key), {"consent": "yes", "i1-number": "50"})
        assert answer.headers["Location"] == page_address(study, keys[keys.index(key) + 1])
    declined = client.post(page_address(study, "consent"), {"consent": "no"})
    assert declined.headers["Location"] == page_address(study, "declined")
    withdrawn = client.post(page_address(study, "withdraw"))
    assert withdrawn.headers["Location"] == page_address(study, "withdrawn")
    assert not Judgment.objects.exists()


def test_answer_of_the_script_is_thanked_for_and_kept_nowhere() -> None:
    study, _ = with_everything()
    answer = Client().post(reverse("annotation:preview-save", args=[study.slug]), {"position": "1", "number": "50"})
    assert answer.json() == {"saved": True}
    assert Client().post(reverse("annotation:preview-save", args=["no-such-study"])).json() == {"saved": True}
    assert not Judgment.objects.exists()


def test_pages_are_in_the_studys_language_and_end_with_its_code() -> None:
    study, client = with_everything(language="de", platform="prolific", code_completed="C0DE")
    page = client.get(page_address(study, "done")).text
    assert ('lang="de"' in page, "Vielen Dank" in page, "C0DE" in page) == (True, True, True)


@pytest.mark.parametrize("kind", QUESTION_KINDS)
def test_each_kind_of_question_is_shown(kind: str) -> None:
    study = a_study_of(kind)
    root = signed_in(User.objects.create_superuser("root"))
    assert "data-item=" in root.get(page_address(study, "q1")).text


def test_page_that_the_study_does_not_have_is_not_there() -> None:
    study, client = an_owned_study(live=False)
    for key in ("comprehension", "failed", "q13", "q0", "nonsense"):
        assert client.get(page_address(study, key)).status_code == 404


def test_study_without_items_has_every_page_but_questions() -> None:
    study, client = an_owned_study(live=False)
    study.items.all().delete()
    page = client.get(reverse("admin:annotation_study_preview", args=[study.pk]))
    assert "There are no pages of questions yet" in page.text
    assert client.get(page_address(study, "finish")).status_code == 200


def frame(study: Study, **query: str) -> str:
    address = reverse("admin:annotation_study_preview", args=[study.pk])
    return f"{address}?{'&'.join(f'{name}={value}' for name, value in query.items())}"


def test_frame_shows_a_page_with_next_and_back_and_the_studys_tabs() -> None:
    study, client = an_owned_study(live=False)
    page = client.get(frame(study, page="instructions", width="desktop"))
    assert f'<iframe src="{page_address(study, "instructions")}"' in page.text
    assert "?page=consent&amp;width=desktop" in page.text
    assert "?page=q1&amp;width=desktop" in page.text
    assert reverse("admin:annotation_study_change", args=[study.pk]) in page.text
    assert "frame-src 'self'" in page.headers["Content-Security-Policy"]
    assert (
        f'<iframe src="{page_address(study, "landing")}"' in client.get(frame(study, page="nonsense", width="x")).text
    )


def test_short_names_address_leads_to_the_frame() -> None:
    study, client = an_owned_study(live=False)
    answer = client.get(reverse("annotation:preview", args=[study.slug]))
    assert answer.headers["Location"] == reverse("admin:annotation_study_preview", args=[study.pk])


def test_others_are_not_told_that_it_exists() -> None:
    study = a_study(live=False)
    stranger = signed_in(a_researcher())
    for address in (reverse("annotation:preview", args=[study.slug]), page_address(study, "done"), frame(study)):
        assert stranger.get(address).status_code == 404
        assert Client().get(address).status_code == 302


def test_frame_costs_the_same_few_queries_for_more_items() -> None:
    counted = []
    for per_item in (5, 40):
        study, client = an_owned_study(live=False, items_per_assignment=per_item)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(frame(study)).status_code == 200
        counted.append(len(captured))
    assert counted[0] == counted[1] == 17, [query["sql"] for query in captured.captured_queries]
