"""Annotation: collects judgments."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class AnnotationConfig(AppConfig):
    name = "annotation"
    verbose_name = "Collecting"

    def ready(self) -> None:
        from annotation.database import triggers

        pre_migrate.connect(triggers.before_migrating, sender=self)
        post_migrate.connect(triggers.after_migrating, sender=self)
