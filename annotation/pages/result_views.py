"""The results of a study, for signed-in researchers: figures, evidence, downloads, analysing again, exclusions."""

import io
import zipfile
from collections.abc import Iterator
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, Subquery
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from annotation.accounts.permissions import Right, may, studies_where
from annotation.jobs import cancel_job, request_job
from annotation.models import Study
from annotation.pages.admin.base import posted, study_asked, study_page, user_of
from annotation.pages.admin.forms import ReasonForm
from annotation.pages.clean import analyse
from annotation.pages.result_forms import AnalyseForm, ExcludeForm
from annotation.pages.results import (
    RELEASES_SHOWN,
    REMOVED_SHOWN,
    absent_from_card,
    latest_job,
    lifted_in,
    release_asked_for,
    removed_from,
    results_of,
)
from annotation.releases.actions.releasing import published_names
from annotation.releases.actions.rule_sets import AlreadyExcluded, AlreadyLifted, LiftedExclusion, exclude, lift
from annotation.releases.actions.trying_rules import preview
from annotation.releases.exports.export_choice import (
    KEY,
    OF_A_RELEASE,
    OF_ALL_QUESTIONS,
    PUBLISHED,
    file_name,
    record_export,
    stream,
)
from annotation.releases.exports.export_files import in_one_moment
from annotation.releases.exports.release_tables import COUNT
from annotation.releases.models import Exclusion, GoldRelease, ReleaseReport
from annotation.releases.tasks import REPORT, SCORE, TRY
from annotation.web.responses import Download

DOWNLOADS = (
    ("gold", "gold.csv", "the gold labels, one row per item"),
    ("judgments", "judgments.csv", "every judgment: kept, or excluded with the reason"),
    ("workers", "workers.csv", "every worker, under a pseudonym, with checks and evidence"),
    ("similarity-matrix", "similarity-matrix.csv", "how similar people find each two terms, as a matrix"),
    ("labels", "labels.csv", "how many people gave each label to each item"),
    ("wide", "wide.csv", "the kept judgments, one row per item and one column per worker"),
    ("norms", "norms.csv", "the gold as norms: how many people named each feature of each concept"),
    ("report", "report.zip", "the report page, figures and tables for a paper"),
    ("bundle", "bundle.zip", "all of these files, with the rules and the command that computes every figure again"),
    ("published-bundle", "published-bundle.zip", "the bundle as everybody may have it: people are w01, w02, …"),
    ("published-key", "published-key.csv", "who is who in the published bundle; keep it to yourself"),
)


def index(request: HttpRequest) -> HttpResponse:
    """Every study that the person may see, with its latest release."""
    latest = GoldRelease.objects.filter(study=OuterRef("pk")).order_by("-number")
    studies = (
        studies_where(request.user, Right.LOOK)
        .filter(archived_at=None)
        .annotate(
            n_releases=Subquery(latest.values("number")[:1]), released_at=Subquery(latest.values("created_at")[:1])
        )
    )
    context = {"title": "Results", "studies": studies.order_by("-created_at")}
    return render(request, "results/index.html", {**admin.site.each_context(request), **context})


def results(request: HttpRequest, study: UUID) -> HttpResponse:
    return _results_page(request, study_asked(request, Right.LOOK, study))


def _results_page(request: HttpRequest, study: Study, form: AnalyseForm | None = None) -> HttpResponse:
    """The page as it is, or with the form at its top, as it was filled in: it was refused, or is to be changed."""
    release = release_asked_for(study, request.GET.get("release", ""))
    removed = removed_from(study, None if release is None else release.run)
    n_excluded = sum(each.exclusion is not None for each in removed)
    context = {
        "results": None if release is None else results_of(release),
        "removed": removed[:REMOVED_SHOWN],
        "n_removed": len(removed),
        "n_excluded": n_excluded,
        "n_included": len(removed) - n_excluded,
        "lifted": lifted_in(study),
        "releases": study.releases.select_related("run__rule_set", "created_by").order_by("-number")[:RELEASES_SHOWN],
        "job": latest_job(study),
        "downloads": [] if release is None else _downloads(request, release),
        "absent_from_card": absent_from_card(study),
        "form": form or AnalyseForm(study=study),
        "is_form_first": form is not None,
    }
    page, status = "results/results.html", 422 if form is not None and form.errors else 200
    return study_page(request, study, page, context, section="results", title="Results", status=status)


