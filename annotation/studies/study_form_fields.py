"""The fields of a study's form: their sections, what is fixed once it is open, and what is said beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from django.http import HttpRequest

from agreement.kinds.kind import Kind
from agreement.kinds.registry import KINDS
from annotation.models import Judgment, Study

if TYPE_CHECKING:
    from django.contrib.admin.options import _FieldGroups, _FieldOpts, _FieldsetSpec

# What the study's form says beside its fields, where the name alone would leave a researcher guessing.

MARKDOWN = (
    "An empty line starts a new paragraph. You can use Markdown: # heading, - or 1. list, *emphasis*, "
    "**bold**, [link](https://...), ![what it shows](item id) for the picture of one of the "
    "study's items. Preview shows how it looks."
)
LABELS = {
    "slug": "Short name",
    "judgments_per_item": "Judgments per item",
    "items_per_assignment": "Items per assignment",
    "assignments_per_worker": "Assignments per person",
    "minutes_allowed": "Minutes per assignment",
    "capacity": "People at most",
    "counts_late_answers": "Count late answers",
    "refills_after_exclusion": "Replace excluded workers",
    "question_name": "Name of the first question",
    "stimulus": "Blocks",
    "is_required": "An answer is required",
    "offers_dont_know": "Offer “I don't know”",
    "asks_confidence": "Ask how sure people are",
    "scale_low": "Scale from",
    "scale_high": "Scale to",
    "low_label": "Text at the low end",
    "high_label": "Text at the high end",
    "ordered": "Labels are ordered",
    "shows_points": "Show numbers above the points",
    "fewest": "Fewest labels of an answer",
    "most": "Most labels of an answer",
    "items_per_page": "Items per page",
    "pace": "Pace",
    "unverified_per_hour": "Unverified participants per network and hour",
    "platform_study_id": "Study id on Prolific",
    "requires_signed_entry": "Require signed links",
    "ethics": "Ethics approval",
    "shuts_out": "Not for people who took part in",
    "code_completed": "Code: completed",
    "code_no_consent": "Code: no consent",
    "code_failed_comprehension": "Code: comprehension failed",
    "code_failed_qualification": "Code: qualification failed",
    "qualification_pass_mark": "Right answers needed",
    "qualification_items": "Items per person",
    "qualification_feedback": "Show feedback",
    "counts_signs": "Signs that a person answered",
    "metrics": "Metrics reported first",
    "synonyms": "Other spellings of labels",
    "finish_url": "Where people go when they have finished",
    "fee_percent": "Platform's fee, in per cent of the pay",
}
HELP = {
    "slug": (
        "Used in the study's address and in commands. Leave it empty: it is made from the title. It can't change once"
        " the study is open."
    ),
    "question": "A name in braces, such as {left}, stands for a column of your items.",
    "stimulus": (
        "Texts, tables, chats, pictures, sound and video that people see before the question, or beside it on wide"
        " screens. Items bring the columns that blocks name. Without blocks people see the question alone."
    ),
    "question_name": (
        "What files and addresses call the study's own question, under Question. It matters where the study has"
        " further ones: small letters, digits and _, a letter first."
    ),
    "is_required": "Nobody goes on without an answer.",
    "offers_dont_know": "It is counted apart, and is never part of gold.",
    "asks_confidence": "From 1 to 5, beside the answer.",
    "instructions": "Shown before the first question. People can open it again on every page of questions. " + MARKDOWN,
    "consent": "What people agree to before they start. If it is empty, a general text is shown. " + MARKDOWN,
    "consent_version": "Stored with each person's consent. Raise it when the text changes.",
    "contact": "Who people can write to, shown on the first page.",
    "researchers": "The names of the researchers, shown on the first page.",
    "institution": "The university and department, for example, shown on the first page.",
    "ethics": "Who approved the study, and the number of the approval, shown on the first page.",
    "kind": "What kind of answer people give. It can't change once the study is open.",
    "scale_low": "Answers are stored and exported on this scale, such as 0 to 100.",
    "scale_direction": "Which end of the scale is on the left.",
    "ordered": (
        "The labels are the points of a scale, in their order (a Likert scale): people see them in one row, or in one"
        " column, and analyses use their order."
    ),
    "shows_points": "The labels' values if they are whole numbers in a row, else 1, 2, 3 and so on.",
    "fewest": "Leave it empty for one.",
    "most": "Leave it empty for no limit.",
    "word_order": "Which of the two comes first.",
    "pace": (
        "Expert pace is for people who know the task: the next item comes by itself, keys do everything, answers can be"
        " undone, and items skipped with a reason, flagged and commented on."
    ),
    "items_per_assignment": "How many items one person gets at once. Check items are added to them.",
    "assignments_per_worker": "How many assignments one person may do.",
    "refills_after_exclusion": "Other people answer the items of an excluded worker instead.",
    "seed": "Decides in which order items are given out.",
    "judgments_per_item": "How many judgments are wanted of each item.",
    "minutes_allowed": "After this time other people can answer what is still unanswered.",
    "counts_late_answers": "Answers that arrive after that time enter gold, even if others have answered instead.",
    "capacity": "How many people may take part. Leave it empty for no limit.",
    "retention_days": "Platform ids are purged this many days after the study is closed.",
    "unverified_per_hour": (
        "How many people may start per hour from one network (a household, an office, a lab) with a platform's plain"
        " address. Raise it for a class. Open links have their own limit."
    ),
    "platform_study_id": "The 24 characters after /studies/ in the study's address on Prolific.",
    "requires_signed_entry": (
        "Prolific only: switch on “Secured External URL” there first. Nobody can start without Prolific's signature,"
        " and everybody who starts counts as verified."
    ),
    "metrics": "Names of metrics with commas between, such as r_acc, conf: the leaderboard opens on the first of them.",
    "synonyms": (
        "One on each line: grey = gray. References and models' outputs may use them. With several labels to an answer"
        " also beige = yellow | brown."
    ),
    "pay": "For each person who takes part.",
    "currency": "Three letters: GBP, USD, EUR.",
    "minutes_expected": "Shown on the first page, beside the pay.",
    "fee_percent": "What the platform charges on top. Empty: its usual fee, as the page Launch names it.",
    "code_completed": "The completion code from the platform. People are sent back with it, or enter it there.",
    "code_failed_qualification": (
        "For people who answer too few qualification items right. They are asked to return the study; reject nobody."
    ),
    "qualification_pass_mark": (
        "How many items of the kind “qualification” people have to answer right before they get items to judge. Who has"
        " fewer holds no place, counts nowhere, and is sent back with a code of their own. Leave it empty for no such"
        " round."
    ),
    "qualification_items": "They are drawn at random for each person. Leave it empty for all of them.",
    "qualification_feedback": (
        "After each answer people read the item's feedback, feedback_right or feedback_wrong. Their first answer"
        " counts."
    ),
    "counts_signs": (
        "Counted beside each answer: how long the page was hidden, text copied before the page was left, long pastes,"
        " and clicks or keys that no person made. Never what was read or written. The consent page says so, and only"
        " people who agreed to that text are counted. It excludes nobody."
    ),
    "code_no_consent": "For people who don't agree to take part, so that they can return the study on the platform.",
}
# What is said of a label, of a field's name and of a comprehension question that can't be stored as it is.
NO_BAR = "A label can't have the sign | in it: files put it between two labels."
NO_NAME = "Use small letters, digits and underscores, and begin with a letter."
NO_WRONG_ANSWER = "Give an answer that is wrong, or everybody passes."
ROWS = {"question": 3, "summary": 3, "instructions": 8, "consent": 8}


# The sections of a study's form, and what of it is fixed once somebody may have answered.

# The database refuses most of these too, once there is a judgment; the form says so before.
FIXED_ONCE_OPEN = (
    "slug", "kind", "question_name", "question", "stimulus", "is_required", "offers_dont_know", "asks_confidence",
    "scale_low", "scale_high", "low_label", "high_label", "slider_start", "seed",
)  # fmt: skip
PAY_AND_PLATFORM = "Pay and platform"
# Money, whose word lets people in, the codes that they are paid by, where they are sent, and how long ids are kept.
MANAGERS_ALONE = (
    "platform", "platform_study_id", "requires_signed_entry", "pay", "currency", "minutes_expected", "code_completed",
    "code_no_consent", "code_failed_comprehension", "code_failed_qualification", "finish_url", "retention_days",
    "fee_percent",
)  # fmt: skip
QUALIFICATION_FIELDS = ("qualification_pass_mark", "qualification_items", "qualification_feedback")
# The sections that have tables.
QUESTION, FURTHER, CHECKS, SHARING = "Question", "Further questions", "Checks and questions", "Owner and sharing"
STIMULUS = "What an item shows"
MORE_OF_ANSWERS, LANGUAGE = "More about the answer", "Language and version of the consent"
LIMITS, OTHER_CODES = "Limits, dates and order", "Fee, other codes and retention"
QUALIFICATION = "Qualification"
Line: TypeAlias = str | tuple[str, ...]  # a field, or several beside each other


def _fields(*fields: Line) -> _FieldOpts:
    return {"classes": ["tab"], "fields": fields}


SECTIONS: _FieldsetSpec = (
    (
        QUESTION,
        _fields(
            "title", "kind", "question", ("ordered", "shows_points"), ("fewest", "most"),
            ("scale_low", "scale_high"), ("low_label", "high_label"),
        ),
    ),
    (
        MORE_OF_ANSWERS,
        _fields(
            "slider_start", "slider_shows_number", "is_required", ("offers_dont_know", "asks_confidence"),
            "scale_direction", "word_order", "word_layout", "items_per_page", "pace",
        ),
    ),
    (STIMULUS, _fields("stimulus")),
    (FURTHER, _fields("question_name")),
    ("Texts", _fields("summary", "instructions", "consent", "contact", "researchers", "institution", "ethics")),
    (LANGUAGE, _fields("language", "consent_version")),
    ("How many", _fields("judgments_per_item", "items_per_assignment")),
    (
        PAY_AND_PLATFORM,
        _fields(
            "platform", ("platform_study_id", "requires_signed_entry"), ("pay", "currency"), "minutes_expected",
            "code_completed",
        ),
    ),
    (
        LIMITS,
        _fields(
            "assignments_per_worker", "minutes_allowed", "capacity", "unverified_per_hour", "starts_at", "ends_at",
            "refills_after_exclusion", "counts_late_answers", "shuts_out", "seed",
        ),
    ),
    (
        OTHER_CODES,
        _fields(
            "fee_percent", "code_no_consent", "code_failed_comprehension", "code_failed_qualification", "finish_url",
            "retention_days",
        ),
    ),
    (CHECKS, _fields("asks_comments", "counts_signs")),
    (QUALIFICATION, _fields(*QUALIFICATION_FIELDS)),
    ("Analysis", _fields("metrics", "synonyms")),
    (SHARING, _fields("slug", "owner", "translation_of", "preset_line", "created_at", "closed_at")),
)  # fmt: skip
# The form's parts, each with its sections; most studies leave those that are folded as they are.
PARTS: dict[str, tuple[str, ...]] = {
    "Question": (QUESTION, STIMULUS, MORE_OF_ANSWERS, FURTHER),
    "Texts": ("Texts", LANGUAGE),
    "People and pay": ("How many", PAY_AND_PLATFORM, LIMITS, OTHER_CODES),
    "Checks": (CHECKS, QUALIFICATION),
    "Analysis and sharing": ("Analysis", SHARING),
}
FOLDED = frozenset({STIMULUS, MORE_OF_ANSWERS, FURTHER, LANGUAGE, LIMITS, OTHER_CODES, QUALIFICATION})

# Fields that only some kinds of question use: the form of the others leaves them out.
OF_SCALES = ("scale_low", "scale_high", "slider_start", "slider_shows_number")
OF_ENDS = ("low_label", "high_label", "scale_direction")  # of scales, and of labels that may be ordered
OF_ORDERED_LABELS = ("ordered", "shows_points")
OF_SETS = ("fewest", "most")
OF_LABELS = ("synonyms",)
LABELS_TABLE = "labels"


def fields_unused_by(kind: Kind) -> frozenset[str]:
    """The fields, and the table of labels, that a study with this kind of question doesn't use."""
    uses = {
        OF_SCALES: kind.has_scale,
        OF_ENDS: kind.has_scale or kind.labels_may_be_ordered,
        OF_ORDERED_LABELS: kind.labels_may_be_ordered,
        OF_SETS: kind.chooses_several,
        (*OF_LABELS, LABELS_TABLE): kind.has_labels,
    }
    return frozenset(name for names, is_used in uses.items() if not is_used for name in names)


