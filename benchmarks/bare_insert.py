"""The site with one address more, for comparison: a Django view that inserts what was posted and does nothing else."""

from uuid import uuid4

from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from config.urls import urlpatterns as site

TABLE = "CREATE TABLE bare (id bigserial PRIMARY KEY, uuid uuid UNIQUE, number double precision, at timestamptz)"


@csrf_exempt
@require_POST
def insert(request: HttpRequest) -> HttpResponse:
    connection.health_check_done = True  # type: ignore[attr-defined]  # as saving does: not one statement more
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO bare (uuid, number, at) VALUES (%s, %s, %s) RETURNING id",
            [uuid4(), float(request.POST["number"]), timezone.now()],
        )
        cursor.fetchone()
    return JsonResponse({"saved": True})


urlpatterns = [*site, path("bare", insert)]
