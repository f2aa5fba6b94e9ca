"""The only door from the database to a `Crowd`: which judgments count, read fast and alike on both databases."""

from agreement.frames.counting import counted, members_of
from agreement.frames.reading import Frame, crowd_of, frame_of

__all__ = ["Frame", "counted", "crowd_of", "frame_of", "members_of"]
