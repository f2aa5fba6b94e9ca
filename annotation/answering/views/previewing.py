"""The pages of a study's preview, in the order in which a participant has them, and those that few people see."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import ceil

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from agreement.assignment_order import generator, mixed
from agreement.files.items_file import OUTSIDE_RESULTS
from annotation.accounts.permissions import Right, hide_codes, may, study_or_404
from annotation.answering.media import media_of
from annotation.answering.notes import reasons
from annotation.answering.practice import feedback_to_preview, qualification_of
from annotation.answering.several_questions import Asked, questions_asked
from annotation.answering.views.entering import about_study
from annotation.answering.views.judging import MODULES, PAGES_AHEAD, Deadline, overview_of, pages_from
from annotation.answering.views.page_model import Page, ShownItem, items_in_pages, shown_item
from annotation.models import AssignedItem, Assignment, Item, Study
from annotation.models.note import LONGEST_COMMENT
from annotation.platforms import PLATFORMS, Ending, Handback, Outcome
from annotation.platforms.tokens import Frame
from annotation.web.security import OWN_PAGES, policy_allowing

MOST_ITEMS = 50


@dataclass(frozen=True, slots=True)
class PreviewPage:
    key: str
    name: str
    group: str


BEFORE, QUESTIONS, AFTER, OTHERS = "Before", "Questions", "After", "Other endings"


def pages_to_preview(study: Study) -> list[PreviewPage]:
    """Four statements, whatever the size of the study."""
    has_comprehension = study.comprehension_questions.exists()
    before = [("landing", "First page"), ("consent", "Consent"), ("instructions", "Instructions")]
    before += [("comprehension", "Comprehension")] if has_comprehension else []
    after = [("finish", "Last questions"), ("done", "Thank you")]
    others = [("declined", "No consent")]
    others += [("failed", "Comprehension failed")] if has_comprehension else []
    others += [("unqualified", "Qualification failed")] if study.qualification_pass_mark is not None else []
    others += [
        ("full", "Study is full"),
        ("late", "Time is over"),
        ("withdraw", "Withdraw"),
        ("withdrawn", "Withdrawn"),
    ]
    return [
        *(PreviewPage(key, name, BEFORE) for key, name in before),
        *(PreviewPage(f"q{n}", f"Page {n}", QUESTIONS) for n in range(1, pages_of_questions(study) + 1)),
        *(PreviewPage(key, name, AFTER) for key, name in after),
        *(PreviewPage(key, name, OTHERS) for key, name in others),
    ]


def pages_of_questions(study: Study) -> int:
    """Practice and qualification one at a time, then the items of one assignment with its checks, so many on a page as
    the study says.
    """
    one_by_one = study.items.filter(kind__in=_kinds_before(study)).count()
    checks_by_name: dict[str, int] = {}
    for name in study.items.checks().values_list("check_name", flat=True):
        checks_by_name[str(name)] = checks_by_name.get(str(name), 0) + 1
    quotas = study.check_quotas.values_list("check_name", "per_assignment")
    checks = sum(min(count, checks_by_name.get(name, 0)) for name, count in quotas)
    targets = study.items.targets()[: min(study.items_per_assignment, MOST_ITEMS)].count()
    return one_by_one + ceil((targets + checks) / study.items_per_page)


def _kinds_before(study: Study) -> Sequence[str]:
    return [Item.Kind.PRACTICE] if study.qualification_pass_mark is None else OUTSIDE_RESULTS


def page_address(study: Study, key: str) -> str:
    """Pages of questions have the numbers that their script counts by."""
    if key.startswith("q") and key[1:].isdecimal():
        return f"{reverse('annotation:preview-questions', args=[study.slug])}{key[1:]}/"
    if key == "finish":
        return f"{reverse('annotation:preview-questions', args=[study.slug])}finish/"
    return reverse("annotation:preview-page", args=[study.slug, key])


# A researcher walks through the very pages of a participant, before anybody sees them. Nothing is stored.
# `PreviewVisit` replaces a participant's visit: its addresses lead from one preview page to the next, a form
# that is sent leads on, and what the script sends as an answer is thanked for and forgotten.

QUEUE = "preview"  # what the browser keeps until it is told that it is saved: it is told at once


@dataclass(frozen=True, slots=True)
class PreviewVisit:
    """A visit of nobody: every address is another page of the preview."""

    study: Study
    remembered_as: str = ""

    def to(self, key: str) -> str:
        return page_address(self.study, key)

    @property
    def next_address(self) -> str:
        return self.to("landing")

    @property
    def instructions_address(self) -> str:
        return self.to("instructions")

    @property
    def withdrawal_address(self) -> str:
        return self.to("withdraw")


View = Callable[[HttpRequest, Study], HttpResponse]


@login_required
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """The way to the preview by the study's short name."""
    study = study_or_404(request.user, Right.LOOK, slug=slug)
    return redirect("admin:annotation_study_preview", study.pk)


