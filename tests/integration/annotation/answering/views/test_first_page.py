"""The first page says who asks, for how long, for how much; and what to do is one tap away from every question."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.answering.views.entering import pay_of
from annotation.models import CheckQuota, ComprehensionQuestion, EndQuestion, Item, Study, User
from annotation.studies.completeness import what_people_will_see
from tests.integration.annotation.answering.views.people import a_picture, a_study_of, arrival, begin, come_in, here

pytestmark = pytest.mark.django_db
WHO: dict[str, Any] = {
    "researchers": "The colour group",
    "institution": "Example University",
    "ethics": "Board X, 2026-17",
}


def first_page(client: Client, study: Study) -> str:
    return client.get(f"/take/{study.slug}/", arrival()).text


def test_first_page_says_who_asks(client: Client) -> None:
    page = first_page(client, a_study_of("slider", **WHO))
    for name, text in (("Researchers", WHO["researchers"]), ("Institution", WHO["institution"])):
        assert f"<dt>{name}</dt>" in page
        assert text in page
    assert "<dt>Ethics approval</dt>" in page
    assert "Board X, 2026-17" in page


def test_first_page_leaves_out_what_is_empty(client: Client) -> None:
    page = first_page(client, a_study_of("slider", pay=None, currency=None, contact=""))
    for name in ("Researchers", "Institution", "Ethics approval", "Pay", "Contact"):
        assert f"<dt>{name}</dt>" not in page


@pytest.mark.parametrize(
    ("pay", "minutes", "said"),
    [
        ("0.60", 5, "0.60 GBP (7.20 GBP per hour)"),
        ("1.50", 7, "1.50 GBP (12.86 GBP per hour)"),
        ("0", 5, "0.00 GBP"),
        ("2", 0, "2.00 GBP"),
        (None, 5, ""),
    ],
)
def test_pay_stands_with_its_currency_and_per_hour(pay: str | None, minutes: int, said: str) -> None:
    study = a_study_of("slider", pay=pay, currency=pay and "GBP", minutes_expected=minutes)
    study.refresh_from_db()
    assert pay_of(study) == said


def test_first_page_counts_practice_items_and_checks_of_one_part(client: Client) -> None:
    items: list[dict[str, Any]] = [
        {"item_id": "try", "kind": "practice", "fields": {"thing": "chair"}},
        *({"item_id": f"i{k}", "fields": {"thing": f"t{k}"}} for k in range(5)),
        *(
            {"item_id": f"c{k}", "kind": "check", "check_name": "easy", "min": 10, "fields": {"thing": "c"}}
            for k in range(2)
        ),
    ]
    study = Study.objects.create(
        slug="counted", kind="slider", title="T", question="{thing}", platform="prolific", scale_low=0, scale_high=100,
        items_per_assignment=3, status=Study.Status.LIVE,
    )  # fmt: skip
    Item.objects.bulk_create(Item(study=study, position=place, **item) for place, item in enumerate(items, 1))
    CheckQuota.objects.create(study=study, check_name="easy", per_assignment=2)
    assert "<dd>6</dd>" in "".join(first_page(client, study).split())
    Study.objects.update(assignments_per_worker=4)
    assert "6 in each of up to 4 parts" in first_page(client, study)
    Study.objects.update(items_per_assignment=100, assignments_per_worker=1)
    assert "<dd>8</dd>" in "".join(first_page(client, study).split())


def test_first_page_says_devices_and_how_long_the_id_is_kept(client: Client) -> None:
    page = first_page(client, a_study_of("slider", retention_days=30))
    assert "phone, tablet or computer" in page
    assert "random name" in page
    assert "deleted 30 days after this study closes" in page


@pytest.mark.parametrize(("language", "said"), [("de", "18,00 GBP pro Stunde"), ("ar", "في الساعة")])
def test_first_page_speaks_the_studys_language(client: Client, language: str, said: str) -> None:
    page = first_page(client, a_study_of("slider", language=language, minutes_expected=5))
    assert said in page
    assert "Your answers are stored" not in page


def test_researcher_is_told_what_the_first_page_lacks() -> None:
    notices = " ".join(what_people_will_see(a_study_of("slider", institution="Example University")))
    assert "Researchers, Ethics approval are empty" in notices
    assert "who does the study" not in " ".join(what_people_will_see(a_study_of("slider", **WHO)))


def test_researcher_is_told_of_pictures_that_are_not_there() -> None:
    notices = " ".join(what_people_will_see(a_study_of("slider", instructions="![A fern](fernn)")))
    assert "Instructions name pictures" in notices
    assert "fernn" in notices


def test_consent_and_instructions_are_formatted(client: Client) -> None:
    study = a_study_of("slider", consent="**Free** to leave", instructions="- one\n- two")
    consent = come_in(client, study)
    assert "<strong>Free</strong>" in consent.text
    page = client.post(here(consent), {"consent": "yes"}, follow=True)
    assert "<li>one</li>" in page.text


def test_instructions_open_in_place_on_every_page_of_questions(client: Client) -> None:
    study = a_study_of("slider", instructions="- Mind the *scale*")
    address = begin(client, study)
    for page in (address, address.replace("/1/", "/2/")):
        text = client.get(page).text
        opened = text[text.index("<details") : text.index("</details>")]
        assert "<em>scale</em>" in opened
        assert text.index("<details") < text.index("<form")


def test_instructions_and_consent_open_in_place_wherever_something_is_asked(client: Client) -> None:
    study = a_study_of("slider", instructions="Mind the *scale*", consent="**Free** to leave")
    ComprehensionQuestion.objects.create(study=study, position=1, text="What?", right_answer="This", wrong_answers="No")
    EndQuestion.objects.create(study=study, position=1, name="age", text="How old?", options="18\n19")
    before = client.post(here(come_in(client, study)), {"consent": "yes"}, follow=True)
    asked = client.post(here(before), follow=True)
    assert "/questions/" in here(asked)
    right = {f"q{study.comprehension_questions.get().pk}": "This"}
    judging = client.post(here(asked), right, follow=True)
    finish = client.get(here(judging).replace("/1/", "/finish/"))
    for page in (asked, judging, finish):
        opened = page.text[page.text.index("<details") : page.text.rindex("</details>")]
        assert "<em>scale</em>" in opened
        assert "<strong>Free</strong>" in opened


def test_page_of_questions_has_no_empty_instructions(client: Client) -> None:
    assert "<details" not in client.get(begin(client, a_study_of("slider", instructions=""))).text


def test_preview_shows_facts_formatted_texts_and_the_questions_before_and_after(client: Client) -> None:
    owner = User.objects.create_superuser("owner")
    client.force_login(owner)
    study = a_study_of("slider", consent="**Free**", instructions="![A fern](fern)", **WHO)
    Item.objects.filter(study=study, item_id="fern").update(image=a_picture())
    ComprehensionQuestion.objects.create(
        study=study, position=1, text="What is asked?", right_answer="Things", wrong_answers="Words\nNumbers"
    )
    EndQuestion.objects.create(study=study, position=1, name="age", text="How old?", options="18-29\n30 or older")
    pages = ("landing", "consent", "instructions", "comprehension")
    page = "".join(client.get(reverse("annotation:preview-page", args=[study.slug, key])).text for key in pages)
    page += client.get(reverse("annotation:preview-finish", args=[study.slug])).text
    for text in ("The colour group", "<strong>Free</strong>", 'alt="A fern"', "What is asked?", "Numbers", "How old?"):
        assert text in page
    assert "per hour" in page
