"""Checks of a study: their items and how many of them each assignment contains, added together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import F

from annotation.actions.studies import add_items
from annotation.errors import Refused
from annotation.models import AuditEntry, CheckQuota, Study, User


def add_checks(
    *, study: Study, items: Sequence[dict[str, Any]], quotas: Mapping[str, int], by: User | None, source: str
) -> int:
    """Adds check items, if any, and what each assignment contains of every name. Returns how many items were added."""
    with transaction.atomic():
        now = Study.objects.select_for_update(of=("self",), no_key=True).get(pk=study.pk)
        if now.status in {Study.Status.PILOTING, Study.Status.LIVE}:
            raise Refused(f"{now} is {now.status}: pause it before you change its checks.")
        added = add_items(study=now, items=list(items), by=by, source=source)
        there = {name: now.items.checks().filter(check_name=name).count() for name in quotas}
        for name, count in quotas.items():
            needed = count * now.assignments_per_worker
            if count < 1 or there[name] < needed:
                has = there[name]
                raise Refused(f"{name}: {count} in each assignment need {needed} check items, and there are {has}.")
            CheckQuota.objects.update_or_create(study=now, check_name=name, defaults={"per_assignment": count})
        Study.objects.filter(pk=now.pk).update(edits=F("edits") + 1)
        detail = {"fields": ["checks"], "checks": dict(quotas)}
        AuditEntry.objects.create(study=now, by=by, action=AuditEntry.Action.CHANGED, detail=detail)
    return added