def first_kind(request: HttpRequest) -> Kind:
    """The kind of question that a new study's form opens with."""
    return KINDS.get(request.GET.get("kind", ""), next(iter(KINDS.values())))


def is_fixed(study: Study) -> bool:
    """A draft may have been a pilot before, and have answers."""
    return study.status != Study.Status.DRAFT or Judgment.objects.of_study(study.pk).exists()


def sections_in_words(sections: _FieldsetSpec) -> _FieldsetSpec:
    """With blocks and a scale to read in the place of those to edit."""
    scale = ("scale_low", "scale_high")
    return tuple(
        (
            name,
            {
                **parts,
                "fields": ("blocks_in_words",)
                if name == STIMULUS
                else tuple("scale_in_words" if line == scale else line for line in parts["fields"]),
            },
        )
        for name, parts in sections
    )


def sections_without(unused: frozenset[str], sections: _FieldsetSpec = SECTIONS) -> _FieldsetSpec:
    """The sections of the form without these fields."""

    def rest(line: str | Sequence[str]) -> Line:
        return line if isinstance(line, str) else tuple(name for name in line if name not in unused)

    def fields(lines: _FieldGroups) -> tuple[Line, ...]:
        return tuple(left for line in lines if line not in unused and (left := rest(line)))

    return tuple((name, {**parts, "fields": fields(parts["fields"])}) for name, parts in sections)
