"""A person adds what the study asks at its end: comments, and answers about themselves. All of it is optional."""

from annotation.models import Participation


def keep_remarks(*, participation: Participation, comments: str, demographics: dict[str, str]) -> None:
    """Keeps what was given, as long as the person has not left."""
    staying = Participation.objects.filter(pk=participation.pk, status=Participation.Status.WORKING)
    staying.update(comments=comments, demographics=demographics)
