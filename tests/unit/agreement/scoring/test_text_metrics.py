"""BLEU equals sacrebleu's, ROUGE-L its published algorithm on worked cases, perplexity what a hand works out."""

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from agreement.estimation.estimate import Estimate, Undefined
from agreement.scoring.text_metrics import bleu, longest_common, rouge_l, rouge_l_rows
from tests.unit.agreement.scoring.perplexities import perplexity

TEXTS = [
    "The red square is to the left of the blue circle.",
    "a cat, sitting on 3.5 mats -- isn't it?",
    "green ferns & mosses (in 1998-99)",
    "over",
    "",
]
REFERENCES = [
    ["A red square is left of a blue circle.", "The red square is to the left of a circle."],
    ["the cat sits on 3.5 mats, doesn't it?", "a cat sat on a mat"],
    ["ferns & mosses, green (1998-99)", "some green ferns"],
    ["over", "above the table"],
    ["nothing was said", "silence"],
]
WORDS = ("a", "b", "the", "cat", "sat", "on", ".", ",", "3.5", "it's", "mat-like")
SENTENCE = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


def test_bleu_equals_sacrebleu() -> None:
    streams = [[references[at] for references in REFERENCES] for at in range(2)]

    ours = bleu(TEXTS, REFERENCES)

    assert ours.theta == pytest.approx(sacrebleu.corpus_bleu(TEXTS, streams).score, abs=1e-9)
    for at in range(len(TEXTS)):
        rest = [[text for i, text in enumerate(stream) if i != at] for stream in streams]
        expected = sacrebleu.corpus_bleu([text for i, text in enumerate(TEXTS) if i != at], rest).score
        assert ours.without[at] == pytest.approx(expected, abs=1e-9)


@given(st.lists(st.tuples(SENTENCE, SENTENCE.filter(bool), SENTENCE.filter(bool)), min_size=1, max_size=4))
def test_bleu_equals_sacrebleu_on_any_texts(rows: list[tuple[str, str, str]]) -> None:
    texts, first, second = (list(column) for column in zip(*rows, strict=True))

    ours = bleu(texts, [list(pair) for pair in zip(first, second, strict=True)])

    assert ours.theta == pytest.approx(sacrebleu.corpus_bleu(texts, [first, second]).score, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "reference", "common", "expected"),
    [
        # Lin (2004), section 3
        ("police kill the gunman", "police killed the gunman", 3, (0.75, 0.75, 0.75)),
        ("the gunman kill police", "police killed the gunman", 2, (0.5, 0.5, 0.5)),
        # after the README of rouge-score: prediction, then target
        (
            "The quick brown dog jumps on the log.",
            "The quick brown fox jumps over the lazy dog",
            5,
            (5 / 8, 5 / 9, 10 / 17),
        ),
        ("!!!", "words", 0, (0.0, 0.0, 0.0)),
    ],
)
def test_rouge_l_worked_cases(text: str, reference: str, common: int, expected: tuple[float, float, float]) -> None:
    tokens = [side.lower().replace(".", "").replace("!", "").split() for side in (text, reference)]

    assert longest_common(*tokens) == common
    assert rouge_l(text, [reference]) == pytest.approx(expected)


def test_rouge_l_takes_the_reference_with_the_largest_f() -> None:
    precision, recall, f = rouge_l_rows(["a b c"], [["a b c d e f", "a b"]])

    assert (precision[0], recall[0], f[0]) == pytest.approx((2 / 3, 1.0, 0.8))


@pytest.mark.parametrize(("base", "log"), [("2", np.log2), ("e", np.log), ("10", np.log10)])
def test_perplexity_by_hand_in_every_base(base: str, log: np.ufunc) -> None:
    sentence = np.array([0, 0, 0, 1, 1])
    q = np.array([0.5, 0.25, 0.5, 0.125, 0.5])

    done = perplexity(sentence, log(q), base)  # type: ignore[arg-type]

    # 1 + 2 + 1 + 3 + 1 = 8 bits over 5 tokens, and over 2 sentences
    assert isinstance(done.corpus, Estimate)
    assert isinstance(done.sentence, Estimate)
    assert done.corpus.estimate == pytest.approx(2 ** (8 / 5), abs=1e-12)
    assert done.sentence.estimate == pytest.approx(2**4, abs=1e-12)
    assert (done.tokens, done.sentences) == (5, 2)
    assert "no end tokens" in done.corpus.method


def test_perplexity_interval_leaves_sentences_out_on_the_logarithm() -> None:
    rng = np.random.default_rng(1)
    sentence = np.repeat(np.arange(50), 7)
    logprob = np.log(rng.uniform(0.01, 1, 350))

    done = perplexity(sentence, logprob, "e", end_tokens=50)

    per = [-logprob[sentence != at].mean() for at in range(50)]
    se = np.sqrt(49 / 50 * np.sum((per - np.mean(per)) ** 2))
    assert isinstance(done.corpus, Estimate)
    assert done.corpus.low is not None
    exponent, low = np.log(done.corpus.estimate), np.log(done.corpus.low)
    assert np.log(exponent / low) == pytest.approx(2.009575 * se / exponent, rel=1e-5)
    assert "50 end tokens" in done.corpus.method


@pytest.mark.parametrize(
    ("logprob", "why"), [([], "no tokens"), ([-np.inf, -1.0], "probability 0"), ([-1e308, -1.0], "too large")]
)
def test_perplexity_without_a_value_says_why(logprob: list[float], why: str) -> None:
    done = perplexity(np.zeros(len(logprob), dtype=int), np.array(logprob), "e")

    assert isinstance(done.sentence, Undefined)
    assert why in done.sentence.why
