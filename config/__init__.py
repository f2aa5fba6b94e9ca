"""Settings, addresses and the doors that servers come in by."""

import config.arithmetic  # noqa: F401 - first, for it acts when numpy loads
from config.celery import app as celery_app

__all__ = ["celery_app"]
