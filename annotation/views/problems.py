"""What a page can't do, as a sentence for the person in front of it."""

from http import HTTPStatus

from annotation.errors import TouchstoneError


class Problem(TouchstoneError):
    """Ends a request with a plain page that holds one sentence."""

    template = "annotation/problem.html"

    def __init__(self, sentence: str, status: HTTPStatus = HTTPStatus.NOT_FOUND) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status


class TryAgain(Problem):
    """What can't be done at the moment, and may be in a minute; the page has a link to try it."""

    template = "annotation/try_again.html"

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, HTTPStatus.SERVICE_UNAVAILABLE)


class TurnedAway(Problem):
    """Somebody comes to a study and can't take part: nothing is broken, and nothing of theirs could be lost."""

    template = "annotation/turned_away.html"

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, HTTPStatus.FORBIDDEN)
