"""Studies, people and answers for tests, made by the same actions that the site uses."""

from itertools import count
from typing import Any
from uuid import UUID, uuid4

from annotation.answering.judging import finish_assignment, open_assignment
from annotation.answering.saving_answers import SavedAnswer, save_answer
from annotation.entry.entering import enter, give_consent
from annotation.models import Assignment, CheckQuota, Participation, Study
from annotation.studies import presets
from annotation.studies.item_files import NewItem
from annotation.studies.study_life import add_items, change_status, create_study

_numbers = count(1)


def a_study(*, live: bool = True, **changes: Any) -> Study:
    """The founding study, open unless told otherwise."""
    study = create_study(
        slug=f"study-{next(_numbers)}", preset=presets.load("spatial-similarity"), **{"seed": 7, **changes}
    )
    return change_status(study=study, status=Study.Status.LIVE) if live else study


def a_small_study(*, items: int, live: bool = True, **changes: Any) -> Study:
    """A slider study of so many items and no checks."""
    preset = presets.load("spatial-similarity")
    study = Study.objects.create(slug=f"study-{next(_numbers)}", **{**preset.study, "seed": 7, **changes})
    new: list[NewItem] = [{"item_id": f"i{k}", "fields": {"left": f"a{k}", "right": f"b{k}"}} for k in range(items)]
    add_items(study=study, items=new, source="a test")
    return change_status(study=study, status=Study.Status.LIVE) if live else study


def a_person(study: Study, **changes: Any) -> Participation:
    person = enter(study=study, platform="direct", **{"platform_id": f"person-{next(_numbers)}", "seed": 3, **changes})
    give_consent(participation=person)
    return person


def an_answer(
    assignment: Assignment, position: int, number: float = 50.0, *, client_key: UUID | None = None, **changes: Any
) -> SavedAnswer:
    """A form with this number in it, unless `fields` say something else, as the page's script would send it."""
    fields = changes.pop("fields", {"number": str(number)})
    form = {"position": str(position), "key": str(client_key or uuid4()), "input_kind": "unknown", **fields}
    link = {"assignment_uuid": assignment.uuid, "token_version": assignment.token_version, **changes}
    return save_answer(fields={name: [value] for name, value in form.items()}, **link)


def per_assignment_done(study: Study, number: float = 50.0, *, is_careful: bool = False) -> Assignment:
    """A person came, answered everything with the same number (the careful: but for checks), and finished."""
    assignment = open_assignment(participation=a_person(study))
    for position, low, high in assignment.assigned_items.values_list("position", "item__min", "item__max"):
        right = low if low is not None else high
        an_answer(assignment, position, number if right is None or not is_careful else right)
    finish_assignment(assignment=assignment)
    return assignment


def a_quota(study: Study, name: str, count: int) -> CheckQuota:
    return CheckQuota.objects.create(study=study, check_name=name, per_assignment=count)
