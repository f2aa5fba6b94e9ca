"""The page Pay of a study: what is owed, decided on in groups, singly, and by lists that go out and come back."""

import datetime as dt
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.entry.entering import enter
from annotation.models import Assignment, AuditEntry, Participation, Payment, Study
from annotation.people.paying import approve, mark_paid
from annotation.people.retention import purge
from annotation.studies.study_life import change_status
from tests.factories import a_person, per_assignment_done
from tests.integration.annotation.pages.admin.payers import a_study_to_pay, statuses
from tests.integration.researchers import a_researcher, signed_in

pytestmark = pytest.mark.django_db


def page_of(study: Study) -> str:
    return reverse("admin:annotation_study_payments", args=[study.pk])


def group_of(study: Study, group: str) -> str:
    return reverse("admin:annotation_study_decide_on_pay", args=[study.pk, group])


def list_of(study: Study, which: str) -> str:
    return reverse("admin:annotation_study_payment_list", args=[study.pk, which])


def press(client: Client, address: str, **more: Any) -> Any:
    """Opens the page, and sends its form as it stands."""
    page = client.get(address)
    figures = page.context["figures"]
    return client.post(address, {"count": figures.count, "total": figures.total, "why": "", **more}, follow=True)


def addresses(study: Study) -> list[str]:
    payment = Payment.objects.filter(participation__study=study)[0]
    return [
        page_of(study),
        group_of(study, "approve-finished"),
        list_of(study, "open"),
        reverse("admin:annotation_payment_decide", args=[payment.pk, "paid"]),
        reverse("admin:annotation_participation_leave", args=[payment.participation_id, "returned"]),
    ]


@pytest.mark.parametrize(("level", "status"), [("viewer", 403), ("editor", 403), ("manager", 200), ("", 404)])
def test_pay_is_for_managers_alone(level: str, status: int) -> None:
    study, _ = a_study_to_pay(1)
    client = signed_in(a_researcher(study, level))
    assert {client.get(address).status_code for address in addresses(study)} == {status}
    if status != 200:
        answers = {client.post(address, {"count": 1, "total": "1.20 GBP"}).status_code for address in addresses(study)}
        assert answers == {status}
        assert statuses(study) == ["due"]
    bar = client.get(reverse("agreement:watch", args=[study.uuid])).text
    assert (page_of(study) in bar) == (level == "manager")


def test_page_says_who_is_unverified_and_whose_id_is_claimed_twice() -> None:
    study, client = a_study_to_pay(3)
    assert "unverified" not in client.get(page_of(study)).text
    first, second, third = study.participations.order_by("pk")
    study.participations.exclude(pk=third.pk).update(is_verified=False)
    Participation.objects.filter(pk=second.pk).update(worker=first.worker, session_digest="another")
    page = client.get(page_of(study)).text
    assert "2 of the people who finished and have an open payment are unverified" in page
    assert "2 of them have an id that another person in this study has claimed too" in page
    mark_paid(payments=Payment.objects.filter(participation__study=study), by=None)
    assert "unverified" not in client.get(page_of(study)).text


def test_page_sums_by_status_and_offers_groups() -> None:
    study, client = a_study_to_pay(3)
    payments = Payment.objects.filter(participation__study=study)
    approve(payments=payments.filter(pk=payments[0].pk), by=None)
    page = client.get(page_of(study))
    lines = [(status, figures.count, figures.total) for status, figures in page.context["standing"].lines]
    assert lines == [("Due", 2, "2.40 GBP"), ("Approved, to be paid", 1, "1.20 GBP")]
    assert [key for key, *_ in page.context["offers"]] == [
        "approve-finished-not-excluded", "pay-approved", "pay-finished",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("group", "becomes"),
    [
        ("approve-finished-not-excluded", "approved"),
        ("approve-finished", "approved"),
        ("pay-finished", "paid"),
    ],
)
def test_group_is_decided_on_once_its_number_and_sum_are_confirmed(group: str, becomes: str) -> None:
    study, client = a_study_to_pay(2)
    page = client.get(group_of(study, group))
    assert "2 payments, 2.40 GBP." in page.text
    assert statuses(study) == ["due", "due"]
    assert "2 payments are" in press(client, group_of(study, group), why="all fine").text
    assert statuses(study) == [becomes, becomes]
    assert AuditEntry.objects.get(study=study, by=study.owner, detail__to=becomes).why == "all fine"


