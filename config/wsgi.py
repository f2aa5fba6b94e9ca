"""The way in for web servers that speak WSGI; they need a proxy that buffers requests (docs/decisions/0014)."""

import os

from django.core.wsgi import get_wsgi_application

from config.serving import import_site, require_ready_database, require_serving_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
require_serving_settings()
application = get_wsgi_application()
require_ready_database()
import_site()
