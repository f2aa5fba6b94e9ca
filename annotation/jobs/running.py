"""A job is requested, runs when it is its turn, and ends or is stopped; the sweep sends lost ones again."""

import datetime as dt
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from celery import current_app
from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Max
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerUnreachable

from agreement.errors import PAGE, Refused, TouchstoneError
from agreement.typed_json import Json
from annotation.jobs.claim import (
    IMPORT,
    Claim,
    ClaimLost,
    JobCancelled,
    Progress,
    TryAgain,
    Work,
    keep_alive,
    take_job,
    work_of,
)
from annotation.models import AuditEntry, Job, Study, User
from annotation.web.broker import impatient_options

# A new job, a failed one again, or an end to one.

logger = logging.getLogger(__name__)
# The most that a request may lose to a broker that takes the connection and then says nothing.
PATIENCE_SECONDS = 0.5


@transaction.atomic
def request_job(*, kind: str, study: Study | None, parameters: Mapping[str, Json], by: User | None) -> Job:
    """The row of a new job, sent to a worker when the transaction commits; or the same job, if it still waits.

    The race: a double click asks twice at once. The lock on the study lets the second see the first one's row.
    """
    if study is not None:
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    same = Job.objects.filter(kind=kind, study=study, parameters=parameters, status=Job.Status.QUEUED)
    job = same.first() or Job.objects.create(kind=kind, study=study, parameters=parameters, created_by=by)
    transaction.on_commit(partial(send_job, job.pk))
    return job


@transaction.atomic
def retry_job(*, job: Job, by: User | None) -> Job:
    """A new job that does a failed one again, entered in the study's record; asked twice, the same new job.

    The race: a double click asks twice at once. The lock on the study lets the second see the first one's row.
    """
    if job.study is None:
        raise Refused("This is a job of the site itself: it runs again by itself.")
    if job.kind == IMPORT:
        raise Refused("The file of this import was deleted when the job ended: upload it again.")
    Study.objects.select_for_update(no_key=True).get(pk=job.study.pk)
    again = Job.objects.filter(retry_of=job).first()
    if again is not None:
        return again
    job.refresh_from_db(fields=["status"])
    if job.status != Job.Status.FAILED:
        raise Refused(f"This job is {job.get_status_display().lower()}: only a failed job can be started again.")
    again = Job.objects.create(kind=job.kind, study=job.study, parameters=job.parameters, created_by=by, retry_of=job)
    detail = {"job done again": job.kind, "failed job": str(job.uuid), "new job": str(again.uuid)}
    AuditEntry.objects.create(study=job.study, by=by, action=AuditEntry.Action.CHANGED, detail=detail)
    transaction.on_commit(partial(send_job, again.pk))
    return again


def cancel_job(*, job: Job) -> None:
    """A queued job ends here; a running one at its worker's next look, unless it is done before."""
    Job.objects.filter(pk=job.pk).unfinished().update(is_cancel_wanted=True)
    now = timezone.now()
    Job.objects.filter(pk=job.pk, status=Job.Status.QUEUED).update(status=Job.Status.CANCELLED, finished_at=now)


def send_job(job_id: int) -> bool:
    """Tells the workers of a job. A silent broker neither fails nor delays whoever asked: the sweep sends again."""
    options = impatient_options(PATIENCE_SECONDS)
    try:
        with current_app.connection_for_write(connect_timeout=PATIENCE_SECONDS, transport_options=options) as broker:
            current_app.send_task("annotation.tasks.run_job", args=[job_id], connection=broker, retry=False)
    except BrokerUnreachable as error:
        logger.warning("job %s could not be sent (%s); the sweep will send it", job_id, error)
        return False
    return True


# The sweep: finds jobs whose message was lost or whose worker died, and sends them again.

# At most so many at once: a broker that was down for a day gets them back in portions.
PORTION = 200


@dataclass(frozen=True, slots=True)
class SweepCounts:
    sent: int
    given_up: int


def sweep() -> SweepCounts:
    sent = given_up = 0
    for job in Job.objects.to_send_again(settings.JOB_SILENCE_SECONDS).order_by("touched_at")[:PORTION]:
        # The race: between the reading and this update a worker may touch, end or claim the job, or another sweep may
        # have it. Then the row is no longer as it was read, and it is left to them.
        as_read = Job.objects.filter(pk=job.pk, status=job.status, attempts=job.attempts, touched_at=job.touched_at)
        now = timezone.now()
        if job.status == Job.Status.RUNNING and job.is_cancel_wanted:
            as_read.update(status=Job.Status.CANCELLED, finished_at=now)
        elif job.status == Job.Status.RUNNING and job.attempts >= settings.JOB_ATTEMPTS:
            given_up += as_read.update(status=Job.Status.FAILED, error=_deaths(job), finished_at=now)
        elif as_read.update(status=Job.Status.QUEUED, touched_at=now) == 1:
            sent += send_job(job.pk)
    return SweepCounts(sent, given_up)


def _deaths(job: Job) -> str:
    return (
        f"The worker ended {job.attempts} times in the middle of this job, and it is not tried again. "
        "Its memory may not be enough for a study of this size: the worker's and the system's log say more."
    )


# Whose turn it is: which of the queued jobs a free worker does next, so that nobody waits behind one person's many.

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
        if claim := take_job(job_id):
            return claim
    return None


