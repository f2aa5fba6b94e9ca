"""One number for each label."""

from ..kind import Kind

KIND = Kind(
    name="sliders",
    title="Sliders: one number per label",
    about="People move a point on a line for each of your labels.",
    order=2,
    column="numbers",
    has_scale=True,
    fewest_labels=1,
    several_labels=True,
    first_question="How much of the {thing} is of each colour?",
    first_labels=("red", "green", "blue"),
)
