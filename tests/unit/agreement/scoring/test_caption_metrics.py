"""BLEU-1 to 4, ROUGE-L (COCO), METEOR and CIDEr-D: worked cases, sacrebleu, and plain loops over the definitions."""

import json
import time
from collections import Counter
from math import exp, log, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from agreement.arrays import Floats
from agreement.estimation.estimate import Estimate, Undefined
from agreement.scoring.caption_metrics import caption_figures, rows_against_all, rows_without_one
from agreement.scoring.jackknifed_metric import JackknifedMetric, units_of
from agreement.scoring.metric import Outputs
from agreement.scoring.metrics import measured_parts
from agreement.scoring.probe import Probe, Run
from agreement.scoring.score_gold import Gold
from agreement.scoring.text_metrics import align_words, meteor, stem_of, words_of
from agreement.scoring.text_pairs import CIDER_D, METEOR, PRECISION, ROUGE_L, ROWS, TextCorpus, TextRows, pairs_within

CASE = json.loads((Path(__file__).parents[3] / "cases" / "captions" / "three-items.json").read_text())
TEXTS = [item["text"] for item in CASE["items"]]
REFERENCES = [item["references"] for item in CASE["items"]]

WORD = st.sampled_from(["a", "the", "cat", "cats", "sat", "on", "mat", "mats", "running", "runs", "run"])
TEXT = st.lists(WORD, max_size=9).map(" ".join)
ITEM = st.tuples(TEXT, st.lists(TEXT.filter(bool), min_size=1, max_size=4))
ITEMS = st.lists(ITEM, min_size=2, max_size=5)


def rows(texts: list[str], references: list[list[str]]) -> Floats:
    return rows_against_all(TextCorpus.of(texts, references, str.split), texts, references)


def figures(texts: list[str], references: list[list[str]]) -> dict[str, float]:
    measured = measures(texts, references)
    return {name: one.theta for name, one in measured.items()}


def measures(texts: list[str], references: list[list[str]], **fields: Any) -> dict[str, JackknifedMetric]:
    n = len(texts)
    gold = Gold("text", np.arange(n).astype(str).astype(object), texts=tuple(map(tuple, references)), fields=fields)
    run = Run({}, np.zeros(0), tuple(texts))
    outputs = Outputs(Probe("p", "texts", (run,)), run, gold, np.arange(n), np.ones(n, dtype=np.bool_), units_of(gold))
    return measured_parts(outputs, [np.arange(n)])[0]


def test_the_worked_items() -> None:
    found = rows(TEXTS, REFERENCES)

    for name, column in (("cider_d", CIDER_D), ("rouge_l", ROUGE_L), ("meteor", METEOR), ("precision", PRECISION)):
        assert found[:, column] == pytest.approx([item[name] for item in CASE["items"]], abs=5e-7)


def test_the_worked_corpus() -> None:
    found = figures(TEXTS, REFERENCES)

    assert [found[f"bleu_{n}"] for n in range(1, 5)] == pytest.approx(
        [CASE["corpus"][f"bleu_{n}"] for n in range(1, 5)], abs=5e-5
    )
    assert [found[f"bleu_precision_{n}"] for n in range(1, 5)] == pytest.approx(CASE["precisions"], abs=5e-4)
    assert found["bleu_brevity_penalty"] == pytest.approx(CASE["brevity_penalty"], abs=5e-4)
    assert found["cider_d"] == pytest.approx(CASE["corpus"]["cider_d"], abs=5e-7)
    parts = found["bleu_4"] + found["meteor_exact_stem"] + found["rouge_l_coco"] + found["cider_d"] / 10
    assert found["mean_of_four"] == pytest.approx(parts / 4, abs=1e-12)


@settings(deadline=None)
@given(ITEMS)
def test_bleu_of_every_order_is_sacrebleus(items: list[tuple[str, list[str]]]) -> None:
    texts, references = [text for text, _ in items], [refs for _, refs in items]
    most = max(map(len, references))
    streams: Any = [[refs[at] if at < len(refs) else None for refs in references] for at in range(most)]
    total = rows(texts, references).sum(axis=0)[None]

    ours = caption_figures(total, len(texts))[0]

    for n in range(1, 5):
        theirs = BLEU(tokenize="none", smooth_method="none", max_ngram_order=n).corpus_score(texts, streams)
        assert ours[n - 1] == pytest.approx(theirs.score / 100, abs=1e-9)
        assert ours[8] == pytest.approx(theirs.bp, abs=1e-9) or not any(texts)
        assert np.nan_to_num(ours[3 + n]) == pytest.approx(theirs.precisions[-1] / 100, abs=1e-9)


