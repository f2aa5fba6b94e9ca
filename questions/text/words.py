"""Kind `text` in words."""

from questions.words import Words

WORDS = Words(
    answer="a text",
    gold="The gold of an item is all of its texts.",
    no_other_alpha="free texts are neither labels nor numbers",
    reference_metric="",
)
