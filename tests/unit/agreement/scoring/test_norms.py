"""Norms as gold: read row by row, counted by relation, and scored over templates as scikit-learn and plain means do."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import average_precision_score

from agreement.analysis.score_probes import score_row
from agreement.errors import Refused
from agreement.figures.average_precision_by_frequency import draw
from agreement.report.score_tables import precision_by_frequency
from agreement.scoring.norms import Norms, entries_by_relation, query_id, read_norms
from agreement.scoring.probe_file import read_probe
from agreement.scoring.probe_format import ProbeOptions
from agreement.scoring.score import score_probe

NORMS = """concept,relation,feature,type,pf
fern,is,green,visual-perceptual,29
fern,has,leaves,visual perceptual,12
cherry,has a,stalk,visual perceptual,17
cherry,is,red,visual perceptual,25
cherry,is,round,visual perceptual,9
cherry,is,sweet,other perceptual,14
polar_bear,is,white,visual perceptual,22
polar_bear,has,fur,visual perceptual,3
vase,is made of,glass,visual perceptual,6
"""
WORDS = ["green", "red", "white", "round", "leaves", "stalk", "fur", "glass"]


def norms_in(tmp_path: Path, text: str = NORMS, **options: tuple[str, ...]) -> Norms:
    path = tmp_path / "norms.csv"
    path.write_text(text)
    return read_norms(path, **options)


def test_concepts_and_relations_are_queries(tmp_path: Path) -> None:
    norms = norms_in(tmp_path)

    queries = norms.queries()

    assert queries["cherry", "is"] == {"red": 25, "round": 9, "sweet": 14}
    assert queries["polar bear", "has"] == {"fur": 3}
    assert ("vase", "made of") in queries
    assert query_id("polar bear", "has a") == "polar-bear--has-a"
    assert set(norms.gold("list").fields["relation"]) == {"is", "has", "has a", "made of"}


def test_only_the_types_asked_for_count(tmp_path: Path) -> None:
    norms = norms_in(tmp_path, types=("visual perceptual",))

    assert norms.queries()["cherry", "is"] == {"red": 25, "round": 9}
    with pytest.raises(Refused, match="no line is of type taxonomic"):
        norms_in(tmp_path, types=("taxonomic",))


def test_entries_are_counted_by_least_number_and_relation(tmp_path: Path) -> None:
    table = entries_by_relation((line.relation, line.pf) for line in norms_in(tmp_path).lines)

    assert list(table.columns) == ["pf", "all", "has", "has a", "made of", "is"]
    assert table.to_numpy().tolist() == [
        [2, 9, 2, 1, 1, 5],
        [5, 8, 1, 1, 1, 5],
        [10, 6, 1, 1, 0, 4],
        [20, 3, 0, 0, 0, 3],
        [30, 0, 0, 0, 0, 0],
    ]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (
            "fern,used for,cooking,functional,3",
            "row 11, column relation: 'used for' is none of the relations has, has a, is, made of",
        ),
        ("fern,is,tall,pretty,3", "row 11, column type: 'pretty' is none of visual perceptual"),
        ("fern,is,tall,,0", "row 11, column pf: '0' is not a whole number of people"),
        ("fern,is,tall,,2.5", "row 11, column pf: '2.5' is not a whole number of people"),
        ("fern,is,,,3", "row 11, column feature: it is blank"),
        (",is,tall,,3", "row 11, column concept: it is blank"),
        ("Fern,is,Green,,4", "row 11, 'fern is green' stands in row 2 already"),
        ("fern,is", "row 11, 2 cells where the header names 5 columns"),
    ],
)
def test_a_bad_row_is_refused_by_its_number(tmp_path: Path, row: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        norms_in(tmp_path, f"{NORMS}{row}\n")

    assert len(refused.value.reasons) == 1
    assert said in refused.value.reasons[0]


def test_a_relation_that_is_named_is_known(tmp_path: Path) -> None:
    text = f"{NORMS}fern,used for,cooking,functional,3\n"

    norms = norms_in(tmp_path, text, relations=("has", "has a", "made of", "is", "used for"))

    assert norms.queries()["fern", "used for"] == {"cooking": 3}


def test_a_missing_column_is_said(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="there is no column relation and no column pf"):
        norms_in(tmp_path, "concept,feature\na,b\n")


def a_probe(tmp_path: Path, norms: Norms, templates: int = 9) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    rows = [
        (query_id(*query), f"t{template}", word, round(float(rng.normal() + 1.5 * (word in named)), 3))
        for template in range(templates)
        for query, named in norms.queries().items()
        for word in (*WORDS, "xylophone")
    ]
    frame = pd.DataFrame(rows, columns=["item_id", "template", "candidate", "score"])
    frame.to_csv(tmp_path / "model.csv", index=False)
    return frame


def test_average_precision_over_allowed_words_templates_and_frequencies(tmp_path: Path) -> None:
    norms = norms_in(tmp_path, types=("visual perceptual",))
    frame = a_probe(tmp_path, norms)
    options = ProbeOptions(allowed="\n".join(WORDS))

    probe = read_probe(tmp_path / "model.csv", norms.items("list"), options=options)
    done = score_probe(probe, norms.gold("list"), norms.items("list"))

    table = precision_by_frequency(score_row(done.probe, score) for score in done.scores)
    assert table["pf"].tolist() == [2, 5, 10, 20, 30]
    for line in table.iloc[:4].to_dict("records"):
        means = []
        for _, of_template in frame.groupby("template"):
            each = []
            for query, named in norms.queries().items():
                rows = of_template[of_template["item_id"] == query_id(*query)].set_index("candidate")["score"]
                gold = [named.get(word, 0) >= line["pf"] for word in WORDS]
                if any(gold):
                    each.append(average_precision_score(gold, rows[WORDS]))
            means.append(np.mean(each))
        assert line["average_precision"] == pytest.approx(np.mean(means), abs=1e-12)
        assert line["sd"] == pytest.approx(np.std(means, ddof=1), abs=1e-12)
        assert line["templates"] == 9
        assert line["queries"] == sum(max(named.values()) >= line["pf"] for named in norms.queries().values())
    assert np.isnan(table["average_precision"].iloc[4])
    assert done.notes == ("scored over the 8 allowed words; 1 other candidates are left aside",)
    by_template = precision_by_frequency((score_row("m", score) for score in done.scores), "template")
    assert by_template[by_template["pf"] == 2]["average_precision"].mean() == pytest.approx(
        table["average_precision"][0]
    )
    figure = draw(table)
    assert "random order" in set(figure.rows["model"])
    assert "one sd over templates" in figure.caption


def test_gold_that_is_no_allowed_word_is_counted_in_a_note(tmp_path: Path) -> None:
    norms = norms_in(tmp_path)
    a_probe(tmp_path, norms, templates=1)

    probe = read_probe(
        tmp_path / "model.csv", norms.items("list"), options=ProbeOptions(allowed="green\nred\nnever said")
    )
    done = score_probe(probe, norms.gold("list"), norms.items("list"))

    assert probe.vocabulary == ("green", "red", "never said")
    assert "7 of the gold's 9 properties are no allowed words and count nowhere" in done.notes[1]
    score = done.overall()["average_precision_at_2"]
    assert score.n == 2
