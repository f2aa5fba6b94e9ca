"""What people are owed, and a researcher's decisions on it: for a study's managers."""

from collections.abc import Callable, Mapping
from typing import ClassVar

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.permissions import Right
from annotation.api.once import once
from annotation.api.parsing import Strict, read
from annotation.api.resources.people import Minute, sees_platform_ids
from annotation.api.schema import PAGED, describe, page_of
from annotation.api.views import StudyView, page
from annotation.models import Payment, Scope
from annotation.people.paying import StatusChange, approve, mark_paid, reject, waive

DECISIONS: dict[str, Callable[..., StatusChange]] = {
    "approve": approve,
    "mark-paid": mark_paid,
    "reject": reject,
    "waive": waive,
}


class PaymentShown(serializers.ModelSerializer[Payment]):
    participant = serializers.CharField(source="participation.pseudonym")
    amount = serializers.DecimalField(max_digits=8, decimal_places=2, allow_null=True)
    settled_at = Minute(allow_null=True)
    platform_id = serializers.SerializerMethodField(help_text="With the scope platform_ids:read, while it is open.")

    class Meta:
        model = Payment
        fields = ("participant", "status", "amount", "currency", "reason", "settled_at", "platform_id")

    def get_platform_id(self, payment: Payment) -> str | None:
        return payment.platform_id if self.context["with_ids"] else None


class Decision(Strict):
    decision = serializers.ChoiceField(choices=[(name, name) for name in DECISIONS])
    participants = serializers.ListField(
        child=serializers.CharField(max_length=20), min_length=1, max_length=5_000, help_text="Pseudonyms."
    )
    why = serializers.CharField(
        max_length=2000, required=False, allow_blank=True, default="", help_text="Rejecting needs a reason."
    )


class Decided(serializers.Serializer[dict[str, object]]):
    count = serializers.IntegerField(help_text="How many payments were changed.")
    total = serializers.CharField()
    unchanged = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()), help_text="By status: whose stayed as it was."
    )


class Payments(StudyView):
    name = "payments"
    scopes: ClassVar[Mapping[str, Scope]] = {"POST": Scope.PAYMENTS}
    rights: ClassVar[Mapping[str, Right]] = {"GET": Right.MANAGE, "POST": Right.MANAGE}

    @describe(
        "What each person is owed",
        parameters=[*PAGED, OpenApiParameter("status", str, enum=Payment.Status.values)],
        responses=page_of(PaymentShown),
    )
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        payments = Payment.objects.filter(participation__study=self.study).select_related("participation")
        if status := request.query_params.get("status", ""):
            payments = payments.filter(status=status)
        context = {"with_ids": sees_platform_ids(self)}
        return Response(page(request, payments, lambda rows: PaymentShown(rows, many=True, context=context).data))

    @describe("Approve, mark as paid, reject or waive payments", request=Decision, responses=Decided)
    @once(is_required=True)
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        decision = read(Decision, request.data)
        pseudonyms = set(decision["participants"])
        payments = Payment.objects.filter(participation__study=self.study, participation__pseudonym__in=pseudonyms)
        owed = set(payments.values_list("participation__pseudonym", flat=True))
        if unknown := sorted(pseudonyms - owed):
            raise ValidationError(
                {"participants": [f"{name}: nobody of this study is owed by it." for name in unknown]}
            )
        moved = DECISIONS[decision["decision"]](payments=payments, by=self.user, why=decision["why"])
        unchanged = {status: list(names) for status, names in moved.unchanged.items()}
        return Response({"count": moved.figures.count, "total": moved.figures.total, "unchanged": unchanged})
