"""The first page: how each study stands and what to do next in it, what needs attention, what was spent."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from agreement.files.numbers import count_text
from annotation.accounts.permissions import Right, studies_where
from annotation.models import Job, Payment, Study
from annotation.pages.all_studies import (
    NOBODY,
    exclusions_of,
    failed_jobs,
    in_order,
    latest_releases,
    looked_at_in,
    payments_of,
    people_of,
    places_of,
)
from annotation.pages.study_tabs import TABS
from annotation.people.payment_lists import total_of
from annotation.people.retention import undecided_studies
from annotation.releases.tasks import ANALYSE

STUDIES_SHOWN, ATTENTION_SHOWN, JOBS_SHOWN = 12, 8, 5
# A study that takes people and gets nobody for so long is stuck; a job that nobody begins for so long has no worker.
STUCK, WAITS = dt.timedelta(hours=24), dt.timedelta(minutes=2)
GOLD = {
    "excellent": "excellent gold",
    "good": "good gold",
    "usable": "usable gold",
    "not-yet": "gold not good enough yet",
}
# Where the next step of a verdict is taken, by its key; any other on the results.
STEP_PAGES = {
    "look-at-people": "people",
    "look-at-rules": "clean",
    "compare-models": "models",
    "decide-items": "answers",
}


NO_STEP = {"key": "", "sentence": ""}


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to do in a study: in a sentence, and where it is done."""

    study: Study
    sentence: str
    address: str
    verb: str


@dataclass(frozen=True, slots=True)
class StudyCard:
    """A study as the page shows it."""

    study: Study
    places: int
    done: int
    people: int
    spent: str
    gold: str
    address: str
    advice: Advice

    @property
    def share(self) -> float:
        return self.done / self.places if self.places else 0.0


def home(request: HttpRequest, context: dict[str, object]) -> dict[str, object]:
    """What the admin's first page shows this researcher, of the studies that they may see."""
    desk = Desk(request, timezone.now())
    attention = list(desk.attention())
    return {
        **context,
        "title": "Home",
        "studies": desk.cards(),
        "more_studies": max(len(desk.studies) - STUDIES_SHOWN, 0),
        "attention": attention[:ATTENTION_SHOWN],
        "more_attention": attention[ATTENTION_SHOWN:],
        "undecided": desk.undecided,
        "spent": desk.total(Payment.Status.PAID, Payment.Status.APPROVED),
        "owed": desk.total(Payment.Status.DUE),
        "jobs": [job for job in desk.jobs if job.study_id in desk.by_key][:JOBS_SHOWN],
        "waits_for_worker": desk.waits_for_worker(),
    }