def next_in_turn() -> int | None:
    """The oldest job of the person with the fewest running; of several, of who was served longest ago."""
    now = timezone.now()
    waiting = list(Job.objects.waiting(now).order_by("created_at", "pk").values_list("pk", "created_by", "study"))
    if not waiting:
        return None
    running = _running_by_owner()
    served = _last_served_by_owner(now - REMEMBERED)
    never = dt.datetime.min.replace(tzinfo=dt.UTC)

    def turn(job: tuple[int, int | None, int | None]) -> tuple[int, dt.datetime]:
        whose = _owner_of(job[1], job[2])
        return running[whose], served.get(whose, never)

    return min(waiting, key=turn)[0]  # of equals the first, which is the oldest


def _owner_of(person: int | None, study: int | None) -> Whose:
    return (person, None) if person is not None else (None, study)


def _running_by_owner() -> Counter[Whose]:
    rows = Job.objects.filter(status=Job.Status.RUNNING).order_by().values_list("created_by", "study")
    return Counter(_owner_of(person, study) for person, study in rows)


def _last_served_by_owner(since: dt.datetime) -> dict[Whose, dt.datetime]:
    """When a worker was last at work for each. A job that waits again counts for nothing, though it was begun."""
    begun_jobs = Job.objects.exclude(status=Job.Status.QUEUED).filter(attempts__gte=1, touched_at__gte=since).order_by()
    last: dict[Whose, dt.datetime] = {}
    for person, study, touched_at in begun_jobs.values_list("created_by", "study").annotate(last=Max("touched_at")):
        whose = _owner_of(person, study)
        last[whose] = max(touched_at, last.get(whose, touched_at))
    return last


# The work, and how it ended.

# The database went away, or another writer held it for too long.
PASSING = (OperationalError, InterfaceError, TryAgain)
REASONS_KEPT = 2_000  # as many as a page shows


def run_job(job_id: int, watch: Callable[[float], None] | None = None) -> None:
    """Does this queued job. Does nothing if it isn't queued."""
    claim = take_job(job_id)
    if claim is not None:
        _do_work(claim, watch)


def run_next() -> None:
    """Does the queued job whose turn it is. Does nothing if none waits, so a message that comes twice does no harm."""
    claim = take_next()
    if claim is not None:
        _do_work(claim)


def _do_work(claim: Claim, watch: Callable[[float], None] | None = None, work: Work | None = None) -> None:
    job = Job.objects.select_related("study", "created_by").get(pk=claim.job_id)
    progress = Progress(claim, watch)
    with keep_alive(claim):
        try:
            progress.stop_if_cancelled()
            result = (work or work_of(job.kind))(job, progress)
            if not progress.is_finished:
                with progress.finishing(result):
                    pass
        except ClaimLost as lost:
            logger.warning("%s", lost)
        except JobCancelled as cancelled:
            _end_job(claim, Job.Status.CANCELLED, str(cancelled))
        except PASSING as error:
            _hand_back_or_fail(claim, error)
        except TouchstoneError as error:
            _end_job(claim, Job.Status.FAILED, _readable_error(error))
        except Exception as error:
            logger.exception("job %s failed", job.pk)
            _end_job(claim, Job.Status.FAILED, f"{type(error).__name__}: {error}")
        except BaseException:  # the worker is told to stop: another may take the job at once
            claim.update(status=Job.Status.QUEUED)
            raise


def run_here(
    *,
    kind: str,
    study: Study | None,
    parameters: Mapping[str, Json],
    by: User | None,
    watch: Callable[[float], None] | None = None,
    work: Work | None = None,
) -> Job:
    """Does a job in this process, for commands: a row like any other, so that a killed command's work is taken up.

    `work` is the work of its kind with what the command has found already, which another process would find anew.
    """
    # The race: queued first, it would be the next turn of a worker that becomes free between this line and the next.
    running = {"status": Job.Status.RUNNING, "attempts": 1}
    job = Job.objects.create(kind=kind, study=study, parameters=parameters, created_by=by, **running)
    try:
        _do_work(Claim(job.pk, 1), watch, work)
    except KeyboardInterrupt:
        cancel_job(job=job)
        raise
    job.refresh_from_db()
    return job


def _end_job(claim: Claim, status: Job.Status, error: str) -> None:
    claim.update(status=status, error=error, finished_at=timezone.now())


def _hand_back_or_fail(claim: Claim, error: Exception) -> None:
    """Queued again, but not sent: the sweep does that after a while, which is the pause that such failures need."""
    sentence = f"Attempt {claim.attempt}: {type(error).__name__}: {error}"
    logger.warning("job %s: %s", claim.job_id, sentence)
    if claim.attempt < settings.JOB_ATTEMPTS:
        rest = dt.timedelta(seconds=settings.JOB_SILENCE_SECONDS)
        claim.update(status=Job.Status.QUEUED, error=sentence, not_before=timezone.now() + rest)
    else:
        _end_job(claim, Job.Status.FAILED, f"Given up. {sentence}")


def _readable_error(error: TouchstoneError) -> str:
    if not isinstance(error, Refused):
        return str(error)
    kept = [reason for reason, _ in zip(error.words(PAGE), range(REASONS_KEPT), strict=False)]
    more = len(error.words(PAGE)) - len(kept)
    return "\n".join([*kept, *([f"… and {more:,} more"] if more else [])])
