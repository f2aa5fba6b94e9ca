"""Judgments can be added and erased, never changed; tombstones and the audit can only be added to."""

from django.db import migrations

from annotation.database.append_only import ForbidChanges


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_first")]

    operations = [
        ForbidChanges("Judgment", allows_delete=True),
        ForbidChanges("Tombstone"),
        ForbidChanges("AuditEntry"),
        ForbidChanges("Blob", allows_delete=True),
    ]