def plain_cider_d(texts: list[str], references: list[list[str]]) -> list[float]:
    """As the definition has it, n-gram by n-gram."""

    def grams(text: str, n: int) -> Counter[tuple[str, ...]]:
        words = text.split()
        return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))

    df = Counter(
        gram for refs in references for gram in {gram for text in refs for n in range(1, 5) for gram in grams(text, n)}
    )

    def weighted(text: str, n: int) -> dict[tuple[str, ...], float]:
        return {g: k * (log(len(references)) - log(max(1, df[g]))) for g, k in grams(text, n).items()}

    def of_pair(text: str, reference: str) -> float:
        found = []
        for n in range(1, 5):
            c, r = weighted(text, n), weighted(reference, n)
            norms = [sqrt(sum(w * w for w in side.values())) for side in (c, r)]
            product = sum(min(c[g], r[g]) * r[g] for g in c.keys() & r.keys())
            found.append(product / (norms[0] * norms[1]) if all(norms) else 0.0)
        apart = len(text.split()) - len(reference.split())
        return 10 * sum(found) / 4 * exp(-(apart**2) / 72)

    return [sum(of_pair(text, each) for each in refs) / len(refs) for text, refs in zip(texts, references, strict=True)]


@settings(deadline=None)
@given(ITEMS)
def test_cider_d_is_its_definition(items: list[tuple[str, list[str]]]) -> None:
    texts, references = [text for text, _ in items], [refs for _, refs in items]

    assert rows(texts, references)[:, CIDER_D] == pytest.approx(plain_cider_d(texts, references), abs=1e-9)


@settings(deadline=None)
@given(ITEM)
def test_rouge_l_and_precision_are_their_definitions(item: tuple[str, list[str]]) -> None:
    text, references = item
    words = text.split()

    def common(a: list[str], b: list[str]) -> int:
        if not a or not b:
            return 0
        return 1 + common(a[1:], b[1:]) if a[0] == b[0] else max(common(a[1:], b), common(a, b[1:]))

    lengths = [(common(words, each.split()), len(each.split())) for each in references]
    P, R = max(each / max(len(words), 1) for each, _ in lengths), max(each / size for each, size in lengths)
    found = rows([text], [references])[0]

    assert found[ROUGE_L] == pytest.approx(2.44 * P * R / (R + 1.44 * P) if P * R else 0.0, abs=1e-12)
    known = {word for each in references for word in each.split()}
    assert found[PRECISION] == pytest.approx(sum(word in known for word in words) / max(len(words), 1), abs=1e-12)


def test_an_unclipped_precision_forgives_what_a_clipped_one_does_not() -> None:
    found = figures(["the the the the", "a dog"], [["the cat"], ["a dog"]])

    assert found["translation_precision"] == pytest.approx((1 + 1) / 2)
    assert found["translation_precision_clipped"] == pytest.approx((0.25 + 1) / 2)


def stemmed(text: str) -> list[str]:
    return [stem_of(word) for word in text.split()]


@pytest.mark.parametrize(
    ("text", "reference", "matches", "runs"),
    [
        ("the cat sat on the mat", "the cat sat on the mat", 6, 1),
        ("the cat sat on the mat", "on the mat sat the cat", 6, 3),  # greedy from the left has more
        ("dogs run", "a dog running", 2, 1),  # by stems alone
        ("dog dogs", "dogs", 1, 1),
        ("a b", "c d", 0, 0),
        ("a a a a a a a a a a a a", "a a a a a a a a a a a a", 12, 1),
        ("b a b a", "a b", 2, 1),  # the words in the middle
    ],
)
def test_meteor_aligns_most_words_in_the_fewest_runs(text: str, reference: str, matches: int, runs: int) -> None:
    assert align_words(text.split(), stemmed(text), reference.split(), stemmed(reference)) == (matches, runs)


def test_meteor_takes_an_equal_word_before_one_of_the_same_stem() -> None:
    """Both leave one run: "runs" is to be matched with "runs"."""
    assert align_words(["run", "x", "runs"], ["run", "x", "run"], ["runs"], ["run"]) == (1, 1)
    same = ["the", "dogs", "run"]
    assert meteor(same, stemmed("the dogs run"), same, stemmed("the dogs run")) == pytest.approx(1 - 0.5 / 27)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A dog, running!", ["a", "dog", "running"]),
        ("cafe\u0301 \u201cna\u00efve\u201d", ["caf\u00e9", "na\u00efve"]),
        (
            "\u0915\u0941\u0924\u094d\u0924\u093e \u0926\u094c\u0921\u093c\u0924\u093e",
            None,
        ),  # vowel signs stay in words
        ("it\u2019s -- well-known, 1,000.5", ["it's", "well-known", "1,000.5"]),
        ("?! ...", []),
    ],
)
def test_words(text: str, expected: list[str] | None) -> None:
    assert words_of(text) == expected if expected is not None else len(words_of(text)) == 2


