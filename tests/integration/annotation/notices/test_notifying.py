"""E-mails to researchers: each thing is told once, to who may look, and tried again after a failure."""

import datetime as dt
from smtplib import SMTPException
from typing import Any

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from agreement.errors import Refused
from annotation.answering.judging import open_assignment
from annotation.models import Job, Notice, NoticeWish, Role, Study, User
from annotation.notices import notifying
from annotation.notices.notifying import ask_for_notices, end_notices, find_notices, send_notices
from tests.factories import a_person, a_small_study, an_answer, per_assignment_done
from tests.integration.researchers import a_researcher, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.both]
HOUR = dt.timedelta(hours=1)


@pytest.fixture
def study(settings: Any) -> Study:
    settings.SENDS_EMAIL = True
    return a_small_study(items=4, judgments_per_item=2, items_per_assignment=4)


def asked(study: Study, *, hours: int = 5) -> User:
    user = a_researcher(study, "viewer", email=f"{study.slug}@example.org")
    ask_for_notices(study=study, user=user, stuck_after_hours=hours)
    return user


def told(study: Study, after: dt.timedelta = dt.timedelta()) -> list[str]:
    """The subjects of what the clock sends at that time, asked twice."""
    now = timezone.now() + after
    before = len(mail.outbox)
    for _ in range(2):
        find_notices(now=now)
        send_notices(now=now)
    return [each.subject.removeprefix(f"{study.title}: ") for each in mail.outbox[before:]]


def test_a_full_study_is_told_of_once(study: Study) -> None:
    user = asked(study)
    per_assignment_done(study)
    assert told(study) == []
    per_assignment_done(study)
    assert told(study) == ["all judgments are in"]
    assert told(study, HOUR) == []
    (message,) = mail.outbox
    assert message.to == [user.email]
    assert reverse("agreement:watch", args=[study.uuid]) in message.body


def test_a_study_whose_last_places_are_held_and_not_answered_is_not_full(study: Study) -> None:
    asked(study)
    per_assignment_done(study)
    assignment = open_assignment(participation=a_person(study))
    assert told(study) == []
    for position in range(1, 5):
        an_answer(assignment, position)
    assert told(study) == ["all judgments are in"]


def test_a_stuck_study_is_told_of_once_until_answers_come_again(study: Study) -> None:
    asked(study, hours=5)
    per_assignment_done(study)
    assert told(study, 4 * HOUR) == []
    assert told(study, 6 * HOUR) == ["no answers are coming in"]
    assert told(study, 20 * HOUR) == []
    Notice.objects.update(created_at=timezone.now() - HOUR)
    assert told(study, 7 * HOUR) == ["no answers are coming in"]  # an answer came in after the last e-mail


def test_a_paused_study_is_not_stuck(study: Study) -> None:
    asked(study)
    Study.objects.filter(pk=study.pk).update(status=Study.Status.PAUSED)
    assert told(study, 10 * HOUR) == []


def test_a_job_that_failed_is_told_of_once_and_an_old_one_never(study: Study) -> None:
    old = {"kind": "analyse", "study": study, "status": Job.Status.FAILED}
    Job.objects.create(**old, finished_at=timezone.now() - HOUR)
    asked(study)
    assert told(study) == []
    Job.objects.create(**old, finished_at=timezone.now() + HOUR / 60)
    assert told(study, HOUR / 30) == ["a job failed"]
    assert told(study, HOUR) == []


def test_who_may_not_look_any_more_is_told_nothing(study: Study) -> None:
    user = asked(study)
    Role.objects.filter(user=user).delete()
    for _ in range(2):
        per_assignment_done(study)
    assert told(study) == []


def test_a_failure_is_kept_and_tried_again_later_but_not_for_ever(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked(study)
    for _ in range(2):
        per_assignment_done(study)

    def refused(**_: Any) -> int:
        raise SMTPException("mailbox unavailable")

    with monkeypatch.context() as broken:
        broken.setattr(notifying, "send_mail", refused)
        assert told(study) == []
        assert (Notice.objects.get().attempts, Notice.objects.get().error) == (1, "SMTPException: mailbox unavailable")
    assert told(study) == []  # not at once
    assert told(study, HOUR) == ["all judgments are in"]
    Notice.objects.update(sent_at=None, attempts=notifying.MOST_ATTEMPTS)
    assert told(study, 3 * HOUR) == []


def test_of_two_senders_at_once_one_sends(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    asked(study)
    for _ in range(2):
        per_assignment_done(study)
    now = timezone.now()
    find_notices(now=now)
    sent: list[str] = []

    def meanwhile(**given: Any) -> int:
        sent.append(given["subject"])
        if len(sent) == 1:
            send_notices(now=now)  # the other clock, while the first talks to the mail server
        return 1

    monkeypatch.setattr(notifying, "send_mail", meanwhile)
    assert send_notices(now=now) == 1
    assert len(sent) == 1


def test_a_site_without_a_mail_server_sends_nothing_and_says_so(study: Study, settings: Any) -> None:
    user = asked(study)
    for _ in range(2):
        per_assignment_done(study)
    settings.SENDS_EMAIL = False
    assert told(study) == []
    assert "sends no e-mails" in signed_in(user).get(reverse("agreement:watch", args=[study.uuid])).text


def test_a_title_of_two_lines_is_one_header(study: Study) -> None:
    asked(study)
    Study.objects.filter(pk=study.pk).update(title="one\nBcc: two@example.org")
    for _ in range(2):
        per_assignment_done(study)
    told(study)
    assert mail.outbox[-1].subject == "one Bcc: two@example.org: all judgments are in"


def test_researcher_asks_for_them_on_the_watch_page_and_ends_them(study: Study) -> None:
    user = a_researcher(study, "viewer", email="me@example.org")
    client = signed_in(user)
    page, notices = (reverse(f"agreement:{name}", args=[study.uuid]) for name in ("watch", "notices"))
    refused = client.post(notices, {"hours": "soon"})
    assert (refused.status_code, 'value="soon"' in refused.text) == (422, True)
    assert "Give from 1 to 1440 hours." in refused.text
    assert client.post(notices, {"hours": "12"}).status_code == 302
    assert NoticeWish.objects.get().stuck_after_hours == 12
    assert "You get them." in client.get(page).text
    assert client.post(notices, {"end": "1"}).status_code == 302
    assert not NoticeWish.objects.exists()
    end_notices(study=study, user=user)  # twice does no harm
    assert client.get(notices).status_code == 405


def test_without_an_address_nothing_can_be_asked_for(study: Study) -> None:
    with pytest.raises(Refused, match="no e-mail address"):
        ask_for_notices(study=study, user=a_researcher(study, "viewer"), stuck_after_hours=5)
