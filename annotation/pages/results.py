"""What the pages of a study's results show: a release and its parts, who is out and why, the newest job."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Max, QuerySet
from django.http import Http404

from agreement.cleaning.cleaning_run import Counts
from agreement.figures.headline import HEADLINE
from agreement.on_request.further_analysis import FurtherReport, NoFurtherReport
from agreement.report.cleaning_report import nothing_judged, notices
from agreement.report.figure_rows import (
    FigureCell,
    Row,
    agreement_rows,
    ceiling_rows,
    evidence_text,
    metric_name,
    other_lines,
    paragraphs,
    size_rows,
)
from agreement.report.methods_paragraph import methods_paragraph
from agreement.report.paper_table import PaperTable
from agreement.report.paper_tables import claims_table, further_tables, items_table, nothing_lacks
from agreement.report.report import Report
from annotation.models import Job, Participation, Study
from annotation.pages.lists import item_as_shown
from annotation.releases.actions.drawing_reports import DrawnFigure, drawn_figures
from annotation.releases.actions.freezing import newest_out_of_date
from annotation.releases.leaderboards import Row as LeaderboardRow
from annotation.releases.leaderboards import Table, table_of
from annotation.releases.models import CleaningRun, Exclusion, GoldRelease, ReleaseReport, Verdict
from annotation.releases.reference_boards import ReferenceBoard, reference_board
from annotation.releases.tasks import REPORT

RELEASES_SHOWN = 20
REMOVED_SHOWN = 200
MOST_MODELS = 5  # that stand beside people on the first page
MOST_CAUSES, FIRST_OUT = 5, 3  # of the causes, and of the people, that the first page names


@dataclass(frozen=True, slots=True)
class ExcludedWorker:
    """A worker whose answers are left out, with every reason; `exclusion` is the one in force, if there is one."""

    participation: Participation
    reasons: tuple[str, ...]
    rules: frozenset[str]  # those that were failed
    exclusion: Exclusion | None
    is_by_hand: bool


class Results:
    """A release as the pages show it. A page reads the parts that it shows, and no other."""

    def __init__(self, release: GoldRelease) -> None:
        self.release = release

    @cached_property
    def report(self) -> Report:
        return self.release.published

    @property
    def counts(self) -> Counts:
        return self.report.counts

    @cached_property
    def newest(self) -> int:
        """The number of the study's newest release."""
        newest: int = self.release.study.releases.aggregate(newest=Max("number"))["newest"]
        return newest

    @property
    def is_older(self) -> bool:
        return self.release.number < self.newest

    @cached_property
    def out_of_date(self) -> str:
        """What has happened since it was made, in words; nothing of an older release."""
        return newest_out_of_date(self.release, self.newest)

    @cached_property
    def erratum(self) -> str:
        """What withdrawals since have done to it, in words."""
        return self.release.erratum()

    @cached_property
    def nothing_judged(self) -> str:
        """Why no rule judged anybody."""
        return nothing_judged(self.report)

    @cached_property
    def notices(self) -> list[str]:
        """Checks, rules and bounds that decided nothing, and what else a reader should know."""
        return notices(self.report)

    # Agreement

    @cached_property
    def agreement(self) -> list[Row]:
        return agreement_rows(self.report)

    @property
    def undefined_agreement(self) -> list[Row]:
        return [row for row in self.agreement if row.is_undefined]

    @cached_property
    def ceiling(self) -> list[tuple[str, FigureCell]]:
        return list(ceiling_rows(self.report))

    @property
    def undefined_ceilings(self) -> list[tuple[str, FigureCell]]:
        return [(name, figure) for name, figure in self.ceiling if figure.words]

    @cached_property
    def size_threshold(self) -> list[tuple[str, FigureCell, str]]:
        return list(size_rows(self.report))

    @cached_property
    def metric(self) -> str:
        return metric_name(self.report)

    @cached_property
    def beside(self) -> list[str]:
        return other_lines(self.report)

    # Models

    @cached_property
    def models(self) -> Table | None:
        """Models by the study's first metric, with a typical person, the ceiling and chance."""
        return table_of(self.release)

    @property
    def beside_people(self) -> list[LeaderboardRow]:
        """The first models, then people, the most that any model can reach, and chance."""
        rows = [] if self.models is None else self.models.rows
        models = [row for row in rows if row.kind == "probe"]
        return [*models[:MOST_MODELS], *(row for row in rows if row.kind in {"person", "chance"})]

    @cached_property
    def reference(self) -> ReferenceBoard | None:
        """Models and people against the items' own references."""
        return reference_board(self.release)

    # Claims and further analyses

    @cached_property
    def claims(self) -> list[PaperTable]:
        """Those that have too few data, and the items that need further judgments."""
        claims = self.report.results.claims
        return [table for table in (claims_table(claims), items_table(claims)) if table.rows]

    @cached_property
    def nothing_lacks(self) -> str:
        """What is said where there are none."""
        return nothing_lacks(self.report.results.claims)

    @cached_property
    def further(self) -> list[tuple[FurtherReport | NoFurtherReport, list[PaperTable]]]:
        """Analyses made on request, with their tables as printed."""
        return [(part, list(further_tables([part]))) for part in self.report.results.further]

    # Methods

    @cached_property
    def methods(self) -> list[list[str]]:
        return paragraphs(methods_paragraph(self.report))

    @cached_property
    def methods_details(self) -> list[list[str]]:
        return paragraphs(self.release.methods)

    # Figures

    @cached_property
    def drawn(self) -> ReleaseReport | None:
        """Its report, and the figures that are in it."""
        return ReleaseReport.objects.filter(release=self.release).first()

    @cached_property
    def figures(self) -> list[DrawnFigure]:
        return [] if self.drawn is None else drawn_figures(self.drawn)

    @cached_property
    def pictures(self) -> list[DrawnFigure]:
        """The three that say most: answers, agreement before and after cleaning, people and models."""
        return [] if self.drawn is None else drawn_figures(self.drawn, HEADLINE)

    @cached_property
    def report_job(self) -> Job | None:
        """The newest job that was to draw the report, or that failed to, where it isn't drawn."""
        if self.drawn is not None:
            return None
        jobs = self.release.study.jobs.filter(kind=REPORT, parameters__release=str(self.release.uuid))
        return jobs.select_related("created_by").first()


