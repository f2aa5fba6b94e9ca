"""Verify: a sentence, with or without a picture, is true or false. Its form is that of a choice of two labels."""

from annotation.answering.kinds.choice.form import FORM

__all__ = ["FORM"]
