"""The researchers' admin: one section a file."""

from annotation.pages.admin.accounts import AccountEntryAdmin, LogInAttemptAdmin, UserAdmin
from annotation.pages.admin.cleaning import (
    CleaningRunAdmin,
    ExclusionAdmin,
    GoldReleaseAdmin,
    StoredRuleSetAdmin,
    VerdictAdmin,
)
from annotation.pages.admin.item import ItemAdmin
from annotation.pages.admin.payment import PaymentAdmin
from annotation.pages.admin.people import ParticipationAdmin
from annotation.pages.admin.records import AuditEntryAdmin, JobAdmin, JudgmentAdmin
from annotation.pages.admin.study import StudyAdmin

__all__ = [
    "AccountEntryAdmin",
    "AuditEntryAdmin",
    "CleaningRunAdmin",
    "ExclusionAdmin",
    "GoldReleaseAdmin",
    "ItemAdmin",
    "JobAdmin",
    "JudgmentAdmin",
    "LogInAttemptAdmin",
    "ParticipationAdmin",
    "PaymentAdmin",
    "StoredRuleSetAdmin",
    "StudyAdmin",
    "UserAdmin",
    "VerdictAdmin",
]
