"""Jobs: work that must happen is a row; Celery only carries its number to a worker, and a lost message is sent again.
A message says that there is work, not which: a worker does the job whose turn it is, person by person (running.py).

request_job -> a row, queued -> a message, on commit -> run_next claims a row -> the kind's function works
                    ^                                          |
                    +-- sweep: lost messages, dead workers ----+
"""

from annotation.jobs.claim import IMPORT, ClaimLost, JobCancelled, Progress, TryAgain, UnknownJobKind, Work, job_kind
from annotation.jobs.running import SweepCounts, cancel_job, request_job, retry_job, run_here, run_job, run_next, sweep

__all__ = [
    "IMPORT",
    "ClaimLost",
    "JobCancelled",
    "Progress",
    "SweepCounts",
    "TryAgain",
    "UnknownJobKind",
    "Work",
    "cancel_job",
    "job_kind",
    "request_job",
    "retry_job",
    "run_here",
    "run_job",
    "run_next",
    "sweep",
]
