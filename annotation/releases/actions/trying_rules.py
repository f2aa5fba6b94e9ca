"""Tries rule sets on a study's answers without changing anything: preview, threshold sweep, two side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, TypeAlias, TypedDict

import numpy as np
from django.db.models import F
from django.db.models.functions import Coalesce

from agreement.analysis.rules_tried import GoldCompared, RuleSetTrial, compare_gold, outputs_of, try_rule_set
from agreement.cleaning.check_items import refuse_misfit
from agreement.cleaning.cleaning_run import Cleaning, Counts, cleanings_of, count, included_again
from agreement.cleaning.rule import plain_number
from agreement.cleaning.rule_set import RuleSet, parse_rules
from agreement.cleaning.sweep import NoThreshold, sweep
from agreement.errors import Refused
from agreement.judgments.crowd import Crowd
from agreement.kinds.statistics import statistics_of
from agreement.report.cleaning_report import rows_of, sentences
from agreement.scoring.probe import Probe
from agreement.typed_json import JsonObject, to_json
from annotation.jobs import Progress, TryAgain
from annotation.models import Judgment, Participation, Study
from annotation.releases.actions.freezing import Look, current_decisions_by_hand, excluded_by_runs, look_at
from annotation.releases.actions.scoring_probes import probe_of, study_items_of
from annotation.releases.from_database.reading_judgments import checks_of, frame_of
from annotation.releases.from_database.study_history import released_table
from annotation.releases.models import GoldRelease
from annotation.releases.summaries import settings_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Preview:
    """Nothing of this is stored. `excluded` names workers by pseudonym with the reason, `included_again` those whom an
    earlier run excluded (and why) and these rules keep, `short` the items that would keep fewer judgments than their
    target, and how many; `places` are those that the exclusions would open again.
    """

    counts: Counts
    excluded: dict[str, str]
    included_again: dict[str, str]
    short: dict[str, int]
    places: int
    assignments: int
    cost: Decimal | None
    currency: str | None

    def __str__(self) -> str:
        cost = "" if self.cost is None else f", refilling costs {self.cost:.2f} {self.currency} of pay"
        return f"excludes {len(self.excluded):,} workers, {len(self.short):,} items fall short{cost}"


def who_is_included_again(*, study: Study, rules: RuleSet) -> dict[str, str]:
    """Whom an earlier run excluded (and why) and these rules keep; asked before an analysis is."""
    return included_again_with_look(study=study, rules=rules)[0]


def included_again_with_look(*, study: Study, rules: RuleSet) -> tuple[dict[str, str], Look | None]:
    """The same with the judgments that were read for it, from which the analysis may go on; none where no run has
    excluded anybody.
    """
    earlier = excluded_by_runs(study)
    if not earlier:
        return {}, None
    refuse_misfit(rules, checks_of(study))
    look = look_at(study)
    return included_again(_cleanings_now(study, rules, look.frame.crowd), earlier), look


def cleaning_now(study: Study, rules: RuleSet, crowd: Crowd | None = None) -> Cleaning:
    """The cleaning that a run would do now of the question that the study shows: who was excluded and no rule applies
    to stays excluded, and who is excluded for another question is excluded here.
    """
    return _cleanings_now(study, rules, crowd)[0]


def _cleanings_now(study: Study, rules: RuleSet, crowd: Crowd | None = None) -> list[Cleaning]:
    """That of the question that the study shows, then of its others."""
    others = [each for each in study.questions() if each.asked_number != study.asked_number]
    crowds = [frame_of(study).crowd if crowd is None else crowd, *(frame_of(each).crowd for each in others)]
    names = [study.question_name, *(each.question_name for each in others)]
    return cleanings_of(crowds, names, rules, current_decisions_by_hand(study), excluded_by_runs(study))


def preview(*, study: Study, rules: RuleSet) -> Preview:
    """Refused where the rules and the study's checks don't fit each other, as the analysis is."""
    refuse_misfit(rules, checks_of(study))
    return preview_of(study, cleaning_now(study, rules), excluded_by_runs(study))


def preview_of(study: Study, cleaning: Cleaning, earlier: Mapping[str, str]) -> Preview:
    crowd = cleaning.crowd
    targets = dict(
        study.items.annotate(wanted=Coalesce("judgments_per_item", F("study__judgments_per_item"))).values_list(
            "item_id", "wanted"
        )
    )
    wanted = np.array([targets[item] for item in crowd.items["item_id"]], dtype=np.int64)
    before = np.bincount(crowd.item, minlength=crowd.n_items)
    after = np.bincount(crowd.item[cleaning.kept], minlength=crowd.n_items)
    missing_before, missing_after = np.maximum(wanted - before, 0), np.maximum(wanted - after, 0)
    is_short = crowd.item_is_target & (after < wanted)
    places = int((missing_after - missing_before)[crowd.item_is_target].sum())
    assignments = -(-places // study.items_per_assignment)
    return Preview(
        counts=count(cleaning),
        excluded=_excluded_workers(cleaning),
        included_again=included_again([cleaning], earlier),
        short={
            str(crowd.items["item_id"][position]): int(after[position])
            for position in np.flatnonzero(is_short).tolist()
        },
        places=places,
        assignments=assignments,
        cost=None if study.pay is None else study.pay * assignments,
        currency=study.currency,
    )


def _excluded_workers(cleaning: Cleaning) -> dict[str, str]:
    workers = cleaning.crowd.workers
    return {
        str(workers[worker]): cleaning.worker_reasons[worker]
        for worker in np.flatnonzero(~cleaning.worker_kept).tolist()
    }


# Tries rule sets on a study's answers without changing anything: preview, threshold sweep, two of them side
# by side. What a page shows of it is JSON, computed at once for a small study and by a job for a large one.

PREVIEW, SWEEP, COMPARE = "preview", "sweep", "compare"
MOST_AT_ONCE = 10_000  # judgments that a page waits for: about a second
MOST_SHOWN = 200  # workers in a list

Asked: TypeAlias = "str | Mapping[str, int]"


class TrialParameters(TypedDict):
    what: str
    rules: Sequence[Asked]


def is_large(study: Study) -> bool:
    """Whether trying rules on it is a job. Counts no further than it must."""
    return Judgment.objects.of_study(study.pk).order_by()[: MOST_AT_ONCE + 1].count() > MOST_AT_ONCE


def try_rules(*, study: Study, trial: TrialParameters) -> JsonObject:
    """`what` is preview, sweep or compare; `rules` are TOML texts, or for a comparison `{"release": number}` too."""
    if not Judgment.objects.of_study(study.pk).exists():
        raise Refused("There are no answers yet: rules can be tried once somebody has taken part.")
    match trial["what"]:
        case "preview":
            shown = _preview(study, parse_rules(_toml_of(trial)))
        case "sweep":
            shown = _sweep(study, parse_rules(_toml_of(trial)))
        case "compare":
            shown = _compare(study, *trial["rules"])
        case _:
            raise Refused(f"Rules can be tried by preview, sweep or compare, not by {trial['what']!r}.")
    return {"what": trial["what"], **shown}


def _toml_of(trial: TrialParameters) -> str:
    rules = trial["rules"][0]
    if not isinstance(rules, str):
        raise Refused("Only two sides that are compared can be releases: give rules here.")
    return rules


def try_in_a_job(*, study: Study, trial: TrialParameters, progress: Progress) -> JsonObject:
    """The same as a job's work. What it quotes of people is erased with their answers, as reports are."""
    before = _withdrawn_count(study)
    shown = try_rules(study=study, trial=trial)
    with progress.finishing(shown):
        # The race: somebody withdraws after their answers were read. One who comes later finds the job and empties it.
        people = Participation.objects.select_for_update(no_key=True).filter(study=study)
        list(people.order_by("pk").values_list("pk", flat=True))
        if _withdrawn_count(study) != before:
            raise TryAgain("Somebody withdrew while the rules were tried.")
    return shown


