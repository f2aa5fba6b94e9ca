"""Sends simulated people through a study by the very actions that the forms call."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from agreement.assignment_order import generator, shuffled
from agreement.errors import Refused
from agreement.simulation.simulated_people import CAREFUL, VICES, Person, Vice
from agreement.simulation.visiting import as_sent, fields_of, times_of
from agreement.simulation.world import KnownItem, World
from annotation.answering.judging import NothingLeft, finish, open_assignment
from annotation.answering.saving_answers import save_answer
from annotation.entry.entering import StudyFull, enter, give_consent
from annotation.models import Assignment, Item, Participation, Study
from annotation.platforms import OWN_LINKS

# The vices of those who are careless without anything said about how, in turn.
USUAL = ("random", "middle", "straight-line")


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """Who took part, with the vice that only the simulation knows of; and how many answers they gave."""

    vices: dict[str, Vice]
    answers: int

    @property
    def careless(self) -> set[str]:
        """All who have any vice."""
        return {pseudonym for pseudonym, vice in self.vices.items() if vice is not CAREFUL}


def crowd_of(*, workers: int, careless: int = 0, vices: Mapping[str, int] | None = None) -> list[Vice]:
    """The vice of each: so many `careless` with the usual ones in turn, so many of each that is named, others none."""
    found = [VICES[USUAL[k % len(USUAL)]] for k in range(careless)]
    for name, count in (vices or {}).items():
        if name not in VICES:
            raise Refused(f"There is no vice '{name}': there are {', '.join(VICES)}.")
        found += [VICES[name]] * count
    if len(found) > workers:
        raise Refused(f"{len(found)} of {workers} people would have a vice: give smaller shares.")
    return [*found, *[CAREFUL] * (workers - len(found))]


def people(vices: Sequence[Vice], *, seed: int) -> Iterable[Person]:
    """People with these vices in a random order."""
    for number, vice in enumerate(shuffled(vices, generator(seed, "people"))):
        yield Person(generator(seed, f"person {number}"), vice, number=number)


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
    world = world_of(study, seed)
    came: dict[str, Vice] = {}
    answers = 0
    come_before = study.participations.count()
    for number, person in enumerate(people(crowd, seed=seed)):
        try:
            participation = _come_in(study, f"simulated-{seed}-{come_before + number}", person)
            assignment = open_assignment(participation=participation)
        except (StudyFull, NothingLeft):
            break
        answers += _judge(study, assignment, person, world)
        came[participation.pseudonym] = person.vice
        if report:
            report(number + 1, workers)
    return SimulationResult(came, answers)


def world_of(study: Study, seed: int) -> World:
    return World(seed, tuple(study.labels.order_by("position").values_list("value", flat=True)))


def scale_of(study: Study) -> tuple[float, float] | None:
    if study.scale_low is None or study.scale_high is None:
        return None
    return float(study.scale_low), float(study.scale_high)


def known(item: Item) -> KnownItem:
    """An item with what is right about it, which no page shows. A check that repeats an item is that item again."""
    fields, reference = item.fields, item.reference
    if item.repeats is not None:
        fields, reference = item.repeats.fields, item.repeats.reference
    return KnownItem(fields, reference, item.kind == Item.Kind.CHECK, item.expected or (), item.min, item.max)


def _come_in(study: Study, platform_id: str, person: Person) -> Participation:
    participation = enter(study=study, platform=OWN_LINKS, platform_id=platform_id, seed=person.rng.randrange(2**31))
    give_consent(participation=participation)
    return participation


def _judge(study: Study, assignment: Assignment, person: Person, world: World) -> int:
    """Answers the assignment's questions and hands it in; who leaves before its end leaves the rest undone."""
    scale = scale_of(study)
    assigned = list(assignment.assigned_items.select_related("item__repeats").order_by("position"))
    stays = min(person.vice.stays(person, study.items_per_assignment), len(assigned))
    for place in assigned[: int(stays)]:
        key = UUID(int=person.rng.getrandbits(128), version=4)
        form = [("position", str(place.position)), ("key", str(key))]
        form += fields_of(study.kind, person.answer(study.kind, known(place.item), world, scale))
        form += times_of(person.circumstances())
        save_answer(
            assignment_uuid=assignment.uuid,
            token_version=assignment.token_version,
            fields=as_sent(form),
            is_simulated=True,
        )
    if stays == len(assigned):
        finish(assignment=assignment)
    return int(stays)
