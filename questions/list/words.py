"""Kind `list` in words."""

from questions.words import KAPPA, Words

WORDS = Words(
    answer="a list of properties",
    gold="The gold of an item is how many people named each normalised property.",
    figures_if_defined=(KAPPA,),
    no_other_alpha="lists of properties are neither labels nor numbers; see the properties one by one",
    reference_metric="average precision at 2",
)
