"""Kind `ranking` in words."""

from questions.words import Words

WORDS = Words(
    answer="an order of {n_labels} labels",
    gold="The gold of an item is each label's mean rank, 1 being the first place.",
    figures=(
        ("Kendall's W", ("kendall_w",)),
        ("Kendall distance of two people's orders", ("kendall_distance",)),
    ),
    no_other_alpha="an answer is an order of all labels, and Kendall's W says how far orders agree",
    reference_metric="Kendall's tau",
)
