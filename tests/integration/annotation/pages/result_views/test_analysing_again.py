"""The results page: analysing again starts from the last run, asks before it includes anybody, and says what is off."""

import pytest
from django.urls import reverse

from annotation.jobs import run_job
from annotation.models import Job, Study
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.rule_sets import exclude
from annotation.releases.models import Exclusion, StoredRuleSet
from tests.factories import per_assignment_done
from tests.integration.agreement.crowds import a_study_of, answers, came
from tests.integration.annotation.pages.result_views.pressing import part, pressed, results, run_queued
from tests.integration.researchers import a_released_study, a_researcher, an_owned_study, signed_in

pytestmark = pytest.mark.django_db
MINE = "".join(
    f'[[rule]]\nkind = "check"\n{check}\n' for check in ('check = "unrelated"\nmax = 100', 'check = "self"\nmin = 0')
)
MINE = f'name = "mine"\n{MINE}'


def test_form_starts_from_the_last_release_and_offers_what_was_stored() -> None:
    study, _release, client = a_released_study()
    pressed(client, study, toml=MINE, seed=9, replicates=150, include_again=" ".join(pseudonyms(study)))
    assert run_queued().status == "done"
    page = part(client, study, "analyse")
    form = page.context["form"]
    mine = StoredRuleSet.objects.get(name="mine")
    assert {name: form[name].value() for name in ("rules", "seed", "replicates")} == {
        "rules": mine.sha256, "seed": 9, "replicates": 150,
    }  # fmt: skip
    assert f"mine ({mine.sha256[:8]}" in page.text
    assert "These are the settings of release 2, unless you change them." in page.text


def pseudonyms(study: Study) -> list[str]:
    return list(study.participations.values_list("pseudonym", flat=True))


def test_run_that_would_include_workers_again_is_asked_about_with_the_list() -> None:
    study, _release, client = a_released_study()
    excluded = set(Exclusion.objects.in_force().values_list("participation__pseudonym", flat=True))
    page = pressed(client, study, toml=MINE)
    assert page.status_code == 200
    assert "Include 2 workers again?" in page.text
    assert set(page.context["again"]) == excluded
    assert all(name in page.text for name in excluded)
    assert not Job.objects.filter(kind="analyse", status="queued").exists()
    assert pressed(client, study, toml=MINE, include_again=page.context["names"]).status_code == 302
    assert run_queued().parameters["include_again"] == sorted(excluded)
    assert not Exclusion.objects.in_force().exists()


@pytest.mark.parametrize("address", ["analyse", "preview"])
def test_way_back_from_a_question_or_a_preview_keeps_the_rules_that_were_typed(address: str) -> None:
    study, _release, client = a_released_study()
    given = {"rules": "spatial-2019", "toml": MINE, "seed": 9, "replicates": 150}
    page = client.post(reverse(f"agreement:{address}", args=[study.uuid]), given)
    assert 'name="change"' in page.text
    page = client.post(reverse("agreement:analyse", args=[study.uuid]), {**given, "change": "1"})
    assert page.status_code == 200
    assert {name: page.context["form"][name].value() for name in given} == {
        name: str(value) for name, value in given.items()
    }
    assert "No analysis was started." not in page.text
    assert not Job.objects.filter(kind="analyse", status="queued").exists()


def test_agreeing_to_one_is_not_agreeing_to_another() -> None:
    study, _release, client = a_released_study()
    one = Exclusion.objects.in_force()[0].participation.pseudonym
    assert "Include 2 workers again?" in pressed(client, study, toml=MINE, include_again=one).text


def test_same_rules_again_ask_nothing() -> None:
    study, _release, client = a_released_study()
    assert pressed(client, study).status_code == 302
    assert run_queued().status == "done"
    assert Exclusion.objects.in_force().count() == 2


def test_rules_that_do_not_fit_the_checks_are_refused_beside_the_form_with_what_was_typed() -> None:
    study, _release, client = a_released_study()
    typo = 'name = "typo"\n[[rule]]\nkind = "check"\ncheck = "unrelatd"\nmax = 60\n'
    for address in ("analyse", "preview"):
        page = client.post(
            reverse(f"agreement:{address}", args=[study.uuid]),
            {"rules": "spatial-2019", "toml": typo, "seed": 1, "replicates": 100},
        )
        assert page.status_code == 422
        assert "No analysis was started." in page.text
        assert "No rule of typo looks at the check items named self, unrelated" in page.text
        assert "there is no check item of that name; the check items are named self, unrelated." in page.text
        assert "check = &quot;unrelatd&quot;" in page.text
    assert not Job.objects.filter(kind="analyse", status="queued").exists()


