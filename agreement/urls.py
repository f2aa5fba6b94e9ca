"""Addresses of results, for signed-in researchers."""

from collections.abc import Callable

from django.contrib import admin
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path

from agreement import leaderboard_views, views

app_name = "agreement"


def page(address: str, view: Callable[..., HttpResponseBase], name: str) -> URLPattern:
    """A page behind the admin's own sign-in."""
    return path(address, admin.site.admin_view(view), name=name)


urlpatterns = [
    page("", views.index, "index"),
    page("<uuid:study>/", views.results, "results"),
    page("<uuid:study>/analyse/", views.analyse_now, "analyse"),
    page("<uuid:study>/preview/", views.preview_rules, "preview"),
    page("<uuid:study>/job/", views.job_state, "job"),
    page("<uuid:study>/jobs/<uuid:job>/cancel/", views.cancel, "cancel"),
    page("<uuid:study>/participants/", views.download_participants, "participants"),
    page("<uuid:study>/releases/<int:number>/page/", views.report_page, "report"),
    page("<uuid:study>/releases/<int:number>/draw/", views.draw, "draw"),
    page("<uuid:study>/releases/<int:number>/figures/<slug:name>.svg", views.figure, "figure"),
    page("<uuid:study>/releases/<int:number>/<slug:what>/", views.download, "download"),
    page("<uuid:study>/models/", leaderboard_views.leaderboard, "leaderboard"),
    page("<uuid:study>/models/add/", leaderboard_views.add, "add_probe"),
    page("<uuid:study>/models/score/", leaderboard_views.score_now, "score"),
    page("<uuid:study>/models/publish/", leaderboard_views.publish, "publish"),
    page("<uuid:study>/models/unpublish/", leaderboard_views.unpublish, "unpublish"),
    page("<uuid:study>/exclude/", views.exclude_by_hand, "exclude"),
    page("<uuid:study>/exclusions/<int:exclusion>/lift/", views.lift_exclusion, "lift"),
]
