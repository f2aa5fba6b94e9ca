"""Two requests that store the same name or id at the same moment: the second is told, as if it had come later."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError, transaction

from agreement.errors import Refused

OF_POSTGRESQL = "23505"
OF_SQLITE = {"SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"}


def is_doubled(error: BaseException) -> bool:
    """Whether the database says that what has to be unique is there already."""
    cause = error.__cause__
    said = getattr(cause, "sqlstate", ""), getattr(cause, "sqlite_errorname", "")
    return isinstance(error, IntegrityError) and (said[0] == OF_POSTGRESQL or said[1] in OF_SQLITE)


@contextmanager
def refused_if_doubled(sentence: str) -> Iterator[None]:
    """The race: both have looked, and found nothing of that name."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        if is_doubled(error):
            raise Refused(sentence) from error
        raise
