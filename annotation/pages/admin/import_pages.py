"""The pages that add items to a study: pasted, from a file, with the checks that are proposed from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from django.contrib import messages
from django.core.files import File
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from agreement.errors import Refused
from agreement.files.numbers import count_text
from agreement.files.problems import Problems
from agreement.files.table import Table
from agreement.judgments.questions_of_file import CHECK_QUESTION
from agreement.kinds.registry import KINDS
from annotation.accounts.permissions import Right, study_or_404
from annotation.jobs import IMPORT, cancel_job
from annotation.media.files import uploaded
from annotation.media.taking import Media, TooMuchAtOnce, media_from
from annotation.models import ItemImport, Job, Study
from annotation.pages.admin.base import posted, reasons_of, study_page, user_of
from annotation.pages.admin.item import AddItemsForm, KnownAnswersForm, PastedForm, ProposedChecksForm, QuotaForm
from annotation.studies import presets
from annotation.studies.completeness import checks_without_quota, items_of_proposal, proposal_of
from annotation.studies.import_preview import as_text, columns_for_fields, preview_of, preview_of_large, unasked_checks
from annotation.studies.item_files import NewItem, name_on_disk, read_items
from annotation.studies.item_ids import table_with_ids
from annotation.studies.items_of_text import (
    NAME,
    AlreadyThere,
    fields_to_fill,
    items_of_text,
    items_without_doubles,
    table_of_text,
    template_lines,
)
from annotation.studies.question_actions import rename_fields
from annotation.studies.questions import questions_of
from annotation.studies.study_life import add_items
from annotation.studies.study_settings import add_checks
from annotation.studies.unused_in_import import unused_in_import
from annotation.studies.uploading import discard_ended_uploads, has_many_rows, queue_import

# The pages that add a file's items to a study: a small file at once, a large one as a job that is followed here.


# Each button is sent with its own name; a form without one brings a file. To look stores nothing.
FILE, PASTE, LOOK, PROPOSED, KNOWN, QUOTA = "file", "paste", "look", "proposed", "known", "quota"
RENAME = "rename"  # looks too, once the question names the columns that there are
FIELD_OF = {FILE: "file", PASTE: "items"}


def import_items(request: HttpRequest, pk: int) -> HttpResponse:
    study = study_or_404(request.user, Right.CHANGE, pk=pk)
    sent = request.POST.get("do", FILE) if request.method == "POST" else ""
    wanted = (FILE if request.FILES.get("file") else PASTE) if sent in {LOOK, RENAME} else sent
    proposal, fields = proposal_of(study), fields_to_fill(study)
    known = KnownAnswersForm(posted(request) if sent == KNOWN else None, study=study, fields=fields)
    brought = (posted(request), request.FILES) if wanted in FIELD_OF else ()
    adding = AddItemsForm(*brought, fields=fields, wanted=FIELD_OF.get(wanted, ""))
    forms: dict[str, Form] = {
        FILE: adding,
        PASTE: adding,
        PROPOSED: ProposedChecksForm(posted(request) if sent == PROPOSED else None, proposal=proposal),
        KNOWN: known,
        QUOTA: QuotaForm(posted(request) if sent == QUOTA else None, names=checks_without_quota(study)),
    }
    refused: dict[str, object] = {}
    form = forms.get(wanted)
    if form is not None and form.is_valid():
        try:
            if sent not in {LOOK, RENAME}:
                return ADDING[sent](request, study, form)
            if sent == RENAME:
                _rename_fields(request, study, adding, wanted)
            refused = _looked_at(request, study, adding, wanted)
        except AlreadyThere as doubled:
            assert isinstance(form, PastedForm)  # noqa: S101 - for the type checker: it alone reads pasted items
            form.ask_about_doubles(str(doubled))
        except Refused as refusal:
            refused = reasons_of(refusal)
    context = {
        "adding": adding,
        "forms": forms,
        "fields": fields,
        "question_names": [question.name for question in known.questions],
        "proposal": proposal,
        "samples": presets.samples_for(study.kind),
        "items": study.items.targets().count(),
        "job": study.jobs.filter(kind=IMPORT).unfinished().first(),
        **refused,
    }
    is_wrong = "reasons" in refused or (form is not None and bool(form.errors))
    status = 422 if is_wrong and "live" not in request.POST else 200
    page = "admin/touchstone/import_items.html"
    return study_page(request, study, page, context, section="items", title="Add items", status=status)


def _rename_fields(request: HttpRequest, study: Study, form: AddItemsForm, wanted: str) -> None:
    """The question names the columns that there are from now on."""
    values, problems, questions = form.cleaned_data, Problems(NAME), questions_of(study)
    table: Table | None
    if wanted == PASTE:
        table = table_of_text(values["items"], study, problems)
    else:
        with file_and_pictures(values["file"], []) as (file, _pictures):
            table = table_with_ids(file, problems, questions)
    if table is not None and (names := columns_for_fields(table, study, questions)):
        rename_fields(study=study, names=names, by=user_of(request))
        study.refresh_from_db(fields=["question", "edits"])


def _looked_at(request: HttpRequest, study: Study, form: AddItemsForm, wanted: str) -> dict[str, object]:
    """What the page says of items that are not stored, and what adds them: the file if the page still has it."""
    values, table = form.cleaned_data, None
    if wanted == PASTE:
        problems = Problems(NAME)
        with media_from(uploaded(values["pictures"]), at_once=True) as pictures:
            preview = preview_of(table_of_text(values["items"], study, problems), problems, study, pictures)
    else:
        with file_and_pictures(values["file"], values["pictures"]) as (file, pictures):
            if has_many_rows(values["file"]):
                preview = preview_of_large(file, study)
            else:
                problems = Problems(file.name)
                table = table_with_ids(file, problems, questions_of(study))
                preview = preview_of(table, problems, study, pictures)
    text = as_text(table) if table is not None and "live" not in request.POST and not values["pictures"] else ""
    form.data = QueryDict(mutable=True)
    form.data.update({**request.POST.dict(), "of_each_check": request.POST.get("of_each_check") or "1"})
    if text:  # without script the file would have to be chosen again
        form.data["items"], wanted = text, PASTE
    return {"looked": preview, "confirm": wanted, "is_live": "live" in request.POST}


def _import_file(request: HttpRequest, study: Study, form: Form) -> HttpResponse:
    file, pictures = form.cleaned_data["file"], form.cleaned_data["pictures"]
    if has_many_rows(file):
        return _import_by_job(request, study, file, pictures)
    try:
        count, unused = _import_at_once(request, study, form)
    except TooMuchAtOnce:
        return _import_by_job(request, study, file, pictures)
    messages.success(request, f"{count} item{' was' if count == 1 else 's were'} imported into {study}.")
    notice = study.items.without_right_answer_in_words()
    for each in filter(None, [notice, *unused]):
        messages.warning(request, each)
    return _redirect_back(study)


def _import_by_job(request: HttpRequest, study: Study, file: File[bytes], pictures: list[File[bytes]]) -> HttpResponse:
    job = queue_import(study=study, file=file, pictures=pictures, by=user_of(request))
    return redirect("admin:annotation_study_import_job", study.pk, job.uuid)


def _redirect_back(study: Study) -> HttpResponse:
    """To the page's top, which says what is missing and proposes checks, as long as there is something to add."""
    if proposal_of(study) or checks_without_quota(study):
        return redirect("admin:annotation_study_import_items", study.pk)
    return redirect(f"{reverse('admin:annotation_item_changelist')}?study={study.pk}")


