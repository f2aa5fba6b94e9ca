"""A provider of OpenID Connect on this machine: it logs everybody in at once, as the test says, and checks PKCE."""

import base64
import hashlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


class OidcProvider:
    """`person` is who logs in; `asked` are the parameters of each request to log in."""

    def __init__(self) -> None:
        self.person: dict[str, Any] = {"sub": "1", "email": "ada@example.org", "email_verified": True}
        self.asked: list[dict[str, str]] = []
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                if parts.path == "/authorize":
                    provider.asked.append(query)
                    where = f"{query['redirect_uri']}?{urlencode({'code': 'c1', 'state': query['state']})}"
                    self.send_response(302)
                    self.send_header("Location", where)
                    self.end_headers()
                else:
                    self.give(provider.document(parts.path))

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self.give(provider.token({name: values[0] for name, values in parse_qs(body).items()}))

            def give(self, document: dict[str, Any]) -> None:
                content = json.dumps(document).encode()
                self.send_response(400 if "error" in document else 200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def document(self, path: str) -> dict[str, Any]:
        if path == "/.well-known/openid-configuration":
            return {
                "issuer": self.address,
                "authorization_endpoint": f"{self.address}/authorize",
                "token_endpoint": f"{self.address}/token",
                "userinfo_endpoint": f"{self.address}/userinfo",
                "jwks_uri": f"{self.address}/keys",
                "token_endpoint_auth_methods_supported": ["client_secret_post"],
            }
        if path == "/keys":
            public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key()))
            return {"keys": [{**public, "kid": "k1", "use": "sig", "alg": "RS256"}]}
        return dict(self.person) if path == "/userinfo" else {"error": "there is no such page"}

    def token(self, given: dict[str, str]) -> dict[str, Any]:
        """Refused unless the secret that began the log-in is shown (RFC 7636)."""
        digest = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if challenge != self.asked[-1].get("code_challenge"):
            return {"error": "invalid_grant"}
        now = int(time.time())
        claims = {**self.person, "iss": self.address, "aud": given["client_id"], "iat": now, "exp": now + 60}
        id_token = jwt.encode(claims, KEY, algorithm="RS256", headers={"kid": "k1"})
        return {"access_token": "a1", "token_type": "Bearer", "id_token": id_token, "expires_in": 60}
