"""The files of a study's results: those of a release, its report page and figures, and who took part."""

import io
import zipfile
from collections.abc import Iterator
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from annotation.accounts.permissions import Right, may
from annotation.pages.admin.base import study_asked, user_of
from annotation.releases.actions.releasing import published_names
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
from annotation.releases.models import GoldRelease, ReleaseReport
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
MOST_WANTED = ("gold", "judgments", "workers", "report", "bundle")  # the others are folded


def downloads_of(request: HttpRequest, release: GoldRelease) -> list[tuple[str, str, str]]:
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


def download_participants(request: HttpRequest, study: UUID) -> Download:
    """Everybody who came, as things stand now; entered in the study's record."""
    return _download_of_now(request, study, "participants")


def download_notes(request: HttpRequest, study: UUID) -> Download:
    """What people said of items beside their answers, likewise."""
    return _download_of_now(request, study, "notes")


def _download_of_now(request: HttpRequest, study: UUID, export: str) -> Download:
    this_study = study_asked(request, Right.LOOK, study)
    file = _file(in_one_moment(lambda: stream(this_study, export, release=None)), file_name(this_study, export, None))
    record_export(study=this_study, export=export, release=None, by=user_of(request))
    return file


def _file(pieces: Iterator[bytes], name: str) -> Download:
    kind = "application/zip" if name.endswith(".zip") else "text/csv; charset=utf-8"
    return Download(pieces, name=name, content_type=kind)
