"""Each test begins with nothing counted."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    cache.clear()
