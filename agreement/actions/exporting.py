"""The record of what left the house: which export, of which release, for whom."""

from agreement.models import GoldRelease
from annotation.models import AuditEntry, Study, User


def record_export(*, study: Study, what: str, release: GoldRelease | None, only_kept: bool, by: User | None) -> None:
    AuditEntry.objects.create(
        study=study,
        by=by,
        action=AuditEntry.Action.EXPORTED,
        detail={"what": what, "release": release and release.number, "only_kept": only_kept},
    )
