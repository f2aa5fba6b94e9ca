"""What agreement stores: rule sets, cleaning, exclusions, releases, probes and scores."""

from annotation.releases.models.decisions import (
    Adjudication,
    CleaningRun,
    Exclusion,
    FrozenJudgments,
    PropertyCode,
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
    AnswerDecision,
    Leaderboard,
    LeaderboardColumns,
    Probe,
    PublicLeaderboard,
    Score,
    Scoring,
    StudySummary,
)

__all__ = [
    "Adjudication",
    "AnswerDecision",
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
