"""The only way from the database to a `Crowd`: which judgments count, read fast and alike on both databases; and to
what is known of how they were collected.
"""

from typing import TYPE_CHECKING

from annotation.late_imports import late_imports

if TYPE_CHECKING:
    from agreement.frames.counted_judgments import counted, most_judgments, unseen_by_person
    from agreement.frames.item_answers import AnswersOfItems, answers_of_items
    from agreement.frames.reading_judgments import Frame, checks_of, crowd_of, frame_of
    from agreement.frames.study_history import collection_of, with_worker_columns

__all__ = [
    "AnswersOfItems",
    "Frame",
    "answers_of_items",
    "checks_of",
    "collection_of",
    "counted",
    "crowd_of",
    "frame_of",
    "most_judgments",
    "unseen_by_person",
    "with_worker_columns",
]

__getattr__ = late_imports(
    __name__,
    {
        "item_answers": ("AnswersOfItems", "answers_of_items"),
        "counted_judgments": ("counted", "most_judgments", "unseen_by_person"),
        "reading_judgments": ("Frame", "checks_of", "crowd_of", "frame_of"),
        "study_history": ("collection_of", "with_worker_columns"),
    },
)
