"""A whole analysis in the database: what is frozen, found, excluded and released, and that it happens once."""

import hashlib
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from annotation import jobs
from annotation.models import AuditEntry, Job, OpenPlace, Participation, Study, User
from annotation.people.leaving import withdraw
from annotation.releases.actions import analysing, releasing
from annotation.releases.actions.analysing import AnalysisFailed, clean_and_release
from annotation.releases.actions.freezing import freeze
from annotation.releases.actions.rule_sets import exclude, lift, store_verdicts
from annotation.releases.exports.bundle_zip import bundle
from annotation.releases.exports.release_tables import gold
from annotation.releases.models import CleaningRun, Exclusion, GoldRelease, StoredRuleSet, Verdict
from tests.integration.agreement.crowds import a_slider_crowd, a_study_of, answers, came
from tests.integration.agreement.frozen import frozen_keys, keys_in_gold

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def study() -> Study:
    return a_slider_crowd()


def person(study: Study, name: str) -> Participation:
    return study.participations.get(pseudonym=name)


def kind_rules(folder: Path) -> str:
    """Rules that all four pass."""
    path = folder / "kind.toml"
    checks = ('check = "unrelated"\nmax = 100', 'check = "self"\nmin = 0')
    path.write_text('name = "kind"\n' + "".join(f'[[rule]]\nkind = "check"\n{check}\n' for check in checks))
    return str(path)


def analysed(study: Study, **changes: Any) -> GoldRelease:
    return clean_and_release(study=study, **{"replicates": 50, **changes})


def test_release_holds_the_gold_of_the_careful(study: Study) -> None:
    release = analysed(study)
    assert (release.number, release.run.rule_set.name) == (1, "spatial-2019")
    assert release.columns[:4] == ["item_id", "left", "right", "mean"]
    assert [label.cells[:4] for label in release.labels.all()] == [
        ["i1", "above", "over", "85"],
        ["i2", "above", "below", "15"],
        ["i3", "near", "by", "72.75"],
    ]
    assert len(keys_in_gold(release)) == 6
    assert len(frozen_keys(release.run)) == 20
    assert hashlib.sha256(b"".join(gold(release))).hexdigest() == release.sha256 == release.report["release"]["sha256"]


def test_verdicts_have_their_evidence(study: Study) -> None:
    run = analysed(study).run
    verdicts = Verdict.objects.filter(run=run, outcome="failed").order_by("participation__pseudonym", "rule")
    assert [(v.participation.pseudonym, v.evidence) for v in verdicts] == [
        ("eve", [{"item_id": "s1", "answer": "50", "bound": "at least 90"}]),
        ("eve", [{"item_id": "u1", "answer": "61", "bound": "at most 60"}]),
        ("zoe", [{"item_id": "u1", "answer": "100", "bound": "at most 60"}]),
    ]
    assert run.verdicts.count() == 8
    assert run.counts["workers_kept"] == 2


def test_excluded_workers_give_their_places_back(study: Study) -> None:
    analysed(study)
    excluded = Exclusion.objects.in_force().order_by("participation__pseudonym")
    assert [exclusion.participation.pseudonym for exclusion in excluded] == ["eve", "zoe"]
    assert excluded[1].reason == 'failed check "unrelated": at most 60 % of the scale'
    assert OpenPlace.objects.filter(study=study).count() == 6


def test_study_that_does_not_refill_keeps_its_places() -> None:
    study = a_slider_crowd(refills_after_exclusion=False)
    analysed(study)
    assert not OpenPlace.objects.filter(study=study).exists()


def test_each_step_is_in_the_record(study: Study) -> None:
    boss = User.objects.create_user("boss")
    release = analysed(study, by=boss)
    entries = AuditEntry.objects.filter(study=study).order_by("pk")
    assert [entry.action for entry in entries] == ["cleaned", "excluded", "excluded", "released"]
    assert {entry.by for entry in entries} == {boss}
    assert entries[3].detail["sha256"] == release.sha256
    assert entries[0].detail["sha256"] == StoredRuleSet.objects.get().sha256
    assert "platform" not in str([entry.detail for entry in entries])


def test_analysing_again_makes_the_next_release_and_excludes_nobody_twice(study: Study) -> None:
    first, second = analysed(study), analysed(study)
    assert (first.number, second.number) == (1, 2)
    assert first.sha256 == second.sha256
    assert Exclusion.objects.count() == 2
    assert StoredRuleSet.objects.count() == 1


def test_worker_set_aside_by_hand_stays_out_and_the_report_says_so(study: Study) -> None:
    exclude(participation=person(study, "ann"), reason="judged with her brother", by=None)
    release = analysed(study)
    assert release.labels.get(item_id="i1").cells[3] == "80"
    assert release.report["by_hand"] == {"set_aside": 1, "kept": 0, "not_in_the_data": 0, "by_earlier_runs": 0}
    assert "By hand, 1 worker was excluded" in release.methods


def test_lifted_worker_is_kept_by_the_next_run(study: Study) -> None:
    analysed(study)
    lift(exclusion=Exclusion.objects.get(participation__pseudonym="zoe"), reason="the check was misprinted", by=None)
    release = analysed(study)
    assert release.report["counts"]["workers_kept"] == 3
    assert [e.participation.pseudonym for e in Exclusion.objects.in_force()] == ["eve"]
    entry = AuditEntry.objects.get(action="lifted")
    assert entry.detail == {"participation": "zoe", "places_closed": 3, "surplus": 0}


