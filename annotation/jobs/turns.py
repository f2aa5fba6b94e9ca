"""Whose turn it is: which of the queued jobs a free worker does next, so that nobody waits behind one person's many."""

import datetime as dt
from collections import Counter
from typing import TypeAlias

from django.db.models import Max
from django.utils import timezone

from annotation.jobs.claim import Claim, take
from annotation.models import Job

# A person, or a study where a job is nobody's.
Whose: TypeAlias = tuple[int | None, int | None]
# Who was served longer ago than this comes as early as who never was.
REMEMBERED = dt.timedelta(hours=1)


def take_next() -> Claim | None:
    """The right to do the job whose turn it is, or None where nothing waits.

    The race: two workers become free at once and read the same turn. One claims the job; the other's claim finds no
    row, so it reads again, and sees that this person has a job running now.
    """
    while (job_id := next_in_turn()) is not None:
        if claim := take(job_id):
            return claim
    return None


def next_in_turn() -> int | None:
    """The oldest job of the person with the fewest running; of several, of who was served longest ago."""
    now = timezone.now()
    waiting = list(Job.objects.waiting(now).order_by("created_at", "pk").values_list("pk", "created_by", "study"))
    if not waiting:
        return None
    running = _running()
    served = _served(now - REMEMBERED)
    never = dt.datetime.min.replace(tzinfo=dt.UTC)

    def turn(job: tuple[int, int | None, int | None]) -> tuple[int, dt.datetime]:
        whose = _whose(job[1], job[2])
        return running[whose], served.get(whose, never)

    return min(waiting, key=turn)[0]  # of equals the first, which is the oldest


def _whose(person: int | None, study: int | None) -> Whose:
    return (person, None) if person is not None else (None, study)


def _running() -> Counter[Whose]:
    rows = Job.objects.filter(status=Job.Status.RUNNING).order_by().values_list("created_by", "study")
    return Counter(_whose(person, study) for person, study in rows)


def _served(since: dt.datetime) -> dict[Whose, dt.datetime]:
    """When a worker was last at work for each. A job that waits again counts for nothing, though it was begun."""
    begun = Job.objects.exclude(status=Job.Status.QUEUED).filter(attempts__gte=1, touched_at__gte=since).order_by()
    last: dict[Whose, dt.datetime] = {}
    for person, study, at in begun.values_list("created_by", "study").annotate(last=Max("touched_at")):
        whose = _whose(person, study)
        last[whose] = max(at, last.get(whose, at))
    return last
