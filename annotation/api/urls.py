"""Addresses of the API, version 1. They only ever grow: docs/openapi.json is held against them by a test."""

from django.urls import path, re_path
from django.urls.resolvers import URLPattern

from annotation.api import parsing
from annotation.api.resources import (
    cleaning,
    exports,
    history,
    items,
    jobs,
    judgments,
    links,
    me,
    models,
    payments,
    people,
    planning,
    presets,
    progress,
    releases,
    studies,
    study_parts,
    webhooks,
)
from annotation.api.schema import documentation, schema
from annotation.api.views import ApiView

app_name = "api"


def at(address: str, view: type[ApiView]) -> URLPattern:
    return path(address, view.as_view(), name=view.name)


STUDY = "studies/<slug:study>/"
urlpatterns = [
    path("schema/", schema, name="schema"),
    path("docs/", documentation, name="docs"),
    at("me/", me.Me),
    at("presets/", presets.Presets),
    at("presets/<slug:preset>/", presets.OnePreset),
    at("studies/", studies.Studies),
    at(STUDY, studies.OneStudy),
    at(f"{STUDY}status/", studies.StudyStatus),
    at(f"{STUDY}duplicate/", studies.DuplicateStudy),
    at(f"{STUDY}archive/", studies.ArchiveStudy),
    at(f"{STUDY}restore/", studies.RestoreStudy),
    at(f"{STUDY}plan/", planning.Plan),
    at(f"{STUDY}checklist/", studies.StudyChecklist),
    at(f"{STUDY}progress/", progress.Progress),
    at(f"{STUDY}labels/", study_parts.Labels),
    at(f"{STUDY}check-quotas/", study_parts.Quotas),
    at(f"{STUDY}comprehension-questions/", study_parts.ComprehensionQuestions),
    at(f"{STUDY}end-questions/", study_parts.EndQuestions),
    at(f"{STUDY}items/", items.Items),
    at(f"{STUDY}items/import/", items.ImportItems),
    at(f"{STUDY}items/<uuid:item>/", items.OneItem),
    at(f"{STUDY}pictures/", items.Pictures),
    at(f"{STUDY}pictures/<slug:sha256>/", items.OnePicture),
    at(f"{STUDY}links/", links.Links),
    at(f"{STUDY}links/platform/", links.PlatformAddress),
    at(f"{STUDY}links/<int:link>/revoke/", links.RevokeLink),
    at(f"{STUDY}invitations/", links.Invitations),
    at(f"{STUDY}participants/", people.Participants),
    at(f"{STUDY}participants/<slug:pseudonym>/", people.OneParticipant),
    at(f"{STUDY}assignments/", people.Assignments),
    at(f"{STUDY}judgments/", judgments.Judgments),
    at(f"{STUDY}judgments/withdrawn/", judgments.WithdrawnJudgments),
    at(f"{STUDY}payments/", payments.Payments),
    at(f"{STUDY}rule-sets/", cleaning.RuleSets),
    at(f"{STUDY}cleaning/", cleaning.Runs),
    at(f"{STUDY}cleaning/preview/", cleaning.PreviewCleaning),
    at(f"{STUDY}cleaning/sweep/", cleaning.SweepCleaning),
    at(f"{STUDY}cleaning/<uuid:run>/verdicts/", cleaning.Verdicts),
    at(f"{STUDY}exclusions/", cleaning.Exclusions),
    at(f"{STUDY}exclusions/<int:exclusion>/lift/", cleaning.LiftExclusion),
    at(f"{STUDY}releases/", releases.Releases),
    at(f"{STUDY}releases/<int:number>/", releases.OneRelease),
    at(f"{STUDY}releases/<int:number>/report/", releases.Report),
    at(f"{STUDY}exports/<slug:what>/", exports.Export),
    at(f"{STUDY}probes/", models.Probes),
    at(f"{STUDY}probes/<uuid:probe>/", models.OneProbe),
    at(f"{STUDY}scores/", models.Scores),
    at(f"{STUDY}leaderboard/", models.LeaderboardOf),
    at(f"{STUDY}leaderboard/public/", models.PublicLeaderboardOf),
    at(f"{STUDY}webhooks/", webhooks.Webhooks),
    at(f"{STUDY}webhooks/<uuid:webhook>/", webhooks.OneWebhook),
    at(f"{STUDY}webhooks/<uuid:webhook>/deliveries/", webhooks.Deliveries),
    at(f"{STUDY}history/", history.History),
    at(f"{STUDY}jobs/", jobs.Jobs),
    at("jobs/<uuid:job>/", jobs.OneJob),
    at("jobs/<uuid:job>/cancel/", jobs.CancelJob),
    re_path(r"^(?P<rest>[\s\S]*)$", parsing.not_found, name="nothing"),
]
