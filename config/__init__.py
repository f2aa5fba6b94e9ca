"""Settings, addresses and the doors that servers come in by."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