class Desk:
    """What is read for the page."""

    def __init__(self, request: HttpRequest, now: dt.datetime) -> None:
        self.now = now
        visible = studies_where(request.user, Right.LOOK).filter(archived_at=None)
        managed = studies_where(request.user, Right.MANAGE)
        self.studies = list(in_order(visible))
        self.may_change = set(studies_where(request.user, Right.CHANGE).values_list("pk", flat=True))
        self.by_key = {study.pk: study for study in self.studies}
        keys = visible.values("pk")
        self.people = people_of(keys)
        self.releases = latest_releases(keys)
        self.exclusions = exclusions_of(keys)
        self.looked_at = looked_at_in(keys)
        self.payments = payments_of(managed.filter(archived_at=None).values("pk"))
        self.undecided = list(undecided_studies(managed).order_by("pay_warned_at", "pk"))
        self.jobs = list(Job.objects.unfinished().select_related("study").order_by("created_at"))
        self.failed_jobs = list(failed_jobs(keys, now))

    # What was spent, and what is to be decided on.

    def total(self, *statuses: str) -> str:
        rows = [row for rows in self.payments.values() for row in rows]
        return total_of((row["amount"], row["currency"]) for row in rows if row["status"] in statuses)

    def spent_on(self, study: Study) -> str:
        paid = (Payment.Status.PAID, Payment.Status.APPROVED)
        rows = [row for row in self.payments.get(study.pk, ()) if row["status"] in paid and row["amount"]]
        return total_of((row["amount"], row["currency"]) for row in rows) if rows else ""

    # What needs attention.

    def attention(self) -> Iterator[Advice]:
        yield from (
            Advice(self.by_key[job.study_id], f"A job failed ({job.kind}).", job_page(job), "See why")
            for job in self.failed_jobs
            if job.study_id is not None
        )
        for finding in (self._stuck, self._suspects, self._out_of_date, self._unpaid):
            yield from (advice for study in self.studies if (advice := finding(study)))

    def _stuck(self, study: Study) -> Advice | None:
        last = self.people.get(study.pk, NOBODY).last_entered
        if not self.is_collecting(study) or last is None or last > self.now - STUCK:
            return None
        days = (self.now - last).days
        sentence = f"It still needs judgments, and nobody has come in for {count_text(days, 'day')}."
        return Advice(study, sentence, page_of(study, "watch"), "Watch")

    def _suspects(self, study: Study) -> Advice | None:
        count = self.open_suspects(study)
        if not count:
            return None
        sentence = f"The answers of {count_text(count, 'person', 'people')} look careless, and are undecided."
        return Advice(study, sentence, page_of(study, "people"), "Look at them")

    def open_suspects(self, study: Study) -> int:
        """Those of the newest release who were neither excluded nor looked at and kept."""
        release = self.releases.get(study.pk)
        if release is None:
            return 0
        excluded = {one.pseudonym for one in self.exclusions.get(study.pk, ())}
        return len(release.suspects - excluded - self.looked_at.get(study.pk, frozenset()))

    def _out_of_date(self, study: Study) -> Advice | None:
        release = self.releases.get(study.pk)
        if release is None or self.is_collecting(study) or self.is_analysed_now(study):
            return None
        last = self.people.get(study.pk, NOBODY).last_finished
        if last is not None and last > release.created_at:
            what_happened = "people have finished"
        elif any(one.is_unknown_to(release) for one in self.exclusions.get(study.pk, ())):
            what_happened = "people were excluded or included again"
        else:
            return None
        sentence = f"Release {release.number} is out of date: {what_happened} since."
        return Advice(study, sentence, page_of(study, "results"), "Analyse again")

    def _unpaid(self, study: Study) -> Advice | None:
        due = [row for row in self.payments.get(study.pk, ()) if row["status"] == Payment.Status.DUE]
        if not due or self.is_collecting(study) or study in self.undecided:
            return None
        count, total = sum(row["people"] for row in due), total_of((row["amount"], row["currency"]) for row in due)
        sentence = f"{count_text(count, 'payment')} to decide on ({total})."
        return Advice(study, sentence, page_of(study, "pay"), "Decide")

    def waits_for_worker(self) -> bool:
        """Whether jobs wait although no worker process is at work: none has begun one or given a sign of life."""
        alive = self.now - dt.timedelta(seconds=settings.JOB_SILENCE_SECONDS)
        is_busy = any(job.status == Job.Status.RUNNING and job.touched_at > alive for job in self.jobs)
        late = [job for job in self.jobs if job.not_before is None and job.created_at < self.now - WAITS]
        return bool(late) and not is_busy

    # What to do next in a study.

    def is_collecting(self, study: Study) -> bool:
        return study.is_open_at(self.now) and bool(vars(study)["needs_judgments"])

    def is_analysed_now(self, study: Study) -> bool:
        return any(job.study_id == study.pk and job.kind == ANALYSE for job in self.jobs)

    def next_step(self, study: Study) -> Advice:
        if study.status == Study.Status.DRAFT:
            has_items = bool(vars(study)["has_items"])
            sentence = "Go through the checklist, then open it." if has_items else "Give it items to judge."
            return advice_on("launch" if has_items else "items", study, sentence)
        if self.is_analysed_now(study):
            return advice_on("results", study, "The analysis is running.")
        if not self.is_collecting(study):
            return self._out_of_date(study) or self._after_collecting(study)
        if self.people.get(study.pk, NOBODY).people:
            return advice_on("watch", study, "Collecting.")
        page = "links" if study.pk in self.may_change else "watch"
        return advice_on(page, study, "Nobody has come yet: give people its link.")

    def _after_collecting(self, study: Study) -> Advice:
        release = self.releases.get(study.pk)
        if release is not None:
            steps = release.verdict.get("next", ()) if release.verdict else ()
            step = next(iter(steps), NO_STEP)
            if step["key"] == "look-at-people" and not self.open_suspects(study):
                step = NO_STEP  # done since
            return advice_on(STEP_PAGES.get(step["key"], "results"), study, step["sentence"])
        if self.people.get(study.pk, NOBODY).finished:
            return advice_on("results", study, "Analyse what was collected.")
        return advice_on("watch", study, "")

    def cards(self) -> list[StudyCard]:
        shown = self.studies[:STUDIES_SHOWN]
        places = places_of([study.pk for study in shown])
        return [
            StudyCard(
                study=study,
                places=places[study.pk].needed,
                done=0 if study.status == Study.Status.DRAFT else places[study.pk].done,
                people=self.people.get(study.pk, NOBODY).people,
                spent=self.spent_on(study),
                gold=self._gold(study),
                address=self._address(study),
                advice=self.next_step(study),
            )
            for study in shown
        ]

    def _gold(self, study: Study) -> str:
        release = self.releases.get(study.pk)
        if release is None:
            return ""
        return GOLD.get((release.verdict or {}).get("level", ""), f"release {release.number}")

    def _address(self, study: Study) -> str:
        """The page that says most of it now."""
        if study.status == Study.Status.DRAFT:
            return page_of(study, "setup")
        return page_of(study, "results" if study.pk in self.releases else "watch")


def advice_on(page: str, study: Study, sentence: str) -> Advice:
    """Done on this page of the study."""
    return Advice(study, sentence, page_of(study, page), "Results" if page == "results" else TABS[page].name)


def page_of(study: Study, key: str) -> str:
    return TABS[key].address(study)


def job_page(job: Job) -> str:
    return reverse("admin:annotation_job_change", args=[job.pk])
