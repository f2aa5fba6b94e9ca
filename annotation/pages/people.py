"""Everybody who came to a study, sorted and page by page; and one person with every answer."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

import numpy as np
import numpy.typing as npt
import pandas as pd
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse

from agreement.durations import LEAST_TIME, time_taken
from agreement.figures.figure import Figure
from agreement.figures.of_agreement import draw_annotator_matrix
from agreement.figures.of_workers import draw_worker_rows
from agreement.figures.robustness import draw_workers_influence
from agreement.kinds.statistics import statistics_of
from annotation.accounts.permissions import Right
from annotation.models import Participation, Study
from annotation.pages.admin.base import study_asked, study_page
from annotation.pages.lists import Heading, PageBounds, Sorting, answers_of, figures_and_age, notes_by_person
from annotation.pages.people_signs import (
    SHOWN_SIGNS,
    PersonSigns,
    signs_context,
    signs_of_everybody,
    signs_of_person,
    with_results,
)
from annotation.pages.people_to_look_at import open_suspects, suspects_of
from annotation.pages.results import release_of, removed_from
from annotation.releases.models import Exclusion
from annotation.releases.summaries import Figures, settings_of

COLUMNS: dict[str, tuple[str, bool]] = {
    "pseudonym": ("Worker", False),
    "status": ("Status", False),
    "judgments": ("Judgments", True),
    "share": ("Share of the study", True),
    "failed": ("Checks failed", True),
    "agreement": ("With the others", True),
    "seconds": ("Seconds per answer", True),
    "minutes": ("Minutes in all", True),
    "run": ("Longest run", True),
    "change": ("Agreement without", True),
}
SHOW = {
    "all": "Everybody",
    "judging": "With judgments",
    "kept": "Not excluded",
    "excluded": "Excluded",
    "failed": "Failed a check",
    "suspects": "Answers look careless",
    "signs": "Signs worth a look",
    **{str(status): str(status.label) for status in Participation.Status},
}
NOTED = {"noted": "Flagged, commented or skipped"}  # at expert pace
# What pages name of the summary's columns.
OF_SUMMARY = {
    "judgments": "judgments",
    "checks": "checks",
    "failed": "checks_failed",
    "agreement": "agreement",
    "seconds": "median_seconds",
    "run": "longest_run",
    "without": "without",
}


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A number is None where it isn't known."""

    pk: int
    pseudonym: str
    status: str
    is_pilot: bool
    excluded: str  # why
    figures: dict[str, float | None]
    suspect: Mapping[str, object]  # `kinds` and a `sentence`; empty for most
    signs: PersonSigns | None
    notes: str  # how many items they flagged, commented on and skipped


@dataclass(frozen=True, slots=True)
class PeoplePage:
    rows: list[PersonRow]
    headings: list[Heading]
    cut: PageBounds
    sorting: Sorting


class ListedPerson(NamedTuple):
    """What is read of a participation."""

    pk: int
    pseudonym: str
    status: str
    consented_at: dt.datetime | None
    finished_at: dt.datetime | None
    is_pilot: bool
    agreed_to_signs: bool
    has_results: bool  # of a platform's checks


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """[P] everybody, and their columns, nan where a number isn't known."""

    rows: Sequence[ListedPerson]
    excluded: dict[int, str]
    texts: dict[str, npt.NDArray[np.str_]]
    columns: dict[str, npt.NDArray[np.float64]]
    suspects: Mapping[int, Mapping[str, object]]
    signs: Mapping[int, PersonSigns]
    notes: Mapping[int, str]


