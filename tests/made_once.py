"""What Django and WhiteNoise make anew for each client and page of a test, made once: behaviour is the same."""

from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import pytest
from django.test import client
from whitenoise.middleware import WhiteNoiseMiddleware

# The templates of a form's fields: dozens on a page, and no test asks for their contexts.
OF_FIELDS = ("django/forms/", "unfold/widgets/")


@pytest.fixture(autouse=True, scope="session")
def static_files_listed_once() -> Iterator[None]:
    """Each test client has the middleware of its own, which looks through all folders of static files."""
    with mock.patch.object(
        WhiteNoiseMiddleware, "add_files_from_finders", _listed_once(WhiteNoiseMiddleware.add_files_from_finders)
    ):
        yield


def _listed_once(look: Callable[..., None]) -> Callable[..., None]:
    listed: dict[str, Any] = {}

    def look_once(self: Any) -> None:
        if not listed:
            look(self)
            listed.update(self.files)
        self.files.update(listed)

    return look_once


@pytest.fixture(autouse=True, scope="session")
def contexts_of_fields_not_kept() -> Iterator[None]:
    """The test client copies the context of every template, for `response.context`."""
    keep: Callable[..., None] = vars(client)["store_rendered_templates"]

    def keep_if_a_pages(store: Any, signal: Any, sender: Any, template: Any, context: Any, **more: Any) -> None:
        if not (template.name or "").startswith(OF_FIELDS):
            keep(store, signal, sender, template, context, **more)

    with mock.patch("django.test.client.store_rendered_templates", keep_if_a_pages):
        yield
