"""Studies of every kind that lack labels, items or answers: rules are tried on them and plans are made, or refused."""

import json
from itertools import product

import pytest

from agreement.cleaning.rules import RULES
from agreement.kinds.registry import KINDS
from agreement.planning.precision import Goal
from annotation.models import Label, Study
from annotation.studies.study_life import add_items
from tests.integration.annotation.api.scripts import Script
from tests.integration.researchers import a_researcher

pytestmark = [pytest.mark.django_db, pytest.mark.both]
VALUES = (0.5, 1, "a", -0.5)


def a_bare_study(kind: str, labels: int, items: int) -> tuple[Study, Script]:
    user, scale = a_researcher(), {"scale_low": 0, "scale_high": 100} if KINDS[kind].has_scale else {}
    study = Study.objects.create(slug="bare", title="Bare", kind=kind, question="{a}?", owner=user, **scale)
    for number in range(labels):
        Label.objects.create(study=study, position=number, value=f"l{number}", display_text=f"l{number}")
    new = [{"item_id": f"i{number}", "fields": {"a": "b"}, "reference": "other|l0|50"} for number in range(items)]
    add_items(study=study, items=new, source="a test")  # type: ignore[arg-type]  # no more fields are needed
    return study, Script(user)


def rule_sets() -> list[str]:
    """Each rule with each of these values for its parameters."""
    texts = []
    for kind, rule in RULES.items():
        for value in VALUES:
            lines = [f"{name} = {json.dumps(value)}" for name in rule.parameters()]
            texts.append("\n".join(['name = "one"', "[[rule]]", f'kind = "{kind}"', *lines]))
    return texts


@pytest.mark.parametrize("labels", [0, 1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_no_rule_and_no_plan_fails_on_a_study_that_lacks_something(kind: str, labels: int) -> None:
    study, script = a_bare_study(kind, labels, items=3)
    asked: list[tuple[str, dict[str, object]]] = [("cleaning/preview/", {}), ("cleaning/sweep/", {})]
    asked += [("cleaning/preview/", {"toml": toml}) for toml in rule_sets()]
    asked += [
        ("plan/", {"goal": goal, "target": 0.1, "source": source, "items": 10, "items_per_person": 5})
        for goal, source in product(Goal, ("judgments", "simulated"))
    ]
    for path, body in asked:
        answer = script.post(f"studies/{study.slug}/{path}", body)
        assert answer.status_code in {200, 422}, (path, body, answer.content)


def test_a_plan_says_which_labels_are_missing() -> None:
    study, script = a_bare_study("sliders", labels=0, items=3)
    body = {"goal": "gold", "target": 0.1, "source": "simulated", "items": 10, "items_per_person": 5}
    answer = script.post(f"studies/{study.slug}/plan/", body)
    assert answer.json()["detail"] == "the study has 0 of the labels that it needs at the least: 1"


@pytest.mark.parametrize("rows", ["item_id,a\n", "item_id\n", "a\n", "\n"])
def test_a_file_of_items_without_a_row_is_refused_in_words(rows: str) -> None:
    study, script = a_bare_study("slider", labels=0, items=0)
    answer = script.post(f"studies/{study.slug}/items/import/?name=b.csv", rows, content_type="text/csv")
    assert answer.status_code == 422, answer.content
    assert answer.json()["detail"].startswith("b.csv: ")
