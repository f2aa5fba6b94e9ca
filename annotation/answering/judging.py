"""A person judges: shows that the instructions were understood, qualifies, gets an assignment, answers, finishes."""

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from agreement.assignment_order import generator, mixed, shuffled
from agreement.errors import TouchstoneError
from annotation.answering.practice import right_answers_in
from annotation.entry.entering import why_not_open
from annotation.entry.links import has_network_taken_half, is_full
from annotation.models import AssignedItem, Assignment, ComprehensionQuestion, Item, Participation, Study
from annotation.models.judgment import QUALIFICATION
from annotation.places.allocation import claim_places, expire_overdue, hold_status, release_silent, release_unanswered

# A person shows that the instructions were understood: two tries, at the start, and never a ground for rejection.

TRIES = 2


def answer_comprehension(*, participation: Participation, answers: Mapping[int, str]) -> list[ComprehensionQuestion]:
    """The questions that were not answered right; none: understood. A try that fails is counted, and the last such
    ends the participation, with a code of its own.
    """
    wrong = [
        question
        for question in participation.study.comprehension_questions.all()
        if answers.get(question.pk) != question.right_answer.strip()
    ]
    if not wrong:
        return []
    # Compare-and-set on the count: two tabs at once are two tries, whichever comes first.
    mine = Participation.objects.filter(
        pk=participation.pk,
        status=Participation.Status.WORKING,
        comprehension_tries=participation.comprehension_tries,
    )
    counted = mine.update(comprehension_tries=F("comprehension_tries") + 1)
    participation.refresh_from_db()
    if counted and participation.comprehension_tries >= TRIES:
        Participation.objects.filter(pk=participation.pk).update(
            status=Participation.Status.FAILED_COMPREHENSION, ended_at=timezone.now()
        )
        participation.refresh_from_db()
    return wrong


# A person adds what the study asks at its end: comments, and answers about themselves. All of it is optional.


def keep_remarks(*, participation: Participation, comments: str, demographics: dict[str, str]) -> None:
    """Keeps what was given, as long as the person has not left."""
    staying = Participation.objects.filter(pk=participation.pk, status=Participation.Status.WORKING)
    staying.update(comments=comments, demographics=demographics)


# A person judges: gets an assignment, answers it (saving_answers.py), finishes.

# Places that another person's claim has locked are passed over at first. Before saying that none is left they are
# waited for: that claim may need fewer than it locked, or fail.
LOOKS = (False, False, True)


class NothingLeft(TouchstoneError):
    """There is nothing more for this person to judge in this study."""


class ComeAgainSoon(NothingLeft):
    """There is something, and others from this person's network have just taken a large part of it."""


class Unanswered(TouchstoneError):
    """Not every question has an answer yet; `positions` says which."""

    def __init__(self, positions: list[int]) -> None:
        self.positions = positions
        super().__init__(_("Some questions have no answer yet."))


class _NoPlaceFree(NothingLeft):
    """None that this person may have was seen at this look."""


def open_assignment(*, participation: Participation) -> Assignment:
    """The person's open assignment, or a new one with places claimed for it."""
    for waits in LOOKS:
        try:
            with transaction.atomic():
                return _open_or_claimed_assignment(participation, waits=waits)
        except _NoPlaceFree:
            # Their time may be over already, and the scheduled task that gives back what is overdue late or stopped.
            expire_overdue(now=timezone.now(), study=participation.study)
            release_silent(now=timezone.now(), study=participation.study)
    raise NothingLeft(_("There are no more questions for you in this study. Thank you."))


def _open_or_claimed_assignment(participation: Participation, *, waits: bool = False) -> Assignment:
    """The races this prevents: the study is paused while a place is claimed; the person withdraws, or asks from two
    tabs. The first waits for us, or we see it; of the other two the lock on the participation lets one in at a time.
    """
    _hold_study(participation)
    person = (
        Participation.objects.select_for_update(no_key=True, of=("self",))
        .select_related("study", "entry_link")
        .get(pk=participation.pk)
    )
    assignments = list(person.assignments.all())
    for assignment in assignments:
        if assignment.status == Assignment.Status.OPEN:
            return assignment
    if any(one.is_qualification and not one.is_passed_qualification for one in assignments):
        raise NothingLeft(_("Your part in this study has ended."))
    before_first = QUALIFICATION if person.study.qualification_pass_mark is None else QUALIFICATION - 1
    number = 1 + max((assignment.number for assignment in assignments), default=before_first)
    _refuse_if_none_is_due(person, number)
    if number <= 1:
        _refuse_if_crowded(person)
    return _qualification(person) if number == QUALIFICATION else _claim_assignment(person, number, waits=waits)


