"""The researchers' side of annotation: one section of the admin a file."""

from annotation.admin.audit_entry import AuditEntryAdmin
from annotation.admin.item import ItemAdmin
from annotation.admin.job import JobAdmin
from annotation.admin.judgment import JudgmentAdmin
from annotation.admin.log_in_attempt import AccountEntryAdmin, LogInAttemptAdmin
from annotation.admin.participation import ParticipationAdmin
from annotation.admin.payment import PaymentAdmin
from annotation.admin.study import StudyAdmin
from annotation.admin.user import UserAdmin

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