def test_group_that_has_changed_since_the_page_is_asked_for_again() -> None:
    study, client = a_study_to_pay(2)
    per_assignment_done(study)
    page = client.post(group_of(study, "approve-finished"), {"count": 2, "total": "2.40 GBP"})
    assert page.status_code == 422
    assert "have changed since you opened this page, so nothing was done" in page.text
    assert "3 payments, 3.60 GBP." in page.text
    assert set(statuses(study)) == {"due"}
    assert not AuditEntry.objects.filter(study=study, detail__has_key="payments").exists()


def test_excluded_who_finished_are_still_due_and_the_page_says_so() -> None:
    study, client = a_study_to_pay(2)
    assert "are excluded" not in client.get(page_of(study)).text
    Participation.objects.filter(pk=study.participations.all()[0].pk).update(set_aside_at=timezone.now())
    page = client.get(page_of(study))
    assert "1 of the people who finished and are due is excluded" in " ".join(page.text.split())
    press(client, group_of(study, "approve-finished-not-excluded"))
    assert sorted(statuses(study)) == ["approved", "due"]
    press(client, group_of(study, "approve-finished"))
    assert statuses(study) == ["approved", "approved"]


def test_list_of_the_excluded_shows_them_alone() -> None:
    study, client = a_study_to_pay(2)
    excluded = study.participations.all()[0]
    Participation.objects.filter(pk=excluded.pk).update(set_aside_at=timezone.now())
    a_person(study)
    address = reverse("admin:annotation_payment_changelist")
    for query, count in {
        "status__exact=due&finished=yes&excluded=yes": 1,
        "finished=yes&excluded=no": 1,
        "finished=no": 1,
    }.items():
        page = client.get(f"{address}?study={study.pk}&{query}")
        assert page.context["cl"].result_count == count, query
    assert page_of(study) in page.text


def test_who_may_still_finish_is_named_where_nobody_can_be_decided_on() -> None:
    study, client = a_study_to_pay(0)
    a_person(study)
    text = " ".join(client.get(page_of(study)).text.split())
    assert "1 person has a payment that is due and may still finish: it is listed here once they have finished" in text


def test_unknown_group_list_and_decision_are_not_found() -> None:
    study, client = a_study_to_pay(1)
    payment = Payment.objects.get()
    for address in (
        group_of(study, "everybody"),
        list_of(study, "paid"),
        reverse("admin:annotation_payment_decide", args=[payment.pk, "due"]),
        reverse("admin:annotation_participation_leave", args=[payment.participation_id, "withdrawn"]),
    ):
        assert client.get(address).status_code == 404


# Lists


def test_list_for_the_platform_has_ids_of_open_payments_alone_and_is_recorded() -> None:
    study, client = a_study_to_pay(0, platform="prolific")
    for name in ("one", "two", "=three", "-4"):
        enter(study=study, platform="prolific", platform_id=name, session_id=f"SES-{name}")
    payments = Payment.objects.filter(participation__study=study).order_by("pk")
    mark_paid(payments=payments.filter(platform_id="one"), by=None)
    approve(payments=payments.filter(platform_id="=three"), by=None)

    answer = client.get(list_of(study, "approved"))
    header, line = answer.getvalue().decode().splitlines()
    assert header == "pseudonym,platform_id,session_id,status,amount,currency,reason"
    assert line.partition(",")[2] == "'=three,SES-=three,approved,1.20,GBP,"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{study.slug}-payments-approved.csv"'
    every = client.get(list_of(study, "open")).getvalue().decode()
    assert sorted(row.split(",")[1] for row in every.splitlines()[1:]) == ["'=three", "-4", "two"]

    entries = AuditEntry.objects.filter(action=AuditEntry.Action.EXPORTED, by=study.owner).order_by("pk")
    assert [entry.detail for entry in entries] == [
        {"what": "payments, approved", "payments": 1, "with_platform_ids": True},
        {"what": "payments, open", "payments": 3, "with_platform_ids": True},
    ]


