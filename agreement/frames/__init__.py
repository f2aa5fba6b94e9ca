"""The only way from the database to a `Crowd`: which judgments count, read fast and alike on both databases; and to
what is known of how they were collected.
"""

from agreement.frames.answers_of_items import AnswersOfItems, answers_of_items
from agreement.frames.counted_judgments import counted, members_of, unseen_by_person
from agreement.frames.reading_judgments import Frame, checks_of, crowd_of, frame_of
from agreement.frames.study_history import collection_of
from agreement.frames.worker_columns import with_worker_columns

__all__ = [
    "AnswersOfItems",
    "Frame",
    "answers_of_items",
    "checks_of",
    "collection_of",
    "counted",
    "crowd_of",
    "frame_of",
    "members_of",
    "unseen_by_person",
    "with_worker_columns",
]
