"""Simulated people: sent through a study by its actions or its real pages, or asked how its answers vary."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np

from agreement.estimation.estimate import Undefined
from agreement.kinds.answers import Answer
from agreement.kinds.options import in_shown_order, labels_of_item, values_of_options
from agreement.kinds.registry import KINDS
from agreement.planning.further_data import components_of_kind, of_crowd, own_words
from agreement.planning.precision import Components
from agreement.simulation.answering_items import (
    PosedQuestion,
    form_data,
    item_fields,
    signs_of,
    times_of,
)
from agreement.simulation.simulated_people import CAREFUL, Person, Vice, crowd_of, people
from agreement.simulation.world import KnownItem, World
from annotation.answering.judging import NothingLeft, finish_assignment, finish_qualification, open_assignment
from annotation.answering.saving_answers import save_answer
from annotation.answering.several_questions import prefix_of, questions_asked
from annotation.entry.entering import StudyFull, enter, give_consent
from annotation.models import Assignment, Item, Participation, Study
from annotation.models.question import FIRST
from annotation.platforms import OWN_LINKS
from annotation.releases.from_database import reading_judgments
from annotation.releases.models import Exclusion


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """Who took part, with the vice that only the simulation knows of; and how many answers they gave."""

    vices: dict[str, Vice]
    answers: int

    @property
    def careless(self) -> set[str]:
        """All who have any vice."""
        return {pseudonym for pseudonym, vice in self.vices.items() if vice is not CAREFUL}


def simulate(
    *,
    study: Study,
    workers: int,
    careless: int = 0,
    vices: Mapping[str, int] | None = None,
    seed: int,
    report: Callable[[int, int], None] | None = None,
) -> SimulationResult:
    """`workers` people come one after the other and do a full assignment each, until nothing is left to judge."""
    crowd = crowd_of(workers=workers, careless=careless, vices=vices)
    questions = posed_questions(study, seed)
    vices_by_pseudonym: dict[str, Vice] = {}
    answers = 0
    come_before = study.participations.count()
    for number, person in enumerate(people(crowd, seed=seed)):
        try:
            participation = _come_in(study, f"simulated-{seed}-{come_before + number}", person)
            answers += _take_part(study, participation, person, questions)
        except (StudyFull, NothingLeft):
            break
        vices_by_pseudonym[participation.pseudonym] = person.vice
        if report:
            report(number + 1, workers)
    return SimulationResult(vices_by_pseudonym, answers)


def world_of(study: Study, seed: int) -> World:
    labels = dict(study.labels.order_by("position").values_list("value", "exclusive"))
    return World(
        seed,
        tuple(labels),
        ordered=study.ordered,
        exclusive=frozenset(value for value, is_alone in labels.items() if is_alone),
        fewest=study.fewest or 1,
        most=study.most,
    )


def posed_questions(study: Study, seed: int) -> list[PosedQuestion]:
    """The study's questions, each with a truth of its own."""
    asked = questions_asked(study)
    return [
        PosedQuestion(
            one.study.kind,
            world_of(one.study, seed + one.number - FIRST),
            scale_of(one.study),
            one.number,
            prefix_of(one.number) if len(asked) > 1 else "",
            one.is_shown,
            one.study.is_required,
            one.study.offers_dont_know,
            one.study.asks_confidence,
        )
        for one in asked
    ]


def scale_of(study: Study) -> tuple[float, float] | None:
    if study.scale_low is None or study.scale_high is None:
        return None
    return float(study.scale_low), float(study.scale_high)


def known_item(item: Item) -> KnownItem:
    """An item with what is right about it, which no page shows. A check that repeats an item is that item again."""
    fields, reference = item.fields, item.reference
    if item.repeats is not None:
        fields, reference = item.repeats.fields, item.repeats.reference
    is_check = item.kind in {Item.Kind.CHECK, Item.Kind.QUALIFICATION}
    return KnownItem(fields, reference, is_check, item.expected or (), item.min, item.max, item.check_question)


def as_offered(known: KnownItem, item: Item, seed: int) -> KnownItem:
    """With the item's own labels as the person of this seed is shown them."""
    own = values_of_options(item.fields)
    return replace(known, offered=tuple(in_shown_order(own, seed=seed, item=item.pk))) if own else known


def _come_in(study: Study, platform_id: str, person: Person) -> Participation:
    participation = enter(study=study, platform=OWN_LINKS, platform_id=platform_id, seed=person.rng.randrange(2**31))
    give_consent(participation=participation, names_signs=study.counts_signs)
    return participation


