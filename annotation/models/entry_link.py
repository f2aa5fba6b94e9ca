"""EntryLink: an address that lets people into a study without a platform: an invitation for one, or an open link."""

import secrets

from django.db import models
from django.db.models import Q

from annotation.models.expressions import known_choices
from annotation.models.study import PEOPLE, PEOPLE_PER_HOUR, Study
from annotation.models.text_fields import LineField


def new_token() -> str:
    return secrets.token_urlsafe(24)


@known_choices
class EntryLink(models.Model):
    class Kind(models.TextChoices):
        INVITATION = "invitation", "For one person"
        OPEN = "open", "For anyone who has it"

    study = models.ForeignKey(Study, models.CASCADE, related_name="entry_links")
    kind = models.CharField(max_length=10, choices=Kind)
    token = models.CharField(max_length=64, unique=True, default=new_token)
    note = LineField(max_length=120, blank=True)
    capacity = models.PositiveIntegerField(null=True, blank=True, validators=PEOPLE.validators)
    most_per_hour = models.PositiveSmallIntegerField(
        default=20,
        validators=PEOPLE_PER_HOUR.validators,
        help_text="How many people may start per network (a household, an office) and hour; for open links.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind="open") | Q(capacity=1), name="%(class)s_invitation_for_one"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} to {self.study}"
