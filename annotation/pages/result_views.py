"""The pages of a study's results, for signed-in researchers: the answer first, its parts, analysing, exclusions."""

from uuid import UUID

from django.contrib import admin, messages
from django.db.models import OuterRef, Subquery
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from annotation.accounts.permissions import Right, right_in, studies_where
from annotation.jobs import cancel_job, request_job
from annotation.models import Study
from annotation.pages.admin.base import posted, study_asked, study_page, user_of
from annotation.pages.admin.forms import ReasonForm
from annotation.pages.clean import analyse
from annotation.pages.data_card import absent_from_card
from annotation.pages.result_downloads import MOST_WANTED, downloads_of
from annotation.pages.result_forms import AnalyseForm, ExcludeForm
from annotation.pages.result_verdict import action_of, question_lines, verdict_shown
from annotation.pages.results import (
    RELEASES_SHOWN,
    REMOVED_SHOWN,
    Results,
    lifted_in,
    out_in_short,
    release_asked_for,
    removed_from,
)
from annotation.releases.actions.rule_sets import AlreadyExcluded, AlreadyLifted, LiftedExclusion, exclude, lift
from annotation.releases.actions.trying_rules import preview
from annotation.releases.models import Exclusion, GoldRelease
from annotation.releases.tasks import REPORT, SCORE, TRY
from annotation.releases.verdicts import latest_analysis


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
    """The answer first: a verdict, one thing to do next, four figures; then pictures, who is out, downloads."""
    this_study = study_asked(request, Right.LOOK, study)
    release = release_asked_for(this_study, request.GET.get("release", ""))
    shown, job = None if release is None else Results(release), latest_analysis(this_study)
    verdict = verdict_shown(shown, this_study)
    removed = removed_from(this_study, None if release is None else release.run)
    action = action_of(verdict, this_study, right_in(request, this_study))
    context = {
        "results": shown,
        "verdict": verdict,
        "action": action,
        "lines": question_lines(this_study, verdict),
        "out": out_in_short(removed),
        "job": job,
        "downloads": [] if release is None else downloads_of(request, release),
        "most_wanted": MOST_WANTED,
        "absent_from_card": absent_from_card(this_study),
        "parts": PARTS,
        "form": AnalyseForm(study=this_study) if action is not None and action.starts_analysis else None,
    }
    return study_page(request, this_study, "results/results.html", context, section="results", title="Results")


# What stands behind the first page, each with an address of its own: its name, and what it answers.
PARTS = {
    "agreement": (
        "Agreement",
        "Every coefficient before and after cleaning, how well people do, how each is computed.",
    ),
    "figures": ("Figures", "All figures of the report, with their numbers and the rows behind them."),
    "excluded": (
        "Who is out",
        "Who failed a rule or was excluded by hand, with the evidence; counts by rule.",
    ),
    "claims": ("Claims", "What the data are too few to claim, items that need more judgments, further analyses."),
    "methods": ("Methods", "The paragraph for a paper, settings, hashes, the data card."),
    "releases": ("Releases", "Every gold release, and a new analysis with settings of your own."),
}


def part_of_release(request: HttpRequest, study: UUID, part: str) -> HttpResponse:
    """One of `PARTS`, of the release that the address names, or of the newest."""
    this_study = study_asked(request, Right.LOOK, study)
    release = release_asked_for(this_study, request.GET.get("release", ""))
    context: dict[str, object] = {
        "parts": PARTS,
        "part": part,
        "results": None if release is None else Results(release),
    }
    if part == "excluded":
        removed = removed_from(this_study, None if release is None else release.run)
        n_excluded = sum(each.exclusion is not None for each in removed)
        context |= {"removed": removed[:REMOVED_SHOWN], "n_removed": len(removed), "lifted": lifted_in(this_study)}
        context |= {"n_excluded": n_excluded, "n_included": len(removed) - n_excluded}
    if part == "methods":
        context["absent_from_card"] = absent_from_card(this_study)
    if part == "releases":
        releases = this_study.releases.select_related("run__rule_set", "created_by")
        context["releases"] = releases.order_by("-number")[:RELEASES_SHOWN]
    template, title = f"results/{part}.html", PARTS[part][0]
    return study_page(request, this_study, template, context, section="results", title=title)


def _form_page(request: HttpRequest, study: Study, form: AnalyseForm | None = None) -> HttpResponse:
    """The form as it begins, or as it was filled in: it was refused, or is to be changed."""
    context = {"form": form or AnalyseForm(study=study), "job": latest_analysis(study)}
    page, status = "results/analyse.html", 422 if form is not None and form.errors else 200
    return study_page(request, study, page, context, section="results", title="Analyse", status=status)


def analyse_page(request: HttpRequest, study: UUID) -> HttpResponse:
    """How the newest analysis went, and the form of the next one. What is posted queues the analysis, once the person
    has agreed to whom it would include again. With `change` in it they go back to the form, as they had filled it in.
    """
    if request.method != "POST":
        return _form_page(request, study_asked(request, Right.LOOK, study))
    this_study = study_asked(request, Right.CHANGE, study)
    form = AnalyseForm(request.POST, study=this_study)
    if not form.is_valid() or "change" in request.POST:
        return _form_page(request, this_study, form)
    return analyse(request, this_study, form, section="results")


@require_POST
def preview_rules(request: HttpRequest, study: UUID) -> HttpResponse:
    """What the rules would do, before they do it."""
    this_study = study_asked(request, Right.CHANGE, study)
    form = AnalyseForm(request.POST, study=this_study)
    if not form.is_valid():
        return _form_page(request, this_study, form)
    context = {"form": form, "rules": form.rule_set, "preview": preview(study=this_study, rules=form.rule_set)}
    return study_page(request, this_study, "results/preview.html", context, section="results", title="Preview")


def job_state(request: HttpRequest, study: UUID) -> JsonResponse:
    """What the page asks for while a job is queued or running."""
    job = latest_analysis(study_asked(request, Right.LOOK, study))
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


@require_POST
def draw_report_again(request: HttpRequest, study: UUID, number: int) -> HttpResponse:
    """Queues the drawing of a release's report, which an upgrade or a withdrawal has left without one."""
    this_study = study_asked(request, Right.CHANGE, study)
    release = get_object_or_404(this_study.releases, number=number)
    request_job(kind=REPORT, study=this_study, parameters={"release": str(release.uuid)}, by=user_of(request))
    messages.success(request, "The figures are being drawn. Open this page again in a few seconds.")
    return redirect("agreement:results", this_study.uuid)


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
            # Back to where one goes through people, if one came from there.
            page = "people" if "pseudonym" in request.GET else "results"
            return redirect(f"agreement:{page}", this_study.uuid)
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
        request, this_study, "results/exclude.html", context, section="results", title="Include a worker again"
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
