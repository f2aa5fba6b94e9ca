"""Models beside people: the leaderboard, for signed-in researchers and by a public link, and the way in for probes."""

from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from agreement.errors import Refused
from agreement.figures.figure import Figure
from agreement.figures.of_models import draw_leaderboard
from agreement.scoring.probe_formats import FORMATS
from annotation.accounts.permissions import Right
from annotation.jobs import request_job
from annotation.models import Job, Study
from annotation.pages.admin.base import posted, reasons_of, study_asked, study_page, user_of
from annotation.pages.result_forms import ProbeForm
from annotation.pages.results import release_asked_for, release_of
from annotation.releases.actions.freezing import newest_out_of_date
from annotation.releases.actions.scoring_probes import (
    add_probes,
    choose_columns,
    first_options,
    publish_leaderboard,
    unpublish_leaderboard,
)
from annotation.releases.breakdown_curves import curve_of
from annotation.releases.leaderboards import Table, metrics_of, scores_by_frequency, table_of
from annotation.releases.models import GoldRelease, PublicLeaderboard
from annotation.releases.reference_boards import CURVE, NONE, TABLE, choices_of, reference_board
from annotation.releases.tasks import SCORE
from annotation.studies.item_files import name_on_disk


def leaderboard(request: HttpRequest, study: UUID) -> HttpResponse:
    this_study = study_asked(request, Right.LOOK, study)
    release = release_asked_for(this_study, request.GET.get("release", ""))
    context = {
        **_board(release, request.GET.get("metric", "")),
        "reference": None if release is None else reference_board(release, request.GET.get("metric", "")),
        "release": release,
        "out_of_date": "" if release is None else newest_out_of_date(release),
        "releases": this_study.releases.order_by("-number"),
        "probes": this_study.probes.order_by("name"),
        "public": PublicLeaderboard.objects.filter(study=this_study, revoked_at__isnull=True).first(),
        "score_job": this_study.jobs.filter(kind=SCORE).first(),
    }
    return study_page(request, this_study, "results/leaderboard.html", context, section="models", title="Models")


def add_model(request: HttpRequest, study: UUID) -> HttpResponse:
    """A probe comes in whole or not at all, and is then scored against the latest release by a job."""
    this_study = study_asked(request, Right.CHANGE, study)
    form = ProbeForm(posted(request), request.FILES or None, initial=dict(first_options(this_study).values))
    refused = {}
    if form.is_valid():
        try:
            _take_probe(request, this_study, form)
        except Refused as refusal:
            refused = reasons_of(refusal)
        else:
            return redirect("agreement:leaderboard", this_study.uuid)
    status = 422 if refused or form.errors else 200
    context = {
        "form": form,
        "columns": [(each.example or each.columns, each.row_meaning) for each in FORMATS],
        **refused,
    }
    return study_page(
        request,
        this_study,
        "results/add_probe.html",
        context,
        section="models",
        title="Add a model",
        status=status,
    )


def _take_probe(request: HttpRequest, study: Study, form: ProbeForm) -> None:
    upload: UploadedFile[bytes] = form.cleaned_data["file"]
    with TemporaryDirectory() as folder:
        path = Path(folder) / name_on_disk(upload.name, "probe.csv")
        with path.open("wb") as out:
            out.writelines(upload.chunks())
        name, group, by = form.cleaned_data["name"], form.cleaned_data["group"].strip(), user_of(request)
        probes = add_probes(study=study, name=name, group=group, file=path, options=form.options, by=by)
    names = ", ".join(map(str, probes))
    messages.success(request, f"{names} {'was' if len(probes) == 1 else 'were'} added.")
    ask_for_scores(request, study)


@require_POST
def score_now(request: HttpRequest, study: UUID) -> HttpResponse:
    this_study = study_asked(request, Right.CHANGE, study)
    ask_for_scores(request, this_study)
    return redirect("agreement:leaderboard", this_study.uuid)


def ask_for_scores(request: HttpRequest, study: Study) -> Job | None:
    release = release_of(study)
    if release is None:
        messages.info(request, "It will be scored as soon as there is a gold release.")
        return None
    return request_job(kind=SCORE, study=study, parameters={"release": str(release.uuid)}, by=user_of(request))


@require_POST
def columns(request: HttpRequest, study: UUID) -> HttpResponse:
    """By which columns the leaderboard breaks scores down: each column comes with how it is to be shown."""
    this_study = study_asked(request, Right.CHANGE, study)
    choices = list(zip(request.POST.getlist("column"), request.POST.getlist("how"), strict=False))
    choose_columns(
        study=this_study,
        tables=[column for column, display in choices if display in {TABLE, CURVE}],
        curves=[column for column, display in choices if display == CURVE],
        by=user_of(request),
    )
    messages.success(request, "The leaderboard shows these columns from now on, by its public link too.")
    return redirect("agreement:leaderboard", this_study.uuid)


@require_POST
def publish(request: HttpRequest, study: UUID) -> HttpResponse:
    this_study = study_asked(request, Right.MANAGE, study)
    publish_leaderboard(study=this_study, by=user_of(request))
    messages.success(request, "Anybody who has the link can read the leaderboard now.")
    return redirect("agreement:leaderboard", this_study.uuid)


@require_POST
def unpublish(request: HttpRequest, study: UUID) -> HttpResponse:
    this_study = study_asked(request, Right.MANAGE, study)
    unpublish_leaderboard(study=this_study, by=user_of(request))
    messages.success(request, "The public link no longer works.")
    return redirect("agreement:leaderboard", this_study.uuid)


@require_GET
def public(request: HttpRequest, token: str) -> HttpResponse:
    link = get_object_or_404(PublicLeaderboard.objects.select_related("study"), token=token, revoked_at__isnull=True)
    release = release_asked_for(link.study, request.GET.get("release", ""))
    metric = request.GET.get("metric", "")
    context = {"study": link.study, "release": release, **_board(release, metric)}
    context["reference"] = None if release is None else reference_board(release, metric)
    return render(request, "results/public_leaderboard.html", context)


def _board(release: GoldRelease | None, metric: str) -> dict[str, object]:
    table = None if release is None else table_of(release, metric)
    frequency = None if release is None else scores_by_frequency(release)
    choices = [] if table is None or release is None else choices_of(release, table.breakdowns)
    displays = {each.column: each.display for each in choices}
    shown = [] if table is None else [each for each in table.breakdowns if displays[each.column] != NONE]
    return {
        "table": table,
        "metrics": {} if release is None else metrics_of(release),
        "figure": None if table is None else _figure(table),
        "columns": choices,
        "breakdowns": []
        if table is None
        else [(each, curve_of(each, _names(table)) if displays[each.column] == CURVE else None) for each in shown],
        "frequency": None if frequency is None else (frequency, curve_of(frequency)),
    }


def _figure(table: Table) -> Figure | None:
    rows = [
        (row.name, row.kind, row.estimate, row.low, row.high, row.figure.n)
        for row in table.rows
        if row.estimate is not None
    ]
    return draw_leaderboard(rows, table.metric_name.capitalize())


def _names(table: Table) -> list[str]:
    """Of the probes, the best first."""
    return [row.name for row in table.rows if row.kind == "probe"]
