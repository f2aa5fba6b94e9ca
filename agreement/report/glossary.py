"""Each term of statistics that pages show, and what it means in one plain sentence."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """What it is called, one sentence on it, and other names under which pages show it."""

    name: str
    sentence: str
    also: tuple[str, ...] = ()


GLOSSARY: Mapping[str, Term] = {
    # The figures of a verdict.
    "gold": Term("Gold", "What people together say of each item: models are compared with it."),
    "ceiling": Term(
        "The most a model can reach",
        "The correlation with this gold that a perfect model would have: noise in the gold leaves no room for more.",
        ("The most that any model can correlate with this gold", "Upper bound", "Ceiling"),
    ),
    "person": Term(
        "A typical person",
        "How well one person does, on average, when scored like a model against the gold of all others.",
        ("A person against the others' gold (leave-one-out, mean)", "Leave-one-out", "Typical person"),
    ),
    "agreement": Term(
        "Agreement",
        "How often people give the same answer to an item beyond chance: 1 is always, 0 as often as by chance.",
    ),
    "careless": Term("People out", "How many people's answers don't count: a rule or a researcher excluded them."),
    "sure": Term(
        "Sure label",
        "An item's label is sure if it would very probably stay the most chosen one with many more people.",
        ("Items with a sure label",),
    ),
    # Agreement.
    "alpha": Term(
        "Krippendorff's alpha",
        "Agreement beyond chance, with any number of people and with gaps: 1 is perfect, 0 is chance.",
        (
            "Krippendorff's alpha (interval)",
            "Krippendorff's alpha (ordinal)",
            "Krippendorff's alpha (nominal)",
            "Krippendorff's alpha, interval",
            "Krippendorff's alpha, ordinal",
            "Krippendorff's alpha, nominal",
            "Krippendorff's alpha, ratio",
        ),
    ),
    "kappa": Term(
        "Fleiss' kappa",
        "Agreement on labels beyond what the labels' frequencies give by chance: 1 is perfect, 0 is chance.",
        ("Fleiss' kappa of bins",),
    ),
    "cohen": Term(
        "Cohen's kappa",
        "Agreement of two people beyond chance; with weights, near misses on ordered labels count in part.",
        ("Cohen's kappa, linear weights", "Cohen's kappa, quadratic weights"),
    ),
    "own-labels": Term(
        "Kappa against 1/k of each item's own labels",
        "Agreement where each item has labels of its own: chance is one out of an item's number of labels.",
    ),
    "ac1": Term(
        "Gwet's AC1",
        "Agreement beyond chance that stays meaningful if nearly all answers are one label.",
    ),
    "icc1": Term(
        "ICC(1,1)",
        "How much of the variance of single answers comes from the items and not from people or chance.",
        ("ICC(1,1), one judgment",),
    ),
    "icc1k": Term("ICC(1,k)", "The same for the mean of an item's answers.", ("ICC(1,k), the mean of an item",)),
    "reliability": Term(
        "Reliability of the gold",
        "How closely gold follows what infinitely many people would say: 1 is perfectly, 0 not at all.",
        ("Reliability of the gold as released", "Reliability of the orders"),
    ),
    "split-half": Term(
        "Split-half reliability",
        "How closely the gold of one half of the people follows that of the other half, raised to all people.",
        ("Split-half reliability, stepped up",),
    ),
    "kendall-distance": Term(
        "Kendall distance of two people's orders", "The share of pairs that two people put the other way round."
    ),
    "weighted": Term("The same, weighted by judgments", "People who answered more count more."),
    "pooled": Term(
        "The same, pooled over all judgments", "All answers are scored together, as if one person had given them."
    ),
    "kendall-w": Term(
        "Kendall's W",
        "How far people's orders agree: 1 if all are the same; of n people at random it is 1 / n.",
    ),
    "pairwise": Term(
        "Pairs of workers, on average", "The mean correlation of two people on the items that both judged."
    ),
    "noise-ceiling": Term(
        "Noise ceiling",
        "Between these two figures lies what a model that knows all about people could reach.",
        ("Noise ceiling, lower", "Noise ceiling, upper"),
    ),
    "inclusive": Term(
        "Agreement with a mean that includes oneself (no limit for models)",
        "How people correlate with the mean of all, their own answers in it, which makes it too high for a limit.",
    ),
    # Intervals and tests.
    "interval": Term(
        "Interval",
        "The true value lies in a 95 % interval in about 95 of 100 studies like this one.",
        ("95 % interval", "Confidence interval"),
    ),
    "new-people": Term(
        "Over items and workers", "The interval says what to expect with other items and with other people."
    ),
    "these-people": Term(
        "Over items, for these workers", "The interval says what to expect with other items and with the same people."
    ),
    "effective": Term(
        "Effective workers",
        "How many equally busy and equally influential people the interval is worth; under four it is unreliable.",
        ("Effective number of workers", "nu_W"),
    ),
    "influence": Term(
        "Without the most influential worker", "The figure of everybody but the person who moves it most."
    ),
    "p": Term("p", "How often a difference this large would come up if the two were equal."),
    "holm": Term(
        "Holm's correction",
        "Raises p because several tests were made, each of which may find something.",
        ("p, Holm over all pairs", "p, Holm against the best"),
    ),
    "posterior": Term("Posterior", "How probable something is after these answers, given an assumption before them."),
    "entropy": Term("Entropy", "How spread the answers to an item are, in bits: 0 if all are the same."),
    "sd": Term("Standard deviation", "How far single answers usually lie from their mean.", ("sd",)),
    "minority": Term(
        "Share not of the commonest label",
        "How many of an item's answers differ from what most people said: 0 if all are the same.",
        ("Share in the minority", "Different texts per judgment", "Share of properties that one person named"),
    ),
    "disorder": Term("1 − Kendall's W", "How far people's orders of an item differ: 0 if all are the same."),
    # People.
    "screening": Term(
        "Screening",
        "A search for people whose answers look careless beside those of the others; it excludes nobody.",
        ("People whose answers look careless",),
    ),
    "check": Term(
        "Check", "An item with a known answer, which shows whether somebody pays attention.", ("Checks failed",)
    ),
    "longstring": Term(
        "Longest run",
        "How often somebody gave the same answer in a row.",
        ("Longstring", "Longest run of equal answers"),
    ),
    "person-total": Term(
        "Agreement with the others",
        "How one person's answers follow those of everybody else.",
        (
            "Person-total correlation",
            "With the others",
            "Correlation with the mean of the others",
            "Share of answers that are the others' majority",
        ),
    ),
    "without": Term("Agreement without", "What agreement would be had this person never taken part."),
    "robust-z": Term("z", "How many usual deviations somebody is from the person in the middle.", ("Robust z",)),
    # Models.
    "spearman": Term(
        "Spearman correlation",
        "Whether two orders of the items are the same: 1 the same, 0 unrelated, -1 reversed.",
        ("Spearman",),
    ),
    "pearson": Term("Pearson correlation", "Whether two sets of numbers lie on a line: 1 is perfectly.", ("Pearson",)),
    "kendall": Term(
        "Kendall's tau",
        "How many more pairs stand in the same order than in the opposite one, as a share of all pairs.",
    ),
    "rmse": Term("RMSE", "How far a model's numbers are off, large errors counting more.", ("Plain RMSE",)),
    "mae": Term("MAE", "How far a model's numbers are off on average."),
    "accuracy": Term("Accuracy", "The share of items for which the right label was given."),
    "r-acc": Term("R-Acc", "The share of items whose most probable label is one of gold's labels."),
    "f1": Term(
        "F1",
        "How right and how complete labels are, together; macro F1 is the mean over labels.",
        ("macro F1", "micro F1"),
    ),
    "average-precision": Term(
        "Average precision", "How far up a model's list the right properties stand: 1 if all come first."
    ),
    "agree-with": Term(
        "People who agree",
        "The share of an item's answers that are the model's label, averaged over items.",
        ("Share of people who agree",),
    ),
    "chance": Term("Chance", "What random or constant answers would score."),
    "matched-share": Term(
        "Matched share",
        "How much of a typical person a model reaches on the same items, above constant answers.",
        ("Share of a typical person",),
    ),
    "precision": Term(
        "Precision",
        "How much of what was given is right.",
        ("macro precision", "micro precision", "translation precision", "BLEU precision", "ROUGE-L precision"),
    ),
    "recall": Term(
        "Recall", "How much of what is right was given.", ("macro recall", "micro recall", "ROUGE-L recall")
    ),
    "exact-match": Term("Share of items with all and only", "How often a model marks just what gold marks."),
    "steps": Term("Mean distance in steps", "How many points of the scale a model's label is off on average."),
    "weighted-kappa": Term("Weighted kappa", "Agreement with gold beyond chance, in which near misses count in part."),
    "probability": Term(
        "Mean probability on the gold labels", "How sure a model is of the right label, averaged over items."
    ),
    "divergence": Term(
        "Jensen-Shannon divergence",
        "How far a model's shares of the labels are from people's: 0 is the same.",
        ("Total variation", "Calibration error", "Brier score"),
    ),
    "entropies": Term(
        "Correlation of entropies", "Whether a model is unsure about the items on which people disagree."
    ),
    "cross-entropy": Term(
        "Cross entropy", "How surprised a model is by people's answers, in bits: smaller is better.", ("Perplexity",)
    ),
    "top-1": Term("Top-1 accuracy", "The share of items whose first answer of a model is right."),
    "reciprocal-rank": Term(
        "Mean reciprocal rank", "1 if a model's first answer is right, 1/2 if the second is, and so on, on average."
    ),
    "overlap": Term(
        "BLEU",
        "How many words and runs of words a model's text shares with people's texts.",
        ("BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4", "ROUGE-L", "METEOR", "CIDEr-D", "Mean of four"),
    ),
    "coverage": Term("Coverage", "For how many of gold's items a model gives an answer."),
}


def meaning_of(key: str) -> str:
    """The sentence on the term of that key."""
    return GLOSSARY[key].sentence


def sentence_on(name: str) -> str:
    """The sentence on what pages show under that name, or under the longest beginning of it that is explained; nothing
    where none is.

    >>> sentence_on("A typical person (accuracy)")[:24], sentence_on("Mood")
    ('How well one person does', '')
    """
    words = name.casefold().split()
    beginnings = (" ".join(words[:number]).rstrip(",") for number in range(len(words), 0, -1))
    return next((_BY_NAME[each] for each in beginnings if each in _BY_NAME), "")


_BY_NAME = {name.casefold(): term.sentence for term in GLOSSARY.values() for name in (term.name, *term.also)}
