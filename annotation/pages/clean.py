"""The Clean page: rules as a form, what they would do, thresholds swept, two rule sets side by side, people by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict, cast
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from agreement.cleaning.check_items import Checks
from agreement.cleaning.rule_set import parse_rules, with_screening
from agreement.errors import PAGE, Refused
from agreement.figures.figure import Figure
from agreement.figures.robustness import draw_threshold_sweep
from agreement.kinds.registry import KINDS
from agreement.report.figure_rows import FigureCell, figure_cell, statistic_name
from agreement.report.people_and_models import stored_figure, stored_scores, stored_statistic
from agreement.scoring.metrics import title_of
from annotation.accounts.permissions import Right
from annotation.jobs import request_job
from annotation.models import Job, Study
from annotation.pages.admin.base import study_asked, study_page, user_of
from annotation.pages.people_to_look_at import suspects_of
from annotation.pages.result_forms import AnalyseForm
from annotation.pages.results import RELEASES_SHOWN, release_of
from annotation.pages.rules_form import RulesForm, form_from, form_of
from annotation.releases.actions.rule_sets import RuleSetChoice, offered_rule_sets
from annotation.releases.actions.trying_rules import (
    COMPARE,
    PREVIEW,
    SWEEP,
    Asked,
    TrialParameters,
    is_large,
    try_rules,
    who_is_included_again,
)
from annotation.releases.from_database.judgment_rows import unfinished_judgments
from annotation.releases.from_database.reading_judgments import checks_of
from annotation.releases.models import Exclusion
from annotation.releases.summaries import figures_of, settings_of
from annotation.releases.tasks import ANALYSE, TRY
from annotation.releases.verdicts import latest_analysis


class TriedRules(TypedDict):
    """What the trial of one rule set has found, as far as more is said of it than stands in it."""

    counts: dict[str, int]
    statistic: str
    raw: Mapping[str, object]
    cleaned: Mapping[str, object]
    metric: str
    ceiling: Mapping[str, object]
    scores: list[Mapping[str, object]]


class SweptThresholds(TypedDict):
    """Both axes by their rules' names, the values that stand now, and a row per cell."""

    axes: tuple[str, str]
    now: tuple[list[str], list[str]]
    statistic: str
    rows: list[Mapping[str, object]]


def shown_result(study: Study, result: Mapping[str, object]) -> dict[str, object]:
    """Without a question to the database."""
    match result["what"]:
        case "preview":
            return {**_figures(cast("TriedRules", result)), **_people(study, result)}
        case "sweep":
            return _sweep(result)
        case "compare":
            return _compared(study, result)
    raise ValueError(f"nothing shows what {result['what']} found")


def _figures(result: TriedRules) -> dict[str, object]:
    counts = result["counts"]
    return {
        **result,
        "counts": {**counts, "judgments_lost": counts["judgments"] - counts["judgments_kept"]},
        "statistic_name": statistic_name(result["statistic"]),
        "raw": figure_cell(stored_statistic(result["raw"])),
        "cleaned": figure_cell(stored_statistic(result["cleaned"])),
        "ceiling": figure_cell(stored_figure(result["ceiling"])),
        "metric_name": title_of(result["metric"]) if result["metric"] else "",
    }


def _people(study: Study, result: Mapping[str, object]) -> dict[str, object]:
    workers = {key: cast("list[dict[str, object]]", result[key]) for key in ("excluded", "near")}
    return {
        key: [{**each, "link": person_page(study, str(each["worker"]))} for each in rows]
        for key, rows in workers.items()
    }


def person_page(study: Study, pseudonym: str) -> str:
    return reverse("agreement:person", args=[study.uuid, pseudonym])


def _sweep(result: Mapping[str, object]) -> dict[str, object]:
    if "why_not" in result:
        return dict(result)
    return {**result, "figure": _figure_of(cast("SweptThresholds", result))}


def _figure_of(swept: SweptThresholds) -> Figure:
    first, second = swept["axes"]
    now = " and ".join(
        f"{name} {', '.join(values)}"
        for name, values in zip(swept["axes"], swept["now"], strict=True)
        if name and values
    )
    return draw_threshold_sweep(
        swept["rows"],
        axes=(first, second),
        statistic=swept["statistic"],
        caption=f"{swept['statistic']}; every check with such a bound is held to the cell's. Framed: the present"
        f" rules ({now}). Point at a cell for workers, judgments and gold.",
    )


