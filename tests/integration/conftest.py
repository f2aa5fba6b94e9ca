"""Each test begins with nothing counted."""

import pytest
from django.core.cache import cache

from annotation.api import request_counts


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    cache.clear()
    for counts in request_counts._opened.values():
        counts.connection.execute("DELETE FROM requests")
