"""The map: which part of the site answers at which address."""

from django.contrib import admin
from django.urls import include, path

from agreement import leaderboard_views
from annotation.admin import accounts, log_in

urlpatterns = [
    path("admin/results/", include("agreement.urls")),
    path("admin/login/", log_in.LogInView.as_view()),  # what `admin:login` reverses to: before the admin's own
    path("admin/login/code/", log_in.code, name="log_in_code"),
    path("admin/second-factor/", admin.site.admin_view(accounts.second_factor), name="second_factor"),
    path("admin/second-factor/remove/", admin.site.admin_view(accounts.remove), name="remove_second_factor"),
    path("admin/", admin.site.urls),
    path("leaderboard/<str:token>/", leaderboard_views.public, name="public_leaderboard"),
    path("", include("annotation.urls")),
]
