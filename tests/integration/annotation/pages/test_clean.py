"""The Clean page: rules as a form, previewed, swept, compared and applied; what was typed is never lost."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from agreement.cleaning.rule_set import built_in_toml, parse_rules
from annotation.jobs import run_job
from annotation.models import Job, Role, Study
from annotation.people.leaving import withdraw
from annotation.releases.actions import trying_rules
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.models import Exclusion
from annotation.releases.tasks import TRY
from tests.factories import per_assignment_done
from tests.integration.agreement.crowds import a_slider_crowd, a_study_of, answers, came
from tests.integration.researchers import a_judged_study, a_released_study, a_researcher, an_owned_study, signed_in

pytestmark = pytest.mark.django_db

BASE = {"name": "mine", "minimum_checks": "0", "version": "1", "typical": "", "seed": "1", "replicates": "100"}


def typed(*rules: dict[str, str], **more: Any) -> dict[str, Any]:
    """The form as a browser sends it."""
    sent: dict[str, Any] = {**BASE, "n": str(len(rules))}
    for at, rule in enumerate(rules):
        sent |= {f"rule-{at}-{name}": value for name, value in rule.items()}
    return {**sent, **more}


UNRELATED = {"kind": "check", "check": "unrelated", "max": "60"}
SELF = {"kind": "check", "check": "self", "min": "90"}


def page(client: Client, study: Study, **query: Any) -> Any:
    return client.get(reverse("agreement:clean", args=[study.uuid]), query)


def press(client: Client, study: Study, form: dict[str, Any], button: str, value: str = "1") -> Any:
    return client.post(reverse("agreement:change_rules", args=[study.uuid]), {**form, button: value})


def test_the_form_starts_from_the_rules_of_the_last_release() -> None:
    study, _release, client = a_released_study()
    form = page(client, study).context["form"]
    assert form["name"].value() == "spatial-2019"
    mine = 'name = "mine"\n[[rule]]\nkind = "check"\ncheck = "unrelated"\nmax = 60.5\n'
    mine += '[[rule]]\nkind = "check"\ncheck = "self"\n'
    clean_and_release(study=study, toml=mine, replicates=100, include_again=pseudonyms(study))
    form = page(client, study).context["form"]
    assert form["name"].value() == "mine"
    assert [field.value() for field in form.rules[0]] == ["unrelated", "60.5", "", "0"]
    assert parse_rules(form.toml).sha256 == parse_rules(mine).sha256


def pseudonyms(study: Study) -> list[str]:
    return list(study.participations.values_list("pseudonym", flat=True))


def test_a_preview_names_who_goes_and_who_nearly_does_with_figures_before_and_after() -> None:
    study, _release, client = a_released_study()
    answer = press(client, study, typed(UNRELATED, SELF), "preview")
    result = answer.context["result"]
    assert answer.status_code == 200
    assert result["n_excluded"] == 2
    assert all(each["evidence"] and each["link"] for each in result["excluded"])
    assert result["raw"].n == result["cleaned"].n
    assert "judgments to collect again" in answer.text
    assert not study.jobs.filter(kind=TRY).exists()


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ({**UNRELATED, "max": "150"}, "At most: 150, not a number from 0 to 100."),
        ({**UNRELATED, "max": "ninety"}, "At most: &#x27;ninety&#x27;, not a number."),
        ({**UNRELATED, "min": "70"}, "Min 70 is above max 60."),
        ({**UNRELATED, "tolerated": "-1"}, "Failures allowed: -1, not a whole number of 0 or more."),
        ({"kind": "too-fast"}, "A rule of kind too-fast needs one of"),
        ({**UNRELATED, "check": "unrelatd"}, "there is no check item of that name"),
    ],
)
def test_what_is_wrong_stands_beside_its_field_and_what_was_typed_stays(rule: dict[str, str], sentence: str) -> None:
    study, _release, client = a_released_study()
    answer = press(client, study, typed(rule, SELF, name="my rules"), "preview")
    assert answer.status_code == 422
    assert sentence in answer.text
    assert 'value="my rules"' in answer.text
    for value in rule.values():
        assert f'value="{value}"' in answer.text


def test_rules_are_added_removed_and_imported_without_script() -> None:
    study, _release, client = a_released_study()
    added = press(client, study, typed(UNRELATED, SELF), "add", "too-fast").context["form"]
    assert [rule.kind for rule in added.rules] == ["check", "check", "too-fast"]
    assert not added.rules[2].errors
    removed = press(client, study, typed(UNRELATED, SELF), "remove", "0").context["form"]
    assert [rule["check"].value() for rule in removed.rules] == ["self"]
    taken = press(client, study, typed(toml=built_in_toml("spatial-2019")), "use_toml").context["form"]
    assert (taken["name"].value(), len(taken.rules)) == ("spatial-2019", 2)
    wrong = press(client, study, typed(SELF, toml='name = "x"\n[[rule]]\nkind = "chek"\n'), "use_toml")
    assert wrong.status_code == 422
    assert "unknown kind" in wrong.text
    assert "kind = &quot;chek&quot;" in wrong.text
    assert wrong.context["form"].rules[0]["check"].value() == "self"


def test_a_built_in_rule_set_that_is_changed_has_a_name_of_its_own() -> None:
    study, _release, client = a_released_study()
    form = press(client, study, typed({**UNRELATED, "max": "50"}, SELF, name="spatial-2019"), "preview").context["form"]
    assert form.rule_set.name == "spatial-2019, changed"


def test_choosing_another_rule_set_stays_on_the_rules_above_once_they_differ_from_all_offered() -> None:
    study, _release, client = a_released_study()
    assert "The rules above" not in page(client, study).text
    answer = press(client, study, typed({**UNRELATED, "max": "50"}, SELF), "preview")
    assert '<option value="">The rules above</option>' in answer.text
    assert " selected>" not in answer.text.partition('id="id_rules"')[2].partition("</select>")[0]


def test_applying_queues_the_analysis_with_the_rules_of_the_form() -> None:
    study, client = a_judged_study()
    for number in (40, 60):
        per_assignment_done(study, number=number, is_careful=True)
    form = typed(UNRELATED, SELF, base="0", refill="no")
    assert press(client, study, form, "apply").status_code == 302
    job = study.jobs.get(kind="analyse")
    assert job.parameters["refill"] is False
    run_job(job.pk)
    job.refresh_from_db()
    assert job.status == "done", job.error
    assert study.releases.get().run.rule_set.name == "mine"
    assert Exclusion.objects.in_force().count() == 3
    assert not study.audit_entries.filter(action="excluded").exclude(detail__places_opened=0).exists()


def test_the_second_of_two_researchers_is_refused_and_loses_nothing() -> None:
    study, _release, client = a_released_study()
    other = a_researcher(study, Role.Level.EDITOR)
    clean_and_release(study=study, replicates=100, by=other)
    answer = press(client, study, typed({**UNRELATED, "max": "55"}, SELF, base="1"), "apply")
    assert answer.status_code == 409
    assert f"{other} released gold 2" in answer.text
    assert 'value="55"' in answer.text
    assert not study.jobs.filter(kind="analyse").exclude(status="done").exists()
    assert answer.context["base"] == 2  # having seen it, they may go on


def test_while_somebody_else_analyses_nobody_starts_another() -> None:
    study, _release, client = a_released_study()
    Job.objects.create(study=study, kind="analyse", created_by=a_researcher(study, Role.Level.EDITOR))
    assert press(client, study, typed(UNRELATED, SELF, base="1"), "apply").status_code == 409


def a_crowd_that_differs() -> tuple[Study, Client]:
    owner = a_researcher()
    return a_slider_crowd(owner=owner), signed_in(owner)


def test_a_sweep_is_a_heat_map_or_says_why_there_is_none() -> None:
    study, client = a_crowd_that_differs()
    answer = press(client, study, typed(UNRELATED, SELF), "sweep")
    assert 'data-figure="threshold-sweep"' in answer.text
    assert "Agreement (Krippendorff" in answer.text
    without = a_study_of("slider", [{"item_id": "i1"}], owner=study.owner)
    answers(came(without, "ann"), "number", {"i1": 4.0})
    answer = press(client, without, typed(), "sweep")
    assert "These rules have none for check items" in answer.text


def test_a_release_and_a_rule_set_stand_side_by_side() -> None:
    study, client = a_crowd_that_differs()
    clean_and_release(study=study, replicates=100)
    answer = press(client, study, typed({**UNRELATED, "max": "100"}, SELF, **{"with": "release:1"}), "compare")
    one, other = answer.context["result"]["sides"]
    assert (one["counts"]["workers_kept"], other["counts"]["workers_kept"]) == (2, 3)
    assert answer.context["result"]["gold"]["differences"]
    assert "Gold values that differ most" in answer.text
    same = press(client, study, typed({"kind": "check"}, name="x", **{"with": "spatial-2019"}), "compare")
    assert "have the same gold" in same.text


def test_of_a_large_study_rules_are_tried_by_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying_rules, "MOST_AT_ONCE", 3)
    study, _release, client = a_released_study()
    answer = press(client, study, typed(UNRELATED, {**SELF, "min": "89"}), "preview")
    job = study.jobs.get(kind=TRY)
    assert answer.url.endswith(f"?job={job.uuid}#tried")
    waiting = page(client, study, job=str(job.uuid))
    assert "It starts as soon as a worker is free." in waiting.text
    assert waiting.context["form"].rules[1]["min"].value() == "89"  # what was typed
    run_job(job.pk)
    done = page(client, study, job=str(job.uuid))
    assert done.context["result"]["n_excluded"] == 2
    # Somebody withdraws: what the job quotes of people is erased.
    withdraw(participation=study.participations.earliest("pk"), by=None)
    job.refresh_from_db()
    assert job.result is None
    assert "what was found is erased" in page(client, study, job=str(job.uuid)).text


def test_a_failed_job_says_why_and_is_tried_again_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying_rules, "MOST_AT_ONCE", 3)
    study, _release, client = a_released_study()
    press(client, study, typed({"kind": "self-consistency", "max_difference": "10"}, {"kind": "check"}), "preview")
    job = study.jobs.get(kind=TRY)
    Job.objects.filter(pk=job.pk).update(status="failed", error="The disk is full.", finished_at=job.created_at)
    shown = page(client, study, job=str(job.uuid))
    assert "The disk is full." in shown.text
    again: Any = client.post(reverse("admin:annotation_job_retry", args=[job.pk]), {"back": "clean"})
    assert again.url.endswith(f"/clean/?job={job.retries.get().uuid}")


def test_who_may_only_look_sees_the_rules_and_changes_nothing() -> None:
    study, _release, _client = a_released_study()
    viewer = signed_in(a_researcher(study, Role.Level.VIEWER))
    shown = page(viewer, study)
    assert "Apply and analyse" not in shown.text
    assert "name = &quot;spatial-2019&quot;" in shown.text
    assert press(viewer, study, typed(UNRELATED, SELF), "preview").status_code == 403


def test_the_page_asks_the_same_number_of_questions_whatever_the_size() -> None:
    study, _release, client = a_released_study()
    page(client, study)
    with CaptureQueriesContext(
        connection,
    ) as few:
        page(client, study)
    for _ in range(4):
        per_assignment_done(study, number=95)
    clean_and_release(study=study, replicates=100, include_again=pseudonyms(study))
    with CaptureQueriesContext(connection) as more:
        page(client, study)
    assert len(more) == len(few) <= 31


def test_rules_of_a_study_without_answers_say_so() -> None:
    study, client = an_owned_study()
    assert page(client, study).status_code == 200
    answer = press(client, study, typed(UNRELATED, SELF), "preview")
    assert answer.status_code == 422
    assert "There are no answers yet" in answer.text


@pytest.mark.parametrize("number", ["release:99", "release:x", "nothing"])
def test_comparing_with_what_is_not_there_is_refused_with_a_sentence(number: str) -> None:
    study, _release, client = a_released_study()
    answer = press(client, study, typed(UNRELATED, SELF, **{"with": number}), "compare")
    assert answer.status_code == 422
    assert "Choose what to compare with" in answer.text
