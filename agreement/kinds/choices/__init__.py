"""One or more labels."""

from ..kind import Kind

KIND = Kind(
    name="choices",
    title="Choices: one or more labels",
    about="People choose every label that fits.",
    order=4,
    column="labels",
    has_scale=False,
    fewest_labels=2,
    several_labels=True,
    chooses_several=True,
    first_question="Which colours does the {thing} have?",
    first_labels=("red", "green", "blue"),
)
