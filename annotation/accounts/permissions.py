"""Who may do what: a study's owner and managers everything, editors change it, viewers look; who sees codes."""

from collections.abc import Mapping
from enum import IntEnum
from typing import TypeAlias
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest

from annotation.models import Role, Study, User

Person: TypeAlias = User | AnonymousUser


class Right(IntEnum):
    """Each holds those below it."""

    LOOK = 1  # results and exports under pseudonyms
    CHANGE = 2  # also the study itself, cleaning, releases, exclusions
    MANAGE = 3  # also sharing, pay and platform ids


RIGHTS = {Role.Level.VIEWER: Right.LOOK, Role.Level.EDITOR: Right.CHANGE, Role.Level.MANAGER: Right.MANAGE}


def right_on(person: Person, study: Study) -> Right | None:
    """The highest right that a person has on a study, or None."""
    if not isinstance(person, User) or not person.is_active or study.deleted_at is not None:
        return None
    if person.is_superuser or study.owner_id == person.pk:
        return Right.MANAGE
    level = Role.objects.filter(study=study, user=person).values_list("level", flat=True).first()
    return None if level is None else RIGHTS[Role.Level(level)]


def right_in(request: HttpRequest, study: Study) -> Right | None:
    """The same for whoever makes a request: a page asks it many times, and the database is asked once."""
    had: dict[int, Right | None] = request.__dict__.setdefault("_rights", {})
    if study.pk not in had:
        had[study.pk] = right_on(request.user, study)
    return had[study.pk]


def may(person: Person, right: Right, study: Study) -> bool:
    had = right_on(person, study)
    return had is not None and had >= right


def studies_where(person: Person, right: Right) -> QuerySet[Study]:
    """The studies on which a person has that right."""
    if not isinstance(person, User) or not person.is_active:
        return Study.objects.none()
    studies = Study.objects.filter(deleted_at=None)
    if person.is_superuser:
        return studies
    levels = [level for level, allowed in RIGHTS.items() if allowed >= right]
    roles = Role.objects.filter(user=person, level__in=levels)
    return studies.filter(Q(owner=person) | Q(pk__in=roles.values("study")))


def study_or_404(person: Person, right: Right, **which: UUID | int | str | None) -> Study:
    """The study, if the person has the right: a stranger is not told that it exists, a viewer is told "no"."""
    study = Study.objects.filter(**which).select_related("owner").first()
    had = None if study is None else right_on(person, study)
    if study is None or had is None:
        raise Http404("There is no such study, or it has not been shared with you.")
    if had < right:
        raise PermissionDenied("Your role in this study does not allow that.")
    return study


# What lets people in or pays them: shown to those who may change the study, and hidden from its viewers.

CODES = (
    "platform_study_id", "code_completed", "code_no_consent", "code_failed_comprehension", "code_failed_qualification",
    "finish_url",
)  # fmt: skip
HIDDEN = "HIDDEN"


def hide_codes(study: Study) -> None:
    """Of a study that is only shown: what is filled in says nothing but that."""
    for name in CODES:
        if getattr(study, name):
            setattr(study, name, f"https://example.org/{HIDDEN}" if name == "finish_url" else HIDDEN)


def without_codes(detail: Mapping[str, object]) -> dict[str, object]:
    """What an entry of the study's record says of a change, without what the codes were and became."""
    return {name: _hidden_value(value) if name in {"from", "to"} else value for name, value in detail.items()}


def _hidden_value(value: object) -> object:
    if not isinstance(value, Mapping):
        return value
    return {name: HIDDEN if name in CODES and was else was for name, was in value.items()}
