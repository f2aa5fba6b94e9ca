"""The way in for granian, which serves the site in `make run` and in production (docs/decisions/0014)."""

import os

from django.core.wsgi import get_wsgi_application

from annotation.accounts.request_bodies import Front, has_token_in_force
from config.serving import require_ready_database, require_serving_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
require_serving_settings()
application = Front(get_wsgi_application(), has_token_in_force)
require_ready_database()
