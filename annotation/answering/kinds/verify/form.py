"""Verify: a sentence, with or without a picture, is true or false. Its form is that of a choice of two labels."""

from dataclasses import replace

from annotation.answering.kinds.choice import form as choice

FORM = replace(choice.FORM, style="")
