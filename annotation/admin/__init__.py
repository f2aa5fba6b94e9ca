"""The researchers' side of annotation: one section of the admin a file."""

from annotation.admin.accounts import AccountEntryAdmin, LogInAttemptAdmin, UserAdmin
from annotation.admin.item import ItemAdmin
from annotation.admin.payment import PaymentAdmin
from annotation.admin.people import ParticipationAdmin
from annotation.admin.records import AuditEntryAdmin, JobAdmin, JudgmentAdmin
from annotation.admin.study import StudyAdmin

__all__ = [
    "AccountEntryAdmin",
    "AuditEntryAdmin",
    "ItemAdmin",
    "JobAdmin",
    "JudgmentAdmin",
    "LogInAttemptAdmin",
    "ParticipationAdmin",
    "PaymentAdmin",
    "StudyAdmin",
    "UserAdmin",
]
