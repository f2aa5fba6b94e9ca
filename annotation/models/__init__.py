"""What annotation stores: an entity a file, with what belongs to it alone."""

from annotation.models.entry_link import EntryLink
from annotation.models.item import Blob, Item, ItemMedium
from annotation.models.job import ItemImport, ItemUpload, ItemUploadPart, Job
from annotation.models.judgment import AssignedItem, Assignment, Judgment, OpenPlace, Tombstone
from annotation.models.note import Note
from annotation.models.participation import OpenEntry, Participation, Payment, Worker
from annotation.models.question import Question
from annotation.models.researcher_account import (
    AccountEntry,
    ApiToken,
    AuditEntry,
    IdempotencyKey,
    LogInAttempt,
    RecoveryCode,
    Scope,
    SecondFactor,
    User,
)
from annotation.models.signs import AnswerSigns, AuthenticityResult
from annotation.models.study import Study
from annotation.models.study_parts import CheckQuota, ComprehensionQuestion, EndQuestion, Label, Role
from annotation.models.webhook import Notice, NoticeWish, Webhook, WebhookDelivery

__all__ = [
    "AccountEntry",
    "AnswerSigns",
    "ApiToken",
    "AssignedItem",
    "Assignment",
    "AuditEntry",
    "AuthenticityResult",
    "Blob",
    "CheckQuota",
    "ComprehensionQuestion",
    "EndQuestion",
    "EntryLink",
    "IdempotencyKey",
    "Item",
    "ItemImport",
    "ItemMedium",
    "ItemUpload",
    "ItemUploadPart",
    "Job",
    "Judgment",
    "Label",
    "LogInAttempt",
    "Note",
    "Notice",
    "NoticeWish",
    "OpenEntry",
    "OpenPlace",
    "Participation",
    "Payment",
    "Question",
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
