"""Payments in the admin: what is owed to whom, for managers alone; the platform's ids are not in the list."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from annotation.admin.columns import column
from annotation.admin.pay_pages import decide, decide_on_one
from annotation.admin.pay_words import DECISIONS, Decision
from annotation.admin.scoped import ReadOnlyAdmin, key_of, study_filter
from annotation.models import Payment, Study
from annotation.permissions import Right, studies_where
from annotation.settling import FROM

COLOURS = {"due": "warning", "approved": "info", "paid": "success", "rejected": "danger", "waived": "default"}


class YesNoFilter(admin.SimpleListFilter):
    """Whether a time of the participation is set."""

    path = ""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002
        return [("yes", "Yes"), ("no", "No")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002
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
    search_help_text = "A pseudonym, whole"
    list_select_related = ("participation__study",)
    list_before_template = "admin/touchstone/payments_head.html"
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

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Limited to one study, the list carries the study's own bar."""
        pk = key_of(request.GET.get("study", ""))
        study = None if pk is None else studies_where(request.user, Right.MANAGE).filter(pk=pk).first()
        return super().changelist_view(request, {"study": study, **(extra_context or {})})

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        stands = getattr(kwargs.get("obj"), "status", "")
        context["decisions"] = [one for one in DECISIONS.values() if stands in FROM[one.to]]
        return super().render_change_form(request, context, *args, **kwargs)

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
            messages.error(request, "These payments are of several studies: choose those of one study.")
            return None
        all_of_them = request.POST.get("select_across") == "1"
        hidden = [("action", request.POST.get("action", "")), ("select_across", "1" if all_of_them else "0")]
        # Of all that the filter finds one stands for the rest: a form takes no more than a thousand fields.
        hidden += [(ACTION_CHECKBOX_NAME, str(pk)) for pk in (pks[:1] if all_of_them else pks)]
        rows, back = Payment.objects.filter(pk__in=pks), request.get_full_path()
        return decide(request, studies[0], rows, decision, back=back, whom="the chosen payments", hidden=hidden)
