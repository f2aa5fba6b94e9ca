"""What a study's results page shows, read in a fixed number of queries: a release, who was removed and why, jobs."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Max

from agreement.analysis.cleaning_words import nothing_judged, notices
from agreement.freshness import out_of_date_sentence
from agreement.models import CleaningRun, Exclusion, GoldRelease, Verdict
from agreement.showing import Row, Shown, agreement_rows, beside, ceiling_rows, evidence_text, metric_name, paragraphs
from annotation.models import Job, Participation, Study

ANALYSE = "analyse"
RELEASES_SHOWN = 20
REMOVED_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Removed:
    """A worker whose answers are left out, with every reason; `exclusion` is the one in force, if there is one."""

    participation: Participation
    reasons: tuple[str, ...]
    exclusion: Exclusion | None
    is_by_hand: bool


@dataclass(frozen=True, slots=True)
class Results:
    release: GoldRelease
    report: dict[str, Any]
    counts: dict[str, Any]
    headline: Row | None
    agreement: list[Row]
    ceiling: list[tuple[str, Shown]]
    metric: str
    beside: list[str]
    methods: list[list[str]]
    erratum: str  # what withdrawals since have done to it, in words
    out_of_date: str  # what has happened since it was made, in words
    newest: int  # the number of the study's newest release
    nothing_judged: str  # why no rule judged anybody
    notices: list[str]  # checks, rules and bounds that decided nothing


def release_of(study: Study, number: int | None = None) -> GoldRelease | None:
    """The release of that number, or the latest."""
    releases = study.releases.select_related("study", "run__rule_set", "run__study", "created_by").order_by("-number")
    return (releases if number is None else releases.filter(number=number)).first()


def release_asked_for(study: Study, number: str) -> GoldRelease | None:
    """The release whose number an address names, or the latest where it names none."""
    is_number = number.isascii() and number.isdecimal() and len(number) < 9
    return release_of(study, int(number) if is_number else None)


def results_of(release: GoldRelease) -> Results:
    report = release.report
    rows = agreement_rows(report)
    newest = release.study.releases.aggregate(newest=Max("number"))["newest"]
    return Results(
        release=release,
        report=report,
        counts=report.get("counts", {}),
        headline=next((row for row in rows if row.is_first), None),
        agreement=rows,
        ceiling=list(ceiling_rows(report)),
        metric=metric_name(report),
        beside=beside(report),
        methods=paragraphs(release.methods),
        erratum=release.erratum(),
        out_of_date=newest_out_of_date(release, newest),
        newest=newest,
        nothing_judged=nothing_judged(report),
        notices=notices(report),
    )


def newest_out_of_date(release: GoldRelease, newest: int | None = None) -> str:
    """What the study's newest release doesn't know of; an older one is out of date by there being a newer."""
    if newest is None:
        newest = release.study.releases.aggregate(newest=Max("number"))["newest"]
    return "" if release.number != newest else out_of_date_sentence(release)


def removed_from(study: Study, run: CleaningRun | None) -> list[Removed]:
    """Who failed a rule of the run, and who is excluded now by whatever cause, each once."""
    exclusions = {
        exclusion.participation_id: exclusion
        for exclusion in Exclusion.objects.in_force()
        .filter(participation__study=study)
        .select_related("participation", "created_by")
    }
    failed: dict[int, list[Verdict]] = {}
    if run is not None:
        for verdict in run.verdicts.filter(outcome=Verdict.Outcome.FAILED).select_related("participation"):
            failed.setdefault(verdict.participation_id, []).append(verdict)
    people = {verdicts[0].participation_id: verdicts[0].participation for verdicts in failed.values()}
    people |= {key: exclusion.participation for key, exclusion in exclusions.items()}
    return [
        Removed(
            participation=person,
            reasons=_reasons(failed.get(key, []), exclusions.get(key)),
            exclusion=exclusions.get(key),
            is_by_hand=key in exclusions and exclusions[key].run_id is None,
        )
        for key, person in sorted(people.items(), key=lambda pair: pair[1].pseudonym)
    ]


def _reasons(failed: list[Verdict], exclusion: Exclusion | None) -> tuple[str, ...]:
    said = [
        f"{verdict.rule}: {'; '.join(evidence_text(each) for each in verdict.evidence) or 'failed'}"
        for verdict in failed
    ]
    if exclusion is not None and (exclusion.run_id is None or not said):
        said.append(exclusion.reason)
    return tuple(said)


def latest_job(study: Study) -> Job | None:
    return study.jobs.filter(kind=ANALYSE).select_related("created_by").first()


def failures_of(run: CleaningRun) -> dict[str, list[str]]:
    """Each worker who failed a rule, with the answers that did it."""
    failed: dict[str, list[str]] = {}
    for verdict in run.verdicts.filter(outcome=Verdict.Outcome.FAILED).select_related("participation").order_by("pk"):
        found = [f"{what['item_id']} {what['answer']} ({what['bound']})".strip() for what in verdict.evidence]
        failed.setdefault(verdict.participation.pseudonym, []).extend(found or [verdict.rule])
    return dict(sorted(failed.items()))
