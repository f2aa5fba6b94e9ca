"""Records in the admin, read-only: who did what to a study, every revision of a judgment, and jobs."""

import json
import re
from typing import cast
from uuid import UUID

from django.contrib import admin, messages
from django.core.paginator import Paginator
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse
from django.utils.functional import cached_property
from django.views.decorators.http import require_POST

from agreement.errors import Refused
from annotation.accounts.permissions import Right, studies_where, study_or_404, without_codes
from annotation.jobs import IMPORT, retry_job
from annotation.models import AssignedItem, AuditEntry, Job, Judgment
from annotation.pages.admin.base import ReadOnlyAdmin, StudyFilter, column, study_filter, study_page, user_of
from annotation.pages.study_tabs import RECORDS

# The page Records of a study: the way to its rows as they were stored.


def records(request: HttpRequest, study: UUID) -> HttpResponse:
    this_study = study_or_404(request.user, Right.LOOK, uuid=study)
    lists = [(tab.name, tab.address(this_study), meaning) for tab, meaning in RECORDS.items()]
    return study_page(request, this_study, "pages/records.html", {"lists": lists}, section="records", title="Records")


# The record in the admin: who did what to a study, when and why. Append-only, so read-only.

LONG_NUMBER = re.compile(r"[0-9a-f-]{33,64}")  # a SHA-256 or a UUID

MOST_SHOWN = 10  # of a list, on a line; an entry's own page has all of it


def shown_value(value: object) -> str:
    """A value of the record on a line: of hashes and UUIDs the beginning, which is enough to tell them apart."""
    if isinstance(value, list):
        more = f" and {len(value) - MOST_SHOWN} more" if len(value) > MOST_SHOWN else ""
        return " ".join(map(shown_value, value[:MOST_SHOWN])) + more
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    text = str(value)
    return f"{text[:12]}…" if LONG_NUMBER.fullmatch(text) else text


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ("at", "shown_action", "study", "by", "why", "shown_detail")
    list_filter = (study_filter("study"), "action")
    search_fields = ("why", "by__username")
    list_select_related = ("study", "by")
    fields = ("at", "action", "study", "by", "why", "whole_detail")

    def get_queryset(self, request: HttpRequest) -> QuerySet[AuditEntry]:
        """With whether the reader may see the study's codes."""
        theirs = studies_where(request.user, Right.CHANGE).filter(pk=OuterRef("study_id"))
        entries: QuerySet[AuditEntry] = super().get_queryset(request).annotate(shows_codes=Exists(theirs))
        return entries

    @column("detail")
    def whole_detail(self, entry: AuditEntry) -> str:
        return json.dumps(_detail(entry), ensure_ascii=False, indent=2)

    @column("what", ordering="action")
    def shown_action(self, entry: AuditEntry) -> str:
        return entry.get_action_display()

    @column("detail")
    def shown_detail(self, entry: AuditEntry) -> str:
        return ", ".join(f"{name.replace('_', ' ')}: {shown_value(value)}" for name, value in _detail(entry).items())


def _detail(entry: AuditEntry) -> dict[str, object]:
    shows_codes = bool(vars(entry)["shows_codes"])  # annotated by the admin's queryset
    return dict(entry.detail) if shows_codes else without_codes(entry.detail)


# Judgments in the admin: every revision as it was given, under pseudonyms. Append-only, so read-only.

MARKS = (
    ("is_late", "late"),
    ("is_untouched_middle", "untouched middle"),
    ("is_direction_reversed", "scale shown reversed"),
    ("is_word_order_swapped", "words shown in reverse order"),
)
ANSWERS = ("number", "label", "text", "labels", "numbers", "properties")


def answer_text(judgment: Judgment) -> str:
    """The one field that is filled, as a text."""
    if judgment.could_not_see:
        return "could not see it"
    if judgment.no_answer:
        return str(judgment.get_no_answer_display())
    answer = next((getattr(judgment, name) for name in ANSWERS if getattr(judgment, name) is not None), "")
    if isinstance(answer, float):
        return f"{answer:g}"
    if isinstance(answer, list):
        return ", ".join(map(str, answer))
    return json.dumps(answer, ensure_ascii=False) if isinstance(answer, dict) else str(answer)


# The list of judgments goes back so far; a search or a filter leads further, and judgments.csv has all.
MOST_LISTED = 10_000


class NewestRows(Paginator):
    """Counts no further than the list goes: to count a million for every page of it takes a second."""

    @cached_property
    def count(self) -> int:
        rows = cast("QuerySet[Judgment]", self.object_list)
        return rows.order_by()[:MOST_LISTED].count()

    @property
    def is_cut(self) -> bool:
        return self.count == MOST_LISTED


def in_studies(**studies: object) -> Exists:
    """Asked of each judgment from the newest on. A join would begin with the items, and sort all their judgments."""
    return Exists(AssignedItem.objects.filter(pk=OuterRef("assigned_item"), **studies))


class StudyOfJudgments(StudyFilter):
    """By a join where the study has few judgments, which may be the oldest of many."""

    path = "assigned_item__item__study"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model]:
        of_study = super().queryset(request, queryset)
        if of_study is queryset or of_study.order_by()[:MOST_LISTED].count() < MOST_LISTED:
            return of_study
        return queryset.filter(in_studies(item__study=self.value()))


