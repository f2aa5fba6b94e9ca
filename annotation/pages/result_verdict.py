"""What the first screen of a study's results says: the verdict, one thing to do next, the other questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.db.models import OuterRef, Subquery
from django.urls import reverse

from agreement.report.verdict import ReportVerdict, no_verdict, verdict_of
from agreement.report.verdict_rules import STANDINGS, WORDS
from annotation.accounts.permissions import Right
from annotation.models import Study
from annotation.pages.results import Results
from annotation.releases.models import GoldRelease
from annotation.releases.verdicts import verdict_of_question, verdict_on


def verdict_shown(results: Results | None, study: Study) -> ReportVerdict:
    """The verdict on the release that is shown, with what has happened since; without one, why there is none."""
    if results is None:
        return verdict_of_question(study)
    return verdict_on(results.release, is_out_of_date=bool(results.out_of_date), newest=results.newest)


# What is done next, as a button or a link. The key is that of the verdict's step.


@dataclass(frozen=True, slots=True)
class StepAction:
    """`address` is where its link leads; `starts_analysis` makes it a button that queues one."""

    label: str
    address: str = ""
    starts_analysis: bool = False


Address = Callable[[Study], str]


def page_of(name: str, query: str = "") -> Address:
    return lambda study: reverse(f"agreement:{name}", args=[study.uuid]) + query


def setup_page(name: str, fragment: str = "") -> Address:
    return lambda study: reverse(f"admin:annotation_study_{name}", args=[study.pk]) + fragment


def _people_come_by(study: Study) -> str:
    return (page_of("launch") if study.status == Study.Status.DRAFT else setup_page("links"))(study)


STEPS: Mapping[str, tuple[str, Right, Address]] = {
    "wait-for-job": ("Refresh this page", Right.LOOK, page_of("results")),
    "see-failed-job": ("Analyse with other settings", Right.CHANGE, page_of("analyse")),
    "see-newest": ("Show the newest release", Right.LOOK, page_of("results")),
    "collect": ("Let people in", Right.CHANGE, _people_come_by),
    "look-at-rules": ("Look at the rules", Right.LOOK, page_of("clean")),
    "look-at-people": ("Look at them", Right.LOOK, page_of("people", "#to-look-at")),
    "collect-more": ("Ask for more judgments", Right.CHANGE, setup_page("change", "#id_judgments_per_item")),
    "revise-question": ("Copy the study to revise it", Right.CHANGE, setup_page("duplicate")),
    "decide-items": ("Decide them one by one", Right.CHANGE, page_of("adjudicate")),
    "compare-models": ("Add a model", Right.CHANGE, page_of("add_probe")),
    "publish": ("Choose what to download", Right.LOOK, page_of("results", "#downloads")),
}
ANALYSE = {"analyse": "Analyse now", "analyse-again": "Analyse again"}


def action_of(verdict: ReportVerdict, study: Study, right: Right | None) -> StepAction | None:
    """None where the step is not for this person to take."""
    key, had = verdict.next_step.key, right or 0
    if key in ANALYSE:
        return StepAction(ANALYSE[key], starts_analysis=True) if had >= Right.CHANGE else None
    label, needed, address = STEPS[key]
    return StepAction(label, address(study)) if had >= needed else None


# Of a study of several questions: a line for each, the weakest first.


@dataclass(frozen=True, slots=True)
class QuestionLine:
    name: str
    standing: str
    figure: str  # the first of its verdict, as printed
    words: str
    is_weakest: bool
    is_shown: bool


def question_lines(study: Study, shown: ReportVerdict) -> list[QuestionLine]:
    """From the newest release of each question, in one query; `shown` is the verdict on the question of the page."""
    if len(study.shown_questions) < 2:
        return []
    verdicts: dict[str, ReportVerdict] = {}
    newest = _newest_releases(study.pk)
    for each in study.questions():
        release = newest.get(each.asked_number)
        if each.asked_number == study.asked_number:
            verdicts[each.question_name] = shown
        else:
            verdicts[each.question_name] = no_verdict() if release is None else verdict_of(release.published)
    order = sorted(verdicts, key=lambda name: STANDINGS.index(verdicts[name].standing))
    return [
        QuestionLine(
            name=name,
            standing=verdicts[name].standing,
            figure=verdicts[name].figures[0].text if verdicts[name].figures else "",
            words=WORDS.get(verdicts[name].standing, verdicts[name].sentence),
            is_weakest=name == order[0],
            is_shown=name == study.question_name,
        )
        for name in order
    ]


def _newest_releases(study: int) -> dict[int, GoldRelease]:
    """The newest release of each question, by the question's number."""
    releases = GoldRelease.objects.filter(study=study)
    newest = releases.filter(question=OuterRef("question")).order_by("-number").values("number")[:1]
    return {release.question: release for release in releases.filter(number=Subquery(newest))}
