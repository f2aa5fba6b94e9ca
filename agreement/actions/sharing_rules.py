"""Sharing a study's rule set with every researcher of the site, on purpose, and no longer sharing it."""

from django.db import transaction

from agreement.models import CleaningRun, SharedRuleSet, StoredRuleSet
from annotation.errors import Refused
from annotation.models import AuditEntry, Study, User


def share_rule_set(*, rule_set: StoredRuleSet, study: Study, by: User | None) -> bool:
    """Everybody who signs in may read and use it from now on. Says whether it was not shared before."""
    if not CleaningRun.objects.filter(rule_set=rule_set, study=study).exists():
        raise Refused(f"{study} has not used {rule_set}: only a study that used a rule set can share it.")
    with transaction.atomic():
        _shared, is_new = SharedRuleSet.objects.get_or_create(rule_set=rule_set, study=study, defaults={"by": by})
        if is_new:
            _record(rule_set, study, by, "everybody on this site")
    return is_new


def stop_sharing_rule_set(*, rule_set: StoredRuleSet, study: Study, by: User | None) -> bool:
    """Other studies keep it where their runs used it: what they did with it stays reproducible."""
    with transaction.atomic():
        deleted, _ = SharedRuleSet.objects.filter(rule_set=rule_set, study=study).delete()
        if deleted:
            _record(rule_set, study, by, "the studies that used it")
    return bool(deleted)


def _record(rule_set: StoredRuleSet, study: Study, by: User | None, readers: str) -> None:
    detail = {"rule set": rule_set.name, "sha256": rule_set.sha256, "read by": readers}
    AuditEntry.objects.create(study=study, by=by, action=AuditEntry.Action.SHARED, detail=detail)
