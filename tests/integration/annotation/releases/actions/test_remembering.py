"""Analyses start from the last one's settings, include nobody again unasked, and say when they are out of date."""

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from agreement.analysis.own_process import analyse_apart
from agreement.cleaning.decided_by_hand import Decision
from agreement.cleaning.rule_set import built_in_names, built_in_toml, load_rules, parse_rules
from annotation.jobs import request_job, run_job
from annotation.models import Job, OpenPlace, Participation, Study
from annotation.people.leaving import leave
from annotation.releases.actions import analysing
from annotation.releases.actions.analysing import AnalysisFailed, clean_and_release
from annotation.releases.actions.freezing import out_of_date, out_of_date_sentence
from annotation.releases.actions.rule_sets import LiftedExclusion, exclude, lift, offered_rule_sets
from annotation.releases.actions.trying_rules import who_is_included_again
from annotation.releases.models import CleaningRun, Exclusion, GoldRelease, StoredRuleSet, Verdict
from annotation.releases.summaries import settings_of
from tests.integration.agreement.bundles import run_again
from tests.integration.agreement.crowds import a_slider_crowd, a_study_of, answers, came, judged

pytestmark = [pytest.mark.django_db, pytest.mark.both]
KIND = "".join(
    f'[[rule]]\nkind = "check"\n{check}\n' for check in ('check = "unrelated"\nmax = 100', 'check = "self"\nmin = 0')
)


@pytest.fixture
def study() -> Study:
    return a_slider_crowd()


@pytest.fixture
def kind(tmp_path: Path) -> str:
    """Rules that eve and zoe pass, whom spatial-2019 excludes."""
    path = tmp_path / "kind.toml"
    path.write_text(f'name = "kind"\n{KIND}')
    return str(path)


def person(study: Study, name: str) -> Participation:
    return study.participations.get(pseudonym=name)


def analysed(study: Study, **changes: Any) -> GoldRelease:
    return clean_and_release(study=study, **{"replicates": 50, **changes})


def lifted(study: Study, name: str) -> LiftedExclusion:
    exclusion = Exclusion.objects.in_force().get(participation__study=study, participation__pseudonym=name)
    return lift(exclusion=exclusion, reason="a mistake", by=None)


def commanded(*options: str) -> tuple[int, list[str]]:
    said = io.StringIO()
    try:
        call_command("analyse", *options, stdout=said, stderr=said)
    except SystemExit as stopped:
        return int(str(stopped.code)), said.getvalue().splitlines()
    return 0, said.getvalue().splitlines()


def test_first_analysis_starts_from_the_templates_rules_or_each_checks_own_bounds(study: Study) -> None:
    assert settings_of(study).rules == load_rules("spatial-2019")
    study.preset = ""
    first = settings_of(study)
    assert (first.rules.name, first.seed, first.replicates, first.release) == ("own-bounds", 1, 1000, None)


def test_next_analysis_starts_from_the_last_releases_rules_seed_and_replicates(study: Study, kind: str) -> None:
    analysed(study, rules=kind, seed=7, replicates=60)
    second = clean_and_release(study=study)
    assert second.run.rule_set.name == "kind"
    assert (second.report["seed"], second.report["replicates"]) == (7, 60)
    assert settings_of(study).release == 2


def test_every_rule_set_that_the_study_used_is_offered_once(study: Study, kind: str) -> None:
    analysed(study, rules=kind)
    analysed(study, rules="spatial-2019")
    offered = offered_rule_sets(study)
    built_in = built_in_names()
    assert [each.key for each in offered[:-1]] == built_in
    assert [each.words.split(" (")[0] for each in offered] == [*built_in, "kind"]
    assert offered[-1].key == StoredRuleSet.objects.get(name="kind").sha256


def test_command_lists_whom_it_would_include_again_and_does_it_only_if_told(study: Study, kind: str) -> None:
    analysed(study)
    code, said = commanded(study.slug, "--rules", kind)
    assert code == 1
    assert said[0].startswith("kind would include 2 workers again whom an earlier run excluded. Nothing was changed.")
    assert [line.split(":")[0] for line in said[1:]] == ["  eve", "  zoe"]
    assert study.releases.count() == 1
    code, _said = commanded(study.slug, "--rules", kind, "--include-again")
    assert (code, study.releases.count()) == (0, 2)
    assert not Exclusion.objects.in_force().exists()
    assert Exclusion.objects.get(participation__pseudonym="eve").lift_reason == "failed no rule of kind"


