"""A client of a site's API: https://…/api/v1/docs/ describes what it speaks to."""

from touchstone_annotation.client.client import Client
from touchstone_annotation.client.jobs import Job, JobFailed
from touchstone_annotation.client.judgments import Judgments
from touchstone_annotation.client.problems import (
    ApiError,
    Conflict,
    Invalid,
    NotAllowed,
    NotFound,
    NotSignedIn,
    SiteError,
    TooManyRequests,
)

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
