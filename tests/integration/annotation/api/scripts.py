"""A researcher's script for the tests of the API: a client that sends a token with every request."""

import datetime as dt
import json
from collections.abc import Collection
from typing import Any

from django.test import Client

from annotation.accounts.researcher_accounts import create_token
from annotation.models import Scope, User

ALL = tuple(Scope.values)
V1 = "/api/v1/"


class Script:
    """Asks below /api/v1/ with a token of its own."""

    def __init__(self, user: User, scopes: Collection[str] = ALL, client: Client | None = None) -> None:
        self.token, self.text = create_token(user=user, name="a script", scopes=scopes, lives=dt.timedelta(days=1))
        self.client = client or Client()

    def ask(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.text}", **more.pop("headers", {})}
        address = path if path.startswith("/") else V1 + path
        if body is not None and not isinstance(body, (str, bytes)):
            body = json.dumps(body)
        given = {"data": body or "", "content_type": "application/json" if body is not None else "", **more}
        return self.client.generic(method, address, headers=headers, **given)

    def get(self, path: str, **more: Any) -> Any:
        return self.ask("GET", path, **more)

    def post(self, path: str, body: Any = None, **more: Any) -> Any:
        return self.ask("POST", path, body, **more)

    def patch(self, path: str, body: Any, **more: Any) -> Any:
        return self.ask("PATCH", path, body, **more)
