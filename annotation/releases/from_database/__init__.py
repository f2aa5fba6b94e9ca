"""The only way from the database to a `Crowd`: which judgments count, read fast and alike on both databases; and to
what is known of how they were collected.
"""

from typing import TYPE_CHECKING

from agreement.lazy_imports import late_imports

if TYPE_CHECKING:
    from annotation.releases.from_database.counted_judgments import counted, most_judgments, unseen_by_person
    from annotation.releases.from_database.item_answers import AnswersOfItems, answers_of_items
    from annotation.releases.from_database.reading_judgments import Frame, checks_of, crowd_of, frame_of
    from annotation.releases.from_database.study_history import collection_of, with_worker_columns

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
