"""Agreement: turns judgments into gold and scores."""

from django.apps import AppConfig


class AgreementConfig(AppConfig):
    name = "agreement"
    verbose_name = "Gold and scores"
