"""Agreement: turns judgments into gold and scores."""

from django.apps import AppConfig


class AgreementConfig(AppConfig):
    name = "agreement"
    verbose_name = "Gold and scores"

    def ready(self) -> None:
        from agreement import erasing  # noqa: F401 - registers what a withdrawal erases here
