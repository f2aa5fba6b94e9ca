"""What agreement stores: rule sets, cleaning, exclusions, releases, probes and scores."""

from agreement.models.adjudication import Adjudication
from agreement.models.cleaning_run import CleaningRun, FrozenJudgments, Verdict
from agreement.models.dataset_card import DatasetCard, PublishedNames
from agreement.models.exclusion import Exclusion
from agreement.models.gold_release import GoldLabel, GoldRelease, JudgmentsInGold, Quote, ReleaseReport
from agreement.models.leaderboard import Leaderboard, LeaderboardColumns, PublicLeaderboard
from agreement.models.probe import Probe, Score, Scoring
from agreement.models.property_code import PropertyCode
from agreement.models.rule_set import SharedRuleSet, StoredRuleSet
from agreement.models.study_summary import StudySummary

__all__ = [
    "Adjudication",
    "CleaningRun",
    "DatasetCard",
    "Exclusion",
    "FrozenJudgments",
    "GoldLabel",
    "GoldRelease",
    "JudgmentsInGold",
    "Leaderboard",
    "LeaderboardColumns",
    "Probe",
    "PropertyCode",
    "PublicLeaderboard",
    "PublishedNames",
    "Quote",
    "ReleaseReport",
    "Score",
    "Scoring",
    "SharedRuleSet",
    "StoredRuleSet",
    "StudySummary",
    "Verdict",
]
