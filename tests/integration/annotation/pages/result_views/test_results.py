"""The results page: figures and evidence, downloads in the record, analysing again, exclusions and their lifting."""

import hashlib
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from agreement.cleaning.rule_set import built_in_toml
from agreement.figures.headline import HEADLINE
from agreement.kinds.registry import QUESTION_KINDS
from annotation.jobs import run_job
from annotation.models import AuditEntry, Job, Participation, Study
from annotation.pages import result_views as views
from annotation.people.leaving import withdraw
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.models import Exclusion, GoldRelease
from annotation.simulating.crowds import simulate
from annotation.studies import presets
from annotation.studies.study_life import change_status, create_study
from tests.factories import per_assignment_done
from tests.integration.agreement.crowds import a_slider_crowd, a_study_of, answers, came
from tests.integration.annotation.answering.views.several import a_study_of_four
from tests.integration.annotation.releases.exports.test_exports import a_crowd_of
from tests.integration.researchers import (
    a_judged_study,
    a_released_study,
    a_researcher,
    an_owned_study,
    signed_in,
)

pytestmark = pytest.mark.django_db


def page_of(client: Client, study: Study, part: str = "results", **query: Any) -> Any:
    return client.get(reverse(f"agreement:{part}", args=[study.uuid]), query)


def download(client: Client, release: GoldRelease, what: str) -> Any:
    return client.get(reverse("agreement:download", args=[release.study.uuid, release.number, what]))


def test_study_without_a_release_says_what_analysing_does() -> None:
    study, client = an_owned_study()
    page = page_of(client, study)
    assert page.context["verdict"].standing == "none"
    assert "Nobody has answered yet." in page.text
    assert "Let people in" in page.text
    form = page_of(client, study, "analyse").text
    assert "Analyse now" in form
    assert "An analysis cleans the judgments by a rule set" in form


def test_release_that_does_not_exist_is_not_found_on_any_page_that_names_one() -> None:
    study, release, client = a_released_study()
    for page in ("results", "leaderboard"):
        address = reverse(f"agreement:{page}", args=[study.uuid])
        answers_to = {number: client.get(address, {"release": number}).status_code for number in ("1", "", "7", "x")}
        assert (release.number, answers_to) == (1, {"1": 200, "": 200, "7": 404, "x": 404})


def test_removed_workers_stand_with_item_answer_and_bound() -> None:
    study, _release, client = a_released_study()
    removed = page_of(client, study, "excluded").context["removed"]
    evidence = " ".join(reason for each in removed for reason in each.reasons)
    assert "“above · green”" in evidence
    assert "answered 95, at most 60" in evidence
    assert "answered 30, at least 90" in evidence
    assert {each.participation.pseudonym for each in removed} == {
        exclusion.participation.pseudonym for exclusion in Exclusion.objects.in_force()
    }


def test_page_shows_the_first_of_many_removed_and_says_where_the_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    study, _release, client = a_released_study()
    monkeypatch.setattr(views, "REMOVED_SHOWN", 1)
    page = page_of(client, study, "excluded")
    assert "2 workers are excluded" in page.text
    assert "Only the first 1 are shown" in page.text


def test_figures_that_are_undefined_stand_in_words() -> None:
    study, _release, client = a_released_study()  # the two who are kept share hardly an item
    page = page_of(client, study, "agreement")
    assert "undefined: " in page.text
    assert not re.search(r"\bnan\b", page.text, re.IGNORECASE)
    assert page.context["results"].counts.workers_kept == 2


