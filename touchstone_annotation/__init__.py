"""Touchstone: human judgments from crowds, cleaned by rules that anyone can check, and models measured against people.

`analyse` cleans and measures a data frame of judgments; `Client` speaks to a site's API.
"""

from agreement.cli.places import version as _version
from agreement.client import ApiError, Client
from agreement.frames.analysis import Analysis, analyse
from agreement.frames.errors import NothingKept, Refused, TouchstoneError

__all__ = ["Analysis", "ApiError", "Client", "NothingKept", "Refused", "TouchstoneError", "__version__", "analyse"]

__version__ = _version()
