"""Which questions are shown, by the table of cases that the page's script is tested by too (tests/browser)."""

import json
from pathlib import Path
from typing import Any

import pytest

from agreement.kinds.answers import Answer
from annotation.answering.several_questions import Asked, Condition, numbers_shown
from annotation.models import Study

CASES = json.loads((Path(__file__).parents[3] / "cases" / "conditions" / "cases.json").read_text())


def asked(number: int, condition: dict[str, Any] | None) -> Asked:
    study = Study(kind="choice")
    study.asked_number = number
    if condition is None:
        return Asked(study)
    labels = frozenset(condition.get("labels", ()))
    return Asked(study, (), Condition(condition["question"], labels, condition.get("low"), condition.get("high")))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_shown_for_these_answers(case: dict[str, Any]) -> None:
    questions = [asked(number, case["conditions"].get(str(number))) for number in range(1, 5)]
    answers = {int(number): Answer(**answer) for number, answer in case["answers"].items()}
    assert sorted(numbers_shown(questions, answers)) == case["shown"]