def _withdrawn_count(study: Study) -> int:
    return study.participations.filter(status=Participation.Status.WITHDRAWN).count()


def _cleaning_by_rules(study: Study, rules: RuleSet) -> Cleaning:
    refuse_misfit(rules, checks_of(study))
    cleaning = cleaning_now(study, rules)
    if not cleaning.crowd.on_target.any():
        raise Refused("No answer counts yet: answers count once given in time by people who took part.")
    return cleaning


def _preview(study: Study, rules: RuleSet) -> JsonObject:
    cleaning = _cleaning_by_rules(study, rules)
    trial = try_rule_set(cleaning, seed=settings_of(study).seed)
    costs = preview_of(study, cleaning, excluded_by_runs(study))
    return {
        **_figures(trial),
        "excluded": [
            {"worker": name, "reasons": why.split("; "), "evidence": _evidence(cleaning, name)}
            for name, why in list(costs.excluded.items())[:MOST_SHOWN]
        ],
        "n_excluded": len(costs.excluded),
        "near": [
            {"worker": each.worker, "rule": str(each.rule), "evidence": list(map(str, each.evidence))}
            for each in trial.near[:MOST_SHOWN]
        ],
        "n_near": len(trial.near),
        "included_again": costs.included_again,
        "short": [{"item_id": name, "kept": kept} for name, kept in list(costs.short.items())[:MOST_SHOWN]],
        "n_short": len(costs.short),
        "places": costs.places,
        "assignments": costs.assignments,
        "cost": None if costs.cost is None else str(costs.cost),
        "currency": costs.currency,
    }


