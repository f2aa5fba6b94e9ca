"""Releases, rule sets that were used, frozen members and published figures can only be added to."""

from django.db import migrations

from annotation.database.append_only import ForbidChanges


class Migration(migrations.Migration):
    dependencies = [("agreement", "0001_first"), ("annotation", "0002_append_only")]

    operations = [
        ForbidChanges("StoredRuleSet"),
        ForbidChanges("RunMember", allows_delete=True),
        ForbidChanges("GoldRelease"),
        ForbidChanges("GoldLabel"),
        ForbidChanges("ReleaseMember"),
        ForbidChanges("Report"),
        ForbidChanges("Scoring"),
        ForbidChanges("Score"),
    ]
