"""Settings, addresses and the entry points of web servers."""

import agreement.blas_threads  # noqa: F401 - first, for it acts when numpy loads
from config.celery import app as celery_app

__all__ = ["celery_app"]
