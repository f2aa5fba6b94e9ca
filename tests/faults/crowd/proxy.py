"""A proxy that treats requests as a bad network does: twice, late, out of order, without their reply, or not at all."""

import random
import socket
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

from tools import place

Server = tuple[str, str, int]
# What may happen to a request, and to which share of them. The rest goes through as it came.
MISHAPS = {
    "duplicated": 0.10,  # both at once, on two connections
    "repeated late": 0.06,  # again after what the person sent next
    "delayed": 0.20,
    "overtaken": 0.03,  # held until the person has given up waiting and sent it again
    "reply lost": 0.05,
    "request lost": 0.03,
}


@dataclass
class Proxy:
    """`timeout` is how long the people behind it wait for a reply."""

    servers: list[Server]
    rng: random.Random
    timeout: float
    happened: Counter[str] = field(default_factory=Counter)
    late: list[threading.Thread] = field(default_factory=list)

    def start(self) -> Server:
        self._listener = socket.create_server((place.HOST, 0), backlog=512)
        threading.Thread(target=self._accept, daemon=True).start()
        return "http", place.HOST, self._listener.getsockname()[1]

    def stop(self) -> None:
        """Closes its socket, and waits for what is still on its way."""
        self._listener.close()
        for thread in self.late:
            thread.join(30)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client:
            client.settimeout(30)
            try:
                request = whole(client)
                reply = self._pass_on(request)
                if reply:
                    client.sendall(reply)
            except OSError:
                return  # to the person it looks as it is: no reply

    def _pass_on(self, request: bytes) -> bytes:
        mishap = self._mishap()
        if mishap == "request lost":
            return b""
        if mishap == "delayed":
            time.sleep(self.rng.uniform(0.01, 0.4))
        if mishap == "overtaken":
            self._later(request, self.timeout * self.rng.uniform(1.1, 1.6))
            return b""
        if mishap == "duplicated":
            self._later(request, 0)
        reply = self._send(request)
        if mishap == "repeated late":
            self._later(request, self.rng.uniform(0.2, 2))
        return b"" if mishap == "reply lost" else reply

    def _mishap(self) -> str | None:
        drawn = self.rng.random()
        for name, share in MISHAPS.items():
            drawn -= share
            if drawn < 0:
                self.happened[name] += 1
                return name
        return None

    def _later(self, request: bytes, seconds: float) -> None:
        def send() -> None:
            time.sleep(seconds)
            try:
                self._send(request)
            except OSError:
                return  # the copy fell on a web process that was just being killed: one mishap on top of the other

        thread = threading.Thread(target=send, daemon=True)
        thread.start()
        self.late.append(thread)

    def _send(self, request: bytes) -> bytes:
        _scheme, host, port = self.rng.choice(self.servers)
        with socket.create_connection((host, port), timeout=30) as server:
            server.sendall(request)
            return whole(server)


def whole(sender: socket.socket) -> bytes:
    """One message, to the end of its body."""
    said = b""
    while b"\r\n\r\n" not in said:
        more = sender.recv(65536)
        if not more:
            raise ConnectionError("it ended before its head did")
        said += more
    head, _, body = said.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    wanted = int(lengths[0].split(b":")[1]) if lengths else 0
    if b"transfer-encoding: chunked" in head.lower():
        while not body.endswith(b"0\r\n\r\n"):
            body += _more(sender)
        return head + b"\r\n\r\n" + body
    while len(body) < wanted:
        body += _more(sender)
    return head + b"\r\n\r\n" + body


def _more(sender: socket.socket) -> bytes:
    more = sender.recv(65536)
    if not more:
        raise ConnectionError("it ended before its body did")
    return more
