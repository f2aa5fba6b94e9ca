"""What agreement stores: rule sets, cleaning, exclusions, releases, probes and scores."""

from annotation.releases.models.adjudication import Adjudication
from annotation.releases.models.cleaning_run import CleaningRun, FrozenJudgments, Verdict
from annotation.releases.models.dataset_card import DatasetCard, PublishedNames
from annotation.releases.models.exclusion import Exclusion
from annotation.releases.models.gold_release import GoldLabel, GoldRelease, JudgmentsInGold, Quote, ReleaseReport
from annotation.releases.models.leaderboard import Leaderboard, LeaderboardColumns, PublicLeaderboard
from annotation.releases.models.probe import Probe, Score, Scoring
from annotation.releases.models.property_code import PropertyCode
from annotation.releases.models.rule_set import SharedRuleSet, StoredRuleSet
from annotation.releases.models.study_summary import StudySummary

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