def test_not_applicable_includes_nobody_again_and_the_bundle_knows(study: Study, tmp_path: Path) -> None:
    analysed(study)
    fast = tmp_path / "fast.toml"
    fast.write_text(
        'name = "fast"\nunused_checks = ["unrelated", "self"]\n[[rule]]\nkind = "disagreement"\ncorrelation_below = 0\n'
    )
    release = analysed(study, rules=str(fast), include_again=["eve", "zoe"])
    assert set(release.run.verdicts.values_list("outcome", flat=True)) == {"not applicable"}
    assert {e.participation.pseudonym for e in Exclusion.objects.in_force()} == {"eve", "zoe"}
    assert release.report["counts"]["workers_kept"] == 2
    assert release.report["by_hand"]["by_earlier_runs"] == 2
    assert "2 workers were excluded by an earlier cleaning run and stayed excluded" in release.methods
    assert [who for who, *_ in release.run.counts["by_hand"]] == ["eve", "zoe"]
    assert release.labels.get(item_id="i1").cells[3] == "85"
    there, again = run_again(release, tmp_path)
    for name in ("gold.csv", "judgments.csv", "workers.csv"):
        assert (again / name).read_bytes() == (there / name).read_bytes()


def test_who_was_excluded_since_the_list_was_shown_fails_the_job_and_changes_nothing(study: Study, kind: str) -> None:
    """Two researchers at once: one asks under kinder rules while nobody is excluded, the other's run comes first."""
    toml = Path(kind).read_text()
    asked = request_job(kind="analyse", study=study, parameters={"toml": toml, "include_again": []}, by=None)
    analysed(study)
    run_job(asked.pk)
    asked.refresh_from_db()
    assert asked.status == "failed"
    assert asked.error.startswith(
        "kind would include eve, zoe again, whom an earlier run excluded. Nothing was changed"
    )
    assert study.releases.count() == 1
    assert Exclusion.objects.in_force().count() == 2


