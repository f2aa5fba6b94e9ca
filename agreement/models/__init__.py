"""What agreement stores: rule sets, cleaning, exclusions, releases, probes and scores."""

from agreement.models.cleaning_run import CleaningRun, RunMember, Verdict
from agreement.models.exclusion import Exclusion
from agreement.models.gold_release import GoldLabel, GoldRelease, ReleaseMember
from agreement.models.probe import Probe
from agreement.models.report import Report
from agreement.models.rule_set import StoredRuleSet
from agreement.models.score import Score

__all__ = [
    "CleaningRun",
    "Exclusion",
    "GoldLabel",
    "GoldRelease",
    "Probe",
    "ReleaseMember",
    "Report",
    "RunMember",
    "Score",
    "StoredRuleSet",
    "Verdict",
]
