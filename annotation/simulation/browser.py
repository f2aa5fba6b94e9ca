"""A browser that sends forms and follows redirects, and sends again whatever gets no reply. Knows nothing of Django."""

import http.client
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

from annotation.simulation.pages import Fields

AGAIN = {429, 502, 503, 504}
REDIRECTS = {301, 302, 303, 307, 308}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
WAITS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.5)
MOST_REDIRECTS = 10


class Unreachable(Exception):
    """Nothing came back for longer than a person would wait."""


@dataclass(frozen=True)
class Reply:
    status: int
    address: str
    body: str
    location: str = ""


@dataclass
class Browser:
    """`doors` are the site's web processes, any of which will do: (scheme, host, port)."""

    doors: Sequence[tuple[str, str, int]]
    rng: random.Random
    timeout: float = 20
    patience: float = 120
    troubles: dict[str, int] = field(default_factory=dict)  # what was sent again, and why

    def get(self, address: str) -> Reply:
        return self._follow(self.send("GET", address))

    def post(self, address: str, fields: Fields) -> Reply:
        return self._follow(self.send("POST", address, fields))

    def _follow(self, reply: Reply) -> Reply:
        for _ in range(MOST_REDIRECTS):
            if reply.status not in REDIRECTS:
                return reply
            to = urlsplit(reply.location)
            reply = self.send("GET", f"{to.path}?{to.query}" if to.query else to.path)
        raise Unreachable(f"{reply.address} leads from page to page and back.")

    def send(self, method: str, address: str, fields: Fields | None = None) -> Reply:
        """One request, sent again until it has a reply; what is stored by it must bear that."""
        give_up_at = time.monotonic() + self.patience
        tries = 0
        while True:
            try:
                reply = self.send_once(method, address, fields)
                if reply.status not in AGAIN:
                    return reply
                trouble = str(reply.status)
            except (OSError, http.client.HTTPException) as error:
                trouble = type(error).__name__
            self.troubles[trouble] = self.troubles.get(trouble, 0) + 1
            if time.monotonic() > give_up_at:
                raise Unreachable(f"{method} {address}: {trouble} for {self.patience} s.")
            time.sleep(WAITS[min(tries, len(WAITS) - 1)] * self.rng.uniform(0.5, 1.5))
            tries += 1

    def send_once(self, method: str, address: str, fields: Fields | None) -> Reply:
        scheme, host, port = self.rng.choice(self.doors)
        make = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
        connection = make(host, port, timeout=self.timeout)
        try:
            body = urlencode(fields).encode() if fields is not None else None
            connection.request(method, address, body, {"Connection": "close", **(FORM if body is not None else {})})
            response = connection.getresponse()
            text = response.read().decode("utf-8", errors="replace")
            return Reply(response.status, address, text, response.headers.get("Location", ""))
        finally:
            connection.close()
