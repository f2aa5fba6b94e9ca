"""What a study's results page shows, and whether it is out of date."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Max, QuerySet
from django.http import Http404

from agreement.cleaning.cleaning_run import Counts
from agreement.on_request.further_report import FurtherReport, NoFurtherReport
from agreement.report.claims_table import claims_table, items_table, nothing_lacks
from agreement.report.cleaning_report import nothing_judged, notices
from agreement.report.figure_rows import (
    FigureCell,
    Row,
    agreement_rows,
    beside,
    ceiling_rows,
    evidence_text,
    metric_name,
    paragraphs,
    size_rows,
)
from agreement.report.paper_table import PaperTable
from agreement.report.paper_tables import further_tables
from agreement.report.report import Report
from annotation.models import Job, Participation, Study
from annotation.releases.actions.drawing_reports import DrawnFigure, drawn_figures
from annotation.releases.actions.freezing import newest_out_of_date
from annotation.releases.models import (
    CleaningRun,
    Exclusion,
    GoldRelease,
    ReleaseReport,
    Verdict,
)
from annotation.releases.reference_boards import ReferenceBoard, reference_board
from annotation.releases.tasks import ANALYSE, REPORT

# What a study's results page shows, read in a fixed number of queries: a release, who was removed and why, jobs.

RELEASES_SHOWN = 20
REMOVED_SHOWN = 200


@dataclass(frozen=True, slots=True)
class ExcludedWorker:
    """A worker whose answers are left out, with every reason; `exclusion` is the one in force, if there is one."""

    participation: Participation
    reasons: tuple[str, ...]
    exclusion: Exclusion | None
    is_by_hand: bool


@dataclass(frozen=True, slots=True)
class Results:
    release: GoldRelease
    report: Report
    counts: Counts
    headline: Row | None
    agreement: list[Row]
    ceiling: list[tuple[str, FigureCell]]
    size_threshold: list[tuple[str, FigureCell, str]]
    metric: str
    reference: ReferenceBoard | None  # models and people against the items' own references
    beside: list[str]
    claims: list[PaperTable]  # those that have too few data, and the items that need further judgments
    nothing_lacks: str  # what is said where there are none
    further: list[
        tuple[FurtherReport | NoFurtherReport, list[PaperTable]]
    ]  # analyses made on request, with their tables as printed
    methods: list[list[str]]
    erratum: str  # what withdrawals since have done to it, in words
    out_of_date: str  # what has happened since it was made, in words
    newest: int  # the number of the study's newest release
    nothing_judged: str  # why no rule judged anybody
    drawn: ReleaseReport | None  # its report, and the figures that are in it
    figures: list[DrawnFigure]
    report_job: Job | None  # the job that draws them, or that failed to
    notices: list[str]  # checks, rules and bounds that decided nothing

    @property
    def undefined_agreement(self) -> list[Row]:
        return [row for row in self.agreement if row.is_undefined]

    @property
    def undefined_ceilings(self) -> list[tuple[str, FigureCell]]:
        return [(name, figure) for name, figure in self.ceiling if figure.words]


def release_of(study: Study, number: int | None = None) -> GoldRelease | None:
    """The release of that number, or the latest."""
    releases = study.releases.select_related("study", "run__rule_set", "run__study", "created_by").order_by("-number")
    return (releases if number is None else releases.filter(number=number)).first()


def release_asked_for(study: Study, number: str) -> GoldRelease | None:
    """The release whose number an address names, or the latest where it names none; of a number without one, a 404."""
    if not number:
        return release_of(study, None)
    is_number = number.isascii() and number.isdecimal() and len(number) < 9
    found = release_of(study, int(number)) if is_number else None
    if found is None:
        raise Http404(f"{study} has no release {number[:40]}.")
    return found


def results_of(release: GoldRelease) -> Results:
    report = release.published
    rows = agreement_rows(report)
    newest = release.study.releases.aggregate(newest=Max("number"))["newest"]
    drawn = ReleaseReport.objects.filter(release=release).first()
    return Results(
        release=release,
        report=report,
        counts=report.counts,
        headline=next((row for row in rows if row.is_first), None),
        agreement=rows,
        ceiling=list(ceiling_rows(report)),
        size_threshold=list(size_rows(report)),
        metric=metric_name(report),
        reference=reference_board(release),
        beside=beside(report),
        claims=[
            table for table in (claims_table(report.results.claims), items_table(report.results.claims)) if table.rows
        ],
        nothing_lacks=nothing_lacks(report.results.claims),
        further=[(part, list(further_tables([part]))) for part in report.results.further],
        methods=paragraphs(release.methods),
        erratum=release.erratum(),
        out_of_date=newest_out_of_date(release, newest),
        newest=newest,
        nothing_judged=nothing_judged(report),
        drawn=drawn,
        figures=[] if drawn is None else drawn_figures(drawn),
        report_job=None if drawn is not None else _report_job(release),
        notices=notices(report),
    )


def _report_job(release: GoldRelease) -> Job | None:
    """The newest job that was to draw this release's report."""
    jobs = release.study.jobs.filter(kind=REPORT, parameters__release=str(release.uuid))
    return jobs.select_related("created_by").first()


def removed_from(study: Study, run: CleaningRun | None) -> list[ExcludedWorker]:
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
        ExcludedWorker(
            participation=person,
            reasons=_reasons(failed.get(key, []), exclusions.get(key)),
            exclusion=exclusions.get(key),
            is_by_hand=key in exclusions and exclusions[key].run_id is None,
        )
        for key, person in sorted(people.items(), key=lambda pair: pair[1].pseudonym)
    ]


def lifted_in(study: Study) -> QuerySet[Exclusion]:
    """The newest of those that were included again, with why."""
    lifted = Exclusion.objects.filter(participation__study=study, lifted_at__isnull=False)
    return lifted.select_related("participation", "lifted_by").order_by("-lifted_at")[:RELEASES_SHOWN]


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
