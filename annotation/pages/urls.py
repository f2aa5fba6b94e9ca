"""Addresses of results, for signed-in researchers."""

from collections.abc import Callable

from django.contrib import admin
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path

from annotation.pages import (
    adjudication_queue,
    answers,
    clean,
    data_card,
    items,
    launch,
    people,
    people_signs,
    people_to_look_at,
    plan,
    watch,
)
from annotation.pages import coding as coding_views
from annotation.pages import leaderboard as leaderboard_views
from annotation.pages import result_downloads as files
from annotation.pages import result_views as views
from annotation.pages.admin.records import records

app_name = "agreement"


def page(address: str, view: Callable[..., HttpResponseBase], name: str, **fixed: str) -> URLPattern:
    """A page behind the admin's own sign-in; `fixed` are arguments that its address doesn't name."""
    return path(address, admin.site.admin_view(view), fixed, name=name)


urlpatterns = [
    page("", views.index, "index"),
    page("<uuid:study>/", views.results, "results"),
    page("<uuid:study>/analyse/", views.analyse_page, "analyse"),
    *(page(f"<uuid:study>/{part}/", views.part_of_release, part, part=part) for part in views.PARTS),
    page("<uuid:study>/preview/", views.preview_rules, "preview"),
    page("<uuid:study>/job/", views.job_state, "job"),
    page("<uuid:study>/jobs/<uuid:job>/cancel/", views.cancel, "cancel"),
    page("<uuid:study>/participants/", files.download_participants, "participants"),
    page("<uuid:study>/notes.csv", files.download_notes, "notes"),
    page("<uuid:study>/releases/<int:number>/page/", files.report_page, "report"),
    page("<uuid:study>/releases/<int:number>/draw/", views.draw_report_again, "draw"),
    page("<uuid:study>/releases/<int:number>/figures/<slug:name>.svg", files.figure, "figure"),
    page("<uuid:study>/releases/<int:number>/<slug:export>/", files.download, "download"),
    page("<uuid:study>/models/", leaderboard_views.leaderboard, "leaderboard"),
    page("<uuid:study>/models/add/", leaderboard_views.add_model, "add_probe"),
    page("<uuid:study>/models/answers/", answers.answers, "answers"),
    page("<uuid:study>/models/answers/mapping.csv", answers.mapping, "answer_mapping"),
    page("<uuid:study>/models/score/", leaderboard_views.score_now, "score"),
    page("<uuid:study>/models/columns/", leaderboard_views.columns, "leaderboard_columns"),
    page("<uuid:study>/models/publish/", leaderboard_views.publish, "publish"),
    page("<uuid:study>/models/unpublish/", leaderboard_views.unpublish, "unpublish"),
    page("<uuid:study>/coding/", coding_views.coding, "coding"),
    page("<uuid:study>/coding/import/", coding_views.import_page, "import_coding"),
    page("<uuid:study>/coding/coding.csv", coding_views.download, "download_coding"),
    # The data card.
    page("<uuid:study>/card/", data_card.card, "card"),
    # Clean
    page("<uuid:study>/clean/", clean.clean, "clean"),
    page("<uuid:study>/clean/change/", clean.change, "change_rules"),
    page("<uuid:study>/jobs/<uuid:job>/", views.state_of_job, "job_state"),
    # Watch: a study while it is collected.
    page("<uuid:study>/watch/", watch.watch, "watch"),
    page("<uuid:study>/watch/notices/", watch.notices, "notices"),
    # Answers by item: all items, the contested ones first, and one item.
    page("<uuid:study>/items/", items.items, "items"),
    page("<uuid:study>/items/<uuid:item>/", items.item, "item"),
    page("<uuid:study>/adjudicate/", adjudication_queue.adjudication_queue, "adjudicate"),
    page("<uuid:study>/adjudications.csv", items.download_adjudications, "adjudications"),
    # People: everybody, and one person.
    page("<uuid:study>/people/", people.people, "people"),
    page("<uuid:study>/people/authenticity/import/", people_signs.import_page, "import_authenticity"),
    page("<uuid:study>/people/<slug:evidence>.csv", people_signs.download_signs, "download_signs"),
    page("<uuid:study>/people/<slug:pseudonym>/", people.person, "person"),
    page("<uuid:study>/people/<slug:pseudonym>/keep/", people_to_look_at.keep, "keep_person"),
    page("<uuid:study>/records/", records, "records"),
    # Launch
    page("<uuid:study>/launch/", launch.launch, "launch"),
    # Plan
    page("<uuid:study>/plan/", plan.plan, "plan"),
    page("<uuid:study>/exclude/", views.exclude_by_hand, "exclude"),
    page("<uuid:study>/exclusions/<int:exclusion>/lift/", views.lift_exclusion, "lift"),
]
