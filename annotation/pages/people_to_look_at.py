"""Whose answers look careless and at whom nobody has looked yet: one after another, each kept or excluded."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from annotation.accounts.permissions import Right
from annotation.models import Study
from annotation.pages.admin.base import study_asked, user_of
from annotation.releases.actions.rule_sets import keep_after_looking
from annotation.releases.models import Exclusion
from annotation.releases.summaries import Figures


@dataclass(frozen=True, slots=True)
class Suspect:
    worker: str
    kinds: list[str]
    sentence: str
    is_excluded: bool
    is_looked_at: bool  # by somebody who kept them

    @property
    def is_open(self) -> bool:
        return not self.is_excluded and not self.is_looked_at


def suspects_of(study: Study, figures: Figures | None) -> list[Suspect]:
    """Those at whom nobody has looked first; two queries, or none."""
    suspects: Mapping[int, Mapping[str, object]] = {} if figures is None else figures.suspects
    if not suspects:
        return []
    excluded = set(
        Exclusion.objects.in_force().filter(participation__in=suspects).values_list("participation", flat=True)
    )
    people = study.participations.filter(pk__in=suspects).order_by("pk").values_list("pk", "pseudonym", "looked_at")
    listed = [
        Suspect(name, list(suspects[pk]["kinds"]), str(suspects[pk]["sentence"]), pk in excluded, looked_at is not None)  # type: ignore[call-overload]
        for pk, name, looked_at in people
    ]
    return sorted(listed, key=lambda one: not one.is_open)


def open_suspects(study: Study, figures: Figures | None) -> list[Suspect]:
    return [one for one in suspects_of(study, figures) if one.is_open]


@require_POST
def keep(request: HttpRequest, study: UUID, pseudonym: str) -> HttpResponse:
    """Notes that the person was looked at and is kept, and leads on to the next; `again` takes that back."""
    this_study = study_asked(request, Right.CHANGE, study)
    who = get_object_or_404(this_study.participations, pseudonym=pseudonym)
    is_kept = "again" not in request.POST
    keep_after_looking(participation=who, by=user_of(request), is_kept=is_kept)
    messages.success(request, f"{who} is kept." if is_kept else f"{who} is to be looked at again.")
    following = request.POST.get("next", "")
    if is_kept and following and this_study.participations.filter(pseudonym=following).exists():
        return redirect("agreement:person", this_study.uuid, following)
    if is_kept:
        return redirect(f"{reverse('agreement:people', args=[this_study.uuid])}#to-look-at")
    return redirect("agreement:person", this_study.uuid, who.pseudonym)
