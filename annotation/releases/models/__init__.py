"""What agreement stores: rule sets, cleaning, exclusions, releases, probes and scores."""

from annotation.releases.models.adjudication import Adjudication, PropertyCode
from annotation.releases.models.cleaning_run import (
    CleaningRun,
    Exclusion,
    FrozenJudgments,
    SharedRuleSet,
    StoredRuleSet,
    Verdict,
)
from annotation.releases.models.gold_release import (
    DatasetCard,
    GoldLabel,
    GoldRelease,
    JudgmentsInGold,
    PublishedNames,
    Quote,
    ReleaseReport,
)
from annotation.releases.models.leaderboard import (
    Leaderboard,
    LeaderboardColumns,
    Probe,
    PublicLeaderboard,
    Score,
    Scoring,
)
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