def _import_text(request: HttpRequest, study: Study, form: Form) -> HttpResponse:
    values = form.cleaned_data
    with media_from(uploaded(values["pictures"]), at_once=True) as pictures:
        items = items_of_text(values["items"], study, pictures)
        items = items_without_doubles(items, study, values["doubles"])
        count = _add(request, study, items, pictures, values["of_each_check"], "the box of pasted items")
    messages.success(request, f"{count} item{' was' if count == 1 else 's were'} added to {study}.")
    return _redirect_back(study)


def _add_proposed_checks(request: HttpRequest, study: Study, form: Form) -> HttpResponse:
    proposal = proposal_of(study)
    if proposal is None:
        raise Refused("These checks are there already: reload the page.")
    items = items_of_proposal(proposal, form.cleaned_data.get("word", ""))
    per_assignment = int(form.cleaned_data["per_assignment"])
    quotas = dict.fromkeys(proposal.named, per_assignment)
    add_checks(study=study, items=items, quotas=quotas, by=user_of(request), source="proposed checks")
    named = " and ".join(proposal.named)
    messages.success(
        request, f"{_added_sentence(items, f' ({named})')}: {per_assignment} of each name in an assignment."
    )
    return _redirect_back(study)


def _add_known_answers(request: HttpRequest, study: Study, form: Form) -> HttpResponse:
    assert isinstance(form, KnownAnswersForm)  # noqa: S101 - for the type checker
    values, named = form.cleaned_data, str(form.cleaned_data["name"])
    more = ("min", "max") if KINDS[form.question.kind].has_scale else ("expected",)
    constants = {"kind": "check", "check": named, CHECK_QUESTION: form.question.name}
    with media_from(lambda _name: None) as none:
        items = items_of_text(values["items"], study, none, more=more, **constants)
    items = items_without_doubles(items, study, values["doubles"])
    quotas = {named: int(values["per_assignment"])}
    add_checks(study=study, items=items, quotas=quotas, by=user_of(request), source="items with known answers")
    messages.success(request, f"{_added_sentence(items, f' named {named}')}: {quotas[named]} in an assignment.")
    return _redirect_back(study)


