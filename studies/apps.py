"""The founding studies as a Django app: it has commands and neither models nor pages."""

from django.apps import AppConfig


class StudiesConfig(AppConfig):
    name = "studies"
    label = "founding_studies"
