"""The site with one address more, for comparison: a Django view that inserts what was posted and does nothing else."""

from uuid import uuid4

from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from config.urls import urlpatterns as site

IDS = {"postgresql": "bigserial", "sqlite": "integer"}
TABLE = "CREATE TABLE bare (id {} PRIMARY KEY, uuid uuid UNIQUE, number double precision, at timestamptz)"


@csrf_exempt
@require_POST
def insert(request: HttpRequest) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO bare (uuid, number, at) VALUES (%s, %s, %s) RETURNING id",
            [str(uuid4()), float(request.POST["number"]), timezone.now().isoformat()],
        )
        cursor.fetchone()
    return JsonResponse({"saved": True})


def make_table() -> None:
    with connection.cursor() as cursor:
        cursor.execute(TABLE.format(IDS[connection.vendor]))


urlpatterns = [*site, path("bare", insert)]
