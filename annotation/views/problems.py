"""What a page can't do, as a sentence for the person in front of it."""

from http import HTTPStatus

from annotation.errors import TouchstoneError


class Problem(TouchstoneError):
    """Ends a request with a plain page that holds one sentence."""

    def __init__(self, sentence: str, status: HTTPStatus = HTTPStatus.NOT_FOUND) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status