def _take_part(study: Study, participation: Participation, person: Person, questions: Sequence[PosedQuestion]) -> int:
    """One assignment, after the qualification round where there is one; how many answers."""
    assignment = open_assignment(participation=participation)
    answers = _judge(study, assignment, person, questions)
    if assignment.is_qualification:
        participation.refresh_from_db()
        if participation.status == Participation.Status.WORKING:
            answers += _judge(study, open_assignment(participation=participation), person, questions)
    return answers


def _judge(study: Study, assignment: Assignment, person: Person, questions: Sequence[PosedQuestion]) -> int:
    """Answers the items and hands in. Who leaves early answers half of the next item, where that has several parts."""
    assigned = list(assignment.assigned_items.select_related("item__repeats").order_by("position"))
    stays = len(assigned)
    if not assignment.is_qualification:
        stays = int(min(person.vice.stays(person, study.items_per_assignment), stays))
    is_gone = stays < len(assigned)
    for number, place in enumerate(assigned[: stays + (is_gone and len(questions) > 1)]):
        key = UUID(int=person.rng.getrandbits(128), version=4)
        form = [("position", str(place.position)), ("key", str(key))]
        known = as_offered(known_item(place.item), place.item, assignment.participation.seed)
        form += item_fields(person, questions if number < stays else questions[:1], known)
        form += times_of(person.circumstances())
        form += signs_of(person) if study.counts_signs else []
        save_answer(
            assignment_uuid=assignment.uuid,
            token_version=assignment.token_version,
            fields=form_data(form),
            is_simulated=True,
        )
    if assignment.is_qualification:
        finish_qualification(assignment=assignment)
    elif not is_gone:
        finish_assignment(assignment=assignment)
    return stays


# Where a plan's variance components come from: this study's judgments, or people who are simulated on its form.

PEOPLE, MOST_ITEMS = 16, 60  # of a simulated pilot: every person judges every item
SEED = 1


def pilot_components(study: Study) -> Components | Undefined:
    """From what has been judged so far, pilots included."""
    return of_crowd(reading_judgments.crowd_of(study))


def excluded_and_judged(study: Study) -> tuple[int, int]:
    """How many of those who have judged something are excluded, and how many have."""
    judged = study.participations.filter(assigned_items__judgments__isnull=False).distinct()
    return judged.filter(exclusions__in=Exclusion.objects.in_force()).count(), judged.count()


def simulated_components(study: Study) -> Components | Undefined:
    """From careful people who answer this study's own items on its own scale or labels."""
    if KINDS[study.kind].in_own_words:
        return own_words()
    items = [
        known_item(item) for item in study.items.targets().select_related("repeats").order_by("position")[:MOST_ITEMS]
    ]
    if len(items) < 2:
        return Undefined("the study has no two items yet")
    world, scale = world_of(study, SEED), scale_of(study)
    labels = [labels_of_item(study.kind, world.labels, item.fields) for item in items]
    least, most = min(map(len, labels)), max(map(len, labels))
    if least < (fewest := KINDS[study.kind].fewest_labels):
        return Undefined(f"the study has {least} of the labels that it needs at the least: {fewest}")
    padded = [[*own, *[""] * (most - len(own))] for own in labels]
    crowd = list(people(crowd_of(workers=PEOPLE), seed=SEED))
    answers = [[person.answer(study.kind, item, world, scale) for item in items] for person in crowd]
    vectors = [_vector(study.kind, answer, own) for row in answers for answer, own in zip(row, padded, strict=True)]
    y = np.array(vectors, dtype=np.float64)
    item, worker = np.tile(np.arange(len(items)), len(crowd)), np.repeat(np.arange(len(crowd)), len(items))
    return components_of_kind(study.kind, item, worker, y)


def _vector(kind: str, answer: Answer, labels: Sequence[str]) -> list[float]:
    """One simulated answer as the same numbers."""
    if answer.number is not None:
        return [float(answer.number)]
    if answer.numbers is not None:
        return [float(answer.numbers.get(label, 0)) for label in labels]
    if answer.label is not None:
        return [float(answer.label == label) for label in labels]
    chosen = answer.labels or []
    if KINDS[kind].most_labels is not None:  # an order: the place of each label
        return [float(chosen.index(label) + 1) for label in labels]
    return [float(label in chosen) for label in labels]
