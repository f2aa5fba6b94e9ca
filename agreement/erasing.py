"""Erases what verdicts quote of a person's answers, when that person withdraws."""

from agreement.models import Verdict
from annotation.erasing import also_erases
from annotation.models import Participation


@also_erases
def erase_evidence(participation: Participation) -> None:
    """The verdict stays, as the run's counts do; the answers that it cites go."""
    Verdict.objects.filter(participation=participation).exclude(evidence=[]).update(evidence=[])
