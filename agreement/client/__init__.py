"""A client of a site's API: https://…/api/v1/docs/ describes what it speaks to."""

from .client import Client
from .jobs import Job, JobFailed
from .problems import (
    ApiError,
    Conflict,
    Invalid,
    NotAllowed,
    NotFound,
    NotSignedIn,
    SiteError,
    TooManyRequests,
)
from .tables import Judgments

__all__ = [
    "ApiError",
    "Client",
    "Conflict",
    "Invalid",
    "Job",
    "JobFailed",
    "Judgments",
    "NotAllowed",
    "NotFound",
    "NotSignedIn",
    "SiteError",
    "TooManyRequests",
]