def _compared(study: Study, result: Mapping[str, object]) -> dict[str, object]:
    sides = cast("list[TriedRules]", result["sides"])
    scores: dict[str, list[FigureCell | None]] = {}
    for column, side in enumerate(sides):
        for score in stored_scores(side["scores"]):
            scores.setdefault(score.probe, [None, None])[column] = figure_cell(score.figure)
    has_scale = KINDS[study.kind].has_scale
    return {
        **result,
        "sides": [_figures(side) for side in sides],
        "scores": list(scores.items()),
        "has_scale": has_scale,
    }


# The Clean page: rules as a form, what they would do, thresholds swept, two rule sets side by side, people by hand.


def clean(request: HttpRequest, study: UUID) -> HttpResponse:
    """The form as the last release's rules fill it in, or those of `rules` or of the job of the address."""
    this_study = study_asked(request, Right.LOOK, study)
    offered = offered_rule_sets(this_study)
    job = _job_asked_for(this_study, request.GET.get("job", ""))
    toml = next((each.toml for each in offered if each.key == request.GET.get("rules")), "")
    if job is not None and isinstance(job.parameters["rules"][0], str):
        toml = job.parameters["rules"][0]
    form = form_of(parse_rules(toml or settings_of(this_study).toml), checks_of(this_study))
    context: dict[str, object] = {"tried_job": job}
    if job is not None and job.status == Job.Status.DONE:
        context |= {"result": shown_result(this_study, job.result)} if job.result else {"is_erased": True}
    return _page(request, this_study, form, offered, context)


@require_POST
def change(request: HttpRequest, study: UUID) -> HttpResponse:
    """Whatever a button of the form asks: a rule more or less, rules from TOML, a preview, a sweep, or to apply it."""
    this_study = study_asked(request, Right.CHANGE, study)
    offered, checks = offered_rule_sets(this_study), checks_of(this_study)
    for button, rules_from in (("use_toml", _from_toml), ("screening", _from_screening)):
        if button in request.POST:
            return rules_from(request, this_study, offered, checks)
    form = form_from(request.POST, checks)
    wanted = next((action for action in ("apply", PREVIEW, SWEEP, COMPARE) if action in request.POST), "")
    if not wanted:
        return _page(request, this_study, form, offered, {})
    if form.rule_set is None:
        return _page(request, this_study, form, offered, {"is_refused": True}, status=422)
    if wanted == "apply":
        return _apply(request, this_study, form, offered)
    rules: list[Asked] = [form.toml]
    if wanted == COMPARE:
        other = _other_of(this_study, request.POST.get("with", ""), offered)
        if other is None:
            form.add_error(None, "Choose what to compare with: a release of this study, or a rule set that is offered.")
            return _page(request, this_study, form, offered, {"is_refused": True}, status=422)
        rules = [other, form.toml]
    return _try(request, this_study, form, offered, {"what": wanted, "rules": rules})


def _other_of(study: Study, key: str, offered: list[RuleSetChoice]) -> str | dict[str, int] | None:
    """A release by its number, else a rule set by its key; None where there is no such thing."""
    number = key.removeprefix("release:")
    if number != key:
        is_number = number.isascii() and number.isdecimal() and len(number) < 9
        return {"release": int(number)} if is_number and release_of(study, int(number)) else None
    return next((each.toml for each in offered if each.key == key), None)


def _from_toml(request: HttpRequest, study: Study, offered: list[RuleSetChoice], checks: Checks) -> HttpResponse:
    toml = request.POST.get("toml", "").replace("\r\n", "\n")
    try:
        form = form_of(parse_rules(toml, source="your rules"), checks)
    except Refused as refusal:
        form = form_from(request.POST, checks)
        context = {"toml": toml, "toml_errors": list(refusal.words(PAGE)), "is_refused": True}
        return _page(request, study, form, offered, context, status=422)
    return _page(request, study, form, offered, {})


def _from_screening(request: HttpRequest, study: Study, offered: list[RuleSetChoice], checks: Checks) -> HttpResponse:
    """What the rules of the last release would do if whoever's answers look careless were excluded too."""
    form = form_of(with_screening(settings_of(study).rules), checks)
    if form.rule_set is None:
        return _page(request, study, form, offered, {"is_refused": True}, status=422)
    return _try(request, study, form, offered, {"what": PREVIEW, "rules": [form.toml]})


