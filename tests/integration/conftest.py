"""Each test begins with nothing counted, and its scripts may ask as often as they like unless it says otherwise."""

from typing import Any

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def nothing_counted(settings: Any) -> None:
    cache.clear()
    settings.API_READS_PER_MINUTE = settings.API_WRITES_PER_MINUTE = 1_000_000