@require_POST
def analyse_now(request: HttpRequest, study: UUID) -> HttpResponse:
    """Queues the analysis, once the person has agreed to whom it would include again. With `change` in what was sent
    the person goes back to the form, and finds it as they had filled it in.
    """
    this_study = study_asked(request, Right.CHANGE, study)
    form = AnalyseForm(request.POST, study=this_study)
    if not form.is_valid() or "change" in request.POST:
        return _results_page(request, this_study, form)
    return analyse(request, this_study, form, section="results")


@require_POST
def preview_rules(request: HttpRequest, study: UUID) -> HttpResponse:
    """What the rules would do, before they do it."""
    this_study = study_asked(request, Right.CHANGE, study)
    form = AnalyseForm(request.POST, study=this_study)
    if not form.is_valid():
        return _results_page(request, this_study, form)
    context = {"form": form, "rules": form.rule_set, "preview": preview(study=this_study, rules=form.rule_set)}
    return study_page(request, this_study, "results/preview.html", context, section="results", title="Preview")


def _downloads(request: HttpRequest, release: GoldRelease) -> list[tuple[str, str, str]]:
    may_have_key = may(request.user, Right.CHANGE, release.study)
    return [each for each in DOWNLOADS if _has_export(each[0], release) and (each[0] != KEY or may_have_key)]


def _has_export(export: str, release: GoldRelease) -> bool:
    if export == "labels":
        return any(name.startswith(COUNT) for name in release.columns)
    if export == "norms":
        return release.study.question_kind.has_properties
    if export == "report":
        return ReleaseReport.objects.filter(release=release).exists()
    return export != "similarity-matrix" or release.published.results.similarity_matrix is not None


def job_state(request: HttpRequest, study: UUID) -> JsonResponse:
    """What the page asks for while a job is queued or running."""
    job = latest_job(study_asked(request, Right.LOOK, study))
    state = None if job is None else {"job": str(job.uuid), "status": job.status, "progress": round(job.progress, 3)}
    return JsonResponse(state or {}, headers={"Cache-Control": "no-store"})


def state_of_job(request: HttpRequest, study: UUID, job: UUID) -> JsonResponse:
    """The same of one job, whatever has been started since."""
    this_job = get_object_or_404(study_asked(request, Right.LOOK, study).jobs, uuid=job)
    state = {"job": str(this_job.uuid), "status": this_job.status, "progress": round(this_job.progress, 3)}
    return JsonResponse(state, headers={"Cache-Control": "no-store"})


@require_POST
def cancel(request: HttpRequest, study: UUID, job: UUID) -> HttpResponse:
    this_study = study_asked(request, Right.CHANGE, study)
    cancelled = get_object_or_404(this_study.jobs, uuid=job)
    cancel_job(job=cancelled)
    messages.success(request, "The job is being stopped.")
    if cancelled.kind == TRY:
        return redirect(f"{reverse('agreement:clean', args=[this_study.uuid])}?job={cancelled.uuid}#tried")
    return redirect("agreement:leaderboard" if cancelled.kind == SCORE else "agreement:results", this_study.uuid)


def download(request: HttpRequest, study: UUID, number: int, export: str) -> Download:
    """A release's file, entered in the study's record."""
    this_study = study_asked(request, Right.LOOK, study)
    if export not in OF_A_RELEASE:
        raise Http404(f"There is no download '{export}'. The downloads are: {', '.join(OF_A_RELEASE)}.")
    if export == KEY and not may(request.user, Right.CHANGE, this_study):
        raise PermissionDenied("Your role in this study does not allow that.")
    release = get_object_or_404(
        this_study.releases.select_related("study", "run__rule_set", "run__study"), number=number
    )
    with_participants = export == "bundle" and request.GET.get("participants") == "1"
    if not _has_export(export, release):
        raise Http404(f"Release {number} has no {export}.")
    if export in PUBLISHED:
        published_names(release=release)
    of_all = export in OF_ALL_QUESTIONS and this_study.has_several_questions
    pieces = in_one_moment(
        lambda: stream(this_study, export, release=release, with_participants=with_participants, of_all=of_all)
    )
    question = this_study.question_name if this_study.has_several_questions and not of_all else ""
    file = _file(pieces, file_name(this_study, export, release, question))
    record_export(
        study=this_study, export=export, release=release, by=user_of(request), with_participants=with_participants
    )
    return file


