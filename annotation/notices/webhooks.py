"""Webhooks: created and deleted by a researcher; what happens in a study, sent until it arrives, to public machines."""

from __future__ import annotations

import datetime as dt
import fcntl
import hashlib
import hmac
import http.client
import ipaddress
import json
import logging
import secrets
import socket
import ssl
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Timer
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import F, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.crypto import salted_hmac

from agreement.errors import Refused, TouchstoneError
from agreement.typed_json import JsonObject
from annotation.accounts.permissions import Right, may
from annotation.models import AssignedItem, AuditEntry, Job, Study, User, Webhook, WebhookDelivery

SECONDS = 5  # for each part of a reply
SECONDS_IN_ALL = 10  # from the connection to the end of the reply, however many parts that comes in
MOST_READ = 2_000
# IPv4 inside of IPv6 for the internet (RFC 6052); for a network's own use (RFC 8215), and as once was usual.
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
NEVER_PUBLIC = (ipaddress.IPv6Network("64:ff9b:1::/48"), ipaddress.IPv6Network("::/96"))
PORTS = {"https": 443, "http": 80}


class NotSent(TouchstoneError):
    """Why the request could not be sent, or got no reply."""


@dataclass(frozen=True, slots=True)
class Reply:
    """`beginning` is how its body begins; a redirect is a reply like any other, and isn't followed."""

    status: int
    beginning: str