def people_of(study: Study, figures: Figures | None) -> People:
    """Two queries: the participations, and who is excluded; and those of signs, where there are any; at expert pace one
    more, of what they said of items.
    """
    listed = with_results(study.participations.all()).order_by("pk").values_list(*ListedPerson._fields)
    rows = [ListedPerson(*row) for row in listed]
    in_force = Exclusion.objects.in_force().filter(participation__study=study)
    excluded = dict(in_force.values_list("participation", "reason"))
    keys = np.array([row.pk for row in rows], dtype=np.int64)
    times = [time_taken(row.consented_at, row.finished_at) for row in rows]
    texts: dict[str, npt.NDArray[np.str_]] = {
        "pseudonym": np.array([row.pseudonym for row in rows], dtype=str),
        "status": np.array([row.status for row in rows], dtype=str),
    }
    columns: dict[str, npt.NDArray[np.float64]] = {
        "minutes": np.array([_minutes(time) for time in times], dtype=np.float64),
        **_of_summary(figures, keys),
    }
    total = np.nansum(columns["judgments"])
    columns["share"] = columns["judgments"] / total if total else np.full(len(rows), np.nan)
    agreement = None if figures is None else figures.facts["agreement"].get("estimate")
    names = {row.pk: row.pseudonym for row in rows if row.agreed_to_signs or row.has_results}
    signs = signs_of_everybody(study, names) if names else {}
    columns["change"] = columns["without"] - (np.nan if agreement is None else agreement)
    suspects = {} if figures is None else figures.suspects
    return People(rows, excluded, texts, columns, suspects, signs, notes_by_person(study))


def _minutes(time: dt.timedelta | None) -> float:
    """Simulated and imported people take no time that says anything."""
    return np.nan if time is None or time < LEAST_TIME else time.total_seconds() / 60


def _of_summary(figures: Figures | None, keys: npt.NDArray[np.int64]) -> dict[str, npt.NDArray[np.float64]]:
    columns = {name: np.full(len(keys), np.nan) for name in OF_SUMMARY}
    if figures is None or not len(keys):
        return columns
    theirs = figures.workers["participation"]
    positions = np.searchsorted(keys, theirs)
    is_known = (positions < len(keys)) & (keys[np.minimum(positions, len(keys) - 1)] == theirs)
    for name, column in OF_SUMMARY.items():
        columns[name][positions[is_known]] = figures.workers[column][is_known]
    return columns


def page_of(people: People, query: QueryDict) -> PeoplePage:
    """`sort`, `show`, `q` (the beginning of a pseudonym) and `page` of an address; what isn't known is passed over."""
    sorting = Sorting.of(query.get("sort", ""), tuple(COLUMNS), "-judgments")
    chosen = np.flatnonzero(_shown(people, query.get("show", ""), query.get("q", "").strip()))
    columns: dict[str, npt.NDArray[np.generic]] = {**people.texts, **people.columns}
    order = chosen[sorting.order(columns[sorting.key][chosen])]
    cut = PageBounds.of(query.get("page", ""), len(order))
    rows = [_row(people, position) for position in order[cut.rows].tolist()]
    return PeoplePage(rows, sorting.headings(COLUMNS, query), cut, sorting)


def _shown(people: People, show: str, text: str) -> npt.NDArray[np.bool_]:
    columns = people.columns
    is_excluded = np.array([row.pk in people.excluded for row in people.rows], dtype=np.bool_)
    match show:
        case "judging":
            shown = ~np.isnan(columns["judgments"])
        case "kept":
            shown = ~is_excluded
        case "excluded":
            shown = is_excluded
        case "failed":
            shown = np.nan_to_num(columns["failed"]) > 0
        case "noted":
            shown = np.array([row.pk in people.notes for row in people.rows], dtype=np.bool_)
        case "suspects":
            shown = np.array([row.pk in people.suspects for row in people.rows], dtype=np.bool_)
        case "signs":
            shown = np.array([row.pk in people.signs and people.signs[row.pk].is_flagged for row in people.rows])
        case _ if show in Participation.Status.values:
            shown = people.texts["status"] == show
        case _:
            shown = np.ones(len(people.rows), dtype=np.bool_)
    return np.asarray(shown & np.char.startswith(people.texts["pseudonym"], text)) if text else np.asarray(shown)


def _row(people: People, position: int) -> PersonRow:
    row = people.rows[position]
    names = (*OF_SUMMARY, "share", "minutes", "change")
    numbers = {name: float(people.columns[name][position]) for name in names}
    return PersonRow(
        pk=row.pk,
        pseudonym=row.pseudonym,
        status=str(Participation.Status(row.status).label),
        is_pilot=row.is_pilot,
        excluded=people.excluded.get(row.pk, ""),
        figures={name: None if np.isnan(number) else number for name, number in numbers.items()},
        suspect=people.suspects.get(row.pk, {}),
        signs=people.signs.get(row.pk),
        notes=people.notes.get(row.pk, ""),
    )


# The same people as a figure's rows.


