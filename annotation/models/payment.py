"""Payment: what a participation is owed. While unpaid it keeps the platform's ids; settling purges them."""

from django.db import models
from django.db.models import Q

from annotation.models.constraints import both_or_neither, known_choices
from annotation.models.participation import Participation


@known_choices
class Payment(models.Model):
    class Status(models.TextChoices):
        DUE = "due"
        PAID = "paid"
        WAIVED = "waived", "Nothing is owed"

    participation = models.OneToOneField(Participation, models.PROTECT, related_name="payment")
    status = models.CharField(max_length=6, choices=Status, default=Status.DUE)
    platform_id = models.CharField(max_length=200, null=True, blank=True)
    session_id = models.CharField(max_length=200, null=True, blank=True)
    amount = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    currency = models.CharField(max_length=3, null=True, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            both_or_neither("amount", "currency"),
            models.CheckConstraint(
                condition=Q(status="due", settled_at__isnull=True) | (~Q(status="due") & Q(settled_at__isnull=False)),
                name="%(class)s_settled_has_time",
            ),
            models.CheckConstraint(
                condition=Q(status="due") | Q(platform_id__isnull=True, session_id__isnull=True),
                name="%(class)s_settled_keeps_no_ids",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_status_display()}: {self.participation}"
