"""A new study: a kind or a preset is chosen from drawings, and the form shows the page as people will see it."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from agreement.kinds.registry import KINDS
from annotation.models import AuditEntry, Judgment, Study
from annotation.studies import presets
from annotation.studies.completeness import what_is_missing
from tests.integration.annotation.pages.admin.test_study_setup import form_data
from tests.integration.annotation.studies.test_study_form import ADD, as_it_opens
from tests.integration.researchers import a_researcher, an_owned_study, signed_in

pytestmark = pytest.mark.django_db
CHOOSE = "admin:annotation_study_from_preset"
LIVE_OF_NEW = "admin:annotation_study_live_preview_of_new"
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>"


def live(client: Client, study: Study | None = None, **changes: Any) -> Any:
    if study is None:
        return client.post(reverse(LIVE_OF_NEW), changes)
    address = reverse("admin:annotation_study_live_preview", args=[study.pk])
    return client.post(address, form_data(client, study, **changes))


def test_a_new_study_begins_with_the_choice_of_a_kind() -> None:
    client = signed_in(a_researcher())
    page = client.get(reverse(ADD))
    assert page.headers["Location"] == reverse(CHOOSE)
    text = client.get(reverse(CHOOSE)).text
    for kind in KINDS.values():
        assert kind.about.endswith(".")
        assert f"{reverse(ADD)}?kind={kind.name}" in text
        assert kind.about in text
    for name in presets.names():
        assert f'name="preset" value="{name}"' in text
    assert text.count('<svg class="t-drawn"') == len(KINDS) + len(presets.names())


def test_one_press_makes_a_study_from_a_preset_that_can_open() -> None:
    client = signed_in(a_researcher())
    for _ in range(2):
        assert client.post(reverse(CHOOSE), {"preset": "typicality"}).status_code == 302
    first, second = Study.objects.order_by("pk")
    assert (first.slug, second.slug) == ("typicality", "typicality-2")
    assert list(what_is_missing(first)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_shown_as_its_form_opens_and_nothing_is_stored(kind: str) -> None:
    client = signed_in(a_researcher())
    page = live(client, **{**as_it_opens(client, kind), "question": "What is {this}?", "title": "Unsaved"})
    assert page.status_code == 200
    assert "‹this›" in page.text
    for label in KINDS[kind].first_labels:
        assert label in page.text
    assert not Study.objects.exists()
    assert not AuditEntry.objects.exists()


def test_page_follows_what_is_typed_and_the_study_stays() -> None:
    study, client = an_owned_study(live=False)
    page = live(client, study, question="How far is {left}?", low_label="no distance", title="Another")
    first = study.items.targets().order_by("position").first()
    assert first is not None
    assert first.fields["left"] in page.text
    assert "no distance" in page.text
    study.refresh_from_db()
    assert (study.title, study.low_label) != ("Another", "no distance")


@pytest.mark.parametrize(
    ("key", "field"), [("landing", "summary"), ("consent", "consent"), ("instructions", "instructions")]
)
def test_texts_are_shown_on_their_own_pages(key: str, field: str) -> None:
    study, client = an_owned_study(live=False)
    assert "Wonderful words" in live(client, study, _page=key, **{field: "Wonderful words"}).text
    new = signed_in(a_researcher())
    sent = {**as_it_opens(new, "choice"), "_page": key, field: "Wonderful words"}
    assert "Wonderful words" in live(new, **sent).text


def test_labels_are_shown_in_the_order_of_the_form_without_those_that_go() -> None:
    client = signed_in(a_researcher())
    sent = as_it_opens(client, "choice")
    sent |= {f"labels-{row}-position": str(3 - row) for row in range(3)}
    sent |= {"labels-0-value": "scarlet", "labels-1-DELETE": "on"}
    text = live(client, **sent).text
    assert text.index("blue") < text.index("scarlet")
    assert "green" not in text


def test_further_questions_are_shown_too() -> None:
    client = signed_in(a_researcher())
    prefix = "further_questions-0-"
    sent = {
        **as_it_opens(client, "choice"),
        f"{prefix}question_name": "sure", f"{prefix}kind": "choice", f"{prefix}question": "Are you sure?",
        f"{prefix}labels": "yes\nno", f"{prefix}is_required": "on", f"{prefix}slider_start": "hidden",
        f"{prefix}shown_if_question": "nonsense", f"{prefix}shown_if_answers": "red",
    }  # fmt: skip
    assert "Are you sure?" in live(client, **sent).text


def test_what_is_hostile_is_text_and_nothing_leads_out_of_the_frame() -> None:
    client = signed_in(a_researcher())
    sent = {**as_it_opens(client, "choice"), "question": HOSTILE, "labels-0-value": HOSTILE, "title": HOSTILE}
    for key in ("question", "landing", "consent", "instructions"):
        page = live(client, **{**sent, "consent": HOSTILE, "instructions": HOSTILE, "summary": HOSTILE, "_page": key})
        assert "<script>alert" not in page.text
        assert "<img src=x" not in page.text
        assert "form-action 'none'" in page.headers["Content-Security-Policy"]
        assert "frame-ancestors 'self'" in page.headers["Content-Security-Policy"]
        assert page.headers["X-Frame-Options"] == "SAMEORIGIN"


@pytest.mark.parametrize("changes", [
    {}, {"question": ""}, {"kind": "nonsense"}, {"scale_low": "9", "scale_high": "1"}, {"items_per_page": "x"},
    {"title": "\x00"}, {"labels-TOTAL_FORMS": "many"}, {"language": "xx"}, {"pay": "1e999"},
])  # fmt: skip
def test_a_form_that_could_not_be_saved_is_shown_as_far_as_it_can_be(changes: dict[str, str]) -> None:
    client = signed_in(a_researcher())
    assert live(client, **{**as_it_opens(client, "slider"), **changes}).status_code == 200
    study, owner = an_owned_study(live=False)
    assert live(owner, study, **changes).status_code == 200
    assert live(client).status_code == 200


def test_an_open_study_shows_its_own_question_with_the_texts_of_the_form() -> None:
    study, client = an_owned_study()
    page = live(client, study, question="Changed?", _page="question")
    assert "Changed?" not in page.text
    assert "New words" in live(client, study, summary="New words", _page="landing").text


def test_who_may_only_look_gets_no_page_of_an_unsaved_form() -> None:
    study, _ = an_owned_study(live=False)
    viewer = signed_in(a_researcher(study, "viewer"))
    assert viewer.post(reverse("admin:annotation_study_live_preview", args=[study.pk]), {}).status_code == 403
    stranger = signed_in(a_researcher())
    assert stranger.post(reverse("admin:annotation_study_live_preview", args=[study.pk]), {}).status_code == 404
    assert stranger.get(reverse(LIVE_OF_NEW)).status_code == 405


def test_a_live_page_costs_the_same_few_queries_for_more_items() -> None:
    counted = []
    for count in (0, 200):
        study, client = an_owned_study(live=False)
        study.items.model.objects.bulk_create(
            study.items.model(study=study, item_id=f"more{n}", position=1_000 + n, fields={"left": "a", "right": "b"})
            for n in range(count)
        )
        sent = form_data(client, study)
        address = reverse("admin:annotation_study_live_preview", args=[study.pk])
        with CaptureQueriesContext(connection) as captured:
            client.post(address, sent)
        counted.append(len(captured))
    assert counted[0] == counted[1]


def test_answers_to_a_page_of_an_unsaved_study_are_forgotten() -> None:
    client = signed_in(a_researcher())
    base = reverse("annotation:unsaved")
    assert client.post(f"{base}save/", {"position": "1"}).json() == {"saved": True}
    assert client.get(f"{base}finish/").status_code == 204
    assert not Judgment.objects.exists()


def test_a_draft_says_beside_its_pages_what_is_missing_and_where_that_is_mended() -> None:
    study, client = an_owned_study(live=False, contact="")
    pages = {
        name: reverse(f"admin:annotation_study_{name}", args=[study.pk])
        for name in ("change", "import_items", "preview")
    }
    for address in pages.values():
        text = client.get(address).text
        assert "Nothing is missing." in text
        assert "Contact is empty" in text
    study.items.all().delete()
    for address in pages.values():
        assert f'href="{pages["import_items"]}">{study.title} has no items to judge</a>' in client.get(address).text
    opened, client = an_owned_study()
    assert "Before it opens" not in client.get(reverse("admin:annotation_study_preview", args=[opened.pk])).text