def _hold_study(participation: Participation) -> None:
    """The race: two people begin at once, and both are the last that a capacity or a network's share lets begin."""
    has_limit = participation.study.capacity is not None or participation.entry_link_id is not None
    if (has_limit or not participation.is_verified) and not participation.assignments.to_judge().exists():
        Study.objects.select_for_update(no_key=True, of=("self",)).get(pk=participation.study_id)
    else:
        hold_status(participation.study_id)


def _refuse_if_crowded(person: Participation) -> None:
    if is_full(person):
        raise NothingLeft(_("This study has all the participants it needs."))
    if has_network_taken_half(person):
        raise ComeAgainSoon(_("Many people have just started from your network. Please try again in a few minutes."))


def _refuse_if_none_is_due(person: Participation, number: int) -> None:
    """What was begun may be finished whatever becomes of the study; but nothing new is begun unless it is open."""
    if person.status != Participation.Status.WORKING:
        raise NothingLeft(_("Your part in this study has ended."))
    if not person.study.is_open_at(timezone.now()):
        raise NothingLeft(why_not_open(person.study, timezone.now()))
    if person.set_aside_at is not None or number > person.study.assignments_per_worker:
        raise NothingLeft(_("You have answered as many questions as one person can answer in this study. Thank you."))


def _qualification(person: Participation) -> Assignment:
    """The items that show whether a person qualifies, with the practice before them. It holds no place."""
    study = person.study
    if not study.open_places.exists():  # nobody qualifies for nothing
        raise _NoPlaceFree(_("There are no more questions for you in this study. Thank you."))
    practice, qualification, _named = _items_beside_targets(study, had=set())
    drawn = shuffled(qualification, generator(person.seed, "qualification"))[: study.qualification_items]
    return _new_assignment(person, QUALIFICATION, practice + drawn, places={})


def _claim_assignment(person: Participation, number: int, *, waits: bool) -> Assignment:
    study = person.study
    is_pilot = study.status == Study.Status.PILOTING
    if person.is_pilot != is_pilot:
        if number > 1:
            raise NothingLeft(_("Your part in this study has ended."))
        # Came in before the study changed, and has judged nothing yet: what is judged now is no pilot's, or is.
        Participation.objects.filter(pk=person.pk).update(is_pilot=is_pilot)
    had = set(person.assigned_items.values_list("item_id", flat=True))
    places = claim_places(participation=person, want=study.items_per_assignment, had=had, waits=waits)
    if not places:
        raise _NoPlaceFree(_("There are no more questions for you in this study. Thank you."))
    return _new_assignment(person, number, _item_order(person, number, sorted(places), had), places)


def _new_assignment(person: Participation, number: int, order: list[int], places: dict[int, int]) -> Assignment:
    study = person.study
    assignment = Assignment.objects.create(
        participation=person,
        number=number,
        items_per_page=study.items_per_page,
        expires_at=timezone.now() + dt.timedelta(minutes=study.minutes_allowed),
    )
    AssignedItem.objects.bulk_create(_assigned_items(assignment, study, order, places))
    return assignment


def _item_order(person: Participation, number: int, targets: list[int], had: set[int]) -> list[int]:
    """Practice first, then the targets with the checks of this assignment among them."""
    seed = person.seed
    practice, _qualification, named = _items_beside_targets(person.study, had)
    checks: list[int] = []
    for quota in person.study.check_quotas.order_by("check_name"):
        drawn = shuffled(named[quota.check_name], generator(seed, f"check {quota.check_name} {number}"))
        checks += drawn[: quota.per_assignment]
    shuffled_targets = shuffled(targets, generator(seed, f"items {number}"))
    shuffled_checks = shuffled(checks, generator(seed, f"checks {number}"))
    return practice + mixed(shuffled_targets, shuffled_checks, generator(seed, f"mix {number}"))


