"""NoticeWish: that a researcher wants e-mails about a study; Notice: one such e-mail, a row before it is sent."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.constraints import filled, known_choices
from annotation.models.study import Study

LONGEST_SILENCE = 24 * 60  # hours


class NoticeWish(models.Model):
    study = models.ForeignKey(Study, models.CASCADE, related_name="notice_wishes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notice_wishes")
    stuck_after_hours = models.PositiveSmallIntegerField(
        default=24, help_text="A study without an answer for so long, that still needs some, is stuck."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "user"], name="%(class)s_once_a_study"),
            models.CheckConstraint(
                condition=Q(stuck_after_hours__gte=1, stuck_after_hours__lte=LONGEST_SILENCE),
                name="%(class)s_hours_in_range",
            ),
        ]

    def __str__(self) -> str:
        return f"e-mails about {self.study}"


@known_choices
class Notice(models.Model):
    class Event(models.TextChoices):
        FULL = "full", "all judgments are in"
        STUCK = "stuck", "no answers are coming in"
        JOB_FAILED = "job-failed", "a job failed"

    wish = models.ForeignKey(NoticeWish, models.CASCADE, related_name="notices")
    event = models.CharField(max_length=10, choices=Event)
    about = models.CharField(max_length=40, help_text="What makes it another notice: a job's UUID, an assignment.")
    created_at = models.DateTimeField(auto_now_add=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["wish", "event", "about"], name="%(class)s_once"),
            filled("about"),
        ]
        indexes = [models.Index(fields=["created_at"], condition=Q(sent_at__isnull=True), name="%(class)s_to_send")]

    def __str__(self) -> str:
        return f"{self.wish.study}: {self.get_event_display()}"
