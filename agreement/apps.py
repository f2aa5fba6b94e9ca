"""Agreement: turns judgments into gold and scores."""

from django.apps import AppConfig


class AgreementConfig(AppConfig):
    name = "agreement"
    verbose_name = "Gold and scores"

    def ready(self) -> None:
        from agreement import erasing, metric_names  # noqa: F401 - they register what is erased and computed here