@csrf_exempt  # nothing is stored, and no page of a participant carries a token to check
@require_http_methods(["GET", "HEAD", "POST"])
def forget_answer(_request: HttpRequest, slug: str) -> JsonResponse:  # noqa: ARG001
    """Takes what a page's script sends as an answer, and keeps nothing of it."""
    return JsonResponse({"saved": True})


@csrf_exempt  # as above
@xframe_options_sameorigin
@login_required
def preview_page(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """One page as a participant has it, in the study's language."""
    study = study_or_404(request.user, Right.LOOK, slug=slug)
    if not may(request.user, Right.CHANGE, study):
        hide_codes(study)
    keys = [page.key for page in pages_to_preview(study)]
    if key not in keys:
        raise Http404("This study has no such page.")
    if request.method == "POST":
        response: HttpResponse = redirect(page_address(study, _address_after(request, keys, key)))
    else:
        with translation.override(study.language):
            response = _judge(request, study, int(key[1:])) if key[1:].isdecimal() else PAGES[key](request, study)
        response.headers["Content-Language"] = study.language
    response.headers["Content-Security-Policy"] = policy_allowing(OWN_PAGES, "frame-ancestors", "'self'")
    add_never_cache_headers(response)
    return response


def stay(_request: HttpRequest) -> HttpResponse:
    """Where a page of an unsaved study would lead on: a browser that gets no content stays where it is."""
    return HttpResponse(status=204)


@login_required
def more_pages(request: HttpRequest, slug: str, first: int) -> HttpResponse:
    study = study_or_404(request.user, Right.LOOK, slug=slug)
    with translation.override(study.language):
        base = reverse("annotation:preview-questions", args=[slug])
        return pages_from(request, study, question_pages(study), first, base)


@login_required
def overview(request: HttpRequest, slug: str) -> HttpResponse:
    study = study_or_404(request.user, Right.LOOK, slug=slug)
    with translation.override(study.language):
        return overview_of(question_pages(study))


@csrf_exempt  # as above
def preview_question(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    response: HttpResponse = preview_page(request, slug=slug, key=f"q{number}")
    return response


def _address_after(request: HttpRequest, keys: list[str], key: str) -> str:
    """Where sending this page's form leads a participant whose answers are right."""
    if key == "consent" and request.POST.get("consent") == "no":
        return "declined"
    if key == "withdraw":
        return "withdrawn"
    return keys[min(keys.index(key) + 1, len(keys) - 1)]


# The pages, each by the template that a participant gets.


def landing_page(request: HttpRequest, study: Study) -> HttpResponse:
    return render(request, "annotation/landing.html", about_study(study))


def _view_with_visit(template: str, **more: object) -> View:
    def show(request: HttpRequest, study: Study) -> HttpResponse:
        return render(request, template, {"visit": PreviewVisit(study), "study": study, **more})

    return show


def _instructions(request: HttpRequest, study: Study) -> HttpResponse:
    context = {"visit": PreviewVisit(study), "study": study, "has_begun": False}
    return render(request, "annotation/instructions.html", {**context, "qualification": qualification_of(study)})


def _comprehend(request: HttpRequest, study: Study) -> HttpResponse:
    questions = [(question, question.answers) for question in study.comprehension_questions.all()]
    context = {"visit": PreviewVisit(study), "study": study, "asked": questions, "tries": 0, "given": {}}
    return render(request, "annotation/comprehension.html", context)


def _judge(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    base = reverse("annotation:preview-questions", args=[study.slug])
    return questions_page(request, PreviewVisit(study), question_pages(study), number, base)


def questions_page(
    request: HttpRequest, visit: PreviewVisit, pages: Sequence[Page], number: int, base: str
) -> HttpResponse:
    page, study, now = pages[number - 1], visit.study, timezone.now()
    context: dict[str, object] = {
        "visit": visit,
        "study": study,
        "page": page,
        "others": [other for other in pages if 0 < abs(other.number - page.number) <= PAGES_AHEAD],
        "pages": len(pages),
        "problems": {},
        "base": base,
        "queue": f"{QUEUE}-{study.pk}",
        "keep_seconds": 60,
        "modules": MODULES,
        "has_media": any(item.media for each in pages for item in each.items),
        "reasons": reasons() if study.is_at_expert_pace else [],
        "longest_comment": LONGEST_COMMENT,
        "now_ms": int(now.timestamp() * 1000),
        "deadline": _deadline(study, now),
    }
    return render(request, "annotation/judge.html", context)


def _deadline(study: Study, now: dt.datetime) -> Deadline:
    return Deadline(now + dt.timedelta(minutes=study.minutes_allowed), now)


def _finish(request: HttpRequest, study: Study) -> HttpResponse:
    context = {
        "visit": PreviewVisit(study),
        "study": study,
        "assignment": Assignment(number=study.assignments_per_worker),
        "is_last": True,
        "unanswered": [],
        "deadline": _deadline(study, timezone.now()),
        "is_closed": False,
        "keep_seconds": 60,
        "base": reverse("annotation:preview-questions", args=[study.slug]),
        "queue": f"{QUEUE}-{study.pk}",
    }
    return render(request, "annotation/finish.html", context)


def _ending_view(outcome: Outcome, code_field: str = "") -> View:
    def show(request: HttpRequest, study: Study) -> HttpResponse:
        platform = PLATFORMS[study.platform]
        code = getattr(study, code_field) if code_field else ""
        handback = Handback(outcome, code, study.finish_url, None, None, Frame.NONE)
        withdrawal = request.build_absolute_uri(PreviewVisit(study).withdrawal_address)
        context = {"study": study, "outcome": outcome, "ending": platform.way_back(handback), "platform": platform.name}
        return render(request, "annotation/done.html", {**context, "withdrawal": withdrawal})

    return show


def _turned_away_page(request: HttpRequest, study: Study) -> HttpResponse:
    platform = PLATFORMS[study.platform]
    context = {
        "study": study,
        "outcome": Outcome.TURNED_AWAY,
        "ending": Ending(words=platform.give_back(), link=platform.home),
        "platform": platform.name,
        "sentence": _("This study has all the answers it needs."),
    }
    return render(request, "annotation/done.html", context)


PAGES: dict[str, View] = {
    "landing": landing_page,
    "consent": _view_with_visit("annotation/consent.html"),
    "instructions": _instructions,
    "comprehension": _comprehend,
    "finish": _finish,
    "done": _ending_view(Outcome.COMPLETED, "code_completed"),
    "declined": _ending_view(Outcome.NO_CONSENT, "code_no_consent"),
    "failed": _ending_view(Outcome.FAILED_COMPREHENSION, "code_failed_comprehension"),
    "unqualified": _ending_view(Outcome.FAILED_QUALIFICATION, "code_failed_qualification"),
    "full": _turned_away_page,
    "late": _ending_view(Outcome.OUT_OF_TIME),
    "withdraw": _view_with_visit("annotation/withdraw.html"),
    "withdrawn": _ending_view(Outcome.WITHDRAWN),
}


def question_pages(study: Study) -> list[Page]:
    """The pages of an assignment that is never saved: practice, all qualification items, and the first targets with
    the checks among them.
    """
    before: list[Item] = []
    named: dict[str, list[Item]] = {}
    for item in study.items.beside_targets().order_by("kind", "position"):  # check, practice, qualification
        if item.kind == Item.Kind.CHECK:
            named.setdefault(item.check_name or "", []).append(item)
        elif item.kind in _kinds_before(study):
            before.append(item)
    quotas = study.check_quotas.order_by("check_name").values_list("check_name", "per_assignment")
    checks = [item for name, count in quotas for item in named.get(name, [])[:count]]
    targets = list(study.items.targets().order_by("position")[: min(study.items_per_assignment, MOST_ITEMS)])
    items = [*before, *mixed(targets, checks, generator(study.seed, "preview"))]
    return items_in_pages(shown_items(questions_asked(study), items), study.items_per_page)


def shown_items(asked: Sequence[Asked], items: Sequence[Item]) -> list[ShownItem]:
    """Without an answer to any of them."""
    assigned = [AssignedItem(item=item, position=position) for position, item in enumerate(items, start=1)]
    media = media_of(asked[0].study, items)
    return [
        replace(
            shown_item(asked, each, {}, media=media.get(each.item.pk, {})),
            feedback=feedback_to_preview(each.item),
            awaits_feedback=False,
        )
        for each in assigned
    ]
