"""The Clean page: rules as a form, what they would do, thresholds swept, two rule sets side by side, people by hand."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from agreement.cleaning.rule_set import parse_rules
from agreement.cleaning.rules_fit_checks import Checks
from agreement.errors import Refused
from agreement.refusal_words import PAGE
from annotation.accounts.permissions import Right, study_or_404
from annotation.jobs import request_job
from annotation.models import Job, Study
from annotation.pages.admin.base import study_page, user_of
from annotation.pages.result_forms import AnalyseForm, ExcludeForm
from annotation.pages.results import (
    RELEASES_SHOWN,
    REMOVED_SHOWN,
    latest_job,
    lifted_in,
    release_of,
    removed_from,
)
from annotation.pages.rules_form import RulesForm, form_from, form_of
from annotation.pages.tried_rules import shown_result
from annotation.releases.actions.previewing import who_is_included_again
from annotation.releases.actions.rule_sets import RuleSetChoice, offered_rule_sets
from annotation.releases.actions.trying_rules import (
    COMPARE,
    PREVIEW,
    SWEEP,
    Asked,
    TrialParameters,
    is_large,
    try_rules,
)
from annotation.releases.analysis_settings import settings_of
from annotation.releases.from_database.reading_judgments import checks_of
from annotation.releases.tasks import ANALYSE, TRY


def clean(request: HttpRequest, study: UUID) -> HttpResponse:
    """The form as the last release's rules fill it in, or those of `rules` or of the job of the address."""
    this_study = study_or_404(request.user, Right.LOOK, uuid=study)
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
    this_study = study_or_404(request.user, Right.CHANGE, uuid=study)
    offered, checks = offered_rule_sets(this_study), checks_of(this_study)
    if "use_toml" in request.POST:
        return _from_toml(request, this_study, offered, checks)
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
            form.errors.append("Choose what to compare with: a release of this study, or a rule set that is offered.")
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


def _try(
    request: HttpRequest, study: Study, form: RulesForm, offered: list[RuleSetChoice], asked: TrialParameters
) -> HttpResponse:
    if is_large(study):
        parameters = {"what": asked["what"], "rules": asked["rules"]}
        job = request_job(kind=TRY, study=study, parameters=parameters, by=user_of(request))
        return redirect(f"{reverse('agreement:clean', args=[study.uuid])}?job={job.uuid}#tried")
    try:
        result = try_rules(study=study, asked=asked)
    except Refused as refusal:
        form.errors += refusal.words(PAGE)
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
    again = who_is_included_again(study=study, rules=analysis.rule_set)
    if again.keys() - set(analysis.confirmed):
        context = {"form": analysis, "rules": analysis.rule_set, "again": again, "names": " ".join(again)}
        page = "results/include_again.html"
        return study_page(request, study, page, context, section="clean", title="Include workers again?")
    request_job(kind=ANALYSE, study=study, parameters=analysis.parameters, by=user_of(request))
    return redirect("agreement:results", study.uuid)


def _meanwhile(request: HttpRequest, study: Study) -> str:
    """What another researcher has done since the form was opened; nothing where nobody has."""
    job = latest_job(study)
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
    removed = removed_from(study, None if release is None else release.run)
    releases = list(study.releases.order_by("-number").values_list("number", "run__rule_set__name")[:RELEASES_SHOWN])
    shown = {
        "form": form,
        "toml": form.toml,
        "analysis": AnalyseForm(study=study),
        "offered": offered,
        "releases": releases,
        "base": 0 if release is None else release.number,
        "release": release,
        "is_large": is_large(study),
        "removed": removed[:REMOVED_SHOWN],
        "n_removed": len(removed),
        "n_excluded": sum(each.exclusion is not None for each in removed),
        "n_included": sum(each.exclusion is None for each in removed),
        "lifted": lifted_in(study),
        "exclude_form": ExcludeForm(study=study),
        "job": latest_job(study),
        **context,
    }
    return study_page(request, study, "pages/clean.html", shown, section="clean", title="Clean", status=status)
