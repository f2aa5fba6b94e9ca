"""The record of exports: which one, of which release, for whom."""

from annotation.models import AuditEntry, Study, User
from annotation.releases.models import GoldRelease


def record_export(
    *,
    study: Study,
    what: str,
    release: GoldRelease | None,
    by: User | None,
    only_kept: bool = False,
    with_platform_ids: bool = False,
    with_participants: bool = False,
) -> None:
    AuditEntry.objects.create(
        study=study,
        by=by,
        action=AuditEntry.Action.EXPORTED,
        detail={
            "what": what,
            "release": release and release.number,
            "only_kept": only_kept,
            "with_platform_ids": with_platform_ids,
            **({"with_participants": True} if with_participants else {}),
        },
    )
