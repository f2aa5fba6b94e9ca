"""A crowd that comes to a site over HTTP, all at once, and does not give up."""

import json
import random
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path

from agreement.assignment_order import generator
from agreement.simulation.answering_items import PosedQuestion
from agreement.simulation.simulated_people import Person
from agreement.simulation.visiting import AcknowledgedAnswer, Browser, PageQuestion, Visit, Visitor
from agreement.simulation.world import KnownItem, World

Server = tuple[str, str, int]


def pair(asked: PageQuestion) -> KnownItem:
    return KnownItem(dict(zip(("left", "right"), asked.pair, strict=True)))


class Noting(list[AcknowledgedAnswer]):
    """The answers of one visit, counted as they come, so that faults can be spread over all of them."""

    def __init__(self, counter: "Crowd") -> None:
        super().__init__()
        self._counter = counter

    def append(self, one: AcknowledgedAnswer) -> None:
        super().append(one)
        with self._counter.lock:
            self._counter.saved += 1


@dataclass
class Crowd:
    slug: str
    servers: list[Server]
    timeout: float = 20
    visits: list[Visit] = field(default_factory=list)
    troubles: Counter[str] = field(default_factory=Counter)
    saved: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    _numbers: "count[int]" = field(default_factory=count)

    def come(self, people: int, *, quitters: int = 0) -> None:
        """So many people at once: one in four without script, one in ten who changes answers, some who quit."""
        with ThreadPoolExecutor(people) as pool:
            futures = [pool.submit(self._one, next(self._numbers), quits=k < quitters) for k in range(people)]
        for future in futures:
            self.visits.append(future.result())

    def _one(self, number: int, *, quits: bool) -> Visit:
        rng = generator(11, f"person {number}")
        browser = Browser(self.servers, random.Random(number), timeout=self.timeout, patience=180)
        visitor = Visitor(
            browser,
            Person(rng),
            [PosedQuestion("slider", World(3), (0, 100))],
            pair,
            has_script=number % 4 != 0,
            quits_after=rng.randrange(0, 8) if quits else float("inf"),
            rethinks=0.1,
        )
        visitor.visit.acknowledged = Noting(self)
        visit = visitor.take_part(f"/take/{self.slug}/?PROLIFIC_PID=person{number}&SESSION_ID=s{number}&STUDY_ID=x")
        with self.lock:
            self.troubles.update(browser.troubles)
        return visit

    def write(self, path: Path) -> Path:
        path.write_text(json.dumps([asdict(one) for visit in self.visits for one in visit.acknowledged]))
        return path
