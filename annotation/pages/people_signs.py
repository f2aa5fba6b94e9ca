"""Signs that a person answered, on the pages of people: flags with their numbers, files, and a platform's results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from django.contrib import messages
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from agreement.errors import Refused
from agreement.kinds.signs import SIGNS, Flag, flags_of
from annotation.accounts.permissions import Right
from annotation.models import AnswerSigns, AuthenticityResult, Participation, Study
from annotation.pages.admin.base import posted, reasons_of, study_asked, study_page, user_of
from annotation.pages.result_forms import AuthenticityFileForm
from annotation.people.authenticity import Columns, import_authenticity, in_words
from annotation.releases.exports.export_choice import file_name, record_export, stream
from annotation.releases.exports.export_files import in_one_moment
from annotation.studies.item_files import name_on_disk
from annotation.web.responses import Download

PROLIFIC = "prolific"
OF_SIGNS = ("signs", "authenticity")
SHOWN_SIGNS = tuple(sign for sign in SIGNS if sign.flagged_from is not None)


@dataclass(frozen=True, slots=True)
class PersonSigns:
    """Of one person; `flags` are the signs worth a look, `counts` all of them in words."""

    worker: str = ""
    flags: Sequence[Flag] = ()
    counts: Sequence[tuple[str, str]] = ()
    results: Sequence[AuthenticityResult] = ()

    @property
    def is_flagged(self) -> bool:
        return bool(self.flags or self.low)

    @property
    def low(self) -> Sequence[AuthenticityResult]:
        return [row for row in self.results if row.result != AuthenticityResult.Result.HIGH]


def with_results(people: QuerySet[Participation]) -> QuerySet[Participation]:
    """With `has_results`, so that the pages ask for results only where there are some."""
    return people.annotate(has_results=Exists(AuthenticityResult.objects.filter(participation=OuterRef("pk"))))


def signs_of_everybody(study: Study, names: Mapping[int, str]) -> dict[int, PersonSigns]:
    """By participation, of those of these who have signs or results. Two statements."""
    sums = AnswerSigns.objects.sums(study.pk)
    results: dict[int, list[AuthenticityResult]] = {}
    for row in AuthenticityResult.objects.filter(participation__study=study):
        results.setdefault(row.participation_id, []).append(row)
    return {
        pk: _signs(name, sums.get(pk), results.get(pk, ())) for pk, name in names.items() if pk in sums or pk in results
    }


def signs_of_person(person: Participation) -> PersonSigns:
    """Of somebody who was read `with_results`. A statement for each thing that there is of them."""
    sums = None
    if person.agreed_to_signs:
        sums = AnswerSigns.objects.sums(person.study_id, participation=person.pk).get(person.pk)
    has_results = getattr(person, "has_results", True)
    return _signs(person.pseudonym, sums, list(person.authenticity_results.all()) if has_results else [])


def _signs(name: str, sums: Mapping[str, int] | None, results: Sequence[AuthenticityResult]) -> PersonSigns:
    if sums is None:
        return PersonSigns(name, results=results)
    counts = [(sign.title, sign.words(sums)) for sign in SHOWN_SIGNS]
    return PersonSigns(name, flags_of(sums), counts, results)


def signs_context(study: Study, signs: Mapping[int, PersonSigns]) -> dict[str, object]:
    """What the list of people says of signs: nothing in a study that counts none, has none, and isn't on Prolific."""
    return {
        "shows_signs": bool(signs) or study.counts_signs or study.platform == PROLIFIC,
        "signs": signs,
        "flagged": [each for each in signs.values() if each.is_flagged],
        "has_signs": any(each.counts for each in signs.values()),
        "has_results": any(each.results for each in signs.values()),
        "all_signs": SHOWN_SIGNS,
    }


def download_signs(request: HttpRequest, study: UUID, evidence: str) -> Download:
    """signs.csv or authenticity.csv, entered in the study's record."""
    this_study = study_asked(request, Right.LOOK, study)
    if evidence not in OF_SIGNS:
        raise Http404(f"There is no file {evidence}.csv.")
    try:
        pieces = stream(this_study, evidence, release=None)
    except Refused as refusal:
        raise Http404(str(refusal)) from refusal
    file = Download(in_one_moment(lambda: pieces), name=file_name(this_study, evidence, None))
    record_export(study=this_study, export=evidence, release=None, by=user_of(request))
    return file


def import_page(request: HttpRequest, study: UUID) -> HttpResponse:
    this_study = study_asked(request, Right.CHANGE, study)
    form = AuthenticityFileForm(posted(request), request.FILES or None)
    refused: dict[str, object] = {}
    if form.is_valid():
        upload, data = form.cleaned_data["file"], form.cleaned_data
        columns = Columns(data["session"], data["texts"], data["automation"])
        try:
            with TemporaryDirectory() as folder:
                path = Path(folder) / name_on_disk(upload.name, "prolific.csv")
                with path.open("wb") as out:
                    out.writelines(upload.chunks())
                counts = import_authenticity(study=this_study, file=path, columns=columns, by=user_of(request))
        except Refused as refusal:
            refused = reasons_of(refusal)
        else:
            for sentence in in_words(counts):
                messages.info(request, sentence)
            return redirect("agreement:people", this_study.uuid)
    status = 422 if refused or form.errors else 200
    context = {"form": form, **refused}
    title = "Import authenticity results"
    return study_page(
        request, this_study, "pages/import_authenticity.html", context, section="people", title=title, status=status
    )
