"""From which network a request came, as a digest that names nobody and can't be joined with another day's."""

import ipaddress

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

# One household or machine has a whole /64 of IPv6, and changes its address within it at will.
IPV6_NETWORK = 64


def network_of(request: HttpRequest) -> str:
    """The digest of an IPv4 address, or of an IPv6 address's /64; nothing where the server doesn't tell."""
    given = request.META.get("REMOTE_ADDR", "")
    if settings.BEHIND_PROXY:
        # The last one is what our own proxy has seen; those before it anybody can make up.
        given = request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip() or given
    try:
        address = ipaddress.ip_address(given)
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or ipaddress.ip_network((address, IPV6_NETWORK), strict=False).network_address
    today = timezone.now().date().isoformat()
    return salted_hmac("touchstone.network", f"{today} {address}", algorithm="sha256").hexdigest()
