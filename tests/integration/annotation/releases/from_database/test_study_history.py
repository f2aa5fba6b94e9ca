"""What the report and the methods paragraph say of how a study's judgments were collected, read from the database."""

import datetime as dt
import json
from typing import Any

import pytest
from django.db.models import Max, Min

from annotation.models import EndQuestion, Judgment, Participation, Payment, Study
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.rule_sets import exclude
from annotation.releases.from_database.reading_judgments import frame_of
from annotation.releases.from_database.study_history import collection_of
from tests.integration.agreement.crowds import a_slider_crowd, answers, came

pytestmark = [pytest.mark.django_db, pytest.mark.both]
CONSENTED = dt.datetime(2026, 11, 18, 20, 30, tzinfo=dt.UTC)


def a_described_study(**changes: Any) -> Study:
    """Ann and ben are careful and tell their age and gender, eve and zoe fail the checks."""
    study = a_slider_crowd(**{"platform": "prolific", **changes})
    EndQuestion.objects.create(study=study, position=1, name="age", text="How old are you?")
    EndQuestion.objects.create(study=study, position=2, name="gender", text="Gender?", options="female\nmale")
    about: dict[str, tuple[int, dict[str, str], str]] = {
        "ann": (3, {"age": "30", "gender": "female"}, "phone"),
        "ben": (4, {"age": "40"}, "computer"),
        "eve": (1, {"age": "99", "gender": "male"}, "tablet"),
        "zoe": (5, {}, "tablet"),
    }
    for name, (minutes, said, device) in about.items():
        found = study.participations.filter(pseudonym=name)
        found.update(
            consented_at=CONSENTED,
            consent_version="1",
            finished_at=CONSENTED + dt.timedelta(minutes=minutes),
            demographics=said,
            device=device,
            is_verified=name != "ann",
        )
        Payment.objects.create(participation=found.get(), amount="0.70", currency="GBP")
    return study


def test_report_says_how_the_judgments_were_collected() -> None:
    study = a_described_study()
    ended = ("declined", "failed-comprehension", "returned", "timed-out", "withdrawn", "entered", "rejected")
    for number, status in enumerate(ended):
        came(study, f"came-{number}", status=status, finished_at=None)
    report = clean_and_release(study=study, rules="spatial-2019", replicates=50).report
    answered = Judgment.objects.aggregate(first=Min("created_at"), last=Max("created_at"))
    found = report["collection"]
    assert (found["first_day"], found["last_day"]) == tuple(
        at.astimezone(dt.UTC).date().isoformat() for at in answered.values()
    )
    assert found["platform"] == "Prolific"
    assert found["people"] == {
        "came": 11, "consented": 4, "finished": 4, "unfinished": 1, "declined": 1, "failed_comprehension": 1,
        "returned_or_timed_out": 2, "rejected": 1, "withdrew": 1,
    }  # fmt: skip
    assert found["unverified"] == {"workers": 1, "of": 4}
    assert (found["median_minutes"]["estimate"], found["median_minutes"]["n"]) == (3.5, 4)
    assert found["pay"] == [{"currency": "GBP", "least": 0.7, "most": 0.7, "people": 4, "per_hour": 12.0}]
    assert found["devices"] == {"phone": 1, "computer": 1}
    assert [question["name"] for question in found["questions"]] == ["age", "gender"]


def test_report_keeps_the_order_of_its_keys() -> None:
    release = clean_and_release(study=a_described_study(), rules="spatial-2019", replicates=50)
    report = json.loads(release.report_file or "")  # PostgreSQL keeps no order of keys in the column `report`
    assert list(report)[:2] == ["study", "kind"]
    assert list(report)[-7:] == ["collection", "claims", "suspects", "warnings", "unverified", "verdict", "version"]


def test_methods_paragraph_describes_the_people() -> None:
    methods = clean_and_release(study=a_described_study(), rules="spatial-2019", replicates=50).methods
    assert "People were recruited through Prolific; the judgments were given on" in methods
    assert "4 people came, of whom 4 consented and 4 finished." in methods
    assert "was 3.5 minutes, over the 4 people who finished" in methods
    assert "Pay was 0.70 GBP per person, which comes to 12.00 GBP per hour" in methods
    assert "1 of the 4 workers in the data came through an open link or through the platform" in methods
    assert "Of the 2 workers whose judgments are kept, 1 used a phone, 1 used a computer." in methods
    assert '"How old are you?": n = 2, M = 35.0, SD = 7.1, range 30 to 40, no answer 0.' in methods
    assert '"Gender?": female 1, male 0, no answer 1.' in methods
    assert "99" not in methods.partition("People were recruited")[2].partition("\n\n")[0]


def test_description_leaves_out_who_is_excluded_by_hand() -> None:
    study = a_described_study()
    exclude(participation=study.participations.get(pseudonym="ben"), reason="a colleague", by=None)
    found = clean_and_release(study=study, rules="spatial-2019", replicates=50).report["collection"]
    assert found["devices"] == {"phone": 1}
    assert found["questions"][1]["options"] == {"female": 1, "male": 0}


def test_people_who_took_no_time_get_no_time_in_the_paragraph() -> None:
    study = a_described_study()
    Participation.objects.update(finished_at=CONSENTED + dt.timedelta(seconds=1))
    methods = clean_and_release(study=study, rules="spatial-2019", replicates=50).methods
    assert "median time" not in methods
    assert "per hour" not in methods


def test_pilots_people_are_counted_while_the_study_is_piloting() -> None:
    study = a_described_study()
    answers(came(study, "pia", is_pilot=True), "number", {"i1": 50.0})
    assert collection_of(study, frame_of(study)).people["came"] == 4
    Study.objects.update(status="piloting")
    study.refresh_from_db()
    assert collection_of(study, frame_of(study)).people["came"] == 5


def test_median_time_is_of_those_who_finished_and_are_in_the_data() -> None:
    study = a_described_study()
    long_ago = CONSENTED - dt.timedelta(days=1)
    came(study, "no-judgments", consented_at=long_ago, consent_version="1", finished_at=CONSENTED)
    study.participations.filter(pseudonym="zoe").update(status="working")
    workers = collection_of(study, frame_of(study)).workers
    assert set(workers) == {"ann", "ben", "eve", "zoe"}
    assert workers["zoe"].time is None
    assert workers["ben"].time == dt.timedelta(minutes=4)


def test_collection_takes_two_queries_for_any_number(django_assert_num_queries: Any) -> None:
    study = a_described_study()
    for number in range(20):
        came(study, f"more-{number}", demographics={"age": "30"})
    frame = frame_of(study)
    with django_assert_num_queries(2):
        assert collection_of(study, frame).people["came"] == 24
