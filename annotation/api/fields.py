"""What serializers share: fields that aren't known are refused by name, and texts hold nothing that no text has."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Model
from rest_framework import serializers
from rest_framework.exceptions import ValidationError


class Strict(serializers.Serializer[Any]):
    """Takes an object with these fields and no others."""

    def to_internal_value(self, data: object) -> object:
        unknown = _unknown(self, data)
        try:
            value = super().to_internal_value(data)
        except ValidationError as error:
            told = error.detail if isinstance(error.detail, dict) else {"non_field_errors": error.detail}
            raise ValidationError({**unknown, **told}) from error
        if unknown:
            raise ValidationError(unknown)
        return value


def _unknown(serializer: Strict, data: object) -> dict[str, list[str]]:
    if not isinstance(data, Mapping):
        return {}
    known = [name for name, field in serializer.fields.items() if not field.read_only]
    names = ", ".join(known) or "none"
    return {
        str(name)[:100]: [f"There is no such field here. The fields are: {names}."]
        for name in data
        if name not in known
    }


def read(
    serializer: type[Strict],
    data: object,
    *,
    instance: Model | None = None,
    partial: bool = False,
    context: dict[str, object] | None = None,
) -> dict[str, Any]:
    """What was sent, checked, as a dict; or a refusal that names every bad field."""
    bound = serializer(instance, data=data, partial=partial, context=context or {})
    bound.is_valid(raise_exception=True)
    return dict(bound.validated_data)


class Reason(Strict):
    why = serializers.CharField(max_length=2000, help_text="Recorded in the study's history.")
