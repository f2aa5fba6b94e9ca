"""The only way from the database to a `Crowd`: which judgments count, read fast and alike on both databases; and to
what is known of how they were collected.
"""

from agreement.frames.collecting import collection_of
from agreement.frames.counting import counted, members_of, unseen_by_person
from agreement.frames.reading import Frame, checks_of, crowd_of, frame_of

__all__ = [
    "Frame",
    "checks_of",
    "collection_of",
    "counted",
    "crowd_of",
    "frame_of",
    "members_of",
    "unseen_by_person",
]
