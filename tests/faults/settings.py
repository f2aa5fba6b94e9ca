"""The site's settings, with kinds of job that take as long as a test wants."""

from config.settings import *  # noqa: F403

CELERY_IMPORTS = ["tests.faults.work"]
