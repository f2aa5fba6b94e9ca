"""Payment: what a participation is owed. While it is open it keeps the platform's ids; settling removes them."""

from typing import Self

from django.db import models
from django.db.models import Q

from annotation.models.constraints import both_or_neither, known_choices
from annotation.models.participation import Participation


class PaymentQuerySet(models.QuerySet["Payment"]):
    def open(self) -> Self:
        """Neither paid nor rejected nor waived: somebody still has to decide, or to pay."""
        return self.filter(status__in=Payment.OPEN)

    def locked(self) -> Self:
        """Locked by number until the transaction ends; who rejects has locked the participations before."""
        return self.order_by("pk").select_for_update(no_key=True, of=("self",))


@known_choices
class Payment(models.Model):
    class Status(models.TextChoices):
        DUE = "due"
        APPROVED = "approved", "Approved, to be paid"
        PAID = "paid"
        REJECTED = "rejected"
        WAIVED = "waived", "Nothing is owed"

    OPEN = ("due", "approved")

    participation = models.OneToOneField(Participation, models.PROTECT, related_name="payment")
    status = models.CharField(max_length=8, choices=Status, default=Status.DUE)
    platform_id = models.CharField(max_length=200, null=True, blank=True)
    session_id = models.CharField(max_length=200, null=True, blank=True)
    amount = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    currency = models.CharField(max_length=3, null=True, blank=True)
    reason = models.TextField(blank=True, help_text="Why the person was rejected, in the words for the platform.")
    settled_at = models.DateTimeField(null=True, blank=True)

    objects = PaymentQuerySet.as_manager()

    class Meta:
        constraints = [
            both_or_neither("amount", "currency"),
            models.CheckConstraint(condition=Q(amount__isnull=True) | Q(amount__gte=0), name="%(class)s_not_negative"),
            models.CheckConstraint(
                condition=Q(status__in=("due", "approved"), settled_at__isnull=True)
                | (~Q(status__in=("due", "approved")) & Q(settled_at__isnull=False)),
                name="%(class)s_settled_has_time",
            ),
            models.CheckConstraint(
                condition=Q(status__in=("due", "approved")) | Q(platform_id__isnull=True, session_id__isnull=True),
                name="%(class)s_settled_keeps_no_ids",
            ),
            models.CheckConstraint(
                condition=~Q(status="rejected") | ~Q(reason=""), name="%(class)s_rejected_has_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_status_display()}: {self.participation}"
