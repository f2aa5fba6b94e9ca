"""Quote: what a release quotes of one judgment, word for word. It can be erased; the release keeps a hash alone."""

from typing import ClassVar

from django.db import models

from agreement.models.gold_release import GoldRelease
from annotation.triggers import AppendOnly


class Quote(models.Model):
    release = models.ForeignKey(GoldRelease, models.PROTECT, related_name="quotes")
    # No foreign key, as everywhere beside judgments: whoever erases them names what goes with them (erasing.py).
    judgment_uuid = models.UUIDField(db_index=True)
    digest = models.CharField(max_length=64, help_text="What stands in the release's line in place of the text.")
    salt = models.CharField(max_length=32, help_text="Without it nobody can guess a short text from its digest.")
    text = models.TextField()

    triggers: ClassVar = [AppendOnly(allows_delete=True)]

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["release", "digest", "judgment_uuid"], name="%(class)s_once_a_judgment_and_line"
            )
        ]

    def __str__(self) -> str:
        return f"quoted in {self.release}"