def release_of(study: Study, number: int | None = None) -> GoldRelease | None:
    """The release of that number, or the latest."""
    releases = study.releases.select_related("study", "run__rule_set", "run__study", "created_by").order_by("-number")
    return (releases if number is None else releases.filter(number=number)).first()


def release_asked_for(study: Study, number: str) -> GoldRelease | None:
    """The release whose number an address names, or the latest where it names none; of a number without one, a 404."""
    if not number:
        return release_of(study, None)
    is_number = number.isascii() and number.isdecimal() and len(number) < 9
    release = release_of(study, int(number)) if is_number else None
    if release is None:
        raise Http404(f"{study} has no release {number[:40]}.")
    return release


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
    words = words_of_evidence(study, [verdict for verdicts in failed.values() for verdict in verdicts])
    return [
        ExcludedWorker(
            participation=person,
            reasons=_exclusion_reasons(failed.get(key, []), exclusions.get(key), words),
            rules=frozenset(verdict.rule for verdict in failed.get(key, [])),
            exclusion=exclusions.get(key),
            is_by_hand=key in exclusions and exclusions[key].run_id is None,
        )
        for key, person in sorted(people.items(), key=lambda pair: pair[1].pseudonym)
    ]


@dataclass(frozen=True, slots=True)
class OutInShort:
    """How many are excluded now, for which causes, and the first of them."""

    people: int
    causes: list[tuple[str, int]]
    first: list[ExcludedWorker]


def out_in_short(removed: list[ExcludedWorker]) -> OutInShort:
    """A person who failed two rules counts under both."""
    out = [each for each in removed if each.exclusion is not None]
    causes = Counter(
        cause for each in out for cause in (["by hand"] if each.is_by_hand else each.rules or ["an earlier analysis"])
    )
    return OutInShort(len(out), causes.most_common(MOST_CAUSES), out[:FIRST_OUT])


def lifted_in(study: Study) -> QuerySet[Exclusion]:
    """The newest of those that were included again, with why."""
    lifted = Exclusion.objects.filter(participation__study=study, lifted_at__isnull=False)
    return lifted.select_related("participation", "lifted_by").order_by("-lifted_at")[:RELEASES_SHOWN]


def words_of_evidence(study: Study, failed: Sequence[Verdict]) -> dict[tuple[int, str], str]:
    """By question and item id, what people saw of the items that verdicts name."""
    named = {(verdict.question, each["item_id"]) for verdict in failed for each in verdict.evidence if each["item_id"]}
    items = {item.item_id: item for item in study.items.filter(item_id__in={item_id for _, item_id in named})}
    asked = {question: study.asked(question) for question in {question for question, _ in named}}
    return {
        (question, item_id): f"“{item_as_shown(asked[question], items[item_id]).short}”"
        for question, item_id in named
        if item_id in items
    }


def _exclusion_reasons(
    failed: list[Verdict], exclusion: Exclusion | None, words: Mapping[tuple[int, str], str]
) -> tuple[str, ...]:
    """Each failure as the person saw it; the rule is named where no item says what it was about."""
    reasons = []
    for verdict in failed:
        shown = [
            evidence_text({**each, "item_id": words.get((verdict.question, each["item_id"]), each["item_id"])})
            for each in verdict.evidence
        ]
        names_items = any(each["item_id"] for each in verdict.evidence)
        reasons.append("; ".join(shown) if names_items else f"{verdict.rule}: {'; '.join(shown) or 'failed'}")
    if exclusion is not None and (exclusion.run_id is None or not reasons):
        reasons.append(exclusion.reason)
    return tuple(reasons)


def failures_of(run: CleaningRun) -> dict[str, list[str]]:
    """Each worker who failed a rule, with the answers that did it."""
    failed: dict[str, list[str]] = {}
    for verdict in run.verdicts.filter(outcome=Verdict.Outcome.FAILED).select_related("participation").order_by("pk"):
        answers = [
            f"{evidence['item_id']} {evidence['answer']} ({evidence['bound']})".strip() for evidence in verdict.evidence
        ]
        failed.setdefault(verdict.participation.pseudonym, []).extend(answers or [verdict.rule])
    return dict(sorted(failed.items()))
