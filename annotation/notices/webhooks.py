"""Webhooks: created and deleted by a researcher; what happens in a study becomes notices, sent until they arrive.

Notices follow from rows that are there anyway (jobs, the study's record, its places), found by the sweep: nothing that
annotators wait for writes one. Each is sent at least once; its id stays the same however often it is sent.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
import json
import logging
import secrets
import time
from collections.abc import Collection, Iterator

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.crypto import salted_hmac

from agreement.errors import Refused
from agreement.typed_json import JsonObject
from annotation.accounts.permissions import Right, may
from annotation.models import AssignedItem, AuditEntry, Job, Judgment, Study, User, Webhook, WebhookDelivery
from annotation.notices.outgoing_requests import NotSent, post, refuse_unfit_address

logger = logging.getLogger(__name__)
MOST_PER_STUDY = 10
# What happened longer ago than this and was not noticed is no news.
NEWS = dt.timedelta(days=1)
KEPT = dt.timedelta(days=30)
# Between two tries; after the last of them it is given up.
PAUSES = [dt.timedelta(seconds=seconds) for seconds in (10, 60, 300, 1_800, 7_200, 21_600, 43_200)]
# For so long one run sends: the worker has other things to do.
SENDING_SECONDS = 20
PORTION = 50
NOBODYS = (
    "Not sent: whoever created this webhook can't change the study any more. Delete it, and create one of your own."
)


def create_webhook(*, study: Study, address: str, events: Collection[str], by: User) -> tuple[Webhook, str]:
    """The webhook, and the secret that its notices are signed with: shown once."""
    refuse_unfit_address(address)
    if not events or set(events) - set(Webhook.Event.values):
        raise Refused(f"Choose events among {', '.join(Webhook.Event.values)}.")
    with transaction.atomic():
        # The race: two at once would both find room for one more.
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if study.webhooks.count() >= MOST_PER_STUDY:
            raise Refused(f"{study} has {MOST_PER_STUDY} webhooks already: delete one first.")
        chosen = [event for event in Webhook.Event.values if event in events]
        webhook = Webhook.objects.create(
            study=study, address=address, events=chosen, nonce=secrets.token_hex(16), created_by=by
        )
        _record(webhook, by, "webhook created")
    return webhook, secret_of(webhook)


def delete_webhook(*, webhook: Webhook, by: User) -> None:
    with transaction.atomic():
        _record(webhook, by, "webhook deleted")
        Webhook.objects.filter(pk=webhook.pk).delete()


def _record(webhook: Webhook, by: User, what: str) -> None:
    """Without the address: its path may be a password."""
    detail = {what: str(webhook.uuid), "events": webhook.events}
    AuditEntry.objects.create(study=webhook.study, by=by, action=AuditEntry.Action.CHANGED, detail=detail)


def secret_of(webhook: Webhook) -> str:
    return salted_hmac("touchstone.webhook", webhook.nonce, algorithm="sha256").hexdigest()


# What has happened becomes notices. The constraint on (webhook, event, subject) holds "once" whoever runs this.


def notice_events(*, now: dt.datetime) -> int:
    """Writes a notice for everything that a webhook waits for and has not been told of; returns how many."""
    new = 0
    for webhook in Webhook.objects.select_related("study"):
        since = max(webhook.created_at, now - NEWS)
        for event in webhook.events:
            for subject, about in _happened(webhook, event, since):
                values = {"about": about, "due_at": now}
                _, is_new = webhook.deliveries.get_or_create(event=event, subject=subject, defaults=values)
                new += is_new
    return new


def _happened(webhook: Webhook, event: str, since: dt.datetime) -> Iterator[tuple[str, JsonObject]]:
    told = webhook.deliveries.filter(event=event).values_list("subject", flat=True)
    if event == Webhook.Event.JOB_ENDED:
        jobs = Job.objects.filter(study=webhook.study, finished_at__gt=since).exclude(uuid__in=list(told))
        for job in jobs[:PORTION]:
            yield str(job.uuid), {"job": str(job.uuid), "status": job.status}
    elif event == Webhook.Event.RELEASE_MADE:
        entries = AuditEntry.objects.filter(study=webhook.study, action=AuditEntry.Action.RELEASED, at__gt=since)
        numbers = [entry.detail["release"] for entry in entries.order_by("pk")]
        yield from ((str(number), {"release": number}) for number in numbers if str(number) not in set(told))
    else:
        yield from _filled(webhook.study)


def _filled(study: Study) -> Iterator[tuple[str, JsonObject]]:
    """Once for each number of judgments wanted: a study that gets more items is filled again."""
    if study.status != Study.Status.LIVE or study.open_places.exists():
        return
    answered = Exists(Judgment.objects.filter(assigned_item=OuterRef("pk")))
    held = AssignedItem.objects.filter(item__study=study, slot__isnull=False, released_at__isnull=True)
    if held.filter(~answered).exists():
        return
    wanted = study.items.targets().aggregate(n=Sum(Coalesce("judgments_per_item", F("study__judgments_per_item"))))["n"]
    if wanted:
        yield f"{wanted} judgments", {"judgments": wanted}


# Notices are sent.


def send_deliveries(*, now: dt.datetime) -> int:
    """Sends what is due, until it has arrived or was tried too often; returns how many arrived."""
    end, arrived = time.monotonic() + SENDING_SECONDS, 0
    due = WebhookDelivery.objects.due(now).order_by("due_at").select_related("webhook__study", "webhook__created_by")
    for delivery in list(due[:PORTION]):
        if time.monotonic() > end:
            break
        arrived += _is_claimed(delivery, now) and _send(delivery)
    WebhookDelivery.objects.filter(due_at=None, created_at__lt=now - KEPT).delete()
    return arrived


def _is_claimed(delivery: WebhookDelivery, now: dt.datetime) -> bool:
    """The race: two workers read the same notice as due. The second finds it changed, and leaves it to the first.

    If this process dies now, the notice is due again after the pause.
    """
    again = now + PAUSES[delivery.attempts] if delivery.attempts < len(PAUSES) else None
    as_read = WebhookDelivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts, due_at=delivery.due_at)
    return as_read.update(attempts=delivery.attempts + 1, due_at=again) == 1


def _send(delivery: WebhookDelivery) -> bool:
    webhook, row = delivery.webhook, WebhookDelivery.objects.filter(pk=delivery.pk)
    if webhook.created_by is None or not may(webhook.created_by, Right.CHANGE, webhook.study):
        row.update(last_status=None, last_reply=NOBODYS, due_at=None)
        return False
    body = json.dumps(body_of(delivery)).encode()
    headers = {"Content-Type": "application/json", "User-Agent": "Touchstone", **signed(webhook, delivery, body)}
    try:
        reply = post(webhook.address, body, headers)
    except (NotSent, Refused) as error:
        row.update(last_status=None, last_reply=str(error)[:500])
        return False
    said = {"last_status": reply.status, "last_reply": reply.beginning.replace("\x00", "")[:500]}
    if not 200 <= reply.status < 300:
        row.update(**said)
        return False
    row.update(**said, due_at=None, delivered_at=timezone.now())
    return True


def body_of(delivery: WebhookDelivery) -> JsonObject:
    return {
        "id": str(delivery.uuid),
        "event": delivery.event,
        "study": delivery.webhook.study.slug,
        "at": delivery.created_at.isoformat(),
        **delivery.about,
    }


def signed(webhook: Webhook, delivery: WebhookDelivery, body: bytes) -> dict[str, str]:
    """The time is signed too, so that a notice that somebody caught can't be played back later."""
    at = str(int(time.time()))
    digest = hmac.new(secret_of(webhook).encode(), at.encode() + b"." + body, hashlib.sha256).hexdigest()
    return {"Touchstone-Delivery": str(delivery.uuid), "Touchstone-Signature": f"t={at},v1={digest}"}
