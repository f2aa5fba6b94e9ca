"""Touchstone: human judgments from crowds, cleaned by rules that anyone can check, and models measured against people.

`analyse` cleans and measures a data frame of judgments; `Client` speaks to a site's API.
"""

from touchstone_annotation.analysis import Analysis, analyse
from touchstone_annotation.client import ApiError, Client
from touchstone_annotation.errors import NothingKept, Refused, TouchstoneError
from touchstone_annotation.places import version as _version

__all__ = ["Analysis", "ApiError", "Client", "NothingKept", "Refused", "TouchstoneError", "__version__", "analyse"]

__version__ = _version()
