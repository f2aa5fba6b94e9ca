"""What must be set before anything is served: the web server and the worker both ask here and stop if it is missing."""

import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.environment import PREFIX


def missing_settings() -> list[str]:
    missing = []
    try:
        bool(settings.SECRET_KEY)
    except ImproperlyConfigured:  # Django's own word for an empty key
        missing.append(f"{PREFIX}SECRET_KEY (a long random text; keep it the same over restarts)")
    if not settings.ALLOWED_HOSTS:
        missing.append(f"{PREFIX}ALLOWED_HOSTS (the names people reach this site by, with commas between)")
    return missing


def require_serving_settings() -> None:
    if missing := missing_settings():
        sys.exit("Touchstone does not start: set " + " and ".join(missing) + ". docs/deploy.md explains them.")
