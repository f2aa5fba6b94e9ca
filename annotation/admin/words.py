"""What the study's form says beside its fields, where the name alone would leave a researcher guessing."""

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
