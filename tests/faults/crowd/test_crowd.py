"""A crowd against a real site of processes: every item ends at its target, nothing saved is lost, nothing is double.

The short form runs in CI. TOUCHSTONE_TEST_FAULTS=full makes it as large as the promise: 200 people (50 on SQLite, with
one web process) and 50 faults.
"""

import random
import threading
import time
from collections import Counter
from typing import Any

import pytest

from tests.faults.crowd.people import Crowd, Server
from tests.faults.crowd.proxy import Proxy
from tests.faults.crowd.site import Site
from tests.faults.crowd.sizes import CALM, SIZE, VENDOR, Size

pytestmark = [pytest.mark.faults, pytest.mark.both]
NOTHING_WRONG = {"items off their target": 0, "saved and missing": 0, "double": 0, "older over newer": 0}
MOST_WAVES = 30


def judged_to_the_end(site: Site, crowd: Crowd, size: Size = SIZE) -> dict[str, Any]:
    """Comes until no place is left: some quit, their time runs out, the clock gives back what they had, others come."""
    crowd.come(size.people, quitters=-(-size.people // 8))
    for _ in range(MOST_WAVES):
        settled = site.scene("settle", crowd.slug)
        assert settled["at work"] == 0, f"the clock of the site does not run:\n{site.logs()}"
        still_open = settled["open"]
        if not still_open:
            break
        crowd.come(max(2, -(-still_open // size.items_each)))
    return site.scene("tally", crowd.slug, crowd.write(site.folder / f"{crowd.slug}.json"))


def shown(name: str, tally: dict[str, Any], crowd: Crowd, **more: Any) -> dict[str, Any]:
    """What went wrong, after printing all that was counted."""
    print(f"\n{name} on {VENDOR}: {tally} {more} sent again: {dict(crowd.troubles)}")
    refused = [sentence for visit in crowd.visits for sentence in visit.refused]
    assert not [sentence for sentence in refused if not sentence.startswith("410")], refused[:5]
    ended = Counter(visit.last.status if visit.last else 0 for visit in crowd.visits)
    assert set(ended) <= {200, 403, 409, 410}, ended
    return {key: value for key, value in tally.items() if key != "told"}


def a_crowd(
    site: Site, slug: str, servers: list[Server] | None = None, timeout: float = 20, size: Size = SIZE
) -> Crowd:
    site.scene("prepare", slug, size.items, size.target, size.items_each)
    return Crowd(slug, servers or site.servers, timeout)


def test_a_crowd_fills_every_item_to_its_target(site: Site) -> None:
    crowd = a_crowd(site, "calm", size=CALM)

    assert shown("calm", judged_to_the_end(site, crowd, CALM), crowd) == NOTHING_WRONG


def test_the_same_while_processes_are_killed(site: Site) -> None:
    crowd = a_crowd(site, "killed")
    site.faults.clear()
    is_over = threading.Event()

    def strike() -> None:
        """The faults are spread over the answers, so that a slow machine gets as many as a fast one."""
        rng = random.Random(9)
        reviving = []
        while sum(site.faults.values()) < SIZE.faults and not is_over.is_set():
            if crowd.saved >= SIZE.answers * (sum(site.faults.values()) + 1) / (SIZE.faults + 2):
                reviving.append(site.kill_one(rng, down_for=rng.uniform(0.1, 1.5)))
            time.sleep(0.02)
        for thread in reviving:
            if thread:
                thread.join()

    striking = threading.Thread(target=strike)
    striking.start()
    try:
        tally = judged_to_the_end(site, crowd)
    finally:
        is_over.set()
        striking.join(60)

    assert shown("killed", tally, crowd, faults=dict(site.faults)) == NOTHING_WRONG
    assert sum(site.faults.values()) == SIZE.faults


def test_the_same_with_requests_duplicated_delayed_and_reordered(site: Site) -> None:
    proxy = Proxy(site.servers, random.Random(4), timeout=3)
    crowd = a_crowd(site, "shaken", [proxy.start()], timeout=3)
    try:
        judged_to_the_end(site, crowd)
    finally:
        proxy.stop()

    tally = site.scene("tally", crowd.slug, site.folder / "shaken.json")  # again, after the last copies have arrived
    assert shown("shaken", tally, crowd, mishaps=dict(proxy.happened)) == NOTHING_WRONG
