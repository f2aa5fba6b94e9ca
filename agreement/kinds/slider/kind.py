"""What kind `slider` is. Knows nothing of Django."""

from ..registry import Kind

KIND = Kind(
    name="slider",
    title="Slider: one number",
    order=1,
    column="number",
    has_scale=True,
    fewest_labels=0,
    first_question="How similar are {left} and {right}?",
)
