"""A study while it is collected: how far it is, when it ends, where people leave, pay, how far people agree."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

import numpy as np
import pandas as pd
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from agreement.errors import Refused
from agreement.figures.collecting import answer_times, funnel, judgments_over_time, pages_left, person_times
from agreement.figures.figure import Figure
from agreement.figures.judgment_distribution import Distribution, draw_one
from annotation.accounts.permissions import Right, study_or_404
from annotation.models import NoticeWish, Participation, Study
from annotation.notices.notifying import ask_for_notices, end_notices, last_notice
from annotation.pages.admin.base import study_page, user_of
from annotation.pages.lists import figures_and_age
from annotation.releases.summaries import Figures
from annotation.studies.study_progress import Forecast, StudyProgress, forecast, progress_of

SECONDS_BETWEEN = 30  # two looks of the page's script


def watch(request: HttpRequest, study: UUID) -> HttpResponse:
    return _watch_page(request, study_or_404(request.user, Right.LOOK, uuid=study), {})


@require_POST
def notices(request: HttpRequest, study: UUID) -> HttpResponse:
    """E-mails about the study, asked for or ended by the researcher who is signed in."""
    this_study = study_or_404(request.user, Right.LOOK, uuid=study)
    if "end" in request.POST:
        end_notices(study=this_study, user=user_of(request))
        messages.success(request, "You get no more e-mails about this study.")
        return redirect("agreement:watch", this_study.uuid)
    hours = request.POST.get("hours", "").strip()
    is_number = hours.isascii() and hours.isdecimal() and len(hours) < 9
    try:
        ask_for_notices(study=this_study, user=user_of(request), stuck_after_hours=int(hours) if is_number else 0)
    except Refused as refused:
        return _watch_page(request, this_study, {"refusal": str(refused), "hours": hours}, status=422)
    messages.success(request, "You get an e-mail when this study is full, stuck, or one of its jobs failed.")
    return redirect("agreement:watch", this_study.uuid)


def _watch_page(
    request: HttpRequest, study: Study, notice_form: Mapping[str, object], status: int = 200
) -> HttpResponse:
    figures, age = figures_and_age(request, study)
    progress = progress_of(study)
    context = {
        **age,
        "progress": progress,
        "forecast": None if figures is None else _forecast(figures, progress),
        "checks": None if figures is None else _checks(figures),
        "agreement": None if figures is None else figures.facts["agreement"],
        "most_influential": None if figures is None else _most_influential(figures),
        "drawings": _drawings(study, figures, progress),
        "seconds": SECONDS_BETWEEN,
        "now": timezone.now(),
        **_notices(request, study),
        **notice_form,
    }
    page = "pages/watch.html"
    return study_page(request, study, page, context, section="watch", title="Watch", status=status)


def _notices(request: HttpRequest, study: Study) -> dict[str, object]:
    wish = NoticeWish.objects.filter(study=study, user=user_of(request)).first()
    hours = NoticeWish._meta.get_field("stuck_after_hours").get_default() if wish is None else wish.stuck_after_hours
    return {"wish": wish, "hours": hours, "sends_email": settings.SENDS_EMAIL, "last": last_notice(wish)}


def _forecast(figures: Figures, progress: StudyProgress) -> Forecast:
    all_judgments = sum(figures.facts["over_time"]["counts"])
    share = figures.facts["judgments"] / all_judgments if all_judgments else 0.0
    return forecast(figures.facts["over_time"], progress.open + progress.held, share, timezone.now())


def _most_influential(figures: Figures) -> dict[str, object] | None:
    """The worker without whom agreement would differ most, and what it would be."""
    key = figures.facts["most_influential"]
    row = None if key is None else figures.worker(key)
    person = Participation.objects.filter(pk=key).first() if key is not None and row is not None else None
    if row is None or person is None:
        return None
    change = row["without"] - figures.facts["agreement"]["estimate"]
    return {"pseudonym": person.pseudonym, "without": row["without"], "change": change}


def _checks(figures: Figures) -> Mapping[str, object]:
    """Answers to checks that a rule looks at, those that failed, and the people behind them."""
    answered, failed = figures.workers["checks"], figures.workers["checks_failed"]
    return {
        "answers": int(answered.sum()),
        "failed": int(failed.sum()),
        "people": int(np.count_nonzero(answered)),
        "people_failed": int(np.count_nonzero(failed)),
        "note": figures.facts["checks_note"],
    }


def _drawings(study: Study, figures: Figures | None, progress: StudyProgress) -> list[Figure]:
    drawn: list[Figure | None] = []
    if figures is not None:
        drawn.append(judgments_over_time(figures.facts["over_time"]))
    if progress.people:
        drawn += [funnel(progress.funnel), pages_left(progress.pages_left)]
    if figures is not None:
        drawn += [answer_times(figures.facts["answer_seconds"]), _answers(figures)]
    if progress.has_times:
        drawn.append(person_times(progress.minutes, study.minutes_expected))
    return [one for one in drawn if one is not None]


def _answers(figures: Figures) -> Figure | None:
    facts = figures.facts
    if not facts["judgments"]:
        return None
    rows = pd.DataFrame(facts["distribution"]["rows"])
    caption = f"{facts['judgments']:,} judgments on items, of everybody; checks are not among them."
    distribution = Distribution(facts["distribution"]["axis"], rows)
    return draw_one(distribution, name="answers-so-far", title="Answers so far", caption=caption)
