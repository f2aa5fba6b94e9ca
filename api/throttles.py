"""How often one token, or one network without a token, may ask: counted by each web process on its own."""

from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from annotation.crowding import network_of
from annotation.models import ApiToken

READING = {"GET", "HEAD", "OPTIONS"}


class PerToken(SimpleRateThrottle):
    scope = "api"

    def __init__(self) -> None:
        """The rate follows from the request: reading may come more often than writing."""

    def allow_request(self, request: Request, view: Any) -> bool:
        self.is_reading = request.method in READING
        if not isinstance(request.auth, ApiToken):
            rate = settings.API_VISITS_PER_MINUTE
        else:
            rate = settings.API_READS_PER_MINUTE if self.is_reading else settings.API_WRITES_PER_MINUTE
        self.rate = f"{rate}/min"
        self.num_requests, self.duration = rate, 60
        return bool(super().allow_request(request, view))

    def get_cache_key(self, request: Request, view: Any) -> str:  # noqa: ARG002
        if isinstance(request.auth, ApiToken):
            return f"api-{'r' if self.is_reading else 'w'}-{request.auth.pk}"
        return f"api-visit-{network_of(request)}"
