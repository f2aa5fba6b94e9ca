"""The glossary: every term that pages show has one plain sentence, and no name two of them."""

import pytest

from agreement.kinds.registry import KINDS
from agreement.kinds.statistics import statistics_of
from agreement.report.figure_rows import INCLUSIVE, NAMES, ceiling_figures
from agreement.report.glossary import GLOSSARY, Term, sentence_on
from agreement.report.verdict_rules import MEASURES
from agreement.scoring.metrics import METRICS, title_of
from tests.reports import small_report

LONGEST = 25  # words


@pytest.mark.parametrize("term", GLOSSARY.values(), ids=lambda term: term.name)
def test_each_term_has_one_short_sentence(term: Term) -> None:
    assert term.sentence.endswith(".")
    assert term.sentence.count(". ") == 0
    assert len(term.sentence.split()) <= LONGEST


def test_no_name_is_explained_twice() -> None:
    names = [name.casefold() for term in GLOSSARY.values() for name in (term.name, *term.also)]
    assert sorted(set(names)) == sorted(names)


def test_what_reports_call_their_figures_is_explained() -> None:
    ceilings = [name for name, _ in ceiling_figures(small_report()) if not name.startswith("The same")]
    titles = [title_of(name) for name in METRICS]
    contested = [statistics_of(kind).contested_in for kind in KINDS]
    names = [*(name for name, _ in NAMES), *ceilings, *titles, *contested, INCLUSIVE, MEASURES["decided"].name]
    assert [name for name in names if not sentence_on(name)] == []
