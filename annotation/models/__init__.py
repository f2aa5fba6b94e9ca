"""What annotation stores: one entity a file, with what belongs to it alone."""

from annotation.models.assignment import AssignedItem, Assignment, OpenPlace
from annotation.models.audit import AuditEntry
from annotation.models.entry_link import EntryLink
from annotation.models.item import Blob, Item
from annotation.models.item_import import ItemImport, ItemUpload, ItemUploadPart
from annotation.models.job import Job
from annotation.models.judgment import Judgment, Tombstone
from annotation.models.participation import OpenEntry, Participation, Worker
from annotation.models.payment import Payment
from annotation.models.researcher_account import (
    AccountEntry,
    ApiToken,
    IdempotencyKey,
    LogInAttempt,
    RecoveryCode,
    Scope,
    SecondFactor,
    User,
)
from annotation.models.study import Study
from annotation.models.study_parts import CheckQuota, ComprehensionQuestion, EndQuestion, Label, Role
from annotation.models.webhook import Notice, NoticeWish, Webhook, WebhookDelivery

__all__ = [
    "AccountEntry",
    "ApiToken",
    "AssignedItem",
    "Assignment",
    "AuditEntry",
    "Blob",
    "CheckQuota",
    "ComprehensionQuestion",
    "EndQuestion",
    "EntryLink",
    "IdempotencyKey",
    "Item",
    "ItemImport",
    "ItemUpload",
    "ItemUploadPart",
    "Job",
    "Judgment",
    "Label",
    "LogInAttempt",
    "Notice",
    "NoticeWish",
    "OpenEntry",
    "OpenPlace",
    "Participation",
    "Payment",
    "RecoveryCode",
    "Role",
    "Scope",
    "SecondFactor",
    "Study",
    "Tombstone",
    "User",
    "Webhook",
    "WebhookDelivery",
    "Worker",
]
