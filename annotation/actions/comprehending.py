"""A person shows that the instructions were understood: two tries, at the start, and never a ground for rejection."""

from collections.abc import Mapping

from django.db.models import F
from django.utils import timezone

from annotation.models import ComprehensionQuestion, Participation

TRIES = 2


def answer_comprehension(*, participation: Participation, given: Mapping[int, str]) -> list[ComprehensionQuestion]:
    """The questions that were not answered right; none: understood. A try that fails is counted, and the last such
    ends the participation, with a code of its own.
    """
    wrong = [
        question
        for question in participation.study.comprehension_questions.all()
        if given.get(question.pk) != question.right_answer.strip()
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
