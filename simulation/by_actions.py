"""Sends simulated people through a study by the very actions that the forms call."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from uuid import UUID

from annotation.actions.entering import StudyFull, enter, give_consent
from annotation.actions.judging import NothingLeft, finish, open_assignment
from annotation.actions.saving_answers import save_answer
from annotation.models import Assignment, Participation, Study
from annotation.platforms import OWN_LINKS
from annotation.randomisation import generator
from simulation.people import Person, Vice, World
from simulation.visiting import as_sent, fields_of, times_of

VICES = (Vice.CLICKS_ANYWHERE, Vice.KEEPS_TO_THE_MIDDLE, Vice.SAYS_THE_SAME)


@dataclass(frozen=True, slots=True)
class Simulated:
    """Who took part, with the vice that only the simulation knows of; and how many answers they gave."""

    vices: dict[str, Vice]
    answers: int

    @property
    def careless(self) -> set[str]:
        return {pseudonym for pseudonym, vice in self.vices.items() if vice is not Vice.NONE}


def people(*, workers: int, careless: int, seed: int) -> Iterable[Person]:
    """Careful and careless people in a random order; the careless have each vice in turn."""
    rng = generator(seed, "people")
    vices = [VICES[k % len(VICES)] for k in range(careless)] + [Vice.NONE] * (workers - careless)
    rng.shuffle(vices)
    for number, vice in enumerate(vices):
        yield Person(generator(seed, f"person {number}"), vice)


def simulate(
    *, study: Study, workers: int, careless: int, seed: int, report: Callable[[int, int], None] | None = None
) -> Simulated:
    """`workers` people come one after the other and do a full assignment each, until nothing is left to judge."""
    labels = tuple(study.labels.order_by("position").values_list("value", flat=True))
    world = World(seed, labels)
    vices: dict[str, Vice] = {}
    answers = 0
    come_before = study.participations.count()
    for number, person in enumerate(people(workers=workers, careless=careless, seed=seed)):
        try:
            participation = _come_in(study, f"simulated-{seed}-{come_before + number}", person)
            assignment = open_assignment(participation=participation)
        except (StudyFull, NothingLeft):
            break
        answers += _judge_all(study, assignment, person, world)
        finish(assignment=assignment)
        vices[participation.pseudonym] = person.vice
        if report:
            report(number + 1, workers)
    return Simulated(vices, answers)


def _come_in(study: Study, platform_id: str, person: Person) -> Participation:
    participation = enter(study=study, platform=OWN_LINKS, platform_id=platform_id, seed=person.rng.randrange(2**31))
    give_consent(participation=participation)
    return participation


def _judge_all(study: Study, assignment: Assignment, person: Person, world: World) -> int:
    scale = (
        None
        if study.scale_low is None or study.scale_high is None
        else (float(study.scale_low), float(study.scale_high))
    )
    assigned = assignment.assigned_items.select_related("item").order_by("position")
    for place in assigned:
        key = UUID(int=person.rng.getrandbits(128), version=4)
        form = [("position", str(place.position)), ("key", str(key))]
        form += fields_of(study.kind, person.answer(study.kind, place.item.fields, world, scale))
        form += times_of(person.circumstances())
        save_answer(
            assignment_uuid=assignment.uuid,
            token_version=assignment.token_version,
            fields=as_sent(form),
            is_simulated=True,
        )
    return len(assigned)
