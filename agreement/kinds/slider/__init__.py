"""One number on a line between two end labels."""

from ..kind import Kind

KIND = Kind(
    name="slider",
    title="Slider: one number",
    about="People move a point on a line between two ends.",
    order=1,
    column="number",
    has_scale=True,
    fewest_labels=0,
    first_question="How similar are {left} and {right}?",
)
