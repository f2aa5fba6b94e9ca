"""Payments in the admin: what is owed to whom, for managers alone; the platform's ids are not in the list."""

from django.contrib import admin

from annotation.admin.columns import column
from annotation.admin.scoped import ReadOnlyAdmin, study_filter
from annotation.models import Payment
from annotation.permissions import Right


@admin.register(Payment)
class PaymentAdmin(ReadOnlyAdmin):
    study_path = "participation__study"
    looking = Right.MANAGE
    list_display = ("participation", "shown_status", "amount", "currency", "settled_at", "study")
    list_filter = (study_filter("participation__study"), "status")
    search_fields = ("=participation__pseudonym",)
    search_help_text = "A pseudonym, whole"
    list_select_related = ("participation__study",)
    ordering = ("-pk",)
    fields = ("participation", "study", "status", "amount", "currency", "settled_at", "platform_id", "session_id")

    @column("status", ordering="status", colours={"due": "warning", "paid": "success", "waived": "info"})
    def shown_status(self, payment: Payment) -> tuple[str, str]:
        return payment.status, payment.get_status_display()

    @column("study")
    def study(self, payment: Payment) -> str:
        return str(payment.participation.study)