def test_warnings_of_an_analysis_stand_on_its_page_as_in_its_report() -> None:
    owner = a_researcher()
    study = a_study_of("choice", [{"item_id": f"i{i}"} for i in range(12)], labels=("Yes", "yes", "no"), owner=owner)
    for at, name in enumerate(("ann", "bob", "eve")):
        answers(came(study, name), "label", {f"i{i}": ("Yes", "yes", "no")[(i + i // 3 * at) % 3] for i in range(12)})
    release = clean_and_release(study=study, replicates=20, by=owner)

    page = page_of(signed_in(owner), study)

    warned = [warning["text"] for warning in release.report["warnings"]]
    assert any("The labels Yes and yes are counted as 2 different labels" in text for text in warned)
    for text in warned:
        assert f'<p class="t-note t-note-warn">{escape(text)}</p>' in page.text


def test_an_analysis_without_warnings_shows_none() -> None:
    study, client = an_owned_study()
    for number in range(40, 64, 2):
        per_assignment_done(study, number=number, is_careful=True)
    release = clean_and_release(study=study, replicates=20, by=study.owner)

    page = page_of(client, study)

    assert release.report["warnings"] == []
    assert page.context["results"].notices == []
    assert "t-note-bad" not in page.text


def test_releases_are_listed_with_hashes_and_any_can_be_shown() -> None:
    study, first, client = a_released_study()
    per_assignment_done(study, number=95)
    page = page_of(client, study, "releases", release=1)
    assert first.sha256 in page.text
    assert page.context["results"].release == first
    assert page_of(client, study, release=9).status_code == 404


@pytest.mark.parametrize("what", ["gold", "judgments", "workers", "bundle"])
def test_download_is_streamed_and_recorded(what: str) -> None:
    study, release, client = a_released_study()
    answer = download(client, release, what)
    assert answer.streaming
    content = b"".join(answer.streaming_content)
    assert int(answer.headers["Content-Length"]) == len(content)
    if what == "gold":
        assert hashlib.sha256(content).hexdigest() == release.sha256
        assert content.startswith(b"item_id,")
    ending = "zip" if what == "bundle" else "csv"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{study.slug}-release-1-{what}.{ending}"'
    entry = AuditEntry.objects.get(action=AuditEntry.Action.EXPORTED)
    assert (entry.by, entry.detail["what"], entry.detail["release"]) == (study.owner, what, 1)


def test_downloads_hold_pseudonyms_and_no_platform_id() -> None:
    study, release, client = a_released_study()
    for what in ("judgments", "workers"):
        content = b"".join(download(client, release, what).streaming_content).decode()
        for person in study.participations.select_related("worker"):
            assert person.pseudonym in content
            assert str(person.worker.platform_id) not in content


@pytest.mark.parametrize("releases", [0, 1])
def test_participants_are_always_among_the_downloads(releases: int) -> None:
    study, client = a_released_study()[::2] if releases else a_judged_study(people=2)
    address = reverse("agreement:participants", args=[study.uuid])
    page = page_of(client, study)
    assert f'href="{address}"' in page.text
    assert "as things are now and not part of the release" in page.text
    answer = client.get(address)
    assert answer.streaming
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{study.slug}-participants.csv"'
    assert answer.getvalue().startswith(b"pseudonym,status,")
    entry = AuditEntry.objects.get(action=AuditEntry.Action.EXPORTED)
    assert (entry.by, entry.detail["what"], entry.detail["release"]) == (study.owner, "participants", None)


def test_participants_are_for_those_who_may_look_and_of_no_release() -> None:
    study, release, _client = a_released_study()
    address = reverse("agreement:participants", args=[study.uuid])
    assert signed_in(a_researcher()).get(address).status_code == 404
    viewer = signed_in(a_researcher(study, "viewer"))
    assert viewer.get(address).getvalue()
    assert download(viewer, release, "participants").status_code == 404


def test_bundle_comes_with_participants_by_a_link_of_its_own() -> None:
    study, release, client = a_released_study()
    address = reverse("agreement:download", args=[study.uuid, release.number, "bundle"])
    page = page_of(client, study).text
    assert f'href="{address}"' in page
    assert f'href="{address}?participants=1"' in page
    assert b"participants.csv" not in client.get(address).getvalue()
    assert b"participants.csv" in client.get(f"{address}?participants=1").getvalue()
    entries = AuditEntry.objects.filter(action=AuditEntry.Action.EXPORTED).order_by("pk")
    assert [entry.detail.get("with_participants", False) for entry in entries] == [False, True]


def test_download_that_there_is_not_is_not_found() -> None:
    _study, release, client = a_released_study()
    assert download(client, release, "secrets").status_code == 404
    missing = reverse("agreement:download", args=[release.study.uuid, 7, "gold"])
    assert client.get(missing).status_code == 404
    assert download(signed_in(a_researcher()), release, "gold").status_code == 404
    assert not AuditEntry.objects.filter(action=AuditEntry.Action.EXPORTED).exists()


def test_analyse_now_asks_for_one_job_however_often_it_is_pressed() -> None:
    study, client = a_judged_study(people=2)
    address = reverse("agreement:analyse", args=[study.uuid])
    for _ in range(2):
        answer = client.post(address, {"rules": "spatial-2019", "seed": 4, "replicates": 100})
        assert answer.headers["Location"] == reverse("agreement:results", args=[study.uuid])
    job = Job.objects.get()
    assert (job.kind, job.study, job.created_by) == ("analyse", study, study.owner)
    toml = built_in_toml("spatial-2019")
    asked = {"seed": 4, "replicates": 100, "fixed_workers": False, "also": [], "include_again": []}
    assert job.parameters == {"toml": toml, **asked}
    assert "Queued" in page_of(client, study).text


def test_job_asked_for_on_the_page_makes_the_release_that_the_page_then_shows() -> None:
    study, client = a_judged_study(people=2)
    per_assignment_done(study, is_careful=True)
    client.post(
        reverse("agreement:analyse", args=[study.uuid]), {"rules": "spatial-2019", "seed": 1, "replicates": 100}
    )
    run_job(Job.objects.get().pk)
    assert Job.objects.get(kind="analyse").status == Job.Status.DONE
    assert page_of(client, study).context["results"].release.number == 1


def test_rules_of_ones_own_are_read_before_the_job_is_asked_for() -> None:
    study, client = a_judged_study(people=1)
    address = reverse("agreement:analyse", args=[study.uuid])
    fine = {"rules": "spatial-2019", "seed": 1, "replicates": 100}
    page = client.post(address, {**fine, "toml": 'name = "mine"\n[[rule]]\nkind = "guess"'})
    assert page.status_code == 422
    assert "unknown kind" in page.text
    assert "kind = &quot;guess&quot;" in page.text, "what was typed is still there"
    assert not Job.objects.exists()
    mine = 'unused_checks = ["unrelated"]\nname = "mine"\n[[rule]]\nkind = "check"\ncheck = "self"\nmin = 80'
    client.post(address, {**fine, "toml": mine})
    assert Job.objects.get().parameters["toml"] == mine


def test_preview_says_what_the_rules_would_do_and_stores_nothing() -> None:
    study, client = a_judged_study(people=2, pay="0.60", currency="GBP")
    asked = {"rules": "spatial-2019", "seed": 1, "replicates": 100}
    page = client.post(reverse("agreement:preview", args=[study.uuid]), asked)
    preview = page.context["preview"]
    assert set(preview.excluded) == {person.pseudonym for person in study.participations.all()}
    assert f"{preview.cost} GBP" in page.text
    assert not Job.objects.exists()
    assert not Exclusion.objects.exists()


def test_job_that_failed_shows_its_error_and_can_be_asked_for_again() -> None:
    study, client = an_owned_study()
    Job.objects.create(
        study=study, kind="analyse", status=Job.Status.FAILED, error="No answers yet.", finished_at=timezone.now()
    )
    page = page_of(client, study)
    assert "No answers yet." in page.text
    assert "Try again" in page.text
    assert "Analyse with other settings" in page.text
    assert "Analyse now" in page_of(client, study, "analyse").text


def test_running_job_shows_its_progress_and_can_be_cancelled() -> None:
    study, client = an_owned_study()
    job = Job.objects.create(study=study, kind="analyse", status=Job.Status.RUNNING, progress=0.4, attempts=1)
    assert 'value="0.400"' in page_of(client, study).text
    state = client.get(reverse("agreement:job", args=[study.uuid])).json()
    assert state == {"job": str(job.uuid), "status": "running", "progress": 0.4}
    client.post(reverse("agreement:cancel", args=[study.uuid, job.uuid]))
    job.refresh_from_db()
    assert job.is_cancel_wanted
    assert "Stopping" in page_of(client, study).text


def test_job_of_another_study_can_not_be_cancelled() -> None:
    study, client = an_owned_study()
    other, _ = an_owned_study()
    job = Job.objects.create(study=other, kind="analyse")
    assert client.post(reverse("agreement:cancel", args=[study.uuid, job.uuid])).status_code == 404
    assert client.get(reverse("agreement:job", args=[study.uuid])).json() == {}


def test_worker_is_excluded_by_hand_with_a_reason() -> None:
    study, client = a_judged_study(people=1)
    person = Participation.objects.get()
    address = reverse("agreement:exclude", args=[study.uuid])
    assert client.post(address, {"pseudonym": person.pseudonym, "reason": ""}).status_code == 200
    assert not Exclusion.objects.exists()
    client.post(address, {"pseudonym": f" {person.pseudonym} ", "reason": "wrote that a child answered"})
    exclusion = Exclusion.objects.get()
    assert (exclusion.participation, exclusion.created_by, exclusion.run) == (person, study.owner, None)
    page = page_of(client, study, "excluded")
    assert "wrote that a child answered" in page.text
    assert "by hand" in page.text
    assert "is excluded already" in client.post(address, {"pseudonym": person.pseudonym, "reason": "x"}).text


def test_worker_of_another_study_is_unknown_here() -> None:
    study, client = an_owned_study()
    a_judged_study(people=1)
    address = reverse("agreement:exclude", args=[study.uuid])
    page = client.post(address, {"pseudonym": Participation.objects.get().pseudonym, "reason": "x"})
    assert "Nobody in this study has the pseudonym" in page.text
    assert not Exclusion.objects.exists()


def test_exclusion_is_lifted_with_a_reason() -> None:
    study, _release, client = a_released_study()
    exclusion = Exclusion.objects.in_force()[0]
    address = reverse("agreement:lift", args=[study.uuid, exclusion.pk])
    assert client.post(address, {"why": ""}).status_code == 200
    assert Exclusion.objects.in_force().filter(pk=exclusion.pk).exists()
    client.post(address, {"why": "the picture did not load"})
    exclusion.refresh_from_db()
    assert (exclusion.lift_reason, exclusion.lifted_by) == ("the picture did not load", study.owner)
    page = page_of(client, study, "excluded")
    assert "the picture did not load" in page.text
    assert "not excluded" in page.text
    assert "was already included again" in client.post(address, {"why": "again"}, follow=True).text


def test_who_was_included_again_is_never_called_excluded() -> None:
    """Neither before the next analysis nor after it, which keeps them although they fail the rule again."""
    study, _release, client = a_released_study()
    for number, exclusion in enumerate(Exclusion.objects.in_force(), start=1):
        client.post(reverse("agreement:lift", args=[study.uuid, exclusion.pk]), {"why": "a mistake"})
        text = " ".join(page_of(client, study, "excluded").text.split())
        assert ("1 worker is excluded." in text, "Nobody is excluded." in text) == (number == 1, number == 2)
    assert "Of those who failed a rule of release 1, 2 are not excluded: these workers were included again." in text
    clean_and_release(study=study, by=study.owner)
    text = " ".join(page_of(client, study, "excluded").text.split())
    assert "Nobody is excluded." in text
    assert "Of those who failed a rule of release 2, 2 are not excluded" in text
    assert "lifted since" not in text


def test_withdrawal_gives_the_release_its_erratum() -> None:
    study, _release, client = a_released_study()
    withdraw(participation=study.participations.all()[0])
    assert "Erratum to release 1" in page_of(client, study).text


def test_viewer_sees_and_downloads_and_has_no_buttons() -> None:
    study, release, _ = a_released_study()
    client = signed_in(a_researcher(study, "viewer"))
    for part in ("results", "analyse", *views.PARTS):
        page = page_of(client, study, part)
        assert page.status_code == 200
        assert not re.search(r'class="t-button[^"]*" type="submit"', page.text)
        assert "Include again" not in page.text
    assert download(client, release, "gold").status_code == 200
    for name, more in (("analyse", []), ("preview", []), ("exclude", []), ("lift", [Exclusion.objects.all()[0].pk])):
        assert client.post(reverse(f"agreement:{name}", args=[study.uuid, *more])).status_code == 403


def test_peoples_threshold_of_size_stands_beside_that_of_the_literature() -> None:
    owner = a_researcher()
    study = create_study(slug="sizes", preset=presets.load("size-set-pos"), owner=owner, judgments_per_item=4, seed=7)
    study, client = change_status(study=study, status=Study.Status.LIVE), signed_in(owner)
    simulate(study=study, workers=9, seed=2)
    release = clean_and_release(study=study, replicates=50)

    page = page_of(client, study, "agreement")

    k = release.report["size_threshold"]["k"]
    assert k["low"] < 0.29 < k["high"]
    assert "People's threshold of size" in page.text
    assert f"{k['estimate']:.3f}" in page.text
    assert f"{k['low']:.3f} to {k['high']:.3f}" in page.text
    assert re.search(r">\s*0\.29\s*<", page.text)


def test_other_studies_have_no_threshold_of_size() -> None:
    study, _release, client = a_released_study()

    assert "threshold of size" not in page_of(client, study, "agreement").text


def test_a_report_that_failed_says_why_beside_the_figures_and_is_tried_again_there() -> None:
    study, release, client = a_released_study()
    job = study.jobs.get(kind="report")
    Job.objects.filter(pk=job.pk).update(status="failed", error="The disk is full.", finished_at=timezone.now())
    page = page_of(client, study)
    assert "The drawing failed" in page.text
    assert "The disk is full." in page.text
    client.post(reverse("admin:annotation_job_retry", args=[job.pk]), {"back": "results"})
    waiting = page_of(client, study)
    assert "The disk is full." not in waiting.text
    assert reverse("agreement:job_state", args=[study.uuid, job.retries.get().uuid]) in waiting.text
    run_job(job.retries.get().pk)
    pictures = page_of(client, study).context["results"].pictures
    assert [picture.name for picture in pictures] == list(HEADLINE)[: len(pictures)]
    drawn = page_of(client, study, "figures")
    assert 'data-figure="judgment-distribution"' in drawn.text
    assert f"{reverse('agreement:items', args=[study.uuid])}?answer=" in drawn.text
    assert reverse("agreement:figure", args=[study.uuid, release.number, "judgment-distribution"]) in drawn.text


def test_statistics_that_answers_have_not_stand_apart_with_the_reason() -> None:
    owner = a_researcher()
    study = a_study_of("choice", [{"item_id": f"i{k}"} for k in range(6)], ["red", "blue"], owner=owner)
    for name, given in {"ann": "rbrbrb", "ben": "rbrbrr", "eve": "rbbbrb"}.items():
        labels = ({"r": "red", "b": "blue"}[letter] for letter in given)
        answers(came(study, name), "label", dict(zip((f"i{k}" for k in range(6)), labels, strict=True)))
    clean_and_release(study=study, replicates=100)
    page = page_of(signed_in(owner), study, "agreement")
    results = page.context["results"]
    table = page.text.split("Agreement, raw and cleaned")[1].split("</table>")[0]
    assert {row.name for row in results.undefined_agreement} >= {"ICC(1,1), one judgment"}
    assert "undefined:" not in table
    assert "undefined for these answers, and why" in page.text


def test_an_interval_stands_in_brackets_and_is_never_broken() -> None:
    owner = a_researcher()
    study = a_slider_crowd(owner=owner)
    clean_and_release(study=study, replicates=100)
    page = page_of(signed_in(owner), study, "agreement")
    headline = page.context["results"].agreement[0].cleaned
    shown = f'<span class="t-whole">{headline.number}'
    assert shown in page.text


@pytest.mark.parametrize("kind", QUESTION_KINDS)
def test_every_kind_of_question_has_its_verdict_and_all_pages_behind_it(kind: str) -> None:
    study = a_crowd_of(kind)
    clean_and_release(study=study, rules="own-bounds", replicates=20)
    client = signed_in(a_researcher(study, "viewer"))
    page = page_of(client, study)
    assert page.context["verdict"].sentence
    assert page.context["verdict"].next_step.sentence in page.text
    for part in views.PARTS:
        assert page_of(client, study, part).status_code == 200
        assert page_of(client, study, part, release=7).status_code == 404


def test_a_study_without_gold_says_why_on_every_page() -> None:
    study, client = an_owned_study()
    for part in views.PARTS:
        assert "There is no gold yet" in page_of(client, study, part).text
    per_assignment_done(study)
    verdict = page_of(client, study).context["verdict"]
    assert (verdict.standing, verdict.next_step.key) == ("none", "analyse")
    assert '<button class="t-button t-primary" type="submit">Analyse now</button>' in page_of(client, study).text


def test_one_person_alone_has_no_verdict_and_the_reason() -> None:
    owner = a_researcher()
    study = a_study_of("choice", [{"item_id": f"i{k}"} for k in range(6)], ["red", "blue"], owner=owner)
    answers(came(study, "ann"), "label", {f"i{k}": "red" for k in range(6)})
    clean_and_release(study=study, rules="own-bounds", replicates=20)
    page = page_of(signed_in(owner), study)
    assert page.context["verdict"].standing == "none"
    assert "one person gave all answers that count" in page.text


def test_analysing_again_by_the_button_takes_the_settings_of_the_last_release() -> None:
    study, _release, client = a_released_study()
    per_assignment_done(study, is_careful=True)
    page = page_of(client, study)
    assert page.context["action"].starts_analysis
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.text.split("t-next")[1]))
    client.post(reverse("agreement:analyse", args=[study.uuid]), sent)
    job = Job.objects.get(kind="analyse", status="queued")
    assert {name: job.parameters[name] for name in ("seed", "replicates", "also")} == {
        "seed": study.releases.get().published.seed, "replicates": 100, "also": [],
    }  # fmt: skip


def test_several_questions_stand_in_a_line_each_with_the_weakest_first() -> None:
    owner = a_researcher()
    study = a_study_of_four(owner=owner)
    simulate(study=study, workers=9, seed=2)
    clean_and_release(study=study, rules="own-bounds", replicates=20, by=owner)
    page = page_of(signed_in(owner), study)
    lines = page.context["lines"]
    assert [line.is_weakest for line in lines] == [True, False, False, False]
    assert [line.name for line in lines if line.is_shown] == ["colour"]
    assert {line.name for line in lines} == {"colour", "question_2", "question_3", "question_4"}
