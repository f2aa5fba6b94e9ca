"""Log probabilities by term and context become a perplexity per cell, a matrix of vectors, and scores of pairs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import spatial, stats

from agreement.errors import Refused
from agreement.estimation.estimate import Estimate
from agreement.scoring.probe import Probe, StudyItems
from agreement.scoring.probe_file import read_probe
from agreement.scoring.probe_format import ProbeOptions
from agreement.scoring.score import score_probe
from agreement.scoring.score_gold import Gold
from agreement.scoring.vectors import Transform, similarities, transform_vectors
from tests.integration.agreement.analyse_file.command import needs_shared_data, read_rows, shared

HEADER = "sentence_id,token,logprob,term,context"
TERMS = ("above", "below", "on")
# Two sentences in each context, of two tokens and of one: bits per token of each term in each context.
BITS: Mapping[tuple[str, str], Sequence[float]] = {
    ("above", "above"): (1, 1, 1), ("below", "above"): (2, 2, 5), ("on", "above"): (3, 1, 2),
    ("above", "below"): (2, 4, 3), ("below", "below"): (1, 0, 2), ("on", "below"): (2, 2, 2),
}  # fmt: skip


THEIRS: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
    "cosine": lambda a, b: float(1 - spatial.distance.cosine(a, b)),
    "euclidean": lambda a, b: -float(spatial.distance.euclidean(a, b)),
    "spearman": lambda a, b: float(stats.spearmanr(a, b).statistic),
}


def study(terms: tuple[str, ...] = TERMS, aliases: dict[str, str] | None = None) -> StudyItems:
    pairs = [*combinations(terms, 2)]
    return items_of([left for left, _ in pairs], [right for _, right in pairs], aliases or {})


def items_of(left: Sequence[str], right: Sequence[str], aliases: Mapping[str, str]) -> StudyItems:
    def column(cells: Iterable[str]) -> np.ndarray:
        return np.array([*cells], dtype=object)

    return StudyItems(
        "slider",
        column(f"{a}--{b}" for a, b in zip(left, right, strict=True)),
        left=column(left),
        right=column(right),
        left_alias=column(aliases.get(term, "") for term in left),
        right_alias=column(aliases.get(term, "") for term in right),
    )


def tokens(bits: Mapping[tuple[str, str], Sequence[float]] = BITS) -> str:
    rows = [
        f"s{0 if at < 2 else 1},w{at},{-given},{term},{context}"
        for (term, context), each in bits.items()
        for at, given in enumerate(each)
    ]
    return "\n".join(rows) + "\n"


def read(folder: Path, rows: str, header: str = HEADER, items: StudyItems | None = None, **options: str) -> Probe:
    path = folder / "lp.csv"
    path.write_text(f"{header}\n{rows}", encoding="utf-8")
    return read_probe(path, items or study(), options=ProbeOptions(**{"log_base": "2", **options}))


def matrix(probe: Probe) -> np.ndarray:
    vectors = probe.runs[0].vectors
    assert vectors is not None
    assert vectors.terms == TERMS
    assert vectors.contexts == ("above", "below")
    return vectors.values


def test_a_cell_is_the_perplexity_of_its_tokens(tmp_path: Path) -> None:
    expected = [[2 ** (sum(BITS[term, context]) / 3) for context in ("above", "below")] for term in TERMS]

    probe = read(tmp_path, tokens())

    assert matrix(probe) == pytest.approx(np.array(expected))
    assert "perplexity in token form" in probe.notes[0]
    assert "3 terms x 2 contexts" in probe.notes


def test_the_sentence_form_is_the_perplexity_of_its_sentences(tmp_path: Path) -> None:
    expected = [[2 ** (sum(BITS[term, context]) / 2) for context in ("above", "below")] for term in TERMS]

    probe = read(tmp_path, tokens(), perplexity_form="sentence")

    assert matrix(probe) == pytest.approx(np.array(expected))
    assert "perplexity in sentence form" in probe.notes[0]


@pytest.mark.parametrize(("base", "log"), [("e", np.log(2)), ("10", np.log10(2))])
def test_the_base_of_the_logarithms_changes_nothing(tmp_path: Path, base: str, log: float) -> None:
    other = {cell: tuple(bits * log for bits in each) for cell, each in BITS.items()}

    assert matrix(read(tmp_path, tokens(other), log_base=base)) == pytest.approx(matrix(read(tmp_path, tokens())))


def test_end_and_padding_tokens_are_left_out_of_the_token_form_and_that_is_said(tmp_path: Path) -> None:
    ends = "".join(f"s1,{token},-9,{term},{context}\n" for term, context in BITS for token in ("</s>", "<pad>"))

    with_ends = read(tmp_path, tokens() + ends)

    assert matrix(with_ends) == pytest.approx(matrix(read(tmp_path, tokens())))
    assert "12 of 30 tokens are end or padding tokens, which the token form leaves out" in with_ends.notes
    by_sentence = read(tmp_path, tokens() + ends, perplexity_form="sentence")
    assert matrix(by_sentence)[0, 0] == pytest.approx(2 ** ((3 + 18) / 2))


@given(seed=st.integers(0, 2**32 - 1))
def test_the_order_of_the_rows_changes_no_more_than_the_last_digit(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    lines = tokens().splitlines()
    np.random.default_rng(seed).shuffle(lines)
    folder = tmp_path_factory.mktemp("rows")

    assert matrix(read(folder, "\n".join(lines))) == pytest.approx(matrix(read(folder, tokens())), rel=1e-12)


@pytest.mark.parametrize("transform", ["raw", "log", "inverse", "column-z", "column-share"])
@pytest.mark.parametrize("similarity", ["cosine", "euclidean", "spearman"])
def test_pairs_are_scored_by_the_rows_of_the_matrix(tmp_path: Path, transform: Transform, similarity: str) -> None:
    bits = {(term, context): (ord(term[0]) % 7 + at, at % 3, 2) for term in TERMS for at, context in enumerate("abcd")}
    probe = read(tmp_path, tokens(bits), transform=transform, similarity=similarity)

    vectors = probe.runs[0].vectors
    assert vectors is not None
    made = transform_vectors(vectors.values, transform)
    expected = [
        THEIRS[similarity](made[TERMS.index(left)], made[TERMS.index(right)]) for left, right in combinations(TERMS, 2)
    ]
    assert probe.runs[0].values == pytest.approx(np.array(expected), nan_ok=True)


def test_every_hole_is_named(tmp_path: Path) -> None:
    bits = {cell: each for cell, each in BITS.items() if cell not in {("on", "below"), ("below", "above")}}

    with pytest.raises(Refused) as refused:
        read(tmp_path, tokens(bits))

    assert list(refused.value.reasons) == [
        "lp.csv: term 'below' has no tokens in context 'above', which 2 other terms have",
        "lp.csv: term 'on' has no tokens in context 'below', which 2 other terms have",
    ]


def test_a_cell_of_end_tokens_alone_is_a_hole(tmp_path: Path) -> None:
    bits = {cell: each for cell, each in BITS.items() if cell != ("on", "below")}

    with pytest.raises(Refused, match="term 'on' has no tokens in context 'below'"):
        read(tmp_path, tokens(bits) + "s0,</s>,-1,on,below\n")


def test_a_context_with_one_term_is_named(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        read(tmp_path, tokens({**BITS, ("on", "in"): (1, 1, 1)}))

    [reason] = refused.value.reasons
    assert "context 'in' has one term alone, 'on'" in reason


def test_log_probabilities_above_0_and_blank_names_are_named_by_row(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        read(tmp_path, "s0,a,0.5,on,by\ns0,a,-1,,by\ns0,a,-1,on, \n,a,-1,on,by\n")

    said = "\n".join(refused.value.reasons)
    assert "lp.csv, row 2, column logprob: '0.5' is above 0" in said
    assert "lp.csv, row 3, column term: '' is not a term" in said
    assert "lp.csv, row 4, column context: ' ' is not a context" in said
    assert "lp.csv, row 5, column sentence_id: '' is not an id" in said


@pytest.mark.parametrize(
    ("logprob", "form", "why"),
    [
        ("-inf", "token", "its perplexity is infinite, for a token has probability 0"),
        ("-5000", "sentence", "its perplexity is too large to write; use the token form"),
    ],
)
def test_a_cell_without_a_finite_perplexity_is_named(tmp_path: Path, logprob: str, form: str, why: str) -> None:
    with pytest.raises(Refused) as refused:
        read(tmp_path, tokens() + f"s9,a,{logprob},on,below\n", perplexity_form=form)

    assert list(refused.value.reasons) == [f"lp.csv: term 'on' in context 'below': {why}"]


@pytest.mark.parametrize("name", ["term", "item_id", "logprob"])
def test_a_context_that_could_not_be_a_column_of_vectors_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Refused, match=f"context '{name}': a file of vectors can't have a column of that name"):
        read(tmp_path, tokens() + f"s0,a,-1,on,{name}\ns0,a,-1,above,{name}\n")


def test_templates_are_runs_and_other_columns_settings(tmp_path: Path) -> None:
    rows = "".join(
        f"{line},{template},{shots}\n" for line in tokens().splitlines() for template in "xy" for shots in "04"
    )

    probe = read(tmp_path, rows, f"{HEADER},template,shots")

    assert len(probe.runs) == 4
    assert probe.settings == ((("shots", "0"),), (("shots", "4"),))


def test_few_and_uneven_sentences_are_said(tmp_path: Path) -> None:
    probe = read(tmp_path, tokens() + "s2,a,-1,on,below\n")

    assert "2 of 2 contexts have fewer than 100 sentences for some term" in probe.notes
    assert "in 1 of 2 contexts the terms differ in how many sentences they have" in probe.notes


def test_terms_are_found_by_their_alias_and_those_without_a_vector_are_named(tmp_path: Path) -> None:
    path = tmp_path / "vectors.csv"
    path.write_text("term,a,b,c\nnear,1,2,4\non,2,1,3\nnext to,3,1,2\n")
    items = study(("near to", "on", "next to", "far from"), {"near to": "near", "next to": "beside"})

    probe = read_probe(path, items)

    vectors = np.array([[1, 2, 4], [2, 1, 3], [3, 1, 2]], dtype=np.float64)
    expected = similarities(vectors, np.array([0, 0, 1]), np.array([1, 2, 2]), "cosine")
    assert probe.runs[0].values[[0, 1, 3]] == pytest.approx(expected)
    assert np.isnan(probe.runs[0].values[[2, 4, 5]]).all()
    assert probe.notes[1:] == (
        "terms found by their alias: near to as near",
        "3 of 6 items have a term without a vector: far from",
    )


# Column-share.


@given(
    st.lists(
        st.lists(st.floats(0.01, 1e6), min_size=3, max_size=3),
        min_size=2,
        max_size=6,
    ),
    st.lists(st.floats(0.01, 1e3), min_size=3, max_size=3),
)
def test_column_share_forgets_the_size_of_a_context(rows: list[list[float]], factors: list[float]) -> None:
    """A context whose sentences are all twice as perplexing weighs no more; every row has length 1."""
    vectors = np.array(rows)
    made = transform_vectors(vectors, "column-share")

    assert np.linalg.norm(made, axis=1) == pytest.approx(1.0)
    assert transform_vectors(vectors * np.array(factors), "column-share") == pytest.approx(made, rel=1e-6)


def test_column_share_by_loops() -> None:
    vectors = np.random.default_rng(3).uniform(1, 900, (5, 4))

    made = transform_vectors(vectors, "column-share")

    for i in range(5):
        shares = np.array([vectors[i, j] / sum(vectors[k, j] for k in range(5)) for j in range(4)])
        assert made[i] == pytest.approx(shares / np.sqrt(sum(shares**2)))


def test_column_share_refuses_what_it_cannot_divide_by(tmp_path: Path) -> None:
    path = tmp_path / "vectors.csv"
    path.write_text("term,a,b\non,1,0\nabove,-2,0\n")

    with pytest.raises(Refused) as refused:
        read_probe(path, study(), options=ProbeOptions(transform="column-share"))

    said = "\n".join(refused.value.reasons)
    assert "vectors.csv, row 3, column a: '-2' is below 0" in said
    assert "column b sums to 0" in said
    assert read_probe(path, study()).shape == "numbers"


PUBLISHED = {"column-share": 0.201, "raw": 0.195, "log": 0.176, "inverse": 0.147, "column-z": 0.324}


@needs_shared_data
@pytest.mark.parametrize("transform", PUBLISHED)
def test_published_p_vectors_against_peoples_similarities(transform: str) -> None:
    """Ghanimifard and Dobnik (2019) print .19 over 55 pairs, with shares of columns; *far from* has no vector."""
    rows = read_rows(shared("spatial/human-similarity.csv"))
    left, right = ([row[side] for row in rows] for side in ("left", "right"))
    items = items_of(left, right, {"near to": "near", "away from": "away"})
    gold = Gold("slider", items.ids, numbers=np.array([float(row["relative_mean"]) for row in rows]))

    probe = read_probe(shared("spatial/p-vectors.csv"), items, options=ProbeOptions(transform=transform))
    scored = score_probe(probe, gold, items).overall()["spearman"]

    assert isinstance(scored.figure, Estimate)
    assert (scored.n, round(scored.figure.estimate, 3)) == (55, PUBLISHED[transform])
    assert "11 of 66 items have a term without a vector: far from" in probe.notes
