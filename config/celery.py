"""The Celery application: it only runs jobs that are rows in the database already."""

import os

from celery import Celery
from celery.signals import worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("touchstone")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def refuse_what_cannot_be_served(**_: object) -> None:
    from config.serving import import_site, require_ready_database, require_serving_settings

    require_serving_settings()
    require_ready_database()
    import_site()
