"""Which function does the work of which kind of job."""

from collections.abc import Callable
from typing import Any, TypeAlias

from annotation.jobs.errors import UnknownJobKind
from annotation.jobs.progress import Progress
from annotation.models import Job

# Returns what is to be known of the result (for the job's row), and may run twice with no harm: it may have been half
# done before by a worker that died. Effects are written inside `progress.writing()` or `progress.finishing()`.
Work: TypeAlias = Callable[[Job, Progress], dict[str, Any]]

# Imports a stored file of items. The file is deleted when the job has ended, so it is never done again as it was.
IMPORT = "import"

_WORK: dict[str, Work] = {}


def job_kind(name: str) -> Callable[[Work], Work]:
    """Registers a function as the work of jobs of that kind."""

    def register(work: Work) -> Work:
        _WORK[name] = work
        return work

    return register


def work_of(kind: str) -> Work:
    if kind not in _WORK:
        known = ", ".join(sorted(_WORK)) or "none"
        raise UnknownJobKind(f"No worker here can do a job of kind '{kind}' (known: {known}). Is its code up to date?")
    return _WORK[kind]