def _evidence(cleaning: Cleaning, worker: str) -> list[str]:
    code = int(cleaning.crowd.workers.get_loc(worker))  # type: ignore[arg-type]  # names are unique
    return [str(each) for each in cleaning.evidence(code)]


def _figures(trial: RuleSetTrial) -> JsonObject:
    counts = asdict(trial.counts)
    return {
        "name": trial.cleaning.rules.name,
        "sha256": trial.cleaning.rules.sha256,
        "counts": counts,
        "dropped": int(sum(each.dropped.sum() for each in trial.cleaning.rows)),
        "statistic": trial.statistic,
        "raw": to_json(trial.raw),
        "cleaned": to_json(trial.cleaned),
        "metric": trial.metric,
        "ceiling": to_json(trial.ceiling),
        "selects_on_outcome": [str(rule) for rule in trial.cleaning.selects_on_outcome],
        "scores": to_json(trial.scores),
    }


def _sweep(study: Study, rules: RuleSet) -> JsonObject:
    cleaning = _cleaning_by_rules(study, rules)
    try:
        swept = sweep(cleaning, outputs_of(_probes(study), cleaning.crowd))
    except NoThreshold as why:
        return {"why_not": str(why)}
    return {
        "name": rules.name,
        "axes": [axis.name for axis in swept.axes],
        "now": [[str(plain_number(value)) for value in axis.now] for axis in swept.axes],
        "statistic": swept.statistic,
        "rows": rows_of(swept),
        "sentences": sentences(swept),
        "leaves_out": [str(rule) for rule in rules.on_rows],
    }


def _probes(study: Study) -> list[Probe]:
    items = study_items_of(study)
    return [probe_of(each, items) for each in study.probes.select_related("file").order_by("pk")]


def _compare(study: Study, first: Asked, second: Asked) -> JsonObject:
    probes = _probes(study)
    (one, gold), (other, other_gold) = (_side(study, side, probes) for side in (first, second))
    compared = compare_gold(gold, other_gold)
    differ = asdict(compared) if isinstance(compared, GoldCompared) else {"why_not": compared}
    return {"sides": [one, other], "gold": differ}


def _side(study: Study, side: Asked, probes: list[Probe]) -> tuple[JsonObject, pd.DataFrame | None]:
    """One of two that are compared: a release as it was published, or a rule set on the answers of now."""
    if isinstance(side, Mapping):
        release = study.releases.select_related("study", "run__rule_set").get(number=side["release"])
        return _released_side(release), released_table(release)
    rules = parse_rules(side)
    trial = try_rule_set(_cleaning_by_rules(study, rules), seed=settings_of(study).seed, probes=probes, with_gold=True)
    return {"title": f"Rules {rules.name}, on the answers of now", **_figures(trial)}, trial.gold


def _released_side(release: GoldRelease) -> JsonObject:
    report = release.published
    agreement, left_out = report.results.agreement, report.results.ceiling.leave_one_out
    metric = statistics_of(release.study.kind).first_metric
    return {
        "title": f"Release {release.number}, rules {release.run.rule_set.name}",
        "release": release.number,
        "name": release.run.rule_set.name,
        "sha256": release.run.rule_set.sha256,
        "counts": to_json(report.counts),
        "statistic": agreement.cleaned.first,
        "cleaned": to_json(agreement.cleaned.first_figure),
        "raw": to_json(agreement.raw.first_figure),
        "metric": left_out.metric,
        "ceiling": to_json(left_out.person),
        "scores": to_json([score for score in report.results.scores if score.metric == metric and not score.breakdown]),
    }
