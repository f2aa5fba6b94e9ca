"""The seven kinds of question: how each is asked and how its form is read. One kind a file."""

from annotation.questions.choice import CHOICE
from annotation.questions.choices import CHOICES
from annotation.questions.facts import BadAnswer, Facts, Fields, Question
from annotation.questions.list import LIST
from annotation.questions.slider import SLIDER
from annotation.questions.sliders import SLIDERS
from annotation.questions.text import TEXT
from annotation.questions.verify import VERIFY
from questions.kinds import QuestionKind

QUESTIONS: dict[QuestionKind, Question] = {
    "slider": SLIDER,
    "sliders": SLIDERS,
    "choice": CHOICE,
    "choices": CHOICES,
    "verify": VERIFY,
    "list": LIST,
    "text": TEXT,
}

__all__ = ["QUESTIONS", "BadAnswer", "Facts", "Fields", "Question"]
