"""The smallest Django site with our middleware's weight left out: one view that answers, one that inserts a row."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import path

from config import environment

if not settings.configured:
    settings.configure(
        SECRET_KEY="not a secret: this site keeps nothing",  # noqa: S106
        ALLOWED_HOSTS=["127.0.0.1"],
        ROOT_URLCONF=__name__,
        MIDDLEWARE=["django.middleware.common.CommonMiddleware"],  # sets Content-Length
        DATABASES={
            "default": {
                **environment.database(f"sqlite:///{os.environ['BENCHMARK_DATABASE']}"),
                "CONN_MAX_AGE": None,
            }
        },
    )


def hello(_request: HttpRequest) -> HttpResponse:
    return HttpResponse("hello")


def insert(_request: HttpRequest) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO row (number) VALUES (0.5)")
    return HttpResponse("saved")


urlpatterns = [path("", hello), path("insert", insert)]
application = get_wsgi_application()
