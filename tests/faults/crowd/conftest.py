"""One site of real processes for all of these tests, for starting one takes as long as a test."""

from collections.abc import Iterator

import pytest

from tests.faults.crowd.site import Site, running_site
from tests.faults.crowd.sizes import VENDOR


@pytest.fixture(scope="package")
def site() -> Iterator[Site]:
    with running_site(VENDOR, app="tests.faults.crowd.small_rsgi") as site:
        yield site
