"""One free text."""

from ..kind import Kind

KIND = Kind(
    name="text",
    title="Text: one free text",
    about="People write a text of their own.",
    order=7,
    column="text",
    has_scale=False,
    fewest_labels=0,
    in_own_words=True,
    first_question="What do you see in the picture?",
)