def _added_sentence(items: Sequence[object], named: str) -> str:
    return f"{count_text(len(items), 'check')}{named} {'was' if len(items) == 1 else 'were'} added"


def _set_quotas(request: HttpRequest, study: Study, form: Form) -> HttpResponse:
    per_assignment = int(form.cleaned_data["per_assignment"])
    quotas = {name: per_assignment for name, _count in checks_without_quota(study)}
    add_checks(study=study, items=[], quotas=quotas, by=user_of(request), source="")
    messages.success(request, f"Every assignment contains {per_assignment} of {', '.join(quotas)} now.")
    return _redirect_back(study)


ADDING: dict[str, Callable[[HttpRequest, Study, Form], HttpResponse]] = {
    FILE: _import_file,
    PASTE: _import_text,
    PROPOSED: _add_proposed_checks,
    KNOWN: _add_known_answers,
    QUOTA: _set_quotas,
}


def items_template(request: HttpRequest, pk: int) -> HttpResponse:
    """A file to fill in, with the columns of this study's question."""
    study = study_or_404(request.user, Right.LOOK, pk=pk)
    return _csv("".join(template_lines(study)), f"{study.slug}-items-template.csv")


def items_sample(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """The items of a preset, as an example of a file."""
    study = study_or_404(request.user, Right.LOOK, pk=pk)
    if name not in presets.samples_for(study.kind):
        raise Http404("There is no such sample.")
    return _csv(presets.load(name).items_file.read_text(encoding="utf-8"), f"{name}-items.csv")


def _csv(text: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=headers)


def _import_at_once(request: HttpRequest, study: Study, form: Form) -> tuple[int, list[str]]:
    """How many items, and what of the file nothing uses."""
    values = form.cleaned_data
    with file_and_pictures(values["file"], values["pictures"]) as (file, pictures):
        items = read_items(file, study, pictures)
        count = _add(request, study, items, pictures, values["of_each_check"], file.name)
        return count, unused_in_import(items, study, pictures)


def _add(
    request: HttpRequest,
    study: Study,
    items: Sequence[NewItem],
    pictures: Media,
    of_each_check: int | None,
    source: str,
) -> int:
    """Checks whose names no assignment contains yet get their quota together with them, if one is given."""
    names = [name for name, _count in unasked_checks(items, study)] if of_each_check else []
    taken, by = pictures.seen.values(), user_of(request)
    if not names:
        return add_items(study=study, items=list(items), by=by, source=source, pictures=taken)
    quotas = dict.fromkeys(names, of_each_check or 1)
    return add_checks(study=study, items=items, quotas=quotas, by=by, source=source, pictures=taken)


@contextmanager
def file_and_pictures(upload: File[bytes], pictures: list[File[bytes]]) -> Iterator[tuple[Path, Media]]:
    """An uploaded file under its own name, and the pictures that came with it; in a folder that goes at the end."""
    with TemporaryDirectory() as folder, media_from(uploaded(pictures), at_once=True) as own_pictures:
        file = Path(folder) / name_on_disk(upload.name, "items.csv")
        with file.open("wb") as out:
            out.writelines(upload.chunks())
        yield file, own_pictures


def _study_and_job(request: HttpRequest, pk: int, job: UUID) -> tuple[Study, Job]:
    study = study_or_404(request.user, Right.CHANGE, pk=pk)
    return study, get_object_or_404(study.jobs.select_related("created_by"), uuid=job, kind=IMPORT)


def import_job(request: HttpRequest, pk: int, job: UUID) -> HttpResponse:
    """How far the import of a large file is, and how it ended."""
    study, this_job = _study_and_job(request, pk, job)
    context = {
        "job": this_job,
        "file": this_job.parameters.get("file", ""),
        # Cancelled or given up, it may have been published before.
        "published": ItemImport.objects.filter(job=this_job, published_at__isnull=False).first(),
        "notice": study.items.without_right_answer_in_words(),
    }
    page = "admin/touchstone/import_job.html"
    return study_page(request, study, page, context, section="items", title="Import items")


def import_job_state(request: HttpRequest, pk: int, job: UUID) -> JsonResponse:
    """What the page asks for while the job is queued or running."""
    _, this_job = _study_and_job(request, pk, job)
    state = {"job": str(this_job.uuid), "status": this_job.status, "progress": round(this_job.progress, 3)}
    return JsonResponse(state, headers={"Cache-Control": "no-store"})


@require_POST
def cancel_import(request: HttpRequest, pk: int, job: UUID) -> HttpResponse:
    study, this_job = _study_and_job(request, pk, job)
    cancel_job(job=this_job)
    discard_ended_uploads()
    messages.success(request, "The import is being stopped.")
    return redirect("admin:annotation_study_import_job", study.pk, this_job.uuid)
