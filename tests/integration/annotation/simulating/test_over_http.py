"""Simulated people in the real pages: every kind of question, with and without script, on this machine alone."""

from collections import Counter
from typing import Any

import pytest

from agreement.errors import Refused
from agreement.simulation.simulated_people import CAREFUL
from annotation.models import Judgment, Participation, Study
from annotation.simulating.over_http import simulate_over_http
from annotation.studies.study_life import add_items, change_status
from tests.factories import a_quota, a_small_study, a_study

pytestmark = pytest.mark.django_db(transaction=True)


def a_study_of(kind: str, platform: str) -> Study:
    study = a_small_study(
        items=4,
        items_per_assignment=3,
        live=False,
        kind=kind,
        judgments_per_item=3,
        platform=platform,
        items_per_page=2,
        pace="expert" if kind == "choice" else "calm",  # which simulated people ignore
    )
    for position, value in enumerate(("false", "true"), start=1):
        study.labels.create(value=value, display_text=value.title(), position=position)
    add_items(
        study=study,
        items=[
            {"item_id": "c", "kind": "check", "check_name": "self", "fields": {"left": "x", "right": "x"}},
            {"item_id": "p", "kind": "practice", "fields": {"left": "p", "right": "q", "feedback": "So it is."}},
        ],
        source="a test",
    )
    a_quota(study, "self", 1)
    study.comprehension_questions.create(position=1, text="Why?", right_answer="Because", wrong_answers="Never\nNot")
    return change_status(study=study, status=Study.Status.LIVE)


@pytest.mark.parametrize(
    ("kind", "platform"),
    [("slider", "prolific"), ("sliders", "connect"), ("choice", "sona"), ("choices", "direct"), ("verify", "mturk"),
     ("list", "prolific"), ("text", "direct"), ("ranking", "prolific")],
)  # fmt: skip
def test_people_find_their_way_through_the_pages_of_every_kind(kind: str, platform: str, live_server: Any) -> None:
    study = a_study_of(kind, platform)

    crowd = simulate_over_http(study=study, site=live_server.url, workers=5, careless=1, seed=3)

    assert len(crowd.vices) == 4  # twelve places, three each: the fifth finds nothing left
    assert Judgment.objects.of_study(study.pk).current().count() == 4 * 5
    assert crowd.answers == 4 * 5 + 1  # without script a practice item is sent once more, after its feedback
    assert set(study.participations.values_list("status", flat=True)) == {Participation.Status.FINISHED}
    assert not study.open_places.exists()


def test_the_truth_is_that_of_the_same_people_without_pages(live_server: Any) -> None:
    study = a_study(word_order="counterbalanced")

    crowd = simulate_over_http(study=study, site=live_server.url, workers=6, careless=0, seed=3)

    assert set(crowd.vices.values()) == {CAREFUL}
    checks = Judgment.objects.filter(assigned_item__item__check_name="unrelated")
    assert checks.count() == 6
    assert max(number or 0 for number in checks.values_list("number", flat=True)) < 60


def test_vices_are_the_same_over_http(live_server: Any) -> None:
    study = a_study()
    vices = {"straight-line": 2, "copies": 1, "drops-out": 2}

    crowd = simulate_over_http(study=study, site=live_server.url, workers=8, vices=vices, seed=3)

    assert Counter(vice.name for vice in crowd.vices.values()) == {**vices, "careful": 3}
    statuses = dict(study.participations.values_list("pseudonym", "status"))
    for pseudonym, vice in crowd.vices.items():
        left = vice.name == "drops-out"
        assert (statuses[pseudonym] == Participation.Status.WORKING) == left
        given = Judgment.objects.of_study(study.pk).filter(assigned_item__participation__pseudonym=pseudonym)
        assert (given.count() < 12) == left


@pytest.mark.parametrize(
    "site",
    [
        "http://example.org",
        "ftp://127.0.0.1",
        "127.0.0.1:8000",
        "http://127.0.0.1:9",
        "http://[::1",
        "http://127.0.0.1:99999",
    ],
)
def test_nobody_is_sent_elsewhere(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    study = a_study()
    monkeypatch.setattr("agreement.simulation.visiting.WAITS", (0.01,))
    monkeypatch.setattr("annotation.simulating.over_http.PATIENCE_SECONDS", 0.1)

    with pytest.raises(Refused):
        simulate_over_http(study=study, site=site, workers=1, careless=0, seed=1)

    assert not study.participations.exists()