@admin.register(Judgment)
class JudgmentAdmin(ReadOnlyAdmin):
    study_path = "assigned_item__item__study"
    paginator = NewestRows
    list_display = ("item", "answer", "worker", "revision", "seconds", "marks", "created_at")
    list_filter = (StudyOfJudgments, "assigned_item__item__kind", "is_late", "input_kind")
    search_fields = ("=assigned_item__item__item_id", "=assigned_item__participation__pseudonym")
    search_help_text = "The whole item id or pseudonym"
    list_select_related = ("assigned_item__item__study", "assigned_item__participation")
    ordering = ("-pk",)
    fields = (
        "item", "answer", "worker", "revision", "created_at", "seconds", "first_touch_ms", "moves", "input_kind",
        "marks", "uuid",
    )  # fmt: skip

    def get_readonly_fields(self, request: HttpRequest, obj: object = None) -> tuple[str, ...]:  # noqa: ARG002
        return self.fields

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        rows = admin.ModelAdmin.get_queryset(self, request)
        seen = studies_where(request.user, self.looking).values("pk")
        return rows if request.user.is_superuser else rows.filter(in_studies(item__study__in=seen))

    @column("item", ordering="assigned_item__item__item_id")
    def item(self, judgment: Judgment) -> str:
        return judgment.assigned_item.item.item_id

    @column("worker")
    def worker(self, judgment: Judgment) -> str:
        return judgment.assigned_item.participation.pseudonym

    @column("answer")
    def answer(self, judgment: Judgment) -> str:
        return answer_text(judgment)

    @column("marks")
    def marks(self, judgment: Judgment) -> str:
        return ", ".join(words for name, words in MARKS if getattr(judgment, name))

    @column("seconds", ordering="response_ms")
    def seconds(self, judgment: Judgment) -> str:
        return "–" if judgment.response_ms is None else f"{judgment.response_ms / 1000:.1f}"


# Jobs in the admin: what is queued, running, done or failed, and why.

# Where a failure is shown beside this section.
PAGES_OF_A_STUDY = {"results", "leaderboard", "clean"}
COLOURS = {"queued": "info", "running": "warning", "done": "success", "failed": "danger", "cancelled": "default"}


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    list_display = (
        "created_at",
        "kind",
        "study",
        "shown_status",
        "done_share",
        "attempts",
        "created_by",
        "short_error",
    )
    list_filter = (study_filter("study"), "status")
    list_select_related = ("study", "created_by")
    fields = (
        "kind", "study", "status", "done_share", "attempts", "created_by", "created_at", "touched_at", "finished_at",
        "parameters", "result", "error", "retry_of",
    )  # fmt: skip
    change_form_outer_before_template = "admin/touchstone/job_head.html"

    def is_allowed(self, request: HttpRequest, right: Right, obj: Model | None) -> bool:
        """A job without a study is the site's own."""
        if isinstance(obj, Job) and obj.study is None:
            return bool(request.user.is_superuser)
        return super().is_allowed(request, right, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: object = None) -> tuple[str, ...]:  # noqa: ARG002
        return self.fields

    def render_change_form(
        self, request: HttpRequest, context: dict[str, object], *args: object, **kwargs: object
    ) -> HttpResponse:
        job = kwargs.get("obj")
        if isinstance(job, Job) and job.study is not None:
            if job.kind == IMPORT:
                context["import_of"] = job.study
            elif job.status == Job.Status.FAILED:
                context["again"] = job.retries.first()
                context["can_retry"] = context["again"] is None and self.is_allowed(request, Right.CHANGE, job)
        page: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return page

    def get_urls(self) -> list[URLPattern]:
        own = path("<int:pk>/retry/", self.admin_site.admin_view(retry_failed_job), name="annotation_job_retry")
        return [own, *super().get_urls()]

    @column("status", ordering="status", colours=COLOURS)
    def shown_status(self, job: Job) -> tuple[str, str]:
        return job.status, job.get_status_display()

    @column("progress")
    def done_share(self, job: Job) -> str:
        return f"{job.progress:.0%}"

    @column("error")
    def short_error(self, job: Job) -> str:
        return job.error.partition("\n")[0][:100]


@require_POST
def retry_failed_job(request: HttpRequest, pk: int) -> HttpResponse:
    """Does a failed job again, and goes back to where the button was."""
    job = get_object_or_404(Job.objects.select_related("study"), pk=pk, study__isnull=False)
    study = study_or_404(request.user, Right.CHANGE, pk=job.study_id)
    try:
        again = retry_job(job=job, by=user_of(request))
    except Refused as refusal:
        messages.warning(request, str(refusal))
        again = job
    else:
        messages.success(request, "The job was started again as a new job.")
    if (back := request.POST.get("back")) in PAGES_OF_A_STUDY:
        address = reverse(f"agreement:{back}", args=[study.uuid])
        return redirect(f"{address}?job={again.uuid}" if back == "clean" else address)
    return redirect("admin:annotation_job_change", again.pk)
