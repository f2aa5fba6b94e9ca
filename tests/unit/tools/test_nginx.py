"""deploy/nginx.conf lets through what the site takes."""

import re

from annotation.accounts.request_bodies import API, MOST_BYTES
from tools import place

LOCATION = re.compile(r"location (\S+) \{([^}]*)\}")
LIMIT = re.compile(r"client_max_body_size (\d+)m;")


def test_files_reach_the_researchers_pages_and_the_api_and_no_other_address() -> None:
    text = (place.ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    limits = {where: LIMIT.search(said) for where, said in LOCATION.findall(text)}
    most = {where: int(limit[1]) << 20 for where, limit in limits.items() if limit is not None}
    assert most.keys() == {"/admin/", API}
    assert min(most.values()) >= MOST_BYTES
