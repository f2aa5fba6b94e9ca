"""The way in for granian, which serves the site in `make run` and in production (docs/decisions/0012)."""

import os

from django.core.wsgi import get_wsgi_application

from config.serving import require_serving_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
require_serving_settings()
site = get_wsgi_application()

from config.front import Front  # noqa: E402  it knows the site's addresses

application = Front(site)
