"""Simulated people: seeded, through the real actions, with vices that checks can find."""

import csv
import json
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from agreement.kinds.registry import QUESTION_KINDS
from agreement.simulation.world import KnownItem, World
from annotation.models import Assignment, AuditEntry, Judgment, Participation, Study
from annotation.simulating.crowds import simulate
from annotation.studies import presets
from annotation.studies.study_life import add_items, change_status, create_study
from tests.factories import a_small_study, a_study

pytestmark = pytest.mark.django_db
KINDS = list(QUESTION_KINDS)


def answers_of(study: Study) -> list[tuple[str, float | None]]:
    judgments = Judgment.objects.of_study(study.pk).order_by("pk")
    return list(judgments.values_list("assigned_item__item__item_id", "number"))


def test_the_same_seed_gives_the_same_answers() -> None:
    first, second, third = a_study(), a_study(), a_study()

    for study, seed in ((first, 5), (second, 5), (third, 6)):
        simulate(study=study, workers=4, careless=1, seed=seed)

    assert answers_of(first) == answers_of(second)
    assert answers_of(first) != answers_of(third)


def test_a_pairs_similarity_doesnt_depend_on_its_order() -> None:
    world = World(3)

    def similarity(left: str, right: str) -> float:
        return world.similarity(KnownItem({"left": left, "right": right}))

    assert similarity("on", "above") == similarity("above", "on")
    assert similarity("on", "green") < 0.05
    assert similarity("on", "on") > 0.95


@pytest.mark.parametrize("kind", KINDS)
def test_people_answer_every_kind_of_question(kind: str) -> None:
    study = a_small_study(items=4, items_per_assignment=4, live=False, kind=kind, judgments_per_item=3)
    for position, value in enumerate(("false", "true"), start=1):
        study.labels.create(value=value, display_text=value, position=position)
    Study.objects.filter(pk=study.pk).update(status="live")
    study.refresh_from_db()
    from annotation.places.allocation import open_places

    open_places(study=study)

    crowd = simulate(study=study, workers=3, careless=1, seed=1)

    assert crowd.answers == 12
    assert Judgment.objects.of_study(study.pk).count() == 12


def test_the_command_says_who_came() -> None:
    study = a_study()
    out = StringIO()

    call_command("simulate", study.slug, workers=5, careless=0.4, json=True, stdout=out)

    told = json.loads(out.getvalue())
    assert (told["workers"], told["answers"], len(told["careless"])) == (5, 60, 2)


def test_people_stop_coming_when_all_places_are_full() -> None:
    study = a_small_study(items=2, items_per_assignment=2, judgments_per_item=1)

    assert len(simulate(study=study, workers=3, careless=0, seed=1).vices) == 1


VICES_ASKED = {"random": 1, "slip": 1, "passes-checks": 1, "copies": 1, "drops-out": 2, "language-model": 1}


def test_each_vice_takes_part_and_the_data_do_not_tell_who_has_which(tmp_path: Path) -> None:
    study = a_study()
    truth = tmp_path / "truth.csv"
    out = StringIO()
    vices = [f"{name}={count / 20}" for name, count in VICES_ASKED.items()]

    call_command("simulate", study.slug, workers=20, vice=vices, truth=truth, json=True, stdout=out)

    with truth.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert Counter(row["vice"] for row in rows) == {**VICES_ASKED, "careful": 13}
    assert {row["vice"] for row in rows if row["spoils"] == "0"} == {"careful", "slip", "drops-out"}
    told = json.loads(out.getvalue())
    assert told["careless"] == {row["worker_id"]: row["vice"] for row in rows if row["vice"] != "careful"}
    assert {row["worker_id"] for row in rows} == set(study.participations.values_list("pseudonym", flat=True))
    for model in (Judgment, Participation, Assignment, AuditEntry):
        stored = json.dumps(list(model.objects.values()), default=str)
        assert not any(name in stored for name in ("passes-checks", "drops-out", "language-model"))


def test_who_drops_out_hands_nothing_in() -> None:
    study = a_study()

    crowd = simulate(study=study, workers=4, vices={"drops-out": 4}, seed=2)

    assert crowd.answers < 4 * 10
    assert set(study.participations.values_list("status", flat=True)) == {Participation.Status.WORKING}
    assert Judgment.objects.of_study(study.pk).count() == crowd.answers


def test_a_sunflower_is_the_colour_that_its_reference_says() -> None:
    study = create_study(slug="colours", preset=presets.load("memory-colours"), seed=7)
    references = {"sunflower": "yellow", "grass": "green", "snow": "white", "blood": "red"}
    add_items(
        study=study,
        items=[
            {"item_id": name, "fields": {"descriptor": "a", "item": name}, "reference": colour}
            for name, colour in references.items()
        ],
        source="a test",
    )
    study = change_status(study=study, status=Study.Status.LIVE)

    simulate(study=study, workers=11, seed=1)

    judged = Judgment.objects.of_study(study.pk).filter(assigned_item__item__item_id__in=references)
    said = Counter(judged.values_list("assigned_item__item__item_id", "label"))
    for name, colour in references.items():
        assert said[name, colour] > 5, (name, said)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"workers": 0}, "--workers 0: from 1 to"),
        ({"careless": 1.5}, "--careless: a share from 0 to 1"),
        ({"careless": -0.1}, "--careless: a share from 0 to 1"),
        ({"careless": float("nan")}, "--careless: a share from 0 to 1"),
        ({"vice": ["random"]}, "--vice random: a share from 0 to 1"),
        ({"vice": ["random=lots"]}, "--vice random=lots: a share from 0 to 1"),
        ({"vice": ["lazy=0.1"]}, "There is no vice 'lazy': there are copies, drops-out"),
        ({"vice": ["random=0.6", "slip=0.6"]}, "6 of 5 people would have a vice"),
        ({"truth": Path("nowhere/truth.csv")}, "there is no such folder"),
    ],
)
def test_a_crowd_that_cannot_be_is_refused_in_a_sentence(
    changes: dict[str, Any], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    study = a_study()

    with pytest.raises(SystemExit) as ended:
        call_command("simulate", study.slug, **{"workers": 5, **changes})

    assert ended.value.code == 1
    assert why in capsys.readouterr().err
    assert not study.participations.exists()
