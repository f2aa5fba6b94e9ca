"""Studies that ask several questions of an item, for the tests of pages."""

from typing import Any

from annotation.models import Judgment, Label, Question, Study
from annotation.models.question import FIRST
from tests.integration.annotation.answering.views.people import SCALE, a_study_of

FERNS = [{"item_id": name, "fields": {"thing": "fern"}} for name in ("one", "two", "three")]
AGREEMENT = ("no", "rather no", "neither", "rather yes", "yes")


def labels(study: Study, number: int, values: tuple[str, ...]) -> None:
    Label.objects.bulk_create(
        Label(study=study, question=number, value=value, display_text=value, position=position)
        for position, value in enumerate(values, 1)
    )


def ask(study: Study, number: int, kind: str, values: tuple[str, ...] = (), **changes: Any) -> Question:
    """A further question of a study of which nobody was asked anything yet."""
    fields = {
        "question_name": f"question_{number}",
        "question": f"{kind.capitalize()} {number} of a {{thing}}?",
        **(SCALE if kind in {"slider", "sliders"} else {}),
    }
    question = Question.objects.create(study=study, number=number, kind=kind, **{**fields, **changes})
    labels(study, number, values)
    return question


def a_study_of_four(**changes: Any) -> Study:
    """A colour; of what is red, how red, with confidence; a slider that one may not know; and an optional text."""
    study = a_study_of("choice", question_name="colour", **{"items": FERNS, **changes})
    ask(study, 2, "choice", ("light", "dark"), shown_if=FIRST, shown_if_labels=["red"], asks_confidence=True)
    ask(study, 3, "slider", offers_dont_know=True)
    ask(study, 4, "text", is_required=False)
    return study


def a_matrix(
    count: int = 3, values: tuple[str, ...] = AGREEMENT, *, scale: dict[str, Any] | None = None, **changes: Any
) -> Study:
    """So many statements on one scale, whose settings each of them has."""
    study = a_study_of("choice", question="It is natural.", **(scale or {}), **changes)
    study.labels.all().delete()
    labels(study, FIRST, values)
    for number in range(2, count + 1):
        ask(study, number, "choice", values, question=f"Statement {number} holds for a {{thing}}.", **(scale or {}))
    return study


def stored(position: int = 1) -> dict[int, Any]:
    """What stands of an item's questions: the answer, or why there is none."""
    parts = ("label", "number", "text", "no_answer", "could_not_see")
    rows = Judgment.objects.current().filter(assigned_item__position=position)
    return {row.question: next(value for name in parts if (value := getattr(row, name)) is not None) for row in rows}
