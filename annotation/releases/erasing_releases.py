"""Erases what verdicts and releases quote of a person's answers, when that person withdraws."""

from agreement.property_names import normalised
from annotation.database.bulk import chunks
from annotation.models import Job, Judgment, Participation
from annotation.people.erasing import also_erases
from annotation.releases.models import PropertyCode, Quote, ReleaseReport, StudySummary, Verdict
from annotation.releases.tasks import TRY


@also_erases
def erase_evidence(participation: Participation) -> None:
    """The verdict stays, as the run's counts do; the answers that it cites go."""
    Verdict.objects.filter(participation=participation).exclude(evidence=[]).update(evidence=[])


@also_erases
def erase_reports(participation: Participation) -> None:
    """Reports show workers and quote answers; they are drawn again from what is left."""
    ReleaseReport.objects.filter(release__study=participation.study).delete()


@also_erases
def erase_tried_rules(participation: Participation) -> None:
    """What previews of rules found cites answers too; a preview is made again at a press."""
    Job.objects.filter(study=participation.study, kind=TRY, result__isnull=False).update(result=None)


@also_erases
def erase_quotes(participation: Participation) -> None:
    """The release's lines stay, with hashes in them; what only this person said can't be read from them any more."""
    theirs = Judgment.objects.filter(assigned_item__participation=participation)
    Quote.objects.filter(judgment_uuid__in=theirs.values("uuid")).delete()


@also_erases
def erase_property_codes(participation: Participation) -> None:
    """A coding's rows of spellings that only this person wrote; what others wrote too stays coded."""
    coded = PropertyCode.objects.filter(study=participation.study_id)
    spellings = set(coded.values_list("spelling", flat=True))
    if not spellings:
        return
    answers = Judgment.objects.filter(properties__isnull=False)
    theirs = answers.filter(assigned_item__participation=participation)
    said = {
        normalised(name) for given in theirs.values_list("properties", flat=True) for name in given or ()
    } & spellings
    if not said:
        return
    others = answers.of_study(participation.study_id).exclude(assigned_item__participation=participation)
    for given in others.values_list("properties", flat=True).iterator(2_000):
        said -= set(map(normalised, given or ()))
    for portion in chunks(sorted(said), 500):
        coded.filter(spelling__in=portion).delete()


@also_erases
def erase_summary(participation: Participation) -> None:
    """It has figures of this person; it is made again from what is left."""
    StudySummary.objects.filter(study=participation.study_id).delete()
