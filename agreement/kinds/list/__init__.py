"""Free text, one property per line."""

from ..kind import Kind

KIND = Kind(
    name="list",
    title="List: one property per line",
    about="People write what comes to mind, one property on each line.",
    order=6,
    column="properties",
    has_scale=False,
    fewest_labels=0,
    in_own_words=True,
    has_properties=True,
    first_question="What is typical of {thing}?",
)
