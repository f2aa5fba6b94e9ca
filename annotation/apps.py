"""Annotation: collects judgments."""

from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, pre_migrate


class AnnotationConfig(AppConfig):
    name = "annotation"
    verbose_name = "Collecting"

    def ready(self) -> None:
        from annotation.database import triggers
        from annotation.database.private_file import keep_private

        connection_created.connect(keep_private, dispatch_uid="private file")
        pre_migrate.connect(triggers.before_migrating, sender=self)
        post_migrate.connect(triggers.after_migrating, sender=self)
