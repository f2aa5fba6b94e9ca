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
    questions,
    releases,
    studies,
    study_parts,
    webhooks,
)
from annotation.api.schema import documentation, schema
from annotation.api.views import ApiView

app_name = "api"


def api_path(address: str, view: type[ApiView]) -> URLPattern:
    return path(address, view.as_view(), name=view.name)


STUDY = "studies/<slug:study>/"
urlpatterns = [
    path("schema/", schema, name="schema"),
    path("docs/", documentation, name="docs"),
    api_path("me/", me.Me),
    api_path("presets/", presets.Presets),
    api_path("presets/<slug:preset>/", presets.OnePreset),
    api_path("studies/", studies.Studies),
    api_path(STUDY, studies.OneStudy),
    api_path(f"{STUDY}status/", studies.StudyStatus),
    api_path(f"{STUDY}duplicate/", studies.DuplicateStudy),
    api_path(f"{STUDY}archive/", studies.ArchiveStudy),
    api_path(f"{STUDY}restore/", studies.RestoreStudy),
    api_path(f"{STUDY}plan/", planning.Plan),
    api_path(f"{STUDY}checklist/", studies.StudyChecklist),
    api_path(f"{STUDY}progress/", progress.Progress),
    api_path(f"{STUDY}labels/", study_parts.Labels),
    api_path(f"{STUDY}questions/", questions.Questions),
    api_path(f"{STUDY}questions/<slug:question>/", questions.OneQuestion),
    api_path(f"{STUDY}check-quotas/", study_parts.Quotas),
    api_path(f"{STUDY}comprehension-questions/", study_parts.ComprehensionQuestions),
    api_path(f"{STUDY}end-questions/", study_parts.EndQuestions),
    api_path(f"{STUDY}items/", items.Items),
    api_path(f"{STUDY}items/import/", items.ImportItems),
    api_path(f"{STUDY}items/<uuid:item>/", items.OneItem),
    api_path(f"{STUDY}pictures/", items.Pictures),
    api_path(f"{STUDY}pictures/<slug:sha256>/", items.OnePicture),
    api_path(f"{STUDY}media/<slug:sha256>/", items.OneMedium),
    api_path(f"{STUDY}links/", links.Links),
    api_path(f"{STUDY}links/platform/", links.PlatformAddress),
    api_path(f"{STUDY}links/<int:link>/revoke/", links.RevokeLink),
    api_path(f"{STUDY}invitations/", links.Invitations),
    api_path(f"{STUDY}participants/", people.Participants),
    api_path(f"{STUDY}participants/<slug:pseudonym>/", people.OneParticipant),
    api_path(f"{STUDY}suspects/", people.Suspects),
    api_path(f"{STUDY}assignments/", people.Assignments),
    api_path(f"{STUDY}judgments/", judgments.Judgments),
    api_path(f"{STUDY}judgments/withdrawn/", judgments.WithdrawnJudgments),
    api_path(f"{STUDY}payments/", payments.Payments),
    api_path(f"{STUDY}rule-sets/", cleaning.RuleSets),
    api_path(f"{STUDY}cleaning/", cleaning.Runs),
    api_path(f"{STUDY}cleaning/preview/", cleaning.PreviewCleaning),
    api_path(f"{STUDY}cleaning/sweep/", cleaning.SweepCleaning),
    api_path(f"{STUDY}cleaning/<uuid:run>/verdicts/", cleaning.Verdicts),
    api_path(f"{STUDY}exclusions/", cleaning.Exclusions),
    api_path(f"{STUDY}exclusions/<int:exclusion>/lift/", cleaning.LiftExclusion),
    api_path(f"{STUDY}verdict/", releases.StudyVerdict),
    api_path(f"{STUDY}releases/", releases.Releases),
    api_path(f"{STUDY}releases/<int:number>/", releases.OneRelease),
    api_path(f"{STUDY}releases/<int:number>/report/", releases.Report),
    api_path(f"{STUDY}exports/<slug:what>/", exports.Export),
    api_path(f"{STUDY}probes/", models.Probes),
    api_path(f"{STUDY}probes/<uuid:probe>/", models.OneProbe),
    api_path(f"{STUDY}answers/", models.Answers),
    api_path(f"{STUDY}scores/", models.Scores),
    api_path(f"{STUDY}leaderboard/", models.LeaderboardOf),
    api_path(f"{STUDY}leaderboard/public/", models.PublicLeaderboardOf),
    api_path(f"{STUDY}webhooks/", webhooks.Webhooks),
    api_path(f"{STUDY}webhooks/<uuid:webhook>/", webhooks.OneWebhook),
    api_path(f"{STUDY}webhooks/<uuid:webhook>/deliveries/", webhooks.Deliveries),
    api_path(f"{STUDY}history/", history.History),
    api_path(f"{STUDY}jobs/", jobs.Jobs),
    api_path("jobs/<uuid:job>/", jobs.OneJob),
    api_path("jobs/<uuid:job>/cancel/", jobs.CancelJob),
    re_path(r"^(?P<rest>[\s\S]*)$", parsing.not_found, name="nothing"),
]
