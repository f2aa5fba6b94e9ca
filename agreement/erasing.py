"""Erases what verdicts and releases quote of a person's answers, when that person withdraws."""

from agreement.models import Quote, ReleaseReport, Verdict
from annotation.erasing import also_erases
from annotation.models import Judgment, Participation


@also_erases
def erase_evidence(participation: Participation) -> None:
    """The verdict stays, as the run's counts do; the answers that it cites go."""
    Verdict.objects.filter(participation=participation).exclude(evidence=[]).update(evidence=[])


@also_erases
def erase_reports(participation: Participation) -> None:
    """Reports show workers and quote answers; they are drawn again from what is left."""
    ReleaseReport.objects.filter(release__study=participation.study).delete()


@also_erases
def erase_quotes(participation: Participation) -> None:
    """The release's lines stay, with hashes in them; what only this person said can't be read from them any more."""
    theirs = Judgment.objects.filter(assigned_item__participation=participation)
    Quote.objects.filter(judgment_uuid__in=theirs.values("uuid")).delete()
