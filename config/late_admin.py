"""Django's admin, whose pages are imported with the site's addresses and not by every command.

With them come the analyses and all that they need: 1 s of a processor and 130 MB.
"""

from collections.abc import Sequence

from django.apps import AppConfig
from django.contrib.admin import autodiscover
from django.contrib.admin.apps import SimpleAdminConfig
from django.contrib.admin.checks import check_admin_app, check_dependencies
from django.core import checks


class LateAdminConfig(SimpleAdminConfig):
    def ready(self) -> None:
        checks.register(check_dependencies, checks.Tags.admin)
        checks.register(check_pages, checks.Tags.admin)


def check_pages(app_configs: Sequence[AppConfig] | None = None, **options: object) -> list[checks.CheckMessage]:
    """Of the pages that are there: they are imported first."""
    autodiscover()
    return list(check_admin_app(app_configs, **options))
