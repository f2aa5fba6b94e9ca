"""Addresses in the order of an annotator's journey."""

from django.urls import path, re_path

from annotation.answering.views import endings, entering, finishing, judging, media, previewing
from annotation.web.unavailable import health

app_name = "annotation"
urlpatterns = [
    path("", entering.front_page, name="front"),
    path("health", health, name="health"),
    path("preview/<slug:slug>/", previewing.preview, name="preview"),
    # The parts of a page of questions are the same as under a/: its script adds them to its address.
    path("preview/<slug:slug>/questions/", previewing.preview, name="preview-questions"),
    path("preview/<slug:slug>/questions/save/", previewing.forget_answer, name="preview-save"),
    path("preview/<slug:slug>/questions/pages/<int:first>/", previewing.more_pages, name="preview-more-pages"),
    path("preview/<slug:slug>/questions/overview/", previewing.overview, name="preview-overview"),
    path("preview/<slug:slug>/questions/finish/", previewing.preview_page, {"key": "finish"}, name="preview-finish"),
    path("preview/<slug:slug>/questions/<int:number>/", previewing.preview_question, name="preview-question"),
    # No short name has such a sign: the form of a study shows a page of it before it is saved.
    path("preview/~/", previewing.stay, name="unsaved"),
    path("preview/~/save/", previewing.forget_answer, {"slug": ""}, name="unsaved-save"),
    path("preview/~/finish/", previewing.stay, name="unsaved-finish"),
    path("preview/<slug:slug>/<slug:key>/", previewing.preview_page, name="preview-page"),
    path("take/<slug:slug>/", entering.platform_entry, name="take"),
    path("join/<slug:link_token>/", entering.link_entry, name="join"),
    path("p/<str:token>/", entering.next_page, name="next"),
    path("p/<str:token>/consent/", entering.consent, name="consent"),
    path("p/<str:token>/instructions/", entering.instructions, name="instructions"),
    path("p/<str:token>/questions/", entering.comprehend, name="comprehend"),
    path("a/<str:token>/", judging.resume, name="resume"),
    path("a/<str:token>/<int:number>/", judging.judge, name="judge"),
    path("a/<str:token>/pages/<int:first>/", judging.more_pages, name="more-pages"),
    path("a/<str:token>/overview/", judging.overview, name="overview"),
    path("a/<str:token>/save/", judging.save, name="save"),
    path("a/<str:token>/finish/", finishing.finish, name="finish"),
    path("p/<str:token>/done/", finishing.done, name="done"),
    path("withdraw/<str:token>/", endings.withdraw, name="withdraw"),
    re_path(r"^picture/(?P<sha256>[0-9a-f]{64})$", media.picture, name="picture"),
    re_path(r"^picture/(?P<sha256>[0-9a-f]{64})/small$", media.small_picture, name="small-picture"),
    re_path(r"^medium/(?P<sha256>[0-9a-f]{64})$", media.medium, name="medium"),
]
