"""The fields of a study's form: their sections, what is fixed once it is open, and what is said beside them."""

from typing import Any

from annotation.models import Judgment, Study

# What the study's form says beside its fields, where the name alone would leave a researcher guessing.

MARKDOWN = (
    "An empty line begins a paragraph. Markdown: # heading, - or 1. list, *emphasis*, **strong**, [link](https://...), "
    "![what it shows](item id) for the picture of one of the study's items. Preview shows how it looks."
)
LABELS = {
    "slug": "Short name",
    "scale_low": "Scale from",
    "scale_high": "Scale to",
    "low_label": "Text at the low end",
    "high_label": "Text at the high end",
    "items_a_page": "Items a page",
    "unverified_per_hour": "Unverified people from one network in an hour",
    "platform_study_id": "Study id on Prolific",
    "requires_signed_entry": "Require signed links",
    "ethics": "Ethics approval",
    "shuts_out": "Not for those who took part in",
    "code_completed": "Code: completed",
    "code_no_consent": "Code: no consent",
    "code_failed_comprehension": "Code: comprehension failed",
    "finish_url": "Where people go when done",
}
HELP = {
    "slug": "Stands in the study's address and in commands; fixed once the study is open.",
    "question": "A template: {left} in braces is replaced by the item's field of that name.",
    "instructions": "Shown before the first question, and one tap away on every page of questions. " + MARKDOWN,
    "consent": "What people agree to before anything else. Empty: a general text is shown. " + MARKDOWN,
    "consent_version": "Kept with each agreement: raise it when the text changes.",
    "contact": "Whom people can write to; shown to them on the first page.",
    "researchers": "Who does the research, by name; shown on the first page.",
    "institution": "Where it is done, such as a university and department; shown on the first page.",
    "ethics": "Who approved it, and the number of the approval; shown on the first page.",
    "kind": "What an answer is; fixed once the study is open.",
    "scale_low": "Answers are stored and exported on this scale, such as 0 to 100.",
    "scale_direction": "Which end of the line is on the left.",
    "word_order": "Which of the two comes first.",
    "items_an_assignment": "How many items one person is given at once; checks come on top.",
    "assignments_a_worker": "How often one person may come back for more.",
    "refills_after_exclusion": "The places of an excluded worker open again for others.",
    "unverified_per_hour": (
        "People who come by a platform's plain address, from one household, office or lab: raise it for a class. Open"
        " links have a limit of their own."
    ),
    "platform_study_id": "The 24 characters after /studies/ in the study's address on Prolific.",
    "requires_signed_entry": (
        "Prolific only: switch on “Secured External URL” there first. Nobody comes in without Prolific's signature, and"
        " who comes counts as verified."
    ),
    "pay": "For one assignment.",
    "currency": "Three letters: GBP, USD, EUR.",
    "minutes_expected": "Told to people on the first page, beside the pay.",
    "code_completed": "As the platform gave it to you: people take it back, or are sent back with it.",
    "code_no_consent": "For those who say no, so that they can return the place.",
}
ROWS = {"question": 3, "summary": 3, "instructions": 8, "consent": 8}


# The sections of a study's form, and what of it is fixed once somebody may have answered.

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
