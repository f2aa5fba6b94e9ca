"""What annotation stores: one entity a file."""

from annotation.models.api_token import ApiToken, IdempotencyKey, Scope
from annotation.models.assigned_item import AssignedItem, OpenPlace
from annotation.models.assignment import Assignment
from annotation.models.audit import AuditEntry
from annotation.models.blob import Blob
from annotation.models.entry_link import EntryLink
from annotation.models.item import Item
from annotation.models.item_import import ItemImport, ItemUpload, ItemUploadPart
from annotation.models.job import Job
from annotation.models.judgment import Judgment
from annotation.models.label import Label
from annotation.models.notice import Notice, NoticeWish
from annotation.models.open_entry import OpenEntry
from annotation.models.participation import Participation
from annotation.models.payment import Payment
from annotation.models.researcher_account import AccountEntry, LogInAttempt, RecoveryCode, SecondFactor
from annotation.models.role import Role
from annotation.models.study import Study
from annotation.models.study_parts import CheckQuota, ComprehensionQuestion, EndQuestion
from annotation.models.tombstone import Tombstone
from annotation.models.user import User
from annotation.models.webhook import Webhook, WebhookDelivery
from annotation.models.worker import Worker

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