def test_rule_set_that_is_gone_is_one_sentence() -> None:
    study, _release, client = a_released_study()
    page = pressed(client, study, rules="0" * 64)
    assert page.status_code == 422
    assert "This study has not used that rule set, and nobody shares it: choose another." in page.text


def test_two_researchers_at_once_do_nothing_by_halves() -> None:
    """Both press before either job runs; the second would undo the first, and is told so in a sentence."""
    study, _release, client = a_released_study()
    Exclusion.objects.all().delete()
    study.participations.update(set_aside_at=None)
    pressed(client, study, toml=MINE)
    other = signed_in(a_researcher(study, "editor"))
    assert pressed(other, study).status_code == 302
    first, second = Job.objects.filter(kind="analyse", status="queued").order_by("-pk")
    run_job(first.pk)  # the stricter rules come first
    run_job(second.pk)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.status, second.status) == ("done", "failed")
    assert ", whom an earlier run excluded" in second.error
    assert Exclusion.objects.in_force().count() == 2
    assert study.releases.count() == 2


def test_nobody_kept_is_said_and_makes_no_release() -> None:
    study, client = an_owned_study()
    for number in (95, 30):
        per_assignment_done(study, number=number)
    pressed(client, study)
    job = run_queued()
    assert job.status == "failed"
    page = results(client, study)
    assert "0 of 2 workers kept: no gold." in page.text
    assert "This run excluded nobody, and no release was made." in page.text
    assert not study.releases.exists()
    assert not Exclusion.objects.exists()
    verdicts = client.get(reverse("admin:agreement_verdict_changelist"), {"study": study.pk})
    assert "answered 95, at most 60" in verdicts.text


def test_verdict_says_that_results_are_out_of_date() -> None:
    study, release, client = a_released_study()
    assert "out of date" not in results(client, study).text
    kept = study.participations.filter(set_aside_at=None)[0]
    exclude(participation=kept, reason="a colleague", by=study.owner)
    page = results(client, study)
    assert "Release 1 is out of date: since it was made, 1 worker was excluded." in page.text
    assert "Analyse again</button>" in page.text
    assert "<strong>Out of date.</strong>" in part(client, study, "agreement").text
    clean_and_release(study=study, by=study.owner)
    assert "out of date" not in results(client, study).text
    older = client.get(reverse("agreement:results", args=[study.uuid]), {"release": release.number})
    assert "This is an older release: release 2 is newer." in older.text
    assert "Show the newest release" in older.text
    board = client.get(reverse("agreement:leaderboard", args=[study.uuid]))
    assert "Out of date." not in board.text


def test_leaderboard_says_that_its_release_is_out_of_date() -> None:
    study, _release, client = a_released_study()
    per_assignment_done(study, is_careful=True)
    page = client.get(reverse("agreement:leaderboard", args=[study.uuid]))
    assert "answers came in. Analyse again" in page.text


def test_not_applicable_to_everybody_is_never_called_passed() -> None:
    owner = a_researcher()
    study = a_study_of("slider", [{"item_id": "i1", "fields": {}}], owner=owner)
    for name, number in (("ann", 30.0), ("ben", 60.0)):
        answers(came(study, name), "number", {"i1": number})
    clean_and_release(study=study, replicates=50, by=owner)
    page = results(signed_in(owner), study)
    assert "No rule applied to any worker: no checks." in page.text
    assert "Nobody is excluded, because no rule applied to anybody (no checks)." in page.text
    assert "passed the rules" not in page.text


def test_checks_and_bounds_that_decide_nothing_are_named() -> None:
    study, _release, client = a_released_study()
    half = 'name = "half"\nunused_checks = ["self"]\n[[rule]]\nkind = "check"\ncheck = "unrelated"\nmax = 50\n'
    pressed(client, study, toml=half, include_again=" ".join(pseudonyms(study)))
    assert run_queued().status == "done"
    page = results(client, study)
    unseen = "No rule looks at the checks named self: failing them has no consequence."
    assert page.context["results"].notices[0] == unseen
    assert f'<p class="t-note t-note-warn">{unseen}</p>' in page.text


def test_preview_shows_who_would_be_included_again() -> None:
    study, _release, client = a_released_study()
    given = {"rules": "spatial-2019", "toml": MINE, "seed": 1, "replicates": 100}
    page = client.post(reverse("agreement:preview", args=[study.uuid]), given)
    assert "Who would be included again" in page.text
    assert len(page.context["preview"].included_again) == 2


def test_lifting_says_how_many_places_close_and_how_many_answers_are_beyond_the_target() -> None:
    study, _release, client = a_released_study()
    exclusion = Exclusion.objects.in_force()[0]
    page = client.post(reverse("agreement:lift", args=[study.uuid, exclusion.pk]), {"why": "a mistake"}, follow=True)
    assert "10 judgments, which the exclusion had made necessary, are no longer needed." in page.text
