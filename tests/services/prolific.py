"""A stand-in for Prolific on this machine: it serves the public keys, and signs links as Prolific does."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

STUDY_ID, PERSON, SESSION = "64f0c2a1b2c3d4e5f6a7b8c9", "5f1d2e3c4b5a69788796a5b4", "65aa00112233445566778899"


@cache
def private_key(name: str) -> rsa.RSAPrivateKey:
    """Making one takes a tenth of a second; the name tells several apart."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def public_pem(name: str) -> bytes:
    return private_key(name).public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def claims(**changes: Any) -> dict[str, Any]:
    now = int(time.time())
    said = {
        "iss": "https://www.prolific.com",
        "aud": "https://testserver",
        "sub": SESSION,
        "iat": now,
        "exp": now + 120,
        "prolific": {"PROLIFIC_PID": PERSON, "STUDY_ID": STUDY_ID, "SESSION_ID": SESSION, "workspace_id": "w1"},
    }
    return {name: value for name, value in {**said, **changes}.items() if value is not None}


def signed(key: str = "first", key_id: str | None = None, **changes: Any) -> str:
    return jwt.encode(claims(**changes), private_key(key), algorithm="RS256", headers={"kid": key_id or key})


@dataclass
class StandIn:
    url: str = ""
    key_names: list[str] = field(default_factory=lambda: ["first"])
    status: int = 200
    asked: int = 0

    def answer(self) -> bytes:
        algorithm = jwt.algorithms.RSAAlgorithm
        keys = [algorithm.to_jwk(private_key(name).public_key(), as_dict=True) for name in self.key_names]
        named = zip(self.key_names, keys, strict=True)
        return json.dumps(
            {"keys": [{**key, "kid": name, "alg": "RS256", "use": "sig"} for name, key in named]}
        ).encode()


@contextmanager
def stand_in() -> Iterator[StandIn]:
    prolific = StandIn()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            prolific.asked += 1
            self.send_response(prolific.status)
            self.end_headers()
            self.wfile.write(prolific.answer())

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the library's name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    prolific.url = f"http://127.0.0.1:{server.server_port}/.well-known/study/jwks.json"
    try:
        yield prolific
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