@settings(deadline=None)
@given(ITEMS)
def test_left_out_references_give_what_a_corpus_without_them_gives(items: list[tuple[str, list[str]]]) -> None:
    """But for CIDEr-D, whose weights are those of all references."""
    texts, references = [text for text, _ in items], [refs for _, refs in items]
    corpus = TextCorpus.of(texts, references, str.split)

    found = rows_without_one(corpus, texts, references)

    for at, (text, refs) in enumerate(zip(texts, references, strict=True)):
        if len(refs) < 2:
            assert not found[at].any()
            continue
        fewer = [refs[:k] + refs[k + 1 :] for k in range(len(refs))]
        each = rows_against_all(TextCorpus.of([text] * len(fewer), fewer, str.split), [text] * len(fewer), fewer)
        apart = [column for column in range(each.shape[1]) if column != CIDER_D]
        assert found[at][apart] == pytest.approx(each.mean(axis=0)[apart], abs=1e-9)
        assert found[at][ROWS] == 1
    whole = rows_against_all(corpus, texts, references)
    several = np.array([len(refs) > 1 for refs in references])
    assert found[several, CIDER_D] == pytest.approx(whole[several, CIDER_D], abs=1e-9)  # a mean over references


def test_a_row_without_a_kept_reference_counts_nowhere() -> None:
    corpus = TextCorpus.of(TEXTS, REFERENCES)
    row, reference = pairs_within(np.array([0, 0, 1]), np.array([0, 1, 2]))
    made = TextRows.paired(corpus, TEXTS, row, reference, TEXTS)

    assert made.summed()[:, ROWS].tolist() == [1, 1, 0]
    assert made.summed(np.array([True, False, True]))[:, ROWS].tolist() == [0, 1, 0]


def test_each_item_left_out_is_the_corpus_without_it() -> None:
    found = measures(TEXTS, REFERENCES)

    for at in range(3):
        rest = [i for i in range(3) if i != at]
        fewer = figures([TEXTS[i] for i in rest], [REFERENCES[i] for i in rest])
        for name in ("bleu_2", "rouge_l_coco", "meteor_exact_stem", "bleu_precision_1", "translation_precision"):
            assert found[name].without[at] == pytest.approx(fewer[name], abs=1e-12)
    items = rows(TEXTS, REFERENCES)[:, CIDER_D]
    assert found["cider_d"].without == pytest.approx((items.sum() - items) / 2)  # its weights are held


def test_captions_of_one_picture_are_left_out_together() -> None:
    cluster = np.array(["p", "p", "q"], dtype=object)
    found = measures(TEXTS, REFERENCES, cluster=cluster)["rouge_l_coco"]

    each = [item["rouge_l"] for item in CASE["items"]]
    assert (found.units, found.size, found.n) == ("clusters", 2, 3)
    assert found.without == pytest.approx([each[2], (each[0] + each[1]) / 2], abs=1e-6)


def test_cider_d_of_one_item_is_undefined_in_words() -> None:
    found = measures(TEXTS[:1], REFERENCES[:1])

    for name in ("cider_d", "mean_of_four", "cider_d_without_one", "mean_of_four_without_one"):
        figure = found[name].figure(1, name)
        assert isinstance(figure, Undefined)
        assert "there is one item" in figure.why
    assert isinstance(found["bleu_1"].figure(1, "bleu_1"), Estimate)


def test_items_with_one_reference_have_no_figure_without_it() -> None:
    few = [refs[:1] for refs in REFERENCES]
    figure = measures(TEXTS, few)["bleu_1_without_one"].figure(3, "bleu_1_without_one")
    assert isinstance(figure, Undefined)
    assert "no item has two references" in figure.why

    one = measures(TEXTS, [few[0], *REFERENCES[1:]])["bleu_1_without_one"]
    assert (one.n, one.size) == (2, 2)
    assert "1 of 3 items left out" in one.note


def test_precisions_of_an_order_that_no_text_has_are_undefined() -> None:
    found = measures(["a", "b"], [["a b", "a"], ["b", "c"]])

    figure = found["bleu_precision_2"].figure(2, "bleu_precision_2")
    assert isinstance(figure, Undefined)
    assert "no text has 2 words" in figure.why
    assert (found["bleu_1"].theta, found["bleu_2"].theta) == (1.0, 0.0)


@pytest.mark.slow
def test_five_thousand_captions_with_five_references_take_seconds() -> None:
    rng = np.random.default_rng(1)
    vocabulary = np.array([f"w{at}" for at in range(3000)])
    p = 1 / np.arange(1, 3001)
    said = [" ".join(rng.choice(vocabulary, 10, p=p / p.sum())) for _ in range(30_000)]
    references = [said[5 * at : 5 * at + 5] for at in range(5000)]

    begun = time.process_time()
    measures(said[25_000:], references)

    assert time.process_time() - begun < 20
