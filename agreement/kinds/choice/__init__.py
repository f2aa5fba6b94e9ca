"""One label of a few."""

from ..kind import Kind

KIND = Kind(
    name="choice",
    title="Choice: one label",
    about="People choose one of your labels, or one point of a rating scale.",
    order=3,
    column="label",
    has_scale=False,
    fewest_labels=2,
    labels_may_be_ordered=True,
    takes_options=True,
    first_question="Which colour does the {thing} have?",
    first_labels=("red", "green", "blue"),
)
