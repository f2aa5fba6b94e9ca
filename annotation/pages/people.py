"""Everybody who took part, as a table and in figures; and one person with every answer."""

from __future__ import annotations

from uuid import UUID

import pandas as pd
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from agreement.durations import LEAST_TIME, time_taken
from agreement.figures import annotator_matrix, influence, worker_overview
from agreement.figures.figure import Figure
from agreement.kinds.statistics import statistics_of
from annotation.accounts.permissions import Right, study_or_404
from annotation.models import Participation, Study
from annotation.pages.admin.base import study_page
from annotation.pages.people_list import SHOW, People, agreement_heading, page_of, people_of, worker_rows
from annotation.pages.person_answers import answers_of
from annotation.pages.summary_age import figures_and_age
from annotation.releases.analysis_settings import settings_of
from annotation.releases.models import Exclusion
from annotation.releases.summaries import Figures


def people(request: HttpRequest, study: UUID) -> HttpResponse:
    this_study = study_or_404(request.user, Right.LOOK, uuid=study)
    figures, age = figures_and_age(request, this_study)
    everybody = people_of(this_study, figures)
    page = page_of(everybody, request.GET)
    context = {
        **age,
        "page": page,
        "links": page.cut.links(request.GET),
        "show": SHOW,
        "shown": request.GET.get("show", "all"),
        "query": request.GET.get("q", ""),
        "agreement_heading": agreement_heading(this_study),
        "drawings": [] if figures is None else _drawings(this_study, everybody, figures),
        "matrix": None if figures is None else _matrix(this_study, everybody, figures),
    }
    return study_page(request, this_study, "pages/people.html", context, section="people", title="People")


def _drawings(study: Study, everybody: People, figures: Figures) -> list[Figure]:
    agrees_by, rows = statistics_of(study.kind).agrees_by, worker_rows(study, everybody)
    agreement = figures.facts["agreement"]
    drawn = [worker_overview.draw_rows(rows.drop(columns="without"), agrees_by)]
    if "estimate" in agreement:
        workers = rows[["worker", "without", "link"]]
        drawn.append(influence.draw(workers, name=agreement["name"], whole=agreement["estimate"]))
    return [one for one in drawn if one is not None]


def _matrix(study: Study, everybody: People, figures: Figures) -> Figure | None:
    names = {row.pk: row.pseudonym for row in everybody.rows}
    matrix = figures.facts["matrix"]
    pairs = [(names[a], names[b], agree, n) for a, b, n, agree in matrix["pairs"] if a in names and b in names]
    table = pd.DataFrame(pairs, columns=["worker", "other", "agreement", "shared"])
    agrees_by = statistics_of(study.kind).agrees_by
    return annotator_matrix.draw(table, workers=len(matrix["workers"]), agrees_by=agrees_by)


def person(request: HttpRequest, study: UUID, pseudonym: str) -> HttpResponse:
    """One person: what is known of them, and every answer in the order in which it was given."""
    this_study = study_or_404(request.user, Right.LOOK, uuid=study)
    who = get_object_or_404(this_study.participations, pseudonym=pseudonym)
    figures, age = figures_and_age(request, this_study)
    time = time_taken(who.consented_at, who.finished_at)
    answers = answers_of(this_study, who, settings_of(this_study).rules, request.GET.get("page", ""))
    context = {
        **age,
        "person": who,
        "minutes": time,
        "takes_time": time is not None and time >= LEAST_TIME,
        "known": _known(who, figures),
        "answers": answers,
        "links": answers.cut.links(request.GET),
        "exclusion": Exclusion.objects.in_force().filter(participation=who).first(),
        "agreement_heading": agreement_heading(this_study),
    }
    title = f"Worker {who.pseudonym}"
    return study_page(request, this_study, "pages/person.html", context, section="people", title=title)


def _known(who: Participation, figures: Figures | None) -> dict[str, object]:
    """The person's own row of the figures, and how far agreement changes without them."""
    row = None if figures is None else figures.worker(who.pk)
    if figures is None or row is None:
        return {}
    known: dict[str, object] = {name: None if number != number else number for name, number in row.items()}  # noqa: PLR0124  nan
    agreement = figures.facts["agreement"]
    if known["without"] is not None and "estimate" in agreement:
        known |= {"whole": agreement, "change": known["without"] - agreement["estimate"]}
    total = figures.facts["judgments"]
    known["share"] = row["judgments"] / total if total else None

    return known
