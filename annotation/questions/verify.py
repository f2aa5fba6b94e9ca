"""Verify: a sentence, with or without a picture, is true or false."""

from annotation.questions.choice import read_one_label
from annotation.questions.facts import Question

VERIFY = Question("verify", "annotation/questions/choice.html", read_one_label)
