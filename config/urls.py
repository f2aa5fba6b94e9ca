"""The map: which part of the site answers at which address."""

from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

from agreement import leaderboard_views

urlpatterns = [
    path("admin/results/", include("agreement.urls")),
    path("admin/", admin.site.urls),
    path("leaderboard/<str:token>/", leaderboard_views.public, name="public_leaderboard"),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("", include("annotation.urls")),
]
