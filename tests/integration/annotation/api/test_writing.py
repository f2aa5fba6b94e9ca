"""Studies and items by the API: made, changed, refused with every reason, and made once."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

import annotation.tasks  # noqa: F401 - where the import of items is registered
from annotation.jobs import run_next
from annotation.models import AuditEntry, IdempotencyKey, Item, Job, Study
from tests.factories import a_small_study, per_assignment_done
from tests.integration.annotation.answering.views.people import PNG
from tests.integration.annotation.api.scripts import Script
from tests.integration.researchers import a_researcher

pytestmark = [pytest.mark.django_db, pytest.mark.both]
PROBLEM = "application/problem+json"
SLIDER = {"title": "T", "kind": "slider", "question": "{left} {right}?", "scale_low": 0, "scale_high": 100}


@pytest.fixture
def script() -> Script:
    return Script(a_researcher())


def a_draft(script: Script, **changes: Any) -> Study:
    return a_small_study(items=2, live=False, owner=script.token.user, question="{left} and {right}?", **changes)


def errors_of(answer: Any) -> dict[str, str]:
    assert answer.headers["Content-Type"] == PROBLEM, answer.content
    return {error["field"]: error["detail"] for error in answer.json()["errors"]}


def test_a_study_of_ones_own_fields_with_all_its_parts(script: Script) -> None:
    body = {
        "slug": "colours", "title": "Colours", "kind": "choice", "question": "What colour is a {thing}?",
        "labels": [{"value": "red", "display_text": "Red", "swatch": "#f00000"},
                   {"value": "blue", "display_text": "B"}],
        "check_quotas": [{"check_name": "attention", "per_assignment": 1}],
        "comprehension_questions": [{"text": "Ready?", "right_answer": "yes", "wrong_answers": "no"}],
        "end_questions": [{"name": "age", "text": "How old are you?"}],
    }  # fmt: skip
    made = script.post("studies/", body)
    assert made.status_code == 201, made.content
    assert made.json()["your_right"] == "manage"
    study = Study.objects.get(slug="colours")
    assert list(study.labels.order_by("position").values_list("value", flat=True)) == ["red", "blue"]
    for part in ("labels", "check-quotas", "comprehension-questions", "end-questions"):
        assert len(script.get(f"studies/colours/{part}/").json()) in {1, 2}
    missing = script.get("studies/colours/checklist/").json()
    assert not missing["can_open"]
    assert "no items" in missing["missing"][0]
    refused = script.post("studies/colours/status/", {"to": "live"})
    assert refused.status_code == 422
    assert len(refused.json()["errors"]) >= 1


def test_a_study_from_a_preset_with_changes(script: Script) -> None:
    made = script.post("studies/", {"slug": "mine", "preset": "memory-colours", "judgments_per_item": 3})
    assert made.status_code == 201, made.content
    assert made.json()["judgments_per_item"] == 3
    assert made.json()["preset"] == "memory-colours"
    assert made.headers["Location"] == "/api/v1/studies/mine/"
    assert Item.objects.filter(study__slug="mine").count() == 44


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"slug": "x", "preset": "typicality", "colour": "red"}, "colour"),
        ({"slug": "x y", **SLIDER}, "slug"),
        ({"slug": "x", **SLIDER, "pay": 1}, "currency"),
        ({"slug": "x", **SLIDER, "scale_low": None}, "scale_low"),
        ({"slug": "x", **SLIDER, "scale_low": 200}, "scale_high"),
        ({"slug": "x", **SLIDER, "items_per_page": 900}, "items_per_page"),
        ({"slug": "x", **SLIDER, "labels": [{"value": "a|b", "display_text": "x"}]}, "labels.0.value"),
        ({"slug": "x", **SLIDER, "labels": [{"value": "a", "display_text": "x", "colour": "red"}]}, "labels.0.colour"),
        ({"slug": "x", "title": "T"}, "kind"),
        ({"title": "T", **SLIDER}, "slug"),
        ([], ""),
    ],
)
def test_bad_fields_are_refused_by_name_and_nothing_is_stored(script: Script, body: Any, field: str) -> None:
    answer = script.post("studies/", body)
    assert answer.status_code == 422, answer.content
    assert field in errors_of(answer)
    assert not Study.objects.exists()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400), (b"\xff\xfe", 400), (b'{"a": NaN}', 400), (b'{"a": 1e999}', 400), (b'{"slug": 1, "slug": 2}', 400),
        (b"[" * 100_000, 400), (b'{"n": ' + b"9" * 10_000 + b"}", 400), (b'"\\u0000"', 400),
        (b'{"slug": "a\\u0000b", "preset": "typicality"}', 400), (b" " * 2_000_001, 413),
        (b'{"slug": "\\ud800", "preset": "typicality"}', 400),
    ],
)  # fmt: skip
def test_bodies_that_are_no_json_or_too_large(script: Script, body: bytes, status: int) -> None:
    answer = script.post("studies/", body)
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, PROBLEM), answer.content[:300]
    assert not Study.objects.exists()


def test_another_content_type_is_refused(script: Script) -> None:
    assert script.post("studies/", b"a=1", content_type="application/x-www-form-urlencoded").status_code == 415


def test_fifty_megabytes_of_json_are_refused_by_their_length(script: Script) -> None:
    answer = script.ask("POST", "studies/", b"{}", CONTENT_LENGTH="50000000")
    assert answer.status_code == 413
    assert not IdempotencyKey.objects.exists()


def test_changing_a_study_needs_what_one_has_read(script: Script) -> None:
    path = f"studies/{a_draft(script).slug}/"
    etag = script.get(path).headers["ETag"]
    assert script.patch(path, {"title": "New"}).status_code == 428
    changed = script.patch(path, {"title": "New"}, headers={"If-Match": etag})
    assert changed.status_code == 200, changed.content
    assert changed.json()["title"] == "New"
    assert script.patch(path, {"title": "Newer"}, headers={"If-Match": etag}).status_code == 412
    for seen in (changed.headers["ETag"], f'"other", W/{changed.headers["ETag"]}', "*"):
        assert script.get(path, headers={"If-None-Match": seen}).status_code == 304
    assert AuditEntry.objects.filter(action="changed", detail={"fields": ["title"]}).count() == 1


def test_a_star_stands_for_whatever_is_there(script: Script) -> None:
    path = f"studies/{a_draft(script).slug}/"
    assert script.patch(path, {"title": "New"}, headers={"If-Match": "*"}).json()["title"] == "New"


def test_what_is_fixed_or_the_managers_stays(script: Script) -> None:
    study = a_small_study(items=2, owner=script.token.user)
    path = f"studies/{study.slug}/"
    etag = {"If-Match": script.get(path).headers["ETag"]}
    answer = script.patch(path, {"question": "Other?", "kind": "choice"}, headers=etag)
    assert set(errors_of(answer)) == {"question", "kind"}
    assert script.ask("PUT", f"{path}labels/", []).status_code == 422
    assert script.ask("DELETE", path).status_code == 405


def test_items_as_json_are_added_or_refused_with_every_row(script: Script) -> None:
    path = f"studies/{a_draft(script).slug}/items/"
    good = {"items": [{"item_id": "a", "left": "x", "right": "y"}, {"item_id": "b", "left": "x", "right": "z"}]}
    assert script.post(path, good).status_code == 201
    bad = {"items": [{"item_id": "a", "left": "x", "right": "y"}, {"item_id": "c", "left": "", "right": "z"}]}
    answer = script.post(path, bad)
    assert answer.status_code == 422
    assert [error["row"] for error in answer.json()["errors"]] == [1, 2]
    assert {error["field"] for error in answer.json()["errors"]} == {"item_id", "left"}
    assert Item.objects.count() == 4


def test_items_with_more_names_than_an_items_file_has_columns_are_refused(script: Script) -> None:
    items = [{"item_id": f"i{number}", "left": "x", "right": "y", f"n{number}": "1"} for number in range(1_000)]
    answer = script.post(f"studies/{a_draft(script).slug}/items/", {"items": items})
    assert answer.status_code == 422
    assert "at most 1,000 columns" in answer.json()["detail"]
    assert Item.objects.count() == 2


def test_a_csv_with_broken_rows_is_refused_with_every_reason(script: Script) -> None:
    path = f"studies/{a_draft(script).slug}/items/import/?name=mine.csv"
    broken = b"item_id,left,right\nq,x,y\nr,x\nr,,z,1\n"
    answer = script.ask("POST", path, broken, content_type="text/csv")
    assert answer.status_code == 422
    assert len(answer.json()["errors"]) >= 2
    assert all("mine.csv" in error["detail"] for error in answer.json()["errors"])
    assert Item.objects.count() == 2


def test_items_with_pictures_come_in_parts(script: Script) -> None:
    study = a_draft(script)
    file = SimpleUploadedFile("items.csv", b"item_id,left,right,image\np,x,y,red.png\n")
    form = {"file": file, "pictures": [SimpleUploadedFile("red.png", PNG)]}
    body = encode_multipart(BOUNDARY, form)
    answer = script.ask("POST", f"studies/{study.slug}/items/import/", body, content_type=MULTIPART_CONTENT)
    assert answer.status_code == 201, answer.content
    (picture,) = script.get(f"studies/{study.slug}/pictures/").json()["results"]
    shown = script.get(f"studies/{study.slug}/pictures/{picture['sha256']}/")
    assert shown.headers["Content-Type"] == "image/png"
    assert Script(a_researcher()).get(f"studies/{study.slug}/pictures/{picture['sha256']}/").status_code == 404


def test_a_large_file_is_a_job_and_its_refusals_are_the_jobs(script: Script) -> None:
    path = f"studies/{a_draft(script).slug}/items/import/"
    rows = [f"n{k},x,y" for k in range(2_500)]
    answer = script.ask("POST", path, "\n".join(["item_id,left,right", *rows]).encode(), content_type="text/csv")
    assert answer.status_code == 202
    run_next()
    done = script.get(answer.headers["Location"]).json()
    assert (done["status"], done["result"]) == ("done", {"items": 2_500})
    answer = script.ask("POST", path, "\n".join(["item_id,left,right", *rows]).encode(), content_type="text/csv")
    run_next()
    failed = script.get(answer.headers["Location"]).json()
    assert failed["status"] == "failed"
    assert failed["problem"]["errors"][0]["row"] == 2
    assert failed["problem"]["errors"][0]["field"] == "item_id"


def test_a_request_with_a_key_is_carried_out_once(script: Script) -> None:
    key = {"Idempotency-Key": "one"}
    first = script.post("studies/", {"slug": "a", **SLIDER}, headers=key)
    again = script.post("studies/", {"slug": "a", **SLIDER}, headers=key)
    assert (first.status_code, again.status_code) == (201, 201)
    assert (again.json(), again.headers["Location"]) == (first.json(), first.headers["Location"])
    assert again.headers["Idempotency-Replayed"] == "true"
    assert script.post("studies/", {"slug": "b", **SLIDER}, headers=key).status_code == 422
    assert Study.objects.count() == 1


def test_a_refused_request_may_come_again_with_its_key(script: Script) -> None:
    key = {"Idempotency-Key": "one"}
    assert script.post("studies/", {"slug": "a b", **SLIDER}, headers=key).status_code == 422
    assert script.post("studies/", {"slug": "ab", **SLIDER}, headers=key).status_code == 201


def test_a_request_whose_first_has_not_ended_is_not_carried_out(script: Script) -> None:
    key = {"Idempotency-Key": "one"}
    script.post("studies/", {"slug": "a", **SLIDER}, headers=key)
    IdempotencyKey.objects.update(status=None, answer=None)
    answer = script.post("studies/", {"slug": "a", **SLIDER}, headers=key)
    assert answer.status_code == 409
    assert "has not ended" in answer.json()["detail"]


def test_payments_need_a_key_and_are_decided_once(script: Script) -> None:
    study = a_small_study(items=2, owner=script.token.user, pay="1.00", currency="GBP")
    person = per_assignment_done(study).participation
    path, body = f"studies/{study.slug}/payments/", {"decision": "approve", "participants": [person.pseudonym]}
    assert script.post(path, body).status_code == 400
    done = script.post(path, body, headers={"Idempotency-Key": "pay-1"})
    assert (done.status_code, done.json()["count"]) == (200, 1), done.content
    later = script.post(path, body, headers={"Idempotency-Key": "pay-2"}).json()
    assert (later["count"], later["unchanged"]) == (0, {"approved": [person.pseudonym]})
    unknown = script.post(path, {**body, "participants": ["pnobody"]}, headers={"Idempotency-Key": "pay-3"})
    assert "pnobody" in json.dumps(errors_of(unknown))


def test_a_job_is_stopped(script: Script) -> None:
    study = a_small_study(items=2, owner=script.token.user)
    asked = script.post(f"studies/{study.slug}/cleaning/", {"replicates": 200})
    assert asked.status_code == 202, asked.content
    stopped = script.post(f"jobs/{asked.json()['id']}/cancel/").json()
    assert stopped["status"] == Job.Status.CANCELLED
    assert Script(a_researcher()).get(f"jobs/{asked.json()['id']}/").status_code == 404


@pytest.mark.parametrize("name", ["cursor", "since", "limit"])
@pytest.mark.parametrize("value", ["x", "0", "-1", "9" * 30, "%00", "a" * 5000, "=", "é"])
def test_bad_places_in_a_list_are_refused(script: Script, name: str, value: str) -> None:
    path = f"studies/{a_draft(script).slug}/judgments/?{name}={value}"
    assert script.get(path).status_code == 422


def test_a_study_is_duplicated_archived_and_restored(script: Script) -> None:
    study = a_draft(script)
    made = script.post(f"studies/{study.slug}/duplicate/", {"slug": "again"})
    assert made.status_code == 201, made.content
    assert Item.objects.filter(study__slug="again").count() == 2
    assert script.post("studies/again/archive/", {"why": "a trial"}).json()["archived_at"]
    assert [one["slug"] for one in script.get("studies/").json()["results"]] == [study.slug]
    assert [one["slug"] for one in script.get("studies/?archived=true").json()["results"]] == ["again"]
    assert script.post("studies/again/restore/", {}).json()["archived_at"] is None


def test_thresholds_are_swept_and_a_study_is_planned(script: Script) -> None:
    from tests.integration.researchers import a_released_study

    study, _release, _client = a_released_study()
    assert study.owner is not None
    own = Script(study.owner)
    swept = own.post(f"studies/{study.slug}/cleaning/sweep/", {"rules": "spatial-2019"})
    assert swept.status_code == 200, swept.content
    assert len(swept.json()["rows"]) > 4
    wanted = {"goal": "alpha", "target": 0.05, "source": "simulated", "items": 60, "items_per_person": 20}
    plan = own.post(f"studies/{study.slug}/plan/", wanted)
    assert plan.status_code == 200, plan.content
    assert plan.json()["curve"][0]["judgments_per_item"] >= 2
    reliable = own.post(f"studies/{study.slug}/plan/", wanted | {"goal": "reliability", "target": 0.5}).json()
    assert reliable["best"]["precision"] >= 0.5
    assert reliable["curve"][0]["precision"] < reliable["curve"][-1]["precision"]
    refused = own.post(f"studies/{study.slug}/plan/", wanted | {"goal": "alt-test", "target": 0.2})
    assert refused.status_code == 422
    assert "30 items or more of each person" in refused.content.decode()


def test_a_change_of_money_is_recorded_from_what_to_what(script: Script) -> None:
    path = f"studies/{a_draft(script, pay='1.00', currency='GBP').slug}/"
    etag = {"If-Match": script.get(path).headers["ETag"]}
    assert script.patch(path, {"pay": "2.00"}, headers=etag).status_code == 200
    detail = AuditEntry.objects.filter(action="changed").latest("pk").detail
    assert (detail["from"], detail["to"]) == ({"pay": "1.00"}, {"pay": "2.00"})
