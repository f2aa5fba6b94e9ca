"""The page Pay of a study, for managers alone: how payments stand, who is decided on together, lists out and in."""

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse

from annotation.actions.paying import Figures, FiguresChanged, figures_of, movable, rows_of
from annotation.actions.paying_by_list import apply_list
from annotation.admin.forms import PaymentsFileForm, ReasonForm, RejectionForm, StatusForm
from annotation.admin.pages import posted, reasons_of, study_page, user_of
from annotation.admin.pay_words import DECISIONS, Decision
from annotation.errors import Refused
from annotation.files.writing import csv_chunks
from annotation.models import AuditEntry, Payment, Study
from annotation.pay_groups import GROUPS, ids_kept, offers, standing_of
from annotation.payment_lists import TO_PLATFORM, payments_table, read_payment_list
from annotation.permissions import Right, study_or_404
from annotation.platforms import PLATFORMS
from annotation.unseen import paid_for_little

View: TypeAlias = Callable[..., HttpResponseBase]
# Which payments the list to take to the platform has, by what the address says.
LISTS = {"approved": (Payment.Status.APPROVED,), "open": Payment.OPEN}


def payments(request: HttpRequest, pk: int) -> HttpResponse:
    study = study_or_404(request.user, Right.MANAGE, pk=pk)
    form = PaymentsFileForm(posted(request), request.FILES or None)
    refused = {}
    if form.is_valid():
        try:
            said = _brought_back(study, form, request)
        except Refused as refusal:
            refused = reasons_of(refusal)
        else:
            messages.success(request, said)
            return redirect("admin:annotation_study_payments", study.pk)
    context = {
        "standing": standing_of(study),
        "offers": [(key, DECISIONS[group.to], group.people, figures) for key, group, figures in offers(study)],
        "saw_little": paid_for_little(study),
        "ids_kept": ids_kept(study),
        "platform": PLATFORMS[study.platform],
        "form": form,
        **refused,
    }
    page = "admin/touchstone/payments.html"
    return study_page(request, study, page, context, section="pay", title="Pay", status=422 if refused else 200)


def _brought_back(study: Study, form: PaymentsFileForm, request: HttpRequest) -> str:
    upload = form.cleaned_data["file"]
    with TemporaryDirectory() as folder:
        file = Path(folder) / Path(upload.name or "payments.csv").name
        with file.open("wb") as out:
            out.writelines(upload.chunks())
        return apply_list(study=study, given=read_payment_list(file), by=user_of(request)).sentence


def payment_list(request: HttpRequest, pk: int, which: str) -> StreamingHttpResponse:
    """The list to take to the platform: the one download that has its ids, of those alone who may be paid."""
    study = study_or_404(request.user, Right.MANAGE, pk=pk)
    if which not in LISTS:
        raise Http404(f"There is no list {which}; there are {', '.join(LISTS)}.")
    listed = Payment.objects.open().filter(participation__study=study, status__in=LISTS[which])
    table = payments_table(listed, TO_PLATFORM)
    detail = {"what": f"payments, {which}", "payments": len(table["pseudonym"]), "with_platform_ids": True}
    AuditEntry.objects.create(study=study, by=user_of(request), action=AuditEntry.Action.EXPORTED, detail=detail)
    headers = {"Content-Disposition": f'attachment; filename="{study.slug}-payments-{which}.csv"'}
    return StreamingHttpResponse(csv_chunks(table), content_type="text/csv; charset=utf-8", headers=headers)


def decide_on_group(request: HttpRequest, pk: int, group: str) -> HttpResponse:
    study = study_or_404(request.user, Right.MANAGE, pk=pk)
    if group not in GROUPS:
        raise Http404(f"There is no group {group}; there are {', '.join(GROUPS)}.")
    found = GROUPS[group]
    back = reverse("admin:annotation_study_payments", args=[study.pk])
    return decide(request, study, found.of(study), DECISIONS[found.to], back=back, whom=found.people)


def decide_on_one(request: HttpRequest, pk: int, to: str) -> HttpResponse:
    payment = get_object_or_404(Payment.objects.select_related("participation"), pk=pk)
    study = study_or_404(request.user, Right.MANAGE, pk=payment.participation.study_id)
    if to not in DECISIONS:
        raise Http404(f"There is no decision {to}; there are {', '.join(DECISIONS)}.")
    back = reverse("admin:annotation_payment_change", args=[payment.pk])
    whom = payment.participation.pseudonym
    return decide(request, study, Payment.objects.filter(pk=payment.pk), DECISIONS[to], back=back, whom=whom)


def decide(
    request: HttpRequest,
    study: Study,
    chosen: QuerySet[Payment],
    decision: Decision,
    *,
    back: str,
    whom: str,
    hidden: Sequence[tuple[str, str]] = (),
) -> HttpResponse:
    """Asks first, with the number and the sum; does it once these have been confirmed and are still so."""
    is_confirmed = request.method == "POST" and "count" in request.POST
    form = _form(decision)(request.POST if is_confirmed else None)
    rows = rows_of(chosen)
    figures, is_changed = figures_of(movable(rows, decision.to)), False
    if is_confirmed and form.is_valid():
        shown = Figures(_number(request.POST["count"]), request.POST.get("total", ""))
        try:
            moved = decision.action(payments=chosen, by=user_of(request), why=form.cleaned_data["why"], expected=shown)
        except FiguresChanged as changed:
            figures, is_changed = changed.figures, True
        except Refused as refusal:
            for reason in refusal.reasons:
                form.add_error("why", reason)
        else:
            _tell(request, decision, moved.figures, moved.sentences)
            return redirect(back)
    context = {
        "decision": decision,
        "figures": figures,
        "whom": whom,
        "standing_otherwise": len(rows) - len(movable(rows, decision.to)),
        "is_changed": is_changed,
        "form": form,
        "back": back,
        "hidden": hidden,
    }
    page, wrong = "admin/touchstone/decide_on_pay.html", is_changed or bool(form.errors)
    title = f"{decision.verb}: {whom}"
    return study_page(request, study, page, context, section="pay", title=title, status=422 if wrong else 200)


def _form(decision: Decision) -> type[ReasonForm]:
    return RejectionForm if decision.to == Payment.Status.REJECTED else StatusForm


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else -1


def _tell(request: HttpRequest, decision: Decision, figures: Figures, unchanged: list[str]) -> None:
    if figures.count:
        people = "1 payment is" if figures.count == 1 else f"{figures.count} payments are"
        messages.success(request, f"{people} {decision.done}: {figures.total}.")
    for sentence in unchanged:
        messages.warning(request, sentence)


def urls_of(wrap: Callable[[View], View]) -> list[URLPattern]:
    return [
        path("<int:pk>/payments/", wrap(payments), name="annotation_study_payments"),
        path("<int:pk>/payments/<slug:which>.csv", wrap(payment_list), name="annotation_study_payment_list"),
        path("<int:pk>/payments/<slug:group>/", wrap(decide_on_group), name="annotation_study_decide_on_pay"),
    ]
