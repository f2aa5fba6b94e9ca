"""Payments in the admin and the page Pay of a study, for managers alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse

from agreement.errors import Refused
from agreement.files.writing import csv_chunks
from annotation.accounts.permissions import Right, study_or_404
from annotation.models import AuditEntry, Payment, Study
from annotation.pages.admin.base import (
    ReadOnlyAdmin,
    column,
    posted,
    reasons_of,
    study_filter,
    study_page,
    user_of,
)
from annotation.pages.admin.forms import PaymentsFileForm, ReasonForm, RejectionForm, StatusForm
from annotation.people.paying import (
    Figures,
    FiguresChanged,
    StatusChange,
    apply_list,
    approve,
    figures_of,
    mark_paid,
    movable_payments,
    reject,
    rows_of,
    waive,
)
from annotation.people.payment_groups import GROUPS, offers, paid_for_little, standing_of
from annotation.people.payment_lists import FROM, TO_PLATFORM, payments_table, read_payment_list
from annotation.people.retention import ids_kept
from annotation.platforms import PLATFORMS
from annotation.studies.item_files import name_on_disk
from annotation.web.responses import Download

# What each decision on pay is called on a button, and what pressing it means.

Status = Payment.Status


@dataclass(frozen=True, slots=True)
class Decision:
    to: Status
    verb: str
    done: str
    meaning: str
    action: Callable[..., StatusChange]


DECISIONS: dict[str, Decision] = {
    decision.to: decision
    for decision in (
        Decision(
            Status.APPROVED,
            "Approve",
            "approved",
            "They are to be paid, and are on the list to take to the platform. Approving pays nothing by itself.",
            approve,
        ),
        Decision(
            Status.PAID,
            "Mark as paid",
            "marked as paid",
            "Do this after you have paid them on the platform: Touchstone moves no money. This can't be undone, and "
            "the platform's ids are removed from these payments.",
            mark_paid,
        ),
        Decision(
            Status.REJECTED,
            "Reject",
            "rejected",
            "They are recorded as rejected on the platform: their answers don't count, and other people answer their "
            "items instead. This can't be undone. Touchstone doesn't tell the platform: reject them there too.",
            reject,
        ),
        Decision(
            Status.WAIVED,
            "Waive",
            "waived",
            "Nothing is owed to them. This can't be undone, and the platform's ids are removed from these payments.",
            waive,
        ),
    )
}


# The page Pay of a study, for managers alone: how payments stand, who is decided on together, lists out and in.

View: TypeAlias = Callable[..., HttpResponseBase]
# Which payments the list to take to the platform has, by what the address says.
LISTS = {"approved": (Payment.Status.APPROVED,), "open": Payment.OPEN}


def payments(request: HttpRequest, pk: int) -> HttpResponse:
    study = study_or_404(request.user, Right.MANAGE, pk=pk)
    form = PaymentsFileForm(posted(request), request.FILES or None)
    refused = {}
    if form.is_valid():
        try:
            sentence = _apply_returned_list(study, form, request)
        except Refused as refusal:
            refused = reasons_of(refusal)
        else:
            messages.success(request, sentence)
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


def _apply_returned_list(study: Study, form: PaymentsFileForm, request: HttpRequest) -> str:
    upload = form.cleaned_data["file"]
    with TemporaryDirectory() as folder:
        file = Path(folder) / name_on_disk(upload.name, "payments.csv")
        with file.open("wb") as out:
            out.writelines(upload.chunks())
        return apply_list(study=study, payment_list=read_payment_list(file), by=user_of(request)).sentence


def payment_list(request: HttpRequest, pk: int, which: str) -> Download:
    """The list to take to the platform: the one download that has its ids, of those alone who may be paid."""
    study = study_or_404(request.user, Right.MANAGE, pk=pk)
    if which not in LISTS:
        raise Http404(f"There is no list '{which}'. The lists are: {', '.join(LISTS)}.")
    listed = Payment.objects.open().filter(participation__study=study, status__in=LISTS[which])
    table = payments_table(listed, TO_PLATFORM)
    detail = {"what": f"payments, {which}", "payments": len(table["pseudonym"]), "with_platform_ids": True}
    file = Download(csv_chunks(table), name=f"{study.slug}-payments-{which}.csv")
    AuditEntry.objects.create(study=study, by=user_of(request), action=AuditEntry.Action.EXPORTED, detail=detail)
    return file


def decide_on_group(request: HttpRequest, pk: int, group: str) -> HttpResponse:
    study = study_or_404(request.user, Right.MANAGE, pk=pk)
    if group not in GROUPS:
        raise Http404(f"There is no group '{group}'. The groups are: {', '.join(GROUPS)}.")
    chosen = GROUPS[group]
    back = reverse("admin:annotation_study_payments", args=[study.pk])
    return decide(request, study, chosen.of(study), DECISIONS[chosen.to], back=back, whom=chosen.people)


def decide_on_one(request: HttpRequest, pk: int, to: str) -> HttpResponse:
    payment = get_object_or_404(Payment.objects.select_related("participation"), pk=pk)
    study = study_or_404(request.user, Right.MANAGE, pk=payment.participation.study_id)
    if to not in DECISIONS:
        raise Http404(f"There is no decision '{to}'. The decisions are: {', '.join(DECISIONS)}.")
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
    figures, is_changed = figures_of(movable_payments(rows, decision.to)), False
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
            _tell_result(request, decision, moved.figures, moved.sentences)
            return redirect(back)
    context = {
        "decision": decision,
        "figures": figures,
        "whom": whom,
        "standing_otherwise": len(rows) - len(movable_payments(rows, decision.to)),
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


def _tell_result(request: HttpRequest, decision: Decision, figures: Figures, unchanged: list[str]) -> None:
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


# Payments in the admin: what is owed to whom, for managers alone; the platform's ids are not in the list.

COLOURS = {"due": "warning", "approved": "info", "paid": "success", "rejected": "danger", "waived": "default"}


class YesNoFilter(admin.SimpleListFilter):
    """Whether a time of the participation is set."""

    path = ""

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:  # noqa: ARG002
        return [("yes", "Yes"), ("no", "No")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Payment]) -> QuerySet[Payment]:  # noqa: ARG002
        if self.value() not in {"yes", "no"}:
            return queryset
        return queryset.filter(**{f"{self.path}__isnull": self.value() == "no"})


class FinishedFilter(YesNoFilter):
    title = parameter_name = "finished"
    path = "participation__finished_at"


class ExcludedFilter(YesNoFilter):
    title = parameter_name = "excluded"
    path = "participation__set_aside_at"


@admin.register(Payment)
class PaymentAdmin(ReadOnlyAdmin):
    study_path = "participation__study"
    looking = Right.MANAGE
    list_display = ("participation", "shown_status", "amount", "currency", "settled_at", "study")
    list_filter = (study_filter("participation__study"), "status", FinishedFilter, ExcludedFilter)
    search_fields = ("=participation__pseudonym",)
    search_help_text = "The whole pseudonym"
    list_select_related = ("participation__study",)
    list_before_template = "admin/touchstone/payments_head.html"
    section = "pay"
    change_form_outer_before_template = "admin/touchstone/payment_head.html"
    ordering = ("-pk",)
    fields = (
        "participation", "study", "status", "reason", "amount", "currency", "settled_at", "platform_id", "session_id",
    )  # fmt: skip
    actions = ("approve", "mark_paid", "reject", "waive")

    @column("status", ordering="status", colours=COLOURS)
    def shown_status(self, payment: Payment) -> tuple[str, str]:
        return payment.status, payment.get_status_display()

    @column("study")
    def study(self, payment: Payment) -> str:
        return str(payment.participation.study)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, object], *args: object, **kwargs: object
    ) -> HttpResponse:
        stands = getattr(kwargs.get("obj"), "status", "")
        context["decisions"] = [one for one in DECISIONS.values() if stands in FROM[one.to]]
        page: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return page

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        mine = path("<int:pk>/decide/<slug:to>/", wrap(decide_on_one), name="annotation_payment_decide")
        return [mine, *super().get_urls()]

    @admin.action(description="Approve")
    def approve(self, request: HttpRequest, chosen: QuerySet[Payment]) -> HttpResponse | None:
        return self._decide(request, chosen, DECISIONS[Payment.Status.APPROVED])

    @admin.action(description="Mark as paid")
    def mark_paid(self, request: HttpRequest, chosen: QuerySet[Payment]) -> HttpResponse | None:
        return self._decide(request, chosen, DECISIONS[Payment.Status.PAID])

    @admin.action(description="Reject")
    def reject(self, request: HttpRequest, chosen: QuerySet[Payment]) -> HttpResponse | None:
        return self._decide(request, chosen, DECISIONS[Payment.Status.REJECTED])

    @admin.action(description="Waive")
    def waive(self, request: HttpRequest, chosen: QuerySet[Payment]) -> HttpResponse | None:
        return self._decide(request, chosen, DECISIONS[Payment.Status.WAIVED])

    def _decide(self, request: HttpRequest, chosen: QuerySet[Payment], decision: Decision) -> HttpResponse | None:
        """The list's own form is sent again with what was chosen, once the number and the sum are confirmed."""
        pks = list(chosen.values_list("pk", flat=True))
        studies = list(Study.objects.filter(participations__payment__in=pks).distinct()[:2])
        if len(studies) != 1:
            messages.error(request, "These payments belong to several studies: choose payments of one study.")
            return None
        all_of_them = request.POST.get("select_across") == "1"
        hidden = [("action", request.POST.get("action", "")), ("select_across", "1" if all_of_them else "0")]
        # Of all that the filter finds one stands for the rest: a form takes no more than a thousand fields.
        hidden += [(ACTION_CHECKBOX_NAME, str(pk)) for pk in (pks[:1] if all_of_them else pks)]
        rows, back = Payment.objects.filter(pk__in=pks), request.get_full_path()
        return decide(request, studies[0], rows, decision, back=back, whom="the chosen payments", hidden=hidden)