def _items_beside_targets(study: Study, had: set[int]) -> tuple[list[int], list[int], dict[str, list[int]]]:
    """Practice, qualification, and the checks by their names, in the order of the file; each only if the person has not
    had it.
    """
    by_kind: dict[str, list[int]] = defaultdict(list)
    named: dict[str, list[int]] = defaultdict(list)
    for pk, kind, name in study.items.beside_targets().order_by("position").values_list("pk", "kind", "check_name"):
        if pk not in had:
            (named[name or ""] if kind == Item.Kind.CHECK else by_kind[kind]).append(pk)
    return by_kind[Item.Kind.PRACTICE], by_kind[Item.Kind.QUALIFICATION], named


def _assigned_items(
    assignment: Assignment, study: Study, order: list[int], places: dict[int, int]
) -> list[AssignedItem]:
    participation = assignment.participation
    flips = generator(participation.seed, f"flips {assignment.number}")
    questions = 1 + study.further_questions.count()
    return [
        AssignedItem(
            assignment=assignment,
            participation=participation,
            item_id=item,
            slot=places.get(item),
            position=position,
            questions=questions,
            is_direction_reversed=_is_flipped(
                study.scale_direction, drawn=flips.random(), is_turn=participation.is_direction_reversed
            ),
            is_word_order_swapped=_is_flipped(
                study.word_order, drawn=flips.random(), is_turn=participation.is_word_order_swapped
            ),
        )
        for position, item in enumerate(order, start=1)
    ]


def _is_flipped(order: str, *, drawn: float, is_turn: bool) -> bool:
    ways = {Study.Order.FIXED: False, Study.Order.COUNTERBALANCED: is_turn, Study.Order.RANDOM: drawn < 0.5}
    return ways[Study.Order(order)]


def finish_assignment(*, assignment: Assignment) -> Participation:
    """Ends an assignment whose every question has an answer; finishing twice changes nothing.

    One that has expired may be finished too: late, thanked, payable.
    """
    with transaction.atomic():
        if _hand_in_assignment(assignment):
            now = timezone.now()
            Participation.objects.filter(pk=assignment.participation_id).update(
                status=Participation.Status.FINISHED, finished_at=now, ended_at=now
            )
    assignment.participation.refresh_from_db()
    return assignment.participation


def finish_qualification(*, assignment: Assignment) -> Participation:
    """Hands in the qualification round. Who is below the pass mark has ended, with a code of their own, and is never
    rejected: no place was held.
    """
    with transaction.atomic():
        if _hand_in_assignment(assignment):
            person = Participation.objects.select_related("study").get(pk=assignment.participation_id)
            if right_answers_in(assignment) < (person.study.qualification_pass_mark or 0):
                Participation.objects.filter(pk=person.pk).update(
                    status=Participation.Status.FAILED_QUALIFICATION, ended_at=timezone.now()
                )
    assignment.participation.refresh_from_db()
    return assignment.participation


def finish_and_open_next(*, assignment: Assignment) -> Assignment | None:
    """Ends an assignment and opens the person's next one; where there is none, the person has finished.

    One transaction: nobody is ever left between two assignments.
    """
    for waits in LOOKS:
        try:
            with transaction.atomic():
                hold_status(assignment.participation.study_id)
                _hand_in_assignment(assignment)
                return _open_or_claimed_assignment(assignment.participation, waits=waits)
        except _NoPlaceFree:
            expire_overdue(now=timezone.now(), study=assignment.participation.study)
            release_silent(now=timezone.now(), study=assignment.participation.study)
        except NothingLeft:
            break
    finish_assignment(assignment=assignment)
    return None


def _hand_in_assignment(assignment: Assignment) -> bool:
    """Marks it submitted, unless the person has ended. The lock is for a double click, and for a withdrawal, a return
    or an expiry at the same moment.
    """
    unanswered = assignment.assigned_items.unanswered().order_by("position")
    person = Participation.objects.select_for_update(no_key=True).get(pk=assignment.participation_id)
    if person.status != Participation.Status.WORKING:
        return False
    if positions := list(unanswered.values_list("position", flat=True)):
        raise Unanswered(positions)
    now = timezone.now()
    theirs = Assignment.objects.filter(pk=assignment.pk)
    theirs.exclude(status=Assignment.Status.SUBMITTED).update(status=Assignment.Status.SUBMITTED, ended_at=now)
    # A picture that could not be seen, or a skip, is no judgment: its place is for somebody else.
    release_unanswered(assignment=assignment, moment=now)
    return True
