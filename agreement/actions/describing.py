"""A study's data card, saved by one of its researchers."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from agreement.models import DatasetCard
from annotation.models import AuditEntry, Study, User


@transaction.atomic
def save_card(*, study: Study, values: dict[str, Any], by: User) -> list[str]:
    """Returns the names of the fields that changed; nothing is recorded where none did."""
    card, _ = DatasetCard.objects.select_for_update(no_key=True).get_or_create(study=study)
    changed = [name for name, value in values.items() if getattr(card, name) != value]
    if changed:
        for name in changed:
            setattr(card, name, values[name])
        card.save(update_fields=changed)
        detail = {"what": "data card", "fields": changed}
        AuditEntry.objects.create(study=study, by=by, action=AuditEntry.Action.CHANGED, detail=detail)
    return changed