def report_page(request: HttpRequest, study: UUID, number: int) -> HttpResponse:
    """The report of a release as a page."""
    return HttpResponse(_drawn_file(request, study, number, "report.html"), content_type="text/html; charset=utf-8")


def figure(request: HttpRequest, study: UUID, number: int, name: str) -> HttpResponse:
    """One figure of a release, as it stands on the results page."""
    content = _drawn_file(request, study, number, f"figures/{name}.svg")
    return HttpResponse(content, content_type="image/svg+xml", headers={"Cache-Control": "private, max-age=3600"})


def _drawn_file(request: HttpRequest, study: UUID, number: int, name: str) -> bytes:
    this_study = study_asked(request, Right.LOOK, study)
    drawn = get_object_or_404(
        ReleaseReport, release__study=this_study, release__question=this_study.asked_number, release__number=number
    )
    with zipfile.ZipFile(io.BytesIO(bytes(drawn.content))) as archive:
        if name not in archive.namelist():
            raise Http404(f"The report has no {name}.")
        return archive.read(name)


@require_POST
def draw_report_again(request: HttpRequest, study: UUID, number: int) -> HttpResponse:
    """Queues the drawing of a release's report, which an upgrade or a withdrawal has left without one."""
    this_study = study_asked(request, Right.CHANGE, study)
    release = get_object_or_404(this_study.releases, number=number)
    request_job(kind=REPORT, study=this_study, parameters={"release": str(release.uuid)}, by=user_of(request))
    messages.success(request, "The figures are being drawn. Open this page again in a few seconds.")
    return redirect("agreement:results", this_study.uuid)


def download_participants(request: HttpRequest, study: UUID) -> Download:
    """Everybody who came, as things stand now; entered in the study's record."""
    this_study = study_asked(request, Right.LOOK, study)
    file = _file(
        in_one_moment(lambda: stream(this_study, "participants", release=None)),
        file_name(this_study, "participants", None),
    )
    record_export(study=this_study, export="participants", release=None, by=user_of(request))
    return file


def _file(pieces: Iterator[bytes], name: str) -> Download:
    kind = "application/zip" if name.endswith(".zip") else "text/csv; charset=utf-8"
    return Download(pieces, name=name, content_type=kind)


def exclude_by_hand(request: HttpRequest, study: UUID) -> HttpResponse:
    this_study = study_asked(request, Right.CHANGE, study)
    form = ExcludeForm(posted(request), initial={"pseudonym": request.GET.get("pseudonym", "")}, study=this_study)
    if form.is_valid():
        try:
            exclude(participation=form.person, reason=form.cleaned_data["reason"], by=user_of(request))
        except AlreadyExcluded as refusal:
            form.add_error("pseudonym", str(refusal))
        else:
            messages.success(request, f"{form.person} is excluded. The next analysis leaves their answers out.")
            return redirect("agreement:results", this_study.uuid)
    return study_page(
        request, this_study, "results/exclude.html", {"form": form}, section="results", title="Exclude a worker"
    )


def lift_exclusion(request: HttpRequest, study: UUID, exclusion: int) -> HttpResponse:
    this_study = study_asked(request, Right.CHANGE, study)
    which = get_object_or_404(
        Exclusion.objects.select_related("participation"), pk=exclusion, participation__study=this_study
    )
    form = ReasonForm(posted(request))
    if form.is_valid():
        try:
            lifted = lift(exclusion=which, reason=form.cleaned_data["why"], by=user_of(request))
        except AlreadyLifted as refusal:
            messages.warning(request, str(refusal))
        else:
            messages.success(request, _included_sentence(lifted))
        return redirect("agreement:results", this_study.uuid)
    context = {"form": form, "exclusion": which}
    return study_page(
        request, this_study, "results/lift.html", context, section="results", title="Include a worker again"
    )


def _included_sentence(lifted: LiftedExclusion) -> str:
    sentences = f"{lifted.exclusion.participation} is included again. The next analysis counts their answers."
    if lifted.places_closed:
        sentences += f" {lifted.places_closed} judgments, which the exclusion had made necessary, are no longer needed."
    if lifted.surplus:
        sentences += (
            f" {lifted.surplus} of their judgments are more than needed: others have answered or started since then."
        )
    return sentences
