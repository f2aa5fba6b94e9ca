"""All labels, put in order."""

from ..kind import Kind

KIND = Kind(
    name="ranking",
    title="Ranking: labels put in order",
    about="People put your labels in order.",
    order=8,
    column="labels",
    has_scale=False,
    fewest_labels=2,
    most_labels=7,
    in_order=True,
    first_question="Order these words by how well they describe the {thing}.",
    first_labels=("red", "green", "blue"),
)
