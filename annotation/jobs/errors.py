"""What can end a job's work before it is done."""

from annotation.errors import TouchstoneError


class JobCancelled(TouchstoneError):
    """A person asked for it to stop."""


class ClaimLost(TouchstoneError):
    """Another worker has the job: this one was silent for too long, and nothing it does now may take effect."""


class TryAgain(TouchstoneError):
    """It may well work next time: something else came between."""


class UnknownJobKind(TouchstoneError):
    """No function of that name: this worker is older or newer than what asked for the job."""
