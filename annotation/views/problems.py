"""What a page can't do, as a sentence for the person in front of it."""

from http import HTTPStatus

from annotation.errors import TouchstoneError
from annotation.models import Study
from annotation.platforms import PLATFORMS, Ending, Outcome


class Problem(TouchstoneError):
    """Ends a request with a plain page that holds one sentence."""

    template = "annotation/problem.html"

    def __init__(self, sentence: str, status: HTTPStatus = HTTPStatus.NOT_FOUND) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status

    def context(self, study: Study | None) -> dict[str, object]:
        return {"sentence": self.sentence, "study": study}


class TryAgain(Problem):
    """What can't be done at the moment, and may be in a minute; the page has a link to try it."""

    template = "annotation/try_again.html"

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, HTTPStatus.SERVICE_UNAVAILABLE)


class TurnedAway(Problem):
    """Somebody comes to a study and can't take part: nothing is broken, and nothing of theirs could be lost."""

    template = "annotation/done.html"

    def __init__(self, sentence: str, platform: str = "", *, may_try_again: bool = False) -> None:
        super().__init__(sentence, HTTPStatus.FORBIDDEN)
        self.platform = platform
        self.may_try_again = may_try_again

    def context(self, study: Study | None) -> dict[str, object]:
        """The way back of the platform that the person came from, in words: who can't take part gets no code."""
        platform = PLATFORMS[self.platform or (study.platform if study else Study.Platform.DIRECT)]
        ending = Ending() if self.may_try_again else Ending(words=platform.give_back(), link=platform.home)
        turned_away = {"outcome": Outcome.TURNED_AWAY, "ending": ending, "platform": platform.name}
        return {**super().context(study), **turned_away, "may_try_again": self.may_try_again}
