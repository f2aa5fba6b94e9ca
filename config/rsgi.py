"""The way in for granian, which serves the site in `make run` and in production (docs/decisions/0014)."""

import os

from django.core.wsgi import get_wsgi_application

from annotation.accounts.request_bodies import Front
from config.serving import require_ready_database, require_serving_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
require_serving_settings()
site = get_wsgi_application()

from annotation.accounts.large_bodies import sender_of  # noqa: E402  the models are there once the site is

application = Front(site, sender_of)
require_ready_database()
