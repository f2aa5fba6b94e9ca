"""What agreement stores: rule sets, cleaning, exclusions, releases, probes and scores."""

from agreement.models.cleaning_run import CleaningRun, RunMember, Verdict
from agreement.models.exclusion import Exclusion
from agreement.models.gold_release import GoldLabel, GoldRelease, Quote, ReleaseMember
from agreement.models.leaderboard import Leaderboard, PublicLeaderboard
from agreement.models.probe import Probe, Score, Scoring
from agreement.models.release_report import ReleaseReport
from agreement.models.rule_set import SharedRuleSet, StoredRuleSet

__all__ = [
    "CleaningRun",
    "Exclusion",
    "GoldLabel",
    "GoldRelease",
    "Leaderboard",
    "Probe",
    "PublicLeaderboard",
    "Quote",
    "ReleaseMember",
    "ReleaseReport",
    "RunMember",
    "Score",
    "Scoring",
    "SharedRuleSet",
    "StoredRuleSet",
    "Verdict",
]