def test_who_another_analysis_excludes_while_this_one_computes_fails_it_and_changes_nothing(
    study: Study, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two researchers at once: both runs have begun, and the stricter one ends first."""
    begun: list[int] = []

    def slower(*args: Any, **kwargs: Any) -> Any:
        if not begun:
            begun.append(1)
            analysed(study, rules="spatial-2019")
        return analyse_apart(*args, **kwargs)

    monkeypatch.setattr(analysing, "analyse_apart", slower)
    with pytest.raises(AnalysisFailed) as failed:
        analysed(study, rules=kind)
    assert str(failed.value) == (
        "Another analysis excluded eve, zoe while this one ran, and kind would keep them. Nothing was changed: analyse"
        " again, and confirm it or choose other rules."
    )
    assert [release.run.rule_set.name for release in study.releases.all()] == ["spatial-2019"]
    assert Exclusion.objects.in_force().count() == 2
    assert out_of_date(study.releases.get()) == []


def test_command_ends_with_1_where_nobody_is_kept(study: Study, tmp_path: Path) -> None:
    strict = tmp_path / "strict.toml"
    strict.write_text(f'name = "strict"\n{KIND}'.replace("max = 100", "max = 0").replace("min = 0", "min = 100"))
    study.participations.filter(pseudonym__in=("ann", "ben")).update(status="returned")
    code, said = commanded(study.slug, "--rules", str(strict))
    assert code == 1
    assert said[0].startswith("0 of 2 workers kept: no gold. ")
    assert not study.releases.exists()


def test_job_whose_rule_set_is_deleted_meanwhile_has_the_rules_themselves(study: Study, kind: str) -> None:
    toml = Path(kind).read_text()
    job = request_job(kind="analyse", study=study, parameters={"toml": toml, "replicates": 50}, by=None)
    assert not StoredRuleSet.objects.exists()
    run_job(job.pk)
    assert study.releases.get().run.rule_set.name == "kind"


def test_run_that_keeps_nobody_makes_no_release_excludes_nobody_and_keeps_its_verdicts(
    study: Study, tmp_path: Path
) -> None:
    strict = tmp_path / "strict.toml"
    strict.write_text(f'name = "strict"\n{KIND}'.replace("max = 100", "min = 100").replace("min = 0", "min = 100"))
    with pytest.raises(AnalysisFailed) as failed:
        analysed(study, rules=str(strict))
    assert str(failed.value).startswith("0 of 4 workers kept: no gold. ") or "3 failed" in str(failed.value)
    assert "This run excluded nobody, and no release was made." in str(failed.value)
    assert not GoldRelease.objects.exists()
    assert not Exclusion.objects.exists()
    assert not OpenPlace.objects.exists()
    assert Verdict.objects.filter(run=CleaningRun.objects.get(), outcome="failed").exists()
    assert settings_of(study).rules.name == "spatial-2019"


def test_rules_that_miss_a_check_are_refused_before_a_run_begins(study: Study, tmp_path: Path) -> None:
    half = tmp_path / "half.toml"
    half.write_text('name = "half"\n[[rule]]\nkind = "check"\ncheck = "self"\nmin = 90\n')
    code, said = commanded(study.slug, "--rules", str(half))
    assert code == 1
    assert said[0].startswith("No rule of half looks at the check items named unrelated")
    assert not CleaningRun.objects.exists()


def test_checks_of_any_name_exclude_by_default() -> None:
    items: Iterable[dict[str, Any]] = [
        {"item_id": "i1", "fields": {}},
        {"item_id": "c1", "kind": "check", "check_name": "typical", "min": 80.0, "fields": {}},
    ]
    study = a_study_of("slider", items)
    answers(came(study, "ann"), "number", {"i1": 30.0, "c1": 95.0})
    answers(came(study, "eve"), "number", {"i1": 90.0, "c1": 20.0})
    release = analysed(study)
    assert (release.run.rule_set.name, release.report["counts"]["workers_kept"]) == ("own-bounds", 1)
    assert Exclusion.objects.get().participation.pseudonym == "eve"


def test_fresh_release_is_not_out_of_date(study: Study) -> None:
    release = analysed(study)
    assert out_of_date(release) == []
    assert out_of_date_sentence(release) == ""


def test_release_is_out_of_date_after_exclusions_answers_and_leavings(study: Study) -> None:
    release = analysed(study)
    exclude(participation=person(study, "ann"), reason="a colleague", by=None)
    lifted(study, "eve")
    answers(came(study, "kim"), "number", {"i1": 5.0, "u1": 0.0, "s1": 100.0})
    leave(participation=person(study, "zoe"), status="returned")
    assert out_of_date(release) == [
        "1 worker was excluded",
        "1 worker was included again",
        "3 answers came in",
        "1 worker left or withdrew",
    ]
    assert out_of_date_sentence(release).startswith("Release 1 is out of date: since it was made, 1 worker was")
    assert out_of_date(analysed(study)) == []


def test_export_says_that_its_release_is_out_of_date(study: Study, tmp_path: Path) -> None:
    analysed(study)
    exclude(participation=person(study, "ann"), reason="a colleague", by=None)
    said = io.StringIO()
    call_command("export", study.slug, "gold", "--out", str(tmp_path / "gold.csv"), stdout=said)
    assert "Release 1 is out of date: since it was made, 1 worker was excluded." in said.getvalue()


def test_exclusion_that_was_lifted_at_once_puts_nothing_out_of_date(study: Study) -> None:
    release = analysed(study)
    exclude(participation=person(study, "ann"), reason="a colleague", by=None)
    lifted(study, "ann")
    assert out_of_date(release) == []


def test_changed_answer_and_changed_settings_put_a_release_out_of_date(study: Study) -> None:
    release = analysed(study)
    place = person(study, "ann").assigned_items.get(item__item_id="i1")
    judged(place, "number", 12.0, revision=2)
    Study.objects.filter(pk=study.pk).update(counts_late_answers=True)
    release = GoldRelease.objects.select_related("study", "run__study").get(pk=release.pk)
    assert out_of_date(release) == ["1 answer came in", "late answers now count"]


def test_decision_on_nobody_here_is_asked_about_by_nobody(study: Study, kind: str) -> None:
    """Whom the rules fail again, or who passes by a person's word, is no question."""
    analysed(study)
    assert who_is_included_again(study=study, rules=parse_rules(built_in_toml("spatial-2019"))) == {}
    lifted(study, "zoe")
    assert list(who_is_included_again(study=study, rules=load_rules(kind))) == ["eve"]


def test_decisions_by_earlier_runs_are_told_apart_from_those_by_hand() -> None:
    assert str(Decision(kept=False, why="x", by_earlier_run=True)) == "excluded by an earlier run: x"
    assert str(Decision(kept=False, why="x")) == "excluded by hand: x"


def test_old_job_without_names_includes_nobody_again(study: Study, kind: str) -> None:
    analysed(study)
    job = Job.objects.create(kind="analyse", study=study, parameters={"toml": Path(kind).read_text()})
    run_job(job.pk)
    job.refresh_from_db()
    assert (job.status, ", whom an earlier run excluded" in job.error) == ("failed", True)
