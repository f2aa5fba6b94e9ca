"""The entry point of web servers that speak ASGI."""

import os

from django.core.asgi import get_asgi_application

from config.serving import import_site, require_ready_database, require_serving_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
require_serving_settings()
application = get_asgi_application()
require_ready_database()
import_site()