def test_run_with_kinder_rules_includes_again_who_was_asked_for_and_a_stricter_one_excludes_again(
    study: Study, tmp_path: Path
) -> None:
    kind = kind_rules(tmp_path)
    analysed(study)
    release = analysed(study, rules=kind, include_again=["eve", "zoe"])
    assert release.report["counts"]["workers_kept"] == 4
    assert not Exclusion.objects.in_force().exists()
    assert analysed(study, rules="spatial-2019").report["counts"]["workers_kept"] == 2
    assert Exclusion.objects.in_force().count() == 2


def test_study_without_answers_is_refused_in_words() -> None:
    study = a_study_of("slider", [{"item_id": "a"}])
    with pytest.raises(AnalysisFailed, match="no judgments that count yet"):
        analysed(study)
    assert not GoldRelease.objects.exists()


def test_rules_that_do_not_fit_end_the_job_with_their_reasons() -> None:
    study = a_study_of(
        "choice", [{"item_id": "a"}, {"item_id": "c", "kind": "check", "check_name": "self"}], ["x", "y"]
    )
    answers(came(study, "ann"), "label", {"a": "x", "c": "y"})
    with pytest.raises(AnalysisFailed, match="has no scale for min and max"):
        analysed(study, rules="spatial-2019")
    assert Job.objects.get().status == "failed"
    assert not CleaningRun.objects.exists()


@pytest.mark.parametrize("step", ["frame_of", "analyse_apart", "store_verdicts", "exclude_failed", "release"])
def test_job_that_dies_at_any_step_ends_done_once(study: Study, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    real = getattr(analysing, step)
    calls = []

    def dies_after_the_first(*args: Any, **kwargs: Any) -> Any:
        calls.append(1)
        if len(calls) > 1:
            return real(*args, **kwargs)
        if step != "release":
            real(*args, **kwargs)
        raise SystemExit  # as a worker does that is told to stop

    monkeypatch.setattr(analysing, step, dies_after_the_first)
    with pytest.raises(SystemExit):
        analysed(study)
    job = Job.objects.get()
    assert (job.status, job.attempts) == ("queued", 1)
    jobs.run_job(job.pk)
    job.refresh_from_db()
    assert (job.status, job.attempts) == ("done", 2)
    assert len(keys_in_gold(GoldRelease.objects.get())) == 6
    assert CleaningRun.objects.get().verdicts.count() == 8
    assert Exclusion.objects.count() == 2
    assert [entry.action for entry in AuditEntry.objects.order_by("pk")] == [
        "cleaned",
        "excluded",
        "excluded",
        "released",
    ]


def test_who_withdraws_while_gold_is_made_is_not_in_it(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    real = releasing.release
    told: list[int] = []

    def withdrawn_before(**kwargs: Any) -> GoldRelease:
        if not told:
            told.append(withdraw(participation=person(study, "ben")))
        return real(**kwargs)

    monkeypatch.setattr(analysing, "release", withdrawn_before)
    release = analysed(study)
    assert len(keys_in_gold(release)) == 3
    assert release.labels.get(item_id="i1").cells[3] == "90"
    assert not Verdict.objects.filter(participation__pseudonym="ben").exists()


def test_withdrawal_erases_what_verdicts_quote(study: Study) -> None:
    analysed(study)
    withdraw(participation=person(study, "eve"))
    verdicts = Verdict.objects.filter(participation__pseudonym="eve")
    assert [(verdict.outcome, verdict.evidence) for verdict in verdicts] == [("failed", [])] * 2
    assert Verdict.objects.get(participation__pseudonym="zoe", outcome="failed").evidence


def test_failed_worker_who_withdraws_while_gold_is_made_leaves_no_quotation(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = store_verdicts

    def withdrawn_before(**kwargs: Any) -> None:
        withdraw(participation=person(study, "eve"))
        real(**kwargs)

    monkeypatch.setattr(analysing, "store_verdicts", withdrawn_before)
    analysed(study)
    assert not Verdict.objects.filter(participation__pseudonym="eve").exists()


def test_answers_given_after_the_freeze_are_in_the_next_run(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    real = freeze

    def late_arrival(**kwargs: Any) -> None:
        if not study.participations.filter(pseudonym="kim").exists():
            answers(came(study, "kim"), "number", {"u1": 0.0, "s1": 100.0})
        real(**kwargs)

    monkeypatch.setattr(analysing, "freeze", late_arrival)
    assert analysed(study).report["counts"]["workers"] == 4
    assert analysed(study).report["counts"]["workers"] == 5


def test_withdrawal_after_a_release_leaves_an_erratum(study: Study) -> None:
    release = analysed(study)
    assert release.erratum() == ""
    withdraw(participation=person(study, "ben"))
    assert release.erratum().startswith("Erratum to release 1: 5 of the judgments that it was made from, 3 of them in")
    assert analysed(study).erratum() == ""


def test_query_count_does_not_grow_with_the_crowd(study: Study, django_assert_max_num_queries: Any) -> None:
    for number in range(12):
        answers(came(study, f"more-{number}"), "number", {"u1": 0.0, "s1": 100.0})
    analysed(study)
    with django_assert_max_num_queries(82):
        analysed(study)


def test_release_says_how_many_workers_nobody_vouches_for(study: Study) -> None:
    study.participations.filter(pseudonym__in=study.participations.values("pseudonym")[:1]).update(is_verified=False)

    release = analysed(study)

    told = {"workers": 1, "of": study.participations.count()}
    assert release.run.counts["unverified"] == release.report["unverified"] == told
    readme = zipfile.ZipFile(io.BytesIO(b"".join(bundle(release)))).read("README.txt").decode()
    assert f"1 of the {told['of']} workers are unverified" in readme
    assert study.audit_entries.get(action=AuditEntry.Action.RELEASED).detail["unverified"] == told
