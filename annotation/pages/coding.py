"""The page on which a researcher codes properties: merges spellings, sets relation, feature and type, leaves out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse

from agreement.errors import Refused
from agreement.files.cell_texts import normalised_name
from agreement.judgments.property_coding import (
    COLUMNS,
    LONGEST,
    REVISION,
    TYPES,
    Code,
    name_of_relation,
    proposed_code,
)
from annotation.accounts.permissions import Right, may
from annotation.models import Study
from annotation.pages.admin.base import posted, reasons_of, study_asked, study_page, user_of
from annotation.pages.result_forms import CodingFileForm
from annotation.releases.actions.adjudicating import (
    SHOW,
    Change,
    CodingResult,
    NamedProperty,
    code_properties,
    coding_as_csv,
    filtered_properties,
    import_coding,
    properties_of,
)
from annotation.releases.exports.export_choice import record_export
from annotation.releases.models import PropertyCode
from annotation.studies.item_files import name_on_disk

PER_PAGE = 40
MOST_ROWS = 200  # in what is sent: a page has fewer


@dataclass(frozen=True, slots=True)
class Line:
    """One spelling on the page. `code` is what its fields hold, `meanwhile` what somebody else saved since."""

    number: int
    named: NamedProperty
    code: Code
    is_ticked: bool = False
    meanwhile: PropertyCode | None = None


def coding(request: HttpRequest, study: UUID) -> HttpResponse:
    """Every property of the study with what it counts as. Saving keeps the filter and the page."""
    this_study = _study(request, study, Right.CHANGE if request.method == "POST" else Right.LOOK)
    if request.method != "POST":
        return _page(request, this_study)
    changes, ticked = _changes(request.POST)
    if "merge" in request.POST:
        into = proposed_code(request.POST.get("into", "")[: 2 * LONGEST])
        if not into.feature or not ticked:
            reasons = ["Tick the spellings that are one property, and write what they are merged into."]
            return _page(request, this_study, changes, ticked, refused={"reasons": reasons})
        changes = [
            Change(each.spelling, Code(into.relation, into.feature, each.code.type), each.seen)
            if each.spelling in ticked
            else each
            for each in changes
        ]
        changes = _changes_with_one_type(changes, ticked, _type_of(this_study, into.name, ticked))
    try:
        coded = code_properties(study=this_study, changes=changes, by=user_of(request))
    except Refused as refusal:
        return _page(request, this_study, changes, ticked, refused=reasons_of(refusal))
    if coded.meanwhile:
        return _page(request, this_study, changes, ticked, coded=coded)
    if coded.revision:
        messages.success(request, _saved_sentence(coded))
    else:
        messages.info(request, "Nothing was changed.")
    query = {name: request.GET[name] for name in ("q", "show", "page") if request.GET.get(name)}
    return redirect(f"{reverse('agreement:coding', args=[this_study.uuid])}{'?' if query else ''}{urlencode(query)}")


def _saved_sentence(coded: CodingResult) -> str:
    n = len(coded.saved)
    return f"{n:,} {'spelling was' if n == 1 else 'spellings were'} coded (coding {coded.revision})."


def _study(request: HttpRequest, study: UUID, right: Right) -> Study:
    this_study = study_asked(request, right, study)
    if not this_study.question_kind.has_properties:
        raise Http404("This study's answers are no lists of properties: there is nothing to code.")
    return this_study


def _changes(sent: QueryDict) -> tuple[list[Change], set[str]]:
    """What was typed, as far as it differs from what the page showed, and which spellings are ticked."""
    changes: list[Change] = []
    ticked = set()
    for number in range(MOST_ROWS):
        spelling = normalised_name(sent.get(f"spelling-{number}", ""))
        if not spelling:
            continue
        code = Code(
            name_of_relation(sent.get(f"relation-{number}", "")),
            normalised_name(sent.get(f"feature-{number}", "")),
            sent.get(f"type-{number}", ""),
            f"left-out-{number}" in sent,
        )
        seen = sent.get(f"seen-{number}", "")
        is_ticked = f"tick-{number}" in sent
        if is_ticked:
            ticked.add(spelling)
        if is_ticked or _code_as_text(code) != sent.get(f"was-{number}", ""):
            changes.append(Change(spelling, code, int(seen) if seen.isdecimal() and len(seen) < 10 else 0))
    return changes, ticked


def _code_as_text(code: Code) -> str:
    """What a row holds, in one field, so that what was changed can be told from what was not."""
    return "|".join((code.relation, code.feature, code.type, "1" if code.is_left_out else "0"))


def _type_of(study: Study, name: str, ticked: set[str]) -> str:
    """The type that a property has by spellings which are not being merged into it."""
    rows = PropertyCode.objects.of_study(study).in_force().items()
    others = (row.code for spelling, row in rows if spelling not in ticked)
    return next((code.type for code in others if code.name == name and code.type and not code.is_left_out), "")


def _changes_with_one_type(changes: Sequence[Change], ticked: set[str], present_type: str) -> list[Change]:
    """Spellings that are merged have the type that is there, or else the first that one of them has."""
    types = [
        present_type or each.code.type
        for each in changes
        if each.spelling in ticked and (present_type or each.code.type)
    ]
    if not types:
        return list(changes)
    return [
        Change(each.spelling, Code(each.code.relation, each.code.feature, types[0]), each.seen)
        if each.spelling in ticked
        else each
        for each in changes
    ]


def _page(
    request: HttpRequest,
    study: Study,
    changes: Sequence[Change] = (),
    ticked: Iterable[str] = (),
    *,
    coded: CodingResult | None = None,
    refused: Mapping[str, object] | None = None,
) -> HttpResponse:
    """The page; after a refusal or a conflict with everything that was typed."""
    named = properties_of(study)
    show, text = request.GET.get("show", "all"), request.GET.get("q", "")[:LONGEST]
    shown = filtered_properties(named, show, text)
    typed = {change.spelling: change for change in changes}
    sent = [normalised_name(request.POST.get(f"spelling-{row}", "")) for row in range(MOST_ROWS)] if typed else []
    by_name = {each.spelling: each for each in named}
    again = [by_name[name] for name in sent if name in by_name]
    page: Page[NamedProperty] = Paginator(shown, PER_PAGE).get_page(request.GET.get("page"))
    lines = [_line(row, each, typed.get(each.spelling), set(ticked), coded) for row, each in enumerate(again or page)]
    context = {
        "lines": lines,
        "found": page,
        "pages": [(number, _query(show, text, number)) for number in page.paginator.page_range],
        "show": show if show in SHOW else "all",
        "shows": SHOW,
        "text": text,
        "query": _query(show, text, page.number),
        "types": TYPES,
        "longest": LONGEST,
        "spellings": len(named),
        "coded": sum(each.row is not None for each in named),
        "left_out": sum(each.row is not None and each.row.is_left_out for each in named),
        "relations": sorted({each.code.relation for each in named if each.code.relation})[:200],
        "saved": coded,
        "may_change": may(request.user, Right.CHANGE, study),
        "into": request.POST.get("into", ""),
        **(refused or {}),
    }
    status = 409 if coded is not None else 422 if refused else 200
    return study_page(request, study, "results/coding.html", context, section="coding", title="Coding", status=status)


def _line(
    number: int, named: NamedProperty, typed: Change | None, ticked: set[str], coded: CodingResult | None
) -> Line:
    meanwhile = None if coded is None else coded.meanwhile.get(named.spelling)
    is_saved = coded is not None and meanwhile is None
    code = named.code if typed is None or is_saved else typed.code
    return Line(number, named, code, named.spelling in ticked and not is_saved, meanwhile)


def _query(show: str, text: str, page: int) -> str:
    return urlencode({"show": show, "q": text, "page": page})


def import_page(request: HttpRequest, study: UUID) -> HttpResponse:
    this_study = _study(request, study, Right.CHANGE)
    form = CodingFileForm(posted(request), request.FILES or None)
    refused: dict[str, object] = {}
    if form.is_valid():
        try:
            coded = _import_file(this_study, form.cleaned_data["file"], request)
        except Refused as refusal:
            refused = reasons_of(refusal)
        else:
            if coded.revision:
                messages.success(request, _saved_sentence(coded))
            else:
                messages.info(request, "The file says what is coded already: nothing was changed.")
            return redirect("agreement:coding", this_study.uuid)
    context = {"form": form, "columns": [*COLUMNS, REVISION], "types": TYPES, **refused}
    status = 422 if refused or form.errors else 200
    page = "results/import_coding.html"
    return study_page(request, this_study, page, context, section="coding", title="Import a coding", status=status)


def _import_file(study: Study, upload: UploadedFile[bytes], request: HttpRequest) -> CodingResult:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name_on_disk(upload.name, "coding.csv")
        with path.open("wb") as out:
            out.writelines(upload.chunks())
        return import_coding(study=study, file=path, by=user_of(request))


def download(request: HttpRequest, study: UUID) -> HttpResponse:
    """The coding in force, entered in the study's record."""
    this_study = _study(request, study, Right.LOOK)
    record_export(study=this_study, export="coding", release=None, by=user_of(request))
    name = f"{this_study.slug}-coding.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(coding_as_csv(this_study), content_type="text/csv; charset=utf-8", headers=headers)
