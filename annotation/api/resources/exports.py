"""Exports, made whole before they are sent, and entered in the study's history."""

from http import HTTPStatus

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from annotation.accounts.permissions import Right
from annotation.api.parsing import Problem
from annotation.api.schema import describe
from annotation.api.views import QUESTION, StudyView, switch
from annotation.models import Scope
from annotation.releases.exports.export_choice import (
    AS_THINGS_STAND,
    EXPORTS,
    KEY,
    ZIPS,
    file_name,
    record_export,
    release_numbered,
    stream,
    study_for,
)
from annotation.releases.exports.export_files import in_one_moment
from annotation.releases.exports.judgment_stream import Form
from annotation.web.responses import Download

PAYMENTS = "payments"
KINDS = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson"}
FILE = {"type": "string", "format": "binary"}
LARGEST = 2**31 - 1


class Export(StudyView):
    name = "export"
    is_of_all_questions = True

    @describe(
        "One export, streamed: gold, judgments, workers, participants, adjudications, notes, payments, labels, wide,"
        " norms, similarity-matrix, report, bundle, published-bundle, published-key, signs or authenticity",
        parameters=[
            QUESTION,
            OpenApiParameter("release", int, description="Its number; the newest unless told."),
            OpenApiParameter("form", str, enum=list(KINDS), description="csv unless told."),
            OpenApiParameter("only_kept", bool, description="Of judgments: without those that were excluded."),
            OpenApiParameter("participants", bool, description="Of the bundle: with participants.csv."),
            OpenApiParameter("platform_ids", bool, description="For managers, with the scope platform_ids:read."),
        ],
        responses={(200, kind): FILE for kind in ("text/csv", "application/x-ndjson", "application/zip")},
    )
    def get(self, request: Request, study: str, what: str) -> Download:  # noqa: ARG002
        if what not in (*EXPORTS, PAYMENTS):
            raise Http404(f"There is no export of that name. The exports are: {', '.join((*EXPORTS, PAYMENTS))}.")
        as_json_lines, form = self._form(request)
        only_kept, participants = switch(request, "only_kept"), switch(request, "participants")
        if what == PAYMENTS:
            self._refuse_unless_manager()
        if what == KEY and not self.may(Right.CHANGE):
            raise Problem(HTTPStatus.FORBIDDEN, "The key to a published bundle is for those who may change the study.")
        question = request.query_params.get(QUESTION.name, "")
        asked = study_for(self.study, what, question)
        release = (
            release_numbered(asked, number_of_release(request)) if what not in (*AS_THINGS_STAND, PAYMENTS) else None
        )
        pieces = stream(
            asked,
            what,
            release=release,
            only_kept=only_kept,
            form=form,
            with_participants=participants,
            of_all=not question and self.study.has_several_questions,
        )
        name = file_name(self.study, what, release, question)
        if as_json_lines:
            name = f"{name.removesuffix('.csv')}.jsonl"
        kind = "application/zip" if what in ZIPS else KINDS["jsonl" if as_json_lines else "csv"]
        file = Download(in_one_moment(lambda: pieces), name=name, content_type=kind)
        file.headers["X-Content-Type-Options"] = "nosniff"
        record_export(
            study=self.study,
            export=what,
            release=release,
            by=self.user,
            only_kept=only_kept,
            with_platform_ids=form.with_platform_ids,
            with_participants=participants,
        )
        return file

    def _form(self, request: Request) -> tuple[bool, Form]:
        form = request.query_params.get("form", "csv")
        if form not in KINDS:
            raise ValidationError({"form": [f"Write {' or '.join(KINDS)}."]})
        with_ids = switch(request, "platform_ids")
        if with_ids:
            self.refuse_missing(Scope.PLATFORM_IDS)
            self._refuse_unless_manager()
        return form == "jsonl", Form(as_json_lines=form == "jsonl", with_platform_ids=with_ids)

    def _refuse_unless_manager(self) -> None:
        if not self.may(Right.MANAGE):
            raise Problem(HTTPStatus.FORBIDDEN, "This is for the study's managers.")


def number_of_release(request: Request) -> int | None:
    number = request.query_params.get("release", "")
    if not number:
        return None
    if not (number.isascii() and number.isdecimal() and len(number) < 11 and int(number) <= LARGEST):
        raise ValidationError({"release": ["Write the number of a release."]})
    return int(number)