def uploaded(text: str) -> dict[str, SimpleUploadedFile]:
    return {"file": SimpleUploadedFile("back.csv", text.encode())}


def test_list_that_is_brought_back_settles_and_says_what_it_did() -> None:
    study, client = a_study_to_pay(2)
    first, second = study.participations.all()
    page = client.post(page_of(study), uploaded(f"pseudonym,status\n{first},paid\n{second},paid\n"), follow=True)
    assert "2 were marked as paid." in page.text
    assert statuses(study) == ["paid", "paid"]
    page = client.post(page_of(study), uploaded(f"pseudonym,status\n{first},paid\n"), follow=True)
    assert "1 was paid already." in page.text
    assert AuditEntry.objects.filter(action=AuditEntry.Action.PAID).count() == 1


def test_bad_list_is_refused_on_the_page_with_every_row() -> None:
    study, client = a_study_to_pay(1)
    person = study.participations.get()
    page = client.post(page_of(study), uploaded(f"pseudonym,status\n{person},paid\nzoe,paid\n{person},paid\n"))
    assert page.status_code == 422
    assert "The list was refused: no payment has changed" in page.text
    assert [reason[:15] for reason in page.context["reasons"]] == ["back.csv, row 3", "back.csv, row 4"]
    assert statuses(study) == ["due"]


# Single payments


@pytest.mark.parametrize("to", ["approved", "paid", "waived", "rejected"])
def test_one_payment_is_decided_on_from_its_page(to: str) -> None:
    study, client = a_study_to_pay(1)
    payment = Payment.objects.get()
    address = reverse("admin:annotation_payment_decide", args=[payment.pk, to])
    own_page = reverse("admin:annotation_payment_change", args=[payment.pk])
    assert address in client.get(own_page).text
    press(client, address, why="not one item was read")
    assert statuses(study) == [to]
    offered = [decision.to for decision in client.get(own_page).context["decisions"]]
    assert offered == (["paid", "rejected", "waived"] if to == "approved" else [])


def test_rejecting_says_what_it_does_to_answers_before_it_happens() -> None:
    study, client = a_study_to_pay(1)
    address = reverse("admin:annotation_payment_decide", args=[Payment.objects.get().pk, "rejected"])
    text = " ".join(client.get(address).text.split())
    assert "their answers don&#x27;t count, and other people answer their items instead" in text
    assert press(client, address).status_code == 422
    assert statuses(study) == ["due"]


def test_short_reason_for_prolific_stands_beside_its_field_and_is_not_lost() -> None:
    study, client = a_study_to_pay(0, platform="prolific")
    enter(study=study, platform="prolific", platform_id="one")
    address = reverse("admin:annotation_payment_decide", args=[Payment.objects.get().pk, "rejected"])
    page = press(client, address, why="too fast")
    assert page.status_code == 422
    assert (
        "message of 100 characters or more for a rejection: this reason has 8." in page.context["form"].errors["why"][0]
    )
    assert re.search(r">\s*too fast\s*</textarea>", page.text)
    assert statuses(study) == ["due"]


def test_settled_payment_pressed_again_has_no_second_effect() -> None:
    _, client = a_study_to_pay(1)
    address = reverse("admin:annotation_payment_decide", args=[Payment.objects.get().pk, "paid"])
    press(client, address)
    page = client.post(address, {"count": 1, "total": "1.20 GBP"})
    assert "None of these payments can be marked as paid" in " ".join(page.text.split())
    assert AuditEntry.objects.filter(action=AuditEntry.Action.PAID).count() == 1


def act(client: Client, action: str, payments: list[int], **more: Any) -> Any:
    chosen = {"action": action, "_selected_action": payments, "select_across": "0", "index": "0"}
    return client.post(reverse("admin:annotation_payment_changelist"), {**chosen, **more}, follow=True)


