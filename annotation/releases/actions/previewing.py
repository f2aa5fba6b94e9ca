"""What a rule set would do to a study now: whom it excludes, which items fall short, what refilling costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from django.db.models import F
from django.db.models.functions import Coalesce

from agreement.cleaning.cleaning_run import Cleaning, Counts, clean, count, included_again, still_excluded
from agreement.cleaning.decided_by_hand import ByHand
from agreement.cleaning.rule_set import RuleSet
from agreement.cleaning.rules_fit_checks import refuse_misfit
from agreement.judgments.crowd import Crowd
from annotation.models import Study
from annotation.releases.actions.freezing import Look, by_hand_now, excluded_by_runs, look_at
from annotation.releases.from_database.reading_judgments import checks_of, frame_of


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
    return included_again(cleaning_now(look.frame.crowd, rules, by_hand_now(study), earlier), earlier), look


def cleaning_now(crowd: Crowd, rules: RuleSet, by_hand: ByHand, earlier: Mapping[str, str]) -> Cleaning:
    """The cleaning that a run would do now: who was excluded and no rule applies to stays excluded."""
    cleaning = clean(crowd, rules, by_hand)
    stay = still_excluded(cleaning, earlier)
    return clean(crowd, rules, {**by_hand, **stay}) if stay else cleaning


def preview(*, study: Study, rules: RuleSet) -> Preview:
    """Refused where the rules and the study's checks don't fit each other, as the analysis is."""
    refuse_misfit(rules, checks_of(study))
    earlier = excluded_by_runs(study)
    return preview_of(study, cleaning_now(frame_of(study).crowd, rules, by_hand_now(study), earlier), earlier)


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
        excluded=_excluded(cleaning),
        included_again=included_again(cleaning, earlier),
        short={str(crowd.items["item_id"][at]): int(after[at]) for at in np.flatnonzero(is_short).tolist()},
        places=places,
        assignments=assignments,
        cost=None if study.pay is None else study.pay * assignments,
        currency=study.currency,
    )


def _excluded(cleaning: Cleaning) -> dict[str, str]:
    workers = cleaning.crowd.workers
    return {str(workers[at]): cleaning.worker_reasons[at] for at in np.flatnonzero(~cleaning.worker_kept).tolist()}
