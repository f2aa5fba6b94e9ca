"""The researchers' side of agreement: what cleaning found, what was released, who is excluded. All read-only."""

from agreement.admin.cleaning import CleaningRunAdmin, ExclusionAdmin, GoldReleaseAdmin, VerdictAdmin
from agreement.admin.rule_set import StoredRuleSetAdmin

__all__ = ["CleaningRunAdmin", "ExclusionAdmin", "GoldReleaseAdmin", "StoredRuleSetAdmin", "VerdictAdmin"]