def _try(
    request: HttpRequest, study: Study, form: RulesForm, offered: list[RuleSetChoice], asked: TrialParameters
) -> HttpResponse:
    if is_large(study):
        parameters = {"what": asked["what"], "rules": asked["rules"]}
        job = request_job(kind=TRY, study=study, parameters=parameters, by=user_of(request))
        return redirect(f"{reverse('agreement:clean', args=[study.uuid])}?job={job.uuid}#tried")
    try:
        result = try_rules(study=study, trial=asked)
    except Refused as refusal:
        form.add_error(None, list(refusal.words(PAGE)))
        return _page(request, study, form, offered, {"is_refused": True}, status=422)
    return _page(request, study, form, offered, {"result": shown_result(study, result)})


def _apply(request: HttpRequest, study: Study, form: RulesForm, offered: list[RuleSetChoice]) -> HttpResponse:
    """Queues the analysis with these rules, unless somebody else has come first or workers would be included again."""
    posted = {name: request.POST.get(name, "") for name in ("seed", "replicates", "refill", "include_again")}
    analysis = AnalyseForm({**posted, "rules": offered[0].key, "toml": form.toml}, study=study)
    if not analysis.is_valid():
        return _page(request, study, form, offered, {"analysis": analysis, "is_refused": True}, status=422)
    if meanwhile := _meanwhile(request, study):
        return _page(request, study, form, offered, {"meanwhile": meanwhile, "analysis": analysis}, status=409)
    return analyse(request, study, analysis, section="clean")


def analyse(request: HttpRequest, study: Study, form: AnalyseForm, *, section: str) -> HttpResponse:
    """Queues the analysis, once the person has agreed to whom it includes again; until then, the page that asks."""
    again = who_is_included_again(study=study, rules=form.rule_set)
    if again.keys() - set(form.confirmed):
        context = {"form": form, "rules": form.rule_set, "again": again, "names": " ".join(again)}
        page = "results/include_again.html"
        return study_page(request, study, page, context, section=section, title="Include workers again?")
    request_job(kind=ANALYSE, study=study, parameters=form.parameters, by=user_of(request))
    return redirect("agreement:results", study.uuid)


def _meanwhile(request: HttpRequest, study: Study) -> str:
    """What another researcher has done since the form was opened; nothing where nobody has."""
    job = latest_analysis(study)
    if job is not None and job.finished_at is None and job.created_by_id != user_of(request).pk:
        return f"{job.created_by or 'The system'} is analysing the study at this moment."
    release = release_of(study)
    number = 0 if release is None else release.number
    if release is None or request.POST.get("base") == str(number):
        return ""
    by = release.created_by or "the system"
    return f"Since you opened this form, {by} released gold {number} with the rules {release.run.rule_set.name}."


def _job_asked_for(study: Study, uuid: str) -> Job | None:
    try:
        wanted = UUID(uuid)
    except ValueError:
        return None
    return study.jobs.filter(uuid=wanted, kind=TRY).select_related("created_by").first()


def _page(
    request: HttpRequest,
    study: Study,
    form: RulesForm,
    offered: list[RuleSetChoice],
    context: dict[str, object],
    *,
    status: int = 200,
) -> HttpResponse:
    if "live" in request.POST:
        status = 200  # asked while somebody types: to be wrong is no failure then
    release = release_of(study)
    figures = None if "live" in request.POST else figures_of(study)  # not anew with each key that is pressed
    releases = list(study.releases.order_by("-number").values_list("number", "run__rule_set__name")[:RELEASES_SHOWN])
    shown = {
        "form": form,
        "toml": form.toml,
        "analysis": AnalyseForm(study=study),
        "offered": offered,
        "is_offered": form.rule_set is not None and form.rule_set.sha256 in {each.sha256 for each in offered},
        "releases": releases,
        "base": 0 if release is None else release.number,
        "release": release,
        "is_large": is_large(study),
        "n_excluded": Exclusion.objects.in_force().filter(participation__study=study).count(),
        "job": latest_analysis(study),
        "suspects": suspects_of(study, figures),
        "not_screened": "" if figures is None else figures.not_screened,
        "offers_screening": True,
        "unfinished": unfinished_judgments(study).count() if study.has_several_questions else 0,
        **context,
    }
    return study_page(request, study, "pages/clean.html", shown, section="clean", title="Clean", status=status)
