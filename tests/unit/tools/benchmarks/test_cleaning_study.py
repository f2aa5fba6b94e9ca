"""The study of cleaning rules: its crowds are what they are said to be, and few of them show what the page says."""

import pandas as pd
import pytest

from agreement.cleaning.rule_set import built_in_names, load_rules
from agreement.simulation.simulated_people import CAREFUL, VICES
from tools import place
from tools.benchmarks.cleaning_page import BEGIN, END, PAGE, with_results
from tools.benchmarks.cleaning_study import DESIGNS, Task, a_study, judged, results, rule_sets
from tools.benchmarks.cleaning_study_figure import draw


@pytest.mark.parametrize("name", DESIGNS)
def test_everybody_answers_what_the_design_says(name: str) -> None:
    design = DESIGNS[name]()

    crowd, vices = a_study(design, CAREFUL, 5)

    per_person = design.per_person + len(design.checks) + 1
    assert set(vices) == {CAREFUL}
    assert crowd.n_judgments == design.workers * per_person
    judgments = crowd.items["item_id"].map(pd.Series(crowd.item).map(crowd.items["item_id"]).value_counts())
    assert set(judgments[crowd.items["kind"] == "target"]) == {design.judgments_per_item}


@pytest.mark.parametrize("name", DESIGNS)
def test_a_seed_is_a_study(name: str) -> None:
    design = DESIGNS[name]()

    first, again, other = (a_study(design, VICES["random"], seed)[0] for seed in (1, 1, 2))

    assert first.answers.tolist() == again.answers.tolist()  # type: ignore[union-attr]
    assert first.answers.tolist() != other.answers.tolist()  # type: ignore[union-attr]


def test_every_shipped_rule_set_on_workers_is_judged() -> None:
    on_workers = {name for name in built_in_names() if load_rules(name).on_workers}

    assert on_workers <= {name for design in DESIGNS.values() for name in rule_sets(design())}
    assert "spatial-2019" not in rule_sets(DESIGNS["colours"]())


@pytest.mark.parametrize("design", DESIGNS)
def test_checks_find_who_clicks_anywhere_and_not_who_has_a_language_model_answer(design: str) -> None:
    recall = {}
    for vice in ("random", "passes-checks", "language-model"):
        [row] = [row for row in judged(Task(design, vice, range(5))) if row["rules"] == "own-bounds"]
        recall[vice] = row["found"] / row["with_vice"]

    assert recall["random"] > 0.8
    assert max(recall["passes-checks"], recall["language-model"]) < 0.1  # now and then one slips


@pytest.mark.slow
def test_rows_become_a_figure_and_a_page() -> None:
    table = results(1, 3, 1)

    figure = draw(table)
    page = with_results(f"before\n{BEGIN}\nold\n{END}\nafter\n", table, 3)

    assert len(figure.rows) == len(table) == len(VICES) * sum(len(rule_sets(design())) for design in DESIGNS.values())
    assert page.startswith("before\n")
    assert page.endswith("after\n")
    assert "old" not in page
    assert "| own-bounds | " in page


def test_each_vice_has_a_row_of_its_page_and_a_column_of_the_study() -> None:
    pages = (PAGE.read_text(), (place.ROOT / "agreement" / "simulation" / "README.md").read_text())
    for vice in VICES:
        assert f" {vice} |" in pages[0]
        assert f"| `{vice}` |" in pages[1]