@pytest.mark.parametrize(
    ("action", "becomes"),
    [("approve", "approved"), ("mark_paid", "paid"), ("reject", "rejected"), ("waive", "waived")],
)
def test_chosen_payments_of_the_list_are_decided_on_after_a_page_that_asks(action: str, becomes: str) -> None:
    study, client = a_study_to_pay(3)
    pks = list(Payment.objects.order_by("pk").values_list("pk", flat=True))
    page = act(client, action, pks[:2])
    assert "2 payments, 2.40 GBP." in page.text
    assert statuses(study) == ["due", "due", "due"]
    hidden = dict.fromkeys(name for name, _ in page.context["hidden"])
    assert list(hidden) == ["action", "select_across", "_selected_action"]
    act(client, action, pks[:2], count=2, total="2.40 GBP", why="as agreed")
    assert statuses(study) == [becomes, becomes, "due"]


def test_all_that_a_filter_finds_are_decided_on_together() -> None:
    study, client = a_study_to_pay(3)
    first = Payment.objects.order_by("pk")[0]
    page = act(client, "approve", [first.pk], select_across="1")
    assert "3 payments, 3.60 GBP." in page.text
    newest = Payment.objects.order_by("-pk")[0]
    assert page.context["hidden"][1:] == [("select_across", "1"), ("_selected_action", str(newest.pk))]
    act(client, "approve", [first.pk], select_across="1", count=3, total="3.60 GBP")
    assert set(statuses(study)) == {"approved"}


def test_payments_of_several_studies_can_not_be_chosen_together() -> None:
    study, _ = a_study_to_pay(1)
    other, _ = a_study_to_pay(1)
    client = signed_in(a_researcher(is_superuser=True))
    page = act(client, "approve", list(Payment.objects.values_list("pk", flat=True)))
    assert "belong to several studies: choose payments of one study" in page.text
    assert statuses(study) + statuses(other) == ["due", "due"]


def test_payment_of_a_study_that_one_does_not_manage_can_not_be_chosen() -> None:
    study, _ = a_study_to_pay(1)
    client = signed_in(a_researcher(study, "editor"))
    act(client, "mark_paid", [Payment.objects.get().pk], count=1, total="1.20 GBP")
    assert statuses(study) == ["due"]


def test_record_of_a_batch_names_ten_people_on_a_line_and_all_on_its_own_page() -> None:
    study, client = a_study_to_pay(0)
    for _ in range(12):
        a_person(study)
    mark_paid(payments=Payment.objects.all(), by=None)
    entry = AuditEntry.objects.get(action=AuditEntry.Action.PAID)
    names = entry.detail["participations"]
    line = client.get(reverse("admin:annotation_auditentry_changelist")).text
    assert f"{' '.join(names[:10])} and 2 more" in line
    assert names[11] not in line
    assert names[11] in client.get(reverse("admin:annotation_auditentry_change", args=[entry.pk])).text


# From the page to the purge


def test_ids_go_once_all_who_answered_are_paid_through_the_page_and_not_before() -> None:
    study, client = a_study_to_pay(0, retention_days=30)
    for number in range(2):
        per_assignment_done(study)
        enter(study=study, platform="direct", platform_id=f"came-{number}")
    change_status(study=study, status="closed")
    long_ago = timezone.now() - dt.timedelta(days=31)
    Study.objects.filter(pk=study.pk).update(closed_at=long_ago)
    Participation.objects.update(entered_at=long_ago)
    Assignment.objects.update(expires_at=long_ago)

    def kept() -> int:
        return study.participations.filter(worker__platform_id__isnull=False).count()

    press(client, group_of(study, "approve-finished"))
    assert kept() == 4
    assert (purge(now=timezone.now()), kept()) == (2, 2)  # who gave no answer is owed nothing
    assert "2 payments are open" in client.get(page_of(study)).context["ids_kept"]
    assert "2 payments to decide on before" in client.get(reverse("admin:index")).text
    press(client, group_of(study, "pay-approved"))
    assert (purge(now=timezone.now()), kept()) == (2, 0)
    assert "payments to decide on" not in client.get(reverse("admin:index")).text
    assert client.get(page_of(study)).context["ids_kept"] == "No platform id of anybody in this study is kept."
