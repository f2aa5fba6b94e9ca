"""The map: which part of the site answers at which address."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path

from annotation.media.institution import logo_file
from annotation.pages import leaderboard as leaderboard_views
from annotation.pages.admin import accounts, log_in

admin.autodiscover()  # config/late_admin.py

urlpatterns = [
    path("admin/results/", include("annotation.pages.urls")),
    path("admin/login/", log_in.LogInView.as_view()),  # what `admin:login` reverses to: before the admin's own
    path("admin/login/code/", log_in.code, name="log_in_code"),
    path("admin/second-factor/", admin.site.admin_view(accounts.second_factor), name="second_factor"),
    path("admin/second-factor/remove/", admin.site.admin_view(accounts.remove), name="remove_second_factor"),
    path("admin/tokens/", admin.site.admin_view(accounts.api_tokens), name="api_tokens"),
    path("admin/tokens/<int:pk>/revoke/", admin.site.admin_view(accounts.revoke_api_token), name="revoke_api_token"),
    *(
        [path("admin/sso/", include("allauth.socialaccount.providers.openid_connect.urls"))]
        if settings.OIDC_PROVIDERS
        else []
    ),
    path("admin/", admin.site.urls),
    path("api/v1/", include("annotation.api.urls")),
    path("leaderboard/<str:token>/", leaderboard_views.public, name="public_leaderboard"),
    path("institution/<str:sha256>/", logo_file, name="institution_logo"),
    path("", include("annotation.answering.urls")),
]

handler400 = "annotation.web.errors.bad_request"
handler404 = "annotation.web.errors.page_not_found"
handler500 = "annotation.web.errors.server_error"
