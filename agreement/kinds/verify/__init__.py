"""A sentence that is true or false."""

from ..kind import Kind

KIND = Kind(
    name="verify",
    title="Verify: true or false",
    about="People read a sentence and say whether it is true.",
    order=5,
    column="label",
    has_scale=False,
    fewest_labels=2,
    first_question="{sentence}",
    first_labels=("true", "false"),
)
