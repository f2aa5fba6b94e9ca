"""The app of gold and scores; its label is `agreement`, which the names of its tables begin with."""

from django.apps import AppConfig


class ReleasesConfig(AppConfig):
    name = "annotation.releases"
    label = "agreement"
    verbose_name = "Gold and scores"

    def ready(self) -> None:
        pass
