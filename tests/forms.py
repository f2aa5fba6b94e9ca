"""Forms without files are sent as browsers send them; Django's test client makes a form of many parts of each."""

from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import pytest
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from django.utils.http import urlencode

FORM = "application/x-www-form-urlencoded"


@pytest.fixture(autouse=True, scope="session")
def forms_as_browsers_send_them() -> Iterator[None]:
    with mock.patch.object(Client, "post", _as_browsers_do(Client.post)):
        yield


def _as_browsers_do(post: Callable[..., Any]) -> Callable[..., Any]:
    def sent(self: Client, path: str, data: Any = None, content_type: str = MULTIPART_CONTENT, **rest: Any) -> Any:
        if content_type is MULTIPART_CONTENT and not _has_files(data):
            return post(self, path, urlencode(data or {}, doseq=True), content_type=FORM, **rest)
        return post(self, path, data, content_type=content_type, **rest)

    return sent


def _has_files(data: Any) -> bool:
    """Whether it is other than a form without files: one with a file has to be sent in parts."""
    if data is None:
        return False
    if not hasattr(data, "values"):
        return True
    values = [value if isinstance(value, list) else [value] for value in data.values()]
    return any(hasattr(one, "read") for several in values for one in several)
