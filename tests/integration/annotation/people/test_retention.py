"""What becomes of ids and open payments when a study's retention date comes: what the first page promises."""

import datetime as dt
from typing import Any

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from annotation.answering.judging import open_assignment
from annotation.entry.entering import enter, give_consent
from annotation.models import AuditEntry, Notice, Participation, Payment, Study, Worker
from annotation.notices.notifying import ask_for_notices, find_notices, send_notices
from annotation.people.paying import approve
from annotation.people.payment_lists import read_payment_list
from annotation.people.retention import ids_kept, purge
from annotation.studies.study_life import change_status
from tests.factories import an_answer
from tests.integration.annotation.payments import a_paid_study, all_of
from tests.integration.researchers import a_researcher, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.both]
NOW = timezone.now()
DAY = dt.timedelta(days=1)


def come(study: Study, name: str) -> Participation:
    return enter(study=study, platform="prolific", platform_id=name, session_id=f"session of {name}")


def closed(study: Study, *, days_ago: int = 31) -> Study:
    change_status(study=study, status="closed")
    Study.objects.filter(pk=study.pk).update(closed_at=NOW - days_ago * DAY)
    study.refresh_from_db()
    return study


def statuses(study: Study) -> dict[str | None, str]:
    return dict(all_of(study).values_list("participation__worker__platform_id", "status").order_by("pk"))


def a_study_with_one_who_answered() -> tuple[Study, Participation]:
    study = a_paid_study(retention_days=30)
    person = come(study, "answered")
    give_consent(participation=person)
    an_answer(open_assignment(participation=person), 1, 50.0)
    return study, person


def test_who_only_came_is_owed_nothing_and_the_ids_go_on_the_day_that_was_promised() -> None:
    study = a_paid_study(retention_days=30)
    for number in range(3):
        come(study, f"came-{number}")
    closed(study, days_ago=29)
    purge(now=NOW)
    assert set(statuses(study).values()) == {"due"}

    closed_at = NOW - 30 * DAY
    Study.objects.filter(pk=study.pk).update(closed_at=closed_at)
    assert purge(now=NOW) == 3

    assert not Worker.objects.filter(platform_id__isnull=False).exists()
    assert not Payment.objects.filter(session_id__isnull=False).exists()
    assert set(all_of(study).values_list("status", flat=True)) == {"waived"}
    entry = study.audit_entries.filter(action=AuditEntry.Action.CHANGED).latest("pk")
    assert (entry.detail["payments"], entry.detail["to"], entry.by) == (3, "waived", None)


def test_who_answered_and_never_finished_is_warned_of_twice_and_then_the_row_says_never_decided() -> None:
    study, person = a_study_with_one_who_answered()
    come(study, "came")
    closed(study)
    assert purge(now=NOW) == 1
    assert statuses(study) == {"answered": "due", None: "waived"}
    study.refresh_from_db()
    assert study.pay_warned_at == NOW
    assert "1 payment is open. Decide before" in ids_kept(study)

    assert purge(now=NOW + 29 * DAY) == 0
    assert purge(now=NOW + 30 * DAY) == 1
    payment = person.payment
    payment.refresh_from_db()
    assert (payment.status, payment.get_status_display(), payment.session_id) == ("lapsed", "Never decided", None)
    assert not Worker.objects.filter(platform_id__isnull=False).exists()
    assert purge(now=NOW + 31 * DAY) == 0


def test_clock_begins_with_the_warning_where_a_study_was_closed_years_ago() -> None:
    study, _ = a_study_with_one_who_answered()
    closed(study, days_ago=4_000)
    assert purge(now=NOW) == 0
    assert purge(now=NOW + 29 * DAY) == 0
    assert purge(now=NOW + 30 * DAY) == 1


def test_who_was_approved_without_an_answer_is_owed_what_was_approved() -> None:
    study = a_paid_study(retention_days=30)
    come(study, "approved")
    approve(payments=all_of(study), by=None)
    closed(study)
    assert purge(now=NOW) == 0
    assert statuses(study) == {"approved": "approved"}


def test_ids_that_another_study_needs_stay_while_the_payment_of_the_first_is_waived() -> None:
    first, second = a_paid_study(retention_days=30), a_paid_study(retention_days=30)
    for study in (first, second):
        come(study, "in both")
    closed(first)
    assert purge(now=NOW) == 0
    assert statuses(first) == {"in both": "waived"}
    assert statuses(second) == {"in both": "due"}


def test_each_warning_is_sent_once_to_who_asked_for_e_mails(settings: Any) -> None:
    settings.SENDS_EMAIL = True
    study, _ = a_study_with_one_who_answered()
    owner = a_researcher(email="owner@example.org")
    Study.objects.filter(pk=study.pk).update(owner=owner)
    study.refresh_from_db()
    ask_for_notices(study=study, user=owner, stuck_after_hours=24)
    closed(study)
    purge(now=NOW)
    for days in (0, 1, 22, 23, 24):
        find_notices(now=NOW + days * DAY)
        send_notices(now=NOW + days * DAY)
    assert Notice.objects.filter(event=Notice.Event.PAY_OPEN).count() == len(mail.outbox) == 2
    assert "Decide before" in mail.outbox[0].body
    assert "answered" not in mail.outbox[0].body


def test_first_page_of_the_admin_warns_those_who_may_decide() -> None:
    study, _ = a_study_with_one_who_answered()
    owner, stranger = a_researcher(), a_researcher()
    Study.objects.filter(pk=study.pk).update(owner=owner)
    closed(study)
    purge(now=NOW)
    assert "1 payment to decide on before" in signed_in(owner).get(reverse("admin:index")).text
    assert "to decide on before" not in signed_in(stranger).get(reverse("admin:index")).text


def test_list_that_is_brought_back_can_not_say_that_nobody_decided(tmp_path: Any) -> None:
    file = tmp_path / "payments.csv"
    file.write_text("pseudonym,status\na,lapsed\n", encoding="utf-8")
    assert "'lapsed' is not one of approved, paid, rejected, waived" in read_payment_list(file).problems[0]