def worker_rows(study: Study, people: People) -> pd.DataFrame:
    """Those with judgments: `worker`, `agreement`, `seconds`, `judgments`, `status`, `without`, `link`."""
    columns = people.columns
    judging = np.flatnonzero(~np.isnan(columns["judgments"])).tolist()
    return pd.DataFrame(
        {
            "worker": [people.rows[position].pseudonym for position in judging],
            "agreement": columns["agreement"][judging],
            "seconds": columns["seconds"][judging],
            "judgments": columns["judgments"][judging].astype(np.int64),
            "status": ["excluded" if people.rows[position].pk in people.excluded else "kept" for position in judging],
            "without": columns["without"][judging],
            "link": [person_address(study, people.rows[position].pseudonym) for position in judging],
        }
    )


def person_address(study: Study, pseudonym: str) -> str:
    return reverse("agreement:person", args=[study.uuid, pseudonym])


def agreement_heading(study: Study) -> str:
    """What "with the others" is of this kind of question; "" where nothing is."""
    declared = statistics_of(study.kind)
    if declared.agrees is None:
        return ""
    return (
        "correlation with the mean of the others"
        if declared.agrees_by == "correlation"
        else ("share of answers that are the others' majority")
    )


# Everybody who took part, as a table and in figures; and one person with every answer.


def people(request: HttpRequest, study: UUID) -> HttpResponse:
    this_study = study_asked(request, Right.LOOK, study)
    figures, age = figures_and_age(request, this_study)
    everybody = people_of(this_study, figures)
    page, release = page_of(everybody, request.GET), release_of(this_study)
    context = {
        **age,
        "page": page,
        "links": page.cut.links(request.GET),
        "show": SHOW | NOTED if this_study.is_at_expert_pace else SHOW,
        "shown": request.GET.get("show", "all"),
        "query": request.GET.get("q", ""),
        "agreement_heading": agreement_heading(this_study),
        "suspects": suspects_of(this_study, figures),
        **signs_context(this_study, everybody.signs),
        "removed": removed_from(this_study, release.run if release is not None else None),
        "is_asked": bool(request.GET.keys() - {"question"}),
        "not_screened": "" if figures is None else figures.not_screened,
        "drawings": [] if figures is None else _drawings(this_study, everybody, figures),
        "matrix": None if figures is None else _matrix(this_study, everybody, figures),
    }
    return study_page(request, this_study, "pages/people.html", context, section="people", title="People")


def _drawings(study: Study, everybody: People, figures: Figures) -> list[Figure]:
    agrees_by, rows = statistics_of(study.kind).agrees_by, worker_rows(study, everybody)
    agreement = figures.facts["agreement"]
    drawn = [draw_worker_rows(rows.drop(columns="without"), agrees_by)]
    if "estimate" in agreement:
        workers = rows[["worker", "without", "link"]]
        drawn.append(draw_workers_influence(workers, name=agreement["name"], agreement_of_all=agreement["estimate"]))
    return [one for one in drawn if one is not None]


def _matrix(study: Study, everybody: People, figures: Figures) -> Figure | None:
    names = {row.pk: row.pseudonym for row in everybody.rows}
    matrix = figures.facts["matrix"]
    pairs = [(names[a], names[b], agree, n) for a, b, n, agree in matrix["pairs"] if a in names and b in names]
    table = pd.DataFrame(pairs, columns=["worker", "other", "agreement", "shared"])
    agrees_by = statistics_of(study.kind).agrees_by
    return draw_annotator_matrix(table, workers=len(matrix["workers"]), agrees_by=agrees_by)


def person(request: HttpRequest, study: UUID, pseudonym: str) -> HttpResponse:
    """One person: what is known of them, and every answer in the order in which it was given."""
    this_study = study_asked(request, Right.LOOK, study)
    who = get_object_or_404(with_results(this_study.participations.all()), pseudonym=pseudonym)
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
        "suspect": {} if figures is None else figures.suspects.get(who.pk, {}),
        "signs": signs_of_person(who),
        "all_signs": SHOWN_SIGNS,
        "left": [one.worker for one in open_suspects(this_study, figures) if one.worker != who.pseudonym],
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
        known |= {"whole": agreement, "change": row["without"] - agreement["estimate"]}
    total = figures.facts["judgments"]
    known["share"] = row["judgments"] / total if total else None

    return known
