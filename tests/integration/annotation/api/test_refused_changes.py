"""Changes of a study that its form refuses: refused by the API too, at whichever field the form says so."""

from typing import Any

import pytest

from annotation.models import Study
from tests.factories import a_person, a_study, per_assignment_done
from tests.integration.annotation.api.scripts import Script
from tests.integration.annotation.api.test_writing import errors_of
from tests.integration.researchers import a_researcher

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def script() -> Script:
    return Script(a_researcher())


def changed(script: Script, study: Study, **body: Any) -> Any:
    path = f"studies/{study.slug}/"
    return script.patch(path, body, headers={"If-Match": script.get(path).headers["ETag"]})


def test_consent_that_people_agreed_to_changes_with_its_version_alone(script: Script) -> None:
    study = a_study(owner=script.token.user, consent="What I agree to\n")
    a_person(study)
    assert errors_of(changed(script, study, consent="Something else")).keys() == {"consent_version"}
    study.refresh_from_db()
    assert study.consent == "What I agree to\n"
    assert changed(script, study, title="The same consent").status_code == 200
    assert changed(script, study, consent="Something else", consent_version="2").status_code == 200


@pytest.mark.parametrize(
    ("there", "body", "field"),
    [
        ({}, {"scale_low": 200}, "scale_high"),
        ({"pay": 1, "currency": "GBP"}, {"pay": None}, "pay"),
        ({"pay": 1, "currency": "GBP"}, {"currency": None}, "currency"),
        ({"ends_at": "2030-01-01T00:00Z"}, {"starts_at": "2031-01-01T00:00Z"}, "ends_at"),
        ({"kind": "choice", "scale_low": None, "scale_high": None}, {"kind": "slider"}, "scale_low"),
        ({"kind": "choices", "scale_low": None, "scale_high": None, "synonyms": {"beige": "yellow|brown"}},
         {"kind": "choice"}, "synonyms"),
    ],
)  # fmt: skip
def test_an_error_at_a_field_that_was_not_sent_is_answered(
    script: Script, there: dict[str, Any], body: dict[str, Any], field: str
) -> None:
    study = a_study(live=False, owner=script.token.user, **there)
    answer = changed(script, study, **body)
    assert answer.status_code == 422, answer.content
    assert errors_of(answer).keys() == {field}
    assert Study.objects.values(*body).get() == {name: getattr(study, name) for name in body}


def test_what_was_wrong_before_keeps_nobody_from_changing_something_else(script: Script) -> None:
    study = a_study(live=False, owner=script.token.user, code_completed="C 1")
    assert changed(script, study, title="Another").status_code == 200
    assert errors_of(changed(script, study, code_completed="C 2")).keys() == {"code_completed"}


def test_another_kind_of_question_empties_what_it_does_not_use(script: Script) -> None:
    study = a_study(live=False, owner=script.token.user)
    answer = changed(script, study, kind="text")
    assert (answer.status_code, answer.json()["scale_low"], answer.json()["low_label"]) == (200, None, ""), (
        answer.content
    )
    assert changed(script, study, kind="slider", scale_low=0, scale_high=7).json()["scale_high"] == 7


def test_a_metric_that_nothing_computes_is_refused_with_what_it_may_be(script: Script) -> None:
    study = a_study(live=False, owner=script.token.user)
    answer = changed(script, study, metrics=["acuracy", "accuracy_sd", "f1_macro"])
    assert errors_of(answer) == {"metrics": "There is no metric acuracy. Is it accuracy?"}
    assert changed(script, study, metrics=["accuracy", "f1_macro_max"]).json()["metrics"] == [
        "accuracy",
        "f1_macro_max",
    ]


def test_a_short_name_changes_in_a_draft_alone(script: Script) -> None:
    draft, live = a_study(live=False, owner=script.token.user), a_study(owner=script.token.user)
    assert changed(script, draft, slug="renamed").json()["slug"] == "renamed"
    assert script.get("studies/renamed/").status_code == 200
    assert errors_of(changed(script, live, slug="other")).keys() == {"slug"}
    draft.refresh_from_db()
    assert errors_of(changed(script, draft, slug=live.slug)).keys() == {"slug"}
    assert errors_of(changed(script, draft, slug="")).keys() == {"slug"}


def test_fewer_judgments_than_an_item_has_are_refused(script: Script) -> None:
    study = a_study(owner=script.token.user)
    per_assignment_done(study)
    assert changed(script, study, judgments_per_item=0).status_code == 422
