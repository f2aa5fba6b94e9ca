"""The sections of a study's form, and what of it is fixed once somebody may have answered."""

from typing import Any

from annotation.models import Judgment, Study

TAB: dict[str, Any] = {"classes": ["tab"]}
# The database refuses most of these too, once there is a judgment; the form says so before.
FIXED_ONCE_OPEN = (
    "slug", "kind", "question", "scale_low", "scale_high", "low_label", "high_label", "slider_start", "seed",
)  # fmt: skip
PAY_AND_PLATFORM = "Pay and platform"
# Money, whose word lets people in, the codes that they are paid by, where they are sent, and how long ids are kept.
MANAGERS_ALONE = (
    "platform", "platform_study_id", "requires_signed_entry", "pay", "currency", "minutes_expected", "code_completed",
    "code_no_consent", "code_failed_comprehension", "finish_url", "retention_days",
)  # fmt: skip
SECTIONS: Any = (
    (
        "Texts",
        TAB
        | {
            "fields": (
                "title", "slug", "language", "question", "summary", "instructions", "consent", "consent_version",
                "contact", "researchers", "institution", "ethics",
            )
        },
    ),
    ("Answer", TAB | {"fields": ("kind", ("scale_low", "scale_high"), ("low_label", "high_label"))}),
    (
        "How it is shown",
        TAB
        | {
            "fields": (
                "slider_start", "slider_shows_number", "scale_direction", "word_order", "word_layout",
                "items_a_page", "asks_comments",
            )
        },
    ),
    (
        "Who judges how much",
        TAB
        | {
            "fields": (
                "target", "items_an_assignment", "assignments_a_worker", "minutes_allowed", "capacity",
                "unverified_per_hour",
                "starts_at", "ends_at", "refills_after_exclusion", "late_answers_count", "shuts_out", "seed",
            )
        },
    ),
    (
        PAY_AND_PLATFORM,
        TAB
        | {
            "fields": (
                "platform", ("platform_study_id", "requires_signed_entry"), ("pay", "currency"),
                "minutes_expected", "code_completed", "code_no_consent", "code_failed_comprehension",
                "finish_url", "retention_days",
            )
        },
    ),
    (
        "Origin",
        TAB | {"fields": ("owner", "translation_of", "preset_line", "created_at", "closed_at")},
    ),
)  # fmt: skip


def is_fixed(study: Study) -> bool:
    """A draft may have been a pilot before, and have answers."""
    return study.status != Study.Status.DRAFT or Judgment.objects.of_study(study.pk).exists()
