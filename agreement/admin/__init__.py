"""The researchers' side of agreement: what cleaning found, what was released, who is set aside. All read-only."""

from agreement.admin.cleaning_run import CleaningRunAdmin
from agreement.admin.exclusion import ExclusionAdmin
from agreement.admin.gold_release import GoldReleaseAdmin
from agreement.admin.rule_set import StoredRuleSetAdmin
from agreement.admin.verdict import VerdictAdmin

__all__ = ["CleaningRunAdmin", "ExclusionAdmin", "GoldReleaseAdmin", "StoredRuleSetAdmin", "VerdictAdmin"]
