"""Requests to addresses that a researcher has typed: to public machines alone, by HTTPS, no redirect followed."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Timer
from urllib.parse import urlsplit

from django.conf import settings

from agreement.errors import Refused, TouchstoneError

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
        with _connected(host, port, is_encrypted=parts.scheme == "https") as connected, _cut_off_in_time(connected):
            if isinstance(connected, ssl.SSLSocket):
                connected.do_handshake()
            connection.sock = connected
            connection.request("POST", path, body, dict(headers))
            response = connection.getresponse()
            return Reply(response.status, response.read(MOST_READ).decode("utf-8", "replace"))
    except (OSError, http.client.HTTPException, UnicodeError) as error:
        raise NotSent(f"{type(error).__name__}: {error}"[:300]) from error


def _connected(host: str, port: int, *, is_encrypted: bool) -> socket.socket:
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
    found = {str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    if not settings.WEBHOOKS_TO_PRIVATE and not all(map(_is_public, found)):
        raise NotSent(f"{host} is a machine of a private network, to which nothing is sent.")
    return min(found)


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