def refuse_unfit_address(address: str) -> None:
    """What can be said of an address before its name is looked up."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise Refused(f"{address[:100]!r} is not an address of the web: {error}.") from error
    schemes = ("https", "http") if settings.WEBHOOKS_TO_PRIVATE else ("https",)
    if parts.scheme not in schemes or not parts.hostname:
        raise Refused("Write an address that begins with https:// and names a machine.")
    if parts.username or parts.password or parts.fragment:
        raise Refused("The address may hold no user, no password and nothing behind a #.")
    if port == 0:
        raise Refused("The address names port 0, which nobody listens on.")
    if not settings.WEBHOOKS_TO_PRIVATE and _is_literal(parts.hostname) and not _is_public(parts.hostname):
        raise Refused("The address is of a private network: name a machine that the whole internet can reach.")


def post(address: str, body: bytes, headers: Mapping[str, str]) -> Reply:
    """Sends a POST to the machine that the name was found to mean, whatever the name means a moment later."""
    refuse_unfit_address(address)
    parts = urlsplit(address)
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    try:
        connection = http.client.HTTPConnection(host, port, timeout=SECONDS)
        with (
            _open_connection(host, port, is_encrypted=parts.scheme == "https") as connected,
            _cut_off_in_time(connected),
        ):
            if isinstance(connected, ssl.SSLSocket):
                connected.do_handshake()
            connection.sock = connected
            connection.request("POST", path, body, dict(headers))
            response = connection.getresponse()
            return Reply(response.status, response.read(MOST_READ).decode("utf-8", "replace"))
    except (OSError, http.client.HTTPException, UnicodeError) as error:
        raise NotSent(f"{type(error).__name__}: {error}"[:300]) from error


def _open_connection(host: str, port: int, *, is_encrypted: bool) -> socket.socket:
    """A connection; of an encrypted one nothing has been said yet."""
    plain = socket.create_connection((_public_ip(host, port), port), timeout=SECONDS)
    if not is_encrypted:
        return plain
    context = ssl.create_default_context()
    return context.wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)


@contextmanager
def _cut_off_in_time(connected: socket.socket) -> Iterator[None]:
    """Ends the connection when its time is over: whoever sends a byte every second is never silent for long enough."""

    def cut_off() -> None:
        with suppress(OSError):  # it has just ended by itself
            socket.socket.shutdown(connected, socket.SHUT_RDWR)  # of an encrypted one too the plain connection

    timer = Timer(SECONDS_IN_ALL, cut_off)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _public_ip(host: str, port: int) -> str:
    """Every address that the name stands for has to be public: a mixed answer is somebody's trick."""
    addresses = {str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    if not settings.WEBHOOKS_TO_PRIVATE and not all(map(_is_public, addresses)):
        raise NotSent(f"{host} is a machine of a private network, to which nothing is sent.")
    return min(addresses)


def _is_literal(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_public(address: str) -> bool:
    """Also of an IPv4 address that is written inside of an IPv6 one.

    >>> [_is_public(each) for each in ("8.8.8.8", "10.1.2.3", "::1", "169.254.169.254", "::ffff:127.0.0.1")]
    [True, False, False, False, False]
    >>> [_is_public(each) for each in ("64:ff9b::8.8.8.8", "64:ff9b::10.1.2.3", "fec0::1")]
    [True, False, False]
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.is_site_local or any(ip in each for each in NEVER_PUBLIC):
            return False
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if ip in NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF)
        if inner is not None and not inner.is_global:
            return False
    return ip.is_global and not ip.is_multicast


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
SILENT_FOR = dt.timedelta(minutes=5)
LOCK = "webhooks.lock"
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
        _record_change(webhook, by, "webhook created")
    return webhook, secret_of(webhook)


def delete_webhook(*, webhook: Webhook, by: User) -> None:
    with transaction.atomic():
        _record_change(webhook, by, "webhook deleted")
        Webhook.objects.filter(pk=webhook.pk).delete()


def _record_change(webhook: Webhook, by: User, change: str) -> None:
    """Without the address: its path may be a password."""
    detail = {change: str(webhook.uuid), "events": webhook.events}
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
            for subject, about in _new_events(webhook, event, since):
                values = {"about": about, "due_at": now}
                _, is_new = webhook.deliveries.get_or_create(event=event, subject=subject, defaults=values)
                new += is_new
    return new


def _new_events(webhook: Webhook, event: str, since: dt.datetime) -> Iterator[tuple[str, JsonObject]]:
    known_subjects = webhook.deliveries.filter(event=event).values_list("subject", flat=True)
    if event == Webhook.Event.JOB_ENDED:
        jobs = Job.objects.filter(study=webhook.study, finished_at__gt=since).exclude(uuid__in=list(known_subjects))
        for job in jobs[:PORTION]:
            yield str(job.uuid), {"job": str(job.uuid), "status": job.status}
    elif event == Webhook.Event.RELEASE_MADE:
        entries = AuditEntry.objects.filter(study=webhook.study, action=AuditEntry.Action.RELEASED, at__gt=since)
        numbers = [entry.detail["release"] for entry in entries.order_by("pk")]
        yield from ((str(number), {"release": number}) for number in numbers if str(number) not in set(known_subjects))
    else:
        yield from _filled_events(webhook.study)


def _filled_events(study: Study) -> Iterator[tuple[str, JsonObject]]:
    """Once for each number of judgments wanted: a study that gets more items is filled again."""
    if study.status != Study.Status.LIVE or study.open_places.exists():
        return
    held_places = AssignedItem.objects.filter(item__study=study, slot__isnull=False, released_at__isnull=True)
    if held_places.unanswered().exists():
        return
    wanted = study.items.targets().aggregate(n=Sum(Coalesce("judgments_per_item", F("study__judgments_per_item"))))["n"]
    if wanted:
        yield f"{wanted} judgments", {"judgments": wanted}


# Notices are sent.


def send_deliveries(*, now: dt.datetime) -> int:
    """Sends what is due, until it has arrived or was tried too often; returns how many arrived. One process of a
    machine sends at a time: however slow receivers are, the worker's others go on with jobs.
    """
    with _sending_alone() as is_alone:
        arrived = _send_due(now) if is_alone else 0
    WebhookDelivery.objects.filter(due_at=None, created_at__lt=now - KEPT).delete()
    return arrived


@contextmanager
def _sending_alone() -> Iterator[bool]:
    """Whether no other process of this machine is sending now. One that dies lets go of the lock."""
    settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
    with (settings.VAR_DIR / LOCK).open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def _send_due(now: dt.datetime) -> int:
    """A receiver that can't be reached, or doesn't answer in time, is asked once: its other notices are put off."""
    end, arrived = time.monotonic() + SENDING_SECONDS, 0
    due = WebhookDelivery.objects.due(now).order_by("due_at").select_related("webhook__study", "webhook__created_by")
    for delivery in list(due[:PORTION]):
        if time.monotonic() > end:
            break
        if not _is_claimed(delivery, now):
            continue
        try:
            arrived += _send_delivery(delivery)
        except NotSent:
            delivery.webhook.deliveries.due(now).update(due_at=now + SILENT_FOR)
    return arrived


def _is_claimed(delivery: WebhookDelivery, now: dt.datetime) -> bool:
    """The race: two workers read the same notice as due. The second finds it changed, and leaves it to the first.

    If this process dies now, the notice is due again after the pause.
    """
    again = now + PAUSES[delivery.attempts] if delivery.attempts < len(PAUSES) else None
    as_read = WebhookDelivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts, due_at=delivery.due_at)
    return as_read.update(attempts=delivery.attempts + 1, due_at=again) == 1


def _send_delivery(delivery: WebhookDelivery) -> bool:
    """Whether the receiver has taken it; `NotSent` where nobody answers."""
    webhook, row = delivery.webhook, WebhookDelivery.objects.filter(pk=delivery.pk)
    if webhook.created_by is None or not may(webhook.created_by, Right.CHANGE, webhook.study):
        row.update(last_status=None, last_reply=NOBODYS, due_at=None)
        return False
    body = json.dumps(body_of(delivery)).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Touchstone",
        **signature_headers(webhook, delivery, body),
    }
    try:
        reply = post(webhook.address, body, headers)
    except NotSent as error:
        row.update(last_status=None, last_reply=str(error)[:500])
        raise
    except Refused as error:
        row.update(last_status=None, last_reply=str(error)[:500])
        return False
    outcome = {"last_status": reply.status, "last_reply": reply.beginning.replace("\x00", "")[:500]}
    if not 200 <= reply.status < 300:
        row.update(**outcome)
        return False
    row.update(**outcome, due_at=None, delivered_at=timezone.now())
    return True


def body_of(delivery: WebhookDelivery) -> JsonObject:
    return {
        "id": str(delivery.uuid),
        "event": delivery.event,
        "study": delivery.webhook.study.slug,
        "at": delivery.created_at.isoformat(),
        **delivery.about,
    }


def signature_headers(webhook: Webhook, delivery: WebhookDelivery, body: bytes) -> dict[str, str]:
    """The time is signed too, so that a notice that somebody caught can't be played back later."""
    timestamp = str(int(time.time()))
    digest = hmac.new(secret_of(webhook).encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return {"Touchstone-Delivery": str(delivery.uuid), "Touchstone-Signature": f"t={timestamp},v1={digest}"}
