"""Forgets who said no: in place of the platform's id a keyed digest is kept, by which this site alone knows them."""

from collections import Counter

from django.db import transaction
from django.utils.crypto import salted_hmac

from annotation.models import AuditEntry, Participation, Study, Worker

PREFIX = "declined:"
PORTION = 100  # a few queries for each, in one transaction per study


def declined_id(study: Study, platform_id: str) -> str:
    """What stands in place of the id of somebody who said no to this study; in another study it is another one."""
    digest = salted_hmac("touchstone.declined", f"{study.uuid} {platform_id}", algorithm="sha256").hexdigest()
    return f"{PREFIX}{digest}"


def ids_of_person(study: Study, platform_id: str) -> list[str]:
    """What the platform calls somebody, and what they are called here if they said no to this study before.

    The digest needs the site's secret key, which a shell that simulates people may not have.
    """
    have_declined = study.participations.filter(status=Participation.Status.DECLINED)
    return [platform_id, *([declined_id(study, platform_id)] if have_declined.exists() else [])]


def locked_worker_of(participation: Participation) -> Worker:
    """As it is now: in another tab the person may have said no since the participation was read."""
    workers = Worker.objects.select_for_update(no_key=True, of=("self",))
    return workers.get(participations=participation.pk)


def forget_who_declined(*, participation: Participation) -> None:
    """Hangs the participation on a worker who is known by the digest alone; their row goes unless they are in others.

    Call it inside a transaction that has locked the study: who comes in again at this moment is looked for by both.
    """
    worker = locked_worker_of(participation)
    if worker.platform_id is None or worker.platform_id.startswith(PREFIX):
        return
    known_as = declined_id(participation.study, worker.platform_id)
    unknown, _ = Worker.objects.get_or_create(platform=worker.platform, platform_id=known_as)
    Participation.objects.filter(pk=participation.pk).update(worker=unknown)
    if not worker.participations.exists():
        worker.delete()


def forget_earlier_refusals() -> int:
    """The same for a portion of those who said no before ids were forgotten; returns how many."""
    declined = Participation.objects.filter(
        status=Participation.Status.DECLINED, worker__platform_id__isnull=False
    ).exclude(worker__platform_id__startswith=PREFIX)
    studies = Counter(declined.order_by("pk").values_list("study_id", flat=True)[:PORTION])
    for study_id, count in sorted(studies.items()):
        with transaction.atomic():
            study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
            for person in declined.filter(study=study).select_related("study").order_by("pk")[:count]:
                forget_who_declined(participation=person)
            AuditEntry.objects.create(
                study=study, action=AuditEntry.Action.PURGED, detail={"platform ids of who declined": count}
            )
    return studies.total()
