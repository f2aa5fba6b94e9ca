"""Which judgments a run looks at: read once, frozen in short transactions, the same after a job that died."""

import io
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import Model, QuerySet

from agreement.cleaning.rule_set import built_in_toml, parse_rules
from annotation import jobs
from annotation.models import AuditEntry, Job, Judgment, Participation, Study
from annotation.people.leaving import leave, withdraw
from annotation.releases.actions import analysing, freezing
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.freezing import bits_in_gold, out_of_date, portion_of
from annotation.releases.actions.rule_sets import exclude
from annotation.releases.actions.trying_rules import included_again_with_look
from annotation.releases.from_database import judgment_rows, reading_judgments
from annotation.releases.from_database.reading_judgments import crowd_of
from annotation.releases.models import CleaningRun, FrozenJudgments, GoldRelease, JudgmentsInGold
from tests.integration.agreement.crowds import a_slider_crowd, answers, came
from tests.integration.agreement.frozen import frozen_keys, keys_in_gold

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def study() -> Study:
    return a_slider_crowd()


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many judgments each reading has read."""
    real, counts = judgment_rows.read_rows, []

    def counted(*args: Any, **how: Any) -> Any:
        rows = real(*args, **how)
        counts.append(len(rows.judgment))
        return rows

    monkeypatch.setattr(reading_judgments, "read_rows", counted)
    return counts


@pytest.fixture
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freezing, "PORTION", 7)


def person(study: Study, name: str) -> Participation:
    return study.participations.get(pseudonym=name)


def that_count() -> QuerySet[Judgment]:
    return Judgment.objects.exclude(assigned_item__item__kind="practice").order_by("pk")


def analysed(study: Study, **changes: Any) -> GoldRelease:
    return clean_and_release(study=study, **{"replicates": 50, **changes})


def test_job_reads_the_judgments_once(study: Study, readings: list[int]) -> None:
    analysed(study)
    assert readings == [20]


def test_command_reads_them_once_though_it_asks_whom_it_would_include_again(study: Study, readings: list[int]) -> None:
    analysed(study)
    readings.clear()
    call_command("analyse", study.slug, stdout=io.StringIO())
    assert readings == [20]


@pytest.mark.usefixtures("small_portions")
def test_judgments_are_frozen_in_portions_each_in_a_transaction_of_its_own(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    within: list[str] = []

    def noted(self: FrozenJudgments, **how: Any) -> None:
        within.append(connection.savepoint_ids[-1])
        Model.save(self, **how)

    monkeypatch.setattr(FrozenJudgments, "save", noted)
    release = analysed(study)
    assert (len(within), len(set(within))) == (3, 3)
    portions = release.run.frozen.order_by("position")
    assert [(portion.position, len(portion.keys), len(portion.uuids)) for portion in portions] == [
        (0, 7, 112),
        (1, 7, 112),
        (2, 6, 96),
    ]
    assert [portion.last_key for portion in portions] == [portion.keys[-1] for portion in portions]
    judgments = that_count()
    assert frozen_keys(release.run) == list(judgments.values_list("pk", flat=True))
    uuids = b"".join(bytes(portion.uuids) for portion in portions)
    assert uuids == b"".join(uuid.bytes for uuid in judgments.values_list("uuid", flat=True))
    kept = judgments.filter(assigned_item__participation__pseudonym__in=["ann", "ben"])
    targets = kept.filter(assigned_item__item__kind="target")
    assert keys_in_gold(release) == list(targets.values_list("pk", flat=True))


@pytest.mark.usefixtures("small_portions")
def test_job_that_dies_while_it_freezes_begins_the_freezing_anew(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    real = portion_of

    def dies(run: CleaningRun, position: int, keys: list[int]) -> FrozenJudgments:
        if position == 2:
            raise SystemExit
        return real(run, position, keys)

    monkeypatch.setattr(freezing, "portion_of", dies)
    with pytest.raises(SystemExit):
        analysed(study)
    assert FrozenJudgments.objects.count() == 2
    assert not AuditEntry.objects.exists()
    answers(came(study, "kim"), "number", {"i1": 5.0, "u1": 0.0, "s1": 100.0})
    monkeypatch.setattr(freezing, "portion_of", real)
    jobs.run_job(Job.objects.get().pk)
    release = GoldRelease.objects.get()
    assert frozen_keys(release.run) == list(that_count().values_list("pk", flat=True))
    assert AuditEntry.objects.get(action="cleaned").detail["judgments"] == 23
    assert out_of_date(release) == []


def test_answers_that_come_after_the_reading_are_not_in_the_run(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    real = freezing.freeze

    def answered_before(**kwargs: Any) -> None:
        answers(came(study, "kim"), "number", {"i1": 5.0, "u1": 0.0, "s1": 100.0})
        real(**kwargs)

    monkeypatch.setattr(analysing, "freeze", answered_before)
    release = analysed(study)
    assert len(frozen_keys(release.run)) == 20
    assert out_of_date(release) == ["3 answers came in"]
    assert len(crowd_of(release.run).item) == 20


def test_who_withdraws_between_reading_and_freezing_is_in_neither_run_nor_gold(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = freezing.freeze

    def withdrawn_before(**kwargs: Any) -> None:
        withdraw(participation=person(study, "ben"))
        real(**kwargs)

    monkeypatch.setattr(analysing, "freeze", withdrawn_before)
    release = analysed(study)
    assert len(frozen_keys(release.run)) == 15
    assert len(keys_in_gold(release)) == 3
    assert release.erratum() == ""


def test_gold_of_a_judgment_that_no_portion_has_is_refused(study: Study) -> None:
    run = analysed(study).run
    keys = reading_judgments.frame_of(run).judgments
    assert bits_in_gold(run, keys) is not None
    assert bits_in_gold(run, keys + 1_000) is None


@pytest.mark.parametrize("what", ["left", "excluded"])
def test_reading_that_no_longer_holds_is_done_again(study: Study, readings: list[int], what: str) -> None:
    analysed(study)
    rules = parse_rules(built_in_toml("spatial-2019"))
    again, look = included_again_with_look(study=study, rules=rules)
    assert (again, look is not None) == ({}, True)
    if what == "left":
        leave(participation=person(study, "ben"), status="returned")
    else:
        exclude(participation=person(study, "ben"), reason="a colleague", by=None)
    readings.clear()
    release = analysed(study, look=look)
    assert len(readings) == 1
    assert len(frozen_keys(release.run)) == (15 if what == "left" else 20)
    assert len(keys_in_gold(release)) == 3
    assert out_of_date(release) == []


def test_answer_that_comes_after_a_reading_for_the_question_is_said_to_be_missing(study: Study) -> None:
    analysed(study)
    look = freezing.look_at(study)
    answers(came(study, "kim"), "number", {"i1": 5.0, "u1": 0.0, "s1": 100.0})
    release = analysed(study, look=look)
    assert len(frozen_keys(release.run)) == 20
    assert out_of_date(release) == ["3 answers came in"]


def test_release_counts_what_was_withdrawn_of_its_run_and_of_its_gold(study: Study) -> None:
    release = analysed(study)
    withdraw(participation=person(study, "ben"))
    withdraw(participation=person(study, "eve"))
    assert release.erratum().startswith(
        "Erratum to release 1: 10 of the judgments that it was made from, 3 of them in its gold, have since"
    )
    assert JudgmentsInGold.objects.count() == 1


@pytest.mark.parametrize("share", [0, 1_000])
def test_rows_come_in_the_order_of_their_keys_whichever_way_they_are_found(
    study: Study, monkeypatch: pytest.MonkeyPatch, share: int
) -> None:
    other = a_slider_crowd()
    monkeypatch.setattr(judgment_rows, "OWN_OF_THE_SITE", share)
    for each in (study, other):
        keys = reading_judgments.frame_of(each).judgments.tolist()
        theirs = that_count().filter(assigned_item__item__study=each)
        assert keys == list(theirs.values_list("pk", flat=True))
