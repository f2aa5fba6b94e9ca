"""deploy/nginx.conf lets through what the site takes, and stores nothing of it; tests/faults asks a real nginx."""

import re

import pytest

from annotation.accounts.request_bodies import API, MOST_BYTES
from tools import place

TEXT = (place.ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
LOCATIONS = dict(re.findall(r"location (\S+) \{([^}]*)\}", TEXT))
LIMIT = re.compile(r"client_max_body_size (\d+)m;")
FOR_FILES = ("/admin/", API)


def test_files_reach_the_researchers_pages_and_the_api_and_no_other_address() -> None:
    most = {where: int(limit[1]) << 20 for where, said in LOCATIONS.items() if (limit := LIMIT.search(said))}
    assert {where for where, limit in most.items() if limit >= MOST_BYTES} == set(FOR_FILES)
    assert most["/"] == 1 << 20


@pytest.mark.parametrize("where", FOR_FILES)
def test_large_bodies_are_handed_on_as_they_come_and_few_at_once(where: str) -> None:
    """The site looks at the headers first; a proxy that stores them has stored a stranger's too."""
    assert "proxy_request_buffering off;" in LOCATIONS[where]
    assert "limit_conn touchstone_large 5;" in LOCATIONS[where]
    assert "limit_req zone=touchstone_uploads" in LOCATIONS[where]


def test_every_location_limits_connections_itself() -> None:
    """A location that has a limit of its own takes none over from the server."""
    assert all("limit_conn touchstone_people 300;" in said for said in LOCATIONS.values())


def test_the_oldest_nginx_that_is_named_knows_every_directive() -> None:
    """Version 1.22 refuses a file with `http2 on`, which came with 1.25.1."""
    directives = [line.split("#")[0].strip() for line in TEXT.splitlines()]
    assert not [line for line in directives if line.startswith("http2")]
