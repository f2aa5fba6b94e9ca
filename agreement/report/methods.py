"""methods-details.md: an analysis in words, from the report and nothing else; and the paragraph for LaTeX."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import metadata

from ..files.cell_texts import synonyms_in_words
from ..files.numbers import in_digits
from ..judgments.property_coding import CodingSummary
from ..kinds.options import has_own_labels
from ..kinds.statistics import words_of
from ..on_request.further_analysis import further_paragraphs
from ..people.agreement_report import AgreementReport
from ..places import version
from .agreement_words import (
    agreement_paragraph,
    cross_checks,
    said_figure,
)
from .cleaning_report import cleaning_paragraph, several, warning_texts
from .collection import collection_text
from .figure_rows import paragraphs
from .paper_table import latex_text, with_note_on_letters
from .report import Report
from .score_words import people_paragraph, scores_paragraph, size_paragraph

# The methods paragraph.

__all__ = ["blank_looking", "methods_text", "said_figure"]

FURTHER_TITLE = "Other coefficients and pairs of workers."
NO_ANSWER = frozenset({"na", "n/a", "nan", "none", "null", "-", "?"})


def methods_text(report: Report) -> str:
    """methods-details.md: who judged what, by which rules it was cleaned, how gold and every figure were made."""
    further, pairs = list(further_paragraphs(report.results.further)), []
    if report.fixed_workers:  # the pairs of experts come first
        pairs = [one for one in further if one.startswith(FURTHER_TITLE)]
        further = [one for one in further if one not in pairs]
    paragraphs = [
        f"# Methods: {report.study}",
        _data(report),
        collection_text(report.collection),
        cleaning_paragraph(report),
        _gold(report),
        _coding(report.question.coding),
        *pairs,
        agreement_paragraph(report),
        people_paragraph(report),
        size_paragraph(report.results.size_threshold),
        scores_paragraph(report),
        *further,
        _warnings(report),
        _how(report),
    ]
    return "\n\n".join(filter(None, paragraphs)) + "\n"


def _data(report: Report) -> str:
    counts, question = report.counts, report.question
    ends = {} if question.scale is None else {"low": question.scale.low, "high": question.scale.high}
    scale = {end: in_digits(number) for end, number in ends.items()}
    n_labels = len(question.labels)
    words = words_of(question.kind)
    answer = words.answer.format(**scale, n_labels=n_labels)
    if has_own_labels(question.labels):
        answer = f"one of the item's own labels, of which an item has {n_labels} at most"
    elif n_labels == 1 and words.answer_of_one_label:
        answer = words.answer_of_one_label.format(label=question.labels[0])
    judgments, items = several(counts.judgments, "judgment"), several(counts.items, "item")
    gave = f"{several(counts.workers, 'worker')} gave {judgments} of {items}"
    said = [f"{gave}; an answer is {answer}."]
    if counts.check_judgments:
        answers = several(counts.check_judgments, "answer")
        said.append(f"They also gave {answers} to check items, which enter neither gold nor agreement.")
    repeats = question.repeats
    if repeats.answers:
        kept = {"keep": "each counts as a judgment", "mean": "the mean of a worker's answers counts"}
        told_by = "by its time" if repeats.told_by == "time" else "by its row in the file"
        counted = kept.get(repeats.policy, f"the {repeats.policy} of a worker's answers, {told_by}, counts")
        said.append(f"{repeats.answers:,} answers repeated an item that their worker had answered before: {counted}.")
    said += report.left_out_in_reading.notes if report.left_out_in_reading else ()
    if note := blank_looking(question.labels):
        said.append(note)
    if question.synonyms:
        said.append(f"Other spellings were taken for the labels: {synonyms_in_words(question.synonyms)}.")
    return " ".join(said)


def blank_looking(labels: Sequence[str]) -> str:
    """What is said of labels that other programs write where there is no answer; nothing where there is none.

    >>> blank_looking(["no", "None", "yes"])
    'The label None was taken for an answer like any other.'
    """
    found = [label for label in labels if label.casefold() in NO_ANSWER]
    if len(found) == 1:
        return f"The label {found[0]} was taken for an answer like any other."
    return f"The labels {', '.join(found)} were taken for answers like any other." if found else ""


def _coding(coding: CodingSummary | None) -> str:
    """Which coding of properties was applied; nothing where none was."""
    if coding is None:
        return ""
    spellings, n = several(coding.spellings - coding.left_out, "spelling"), coding.properties
    properties = f"{n:,} {'property' if n == 1 else 'properties'}"
    left_out = f" and left out {coding.left_out:,}" if coding.left_out else ""
    return (
        f"Before gold and agreement a researcher coded the properties ({coding.name}, SHA-256 {coding.sha256}):"
        f" the coding takes {spellings} for {properties}{left_out}. Of any other property the last word is the feature"
        " and the words before it are the relation."
    )


def _gold(report: Report) -> str:
    sha256 = f"The gold release's SHA-256 is {report.results.release.sha256}."
    cleaned = report.results.agreement.cleaned
    return f"{words_of(report.question.kind).gold_in(cleaned)}{_typical(report)} {sha256}"


def _typical(report: Report) -> str:
    """Said where the rule for typical labels is not the published one."""
    if report.rules.typical != "typical-viphy" or not report.question.labels:
        return ""
    return " An item's typical labels are those that the code released with ViPhy keeps (Singh et al. 2023)."


def _warnings(report: Report) -> str:
    return "\n".join(f"Warning: {text}" for text in warning_texts(report))


def _how(report: Report) -> str:
    made = ", ".join(f"{name} {version}" for name, version in report.versions.items() if name != "machine")
    bootstrapped = ""
    if _has_item_interval(report.results.agreement.cleaned):
        bootstrapped = (
            "report.json has intervals over items alone beside those of agreement, bootstrapped with"
            f" {report.replicates:,} replicates; they are for these workers."
        )
    seed = f"The seed is {report.seed}."
    return " ".join(filter(None, [bootstrapped, cross_checks(report), seed, f"Made with {made}."]))


def _has_item_interval(report: AgreementReport) -> bool:
    """Whether any figure of it has a bootstrapped interval."""
    of_labels = [
        *(label.fleiss_kappa.statistic for label in report.labels if label.fleiss_kappa is not None),
        *(alpha for label in report.labels for alpha in label.krippendorff_alpha.values()),
        *(one for label in report.labels for one in (label.icc1, label.icc1k, label.split_half) if one is not None),
    ]
    beside = [
        limits for one in (*report.statistics().values(), *of_labels) for limits in (one.item_percentile, one.item_bca)
    ]
    return any(limits is not None and limits.low is not None for limits in beside)


# What an analysis was made with: the versions that a reader needs to make it again.

_PACKAGES = ("numpy", "scipy", "pandas", "statsmodels", "krippendorff")


def versions() -> dict[str, str]:
    """Touchstone's, Python's and the numerical packages' versions, and the kind of machine."""
    return dict(_versions())


@cache
def _versions() -> Mapping[str, str]:
    """Read once: looking them up takes as long as a tenth of a small analysis."""
    found = {"touchstone": version(), "python": platform.python_version()}
    found |= {name: metadata.version(name) for name in _PACKAGES}
    return found | {"machine": f"{platform.system()} {platform.machine()}"}


# methods.tex and references.bib: the methods paragraph for LaTeX, and what a paper cites with it.

# Which entry a word of the methods paragraph asks for.
CITED = {
    "Krippendorff's alpha": "krippendorff2011",
    "Fleiss' kappa": "fleiss1971",
    "ICC(1,1)": "shrout1979",
    "Holm": "holm1979",
    "Dawid and Skene": "dawid1979",
    "Paun et al.": "paun2018",
    "Vehtari et al.": "vehtari2021",
    "Abercrombie et al.": "abercrombie2023",
    "Cameron and Miller": "cameron2015",
    "statsmodels": "seabold2010",
    "numpy": "harris2020",
    "scipy": "virtanen2020",
    "pandas": "mckinney2010",
}
ENTRIES = {
    "krippendorff2011": """@techreport{krippendorff2011,
  author = {Krippendorff, Klaus},
  title = {Computing {Krippendorff's} Alpha-Reliability},
  institution = {University of Pennsylvania},
  year = {2011}
}""",
    "fleiss1971": """@article{fleiss1971,
  author = {Fleiss, Joseph L.},
  title = {Measuring Nominal Scale Agreement among Many Raters},
  journal = {Psychological Bulletin},
  volume = {76},
  number = {5},
  pages = {378--382},
  year = {1971}
}""",
    "shrout1979": """@article{shrout1979,
  author = {Shrout, Patrick E. and Fleiss, Joseph L.},
  title = {Intraclass Correlations: Uses in Assessing Rater Reliability},
  journal = {Psychological Bulletin},
  volume = {86},
  number = {2},
  pages = {420--428},
  year = {1979}
}""",
    "holm1979": """@article{holm1979,
  author = {Holm, Sture},
  title = {A Simple Sequentially Rejective Multiple Test Procedure},
  journal = {Scandinavian Journal of Statistics},
  volume = {6},
  number = {2},
  pages = {65--70},
  year = {1979}
}""",
    "dawid1979": """@article{dawid1979,
  author = {Dawid, A. P. and Skene, A. M.},
  title = {Maximum Likelihood Estimation of Observer Error-Rates Using the {EM} Algorithm},
  journal = {Applied Statistics},
  volume = {28},
  number = {1},
  pages = {20--28},
  year = {1979}
}""",
    "paun2018": """@article{paun2018,
  author = {Paun, Silviu and Carpenter, Bob and Chamberlain, Jon and Hovy, Dirk and Kruschwitz, Udo and
    Poesio, Massimo},
  title = {Comparing {Bayesian} Models of Annotation},
  journal = {Transactions of the Association for Computational Linguistics},
  volume = {6},
  pages = {571--585},
  year = {2018}
}""",
    "vehtari2021": r"""@article{vehtari2021,
  author = {Vehtari, Aki and Gelman, Andrew and Simpson, Daniel and Carpenter, Bob and B{\"u}rkner, Paul-Christian},
  title = {Rank-Normalization, Folding, and Localization: An Improved {R-hat} for Assessing Convergence of {MCMC}},
  journal = {Bayesian Analysis},
  volume = {16},
  number = {2},
  pages = {667--718},
  year = {2021}
}""",
    "abercrombie2023": """@misc{abercrombie2023,
  author = {Abercrombie, Gavin and Rieser, Verena and Hovy, Dirk},
  title = {Consistency Is Key: Disentangling Label Variation in Natural Language Processing
    with Intra-Annotator Agreement},
  note = {arXiv 2301.10684},
  year = {2023}
}""",
    "cameron2015": """@article{cameron2015,
  author = {Cameron, A. Colin and Miller, Douglas L.},
  title = {A Practitioner's Guide to Cluster-Robust Inference},
  journal = {Journal of Human Resources},
  volume = {50},
  number = {2},
  pages = {317--372},
  year = {2015}
}""",
    "seabold2010": """@inproceedings{seabold2010,
  author = {Seabold, Skipper and Perktold, Josef},
  title = {statsmodels: Econometric and Statistical Modeling with {Python}},
  booktitle = {Proceedings of the 9th Python in Science Conference},
  pages = {92--96},
  year = {2010}
}""",
    "harris2020": """@article{harris2020,
  author = {Harris, Charles R. and others},
  title = {Array Programming with {NumPy}},
  journal = {Nature},
  volume = {585},
  pages = {357--362},
  year = {2020}
}""",
    "virtanen2020": """@article{virtanen2020,
  author = {Virtanen, Pauli and others},
  title = {{SciPy} 1.0: Fundamental Algorithms for Scientific Computing in {Python}},
  journal = {Nature Methods},
  volume = {17},
  pages = {261--272},
  year = {2020}
}""",
    "mckinney2010": """@inproceedings{mckinney2010,
  author = {McKinney, Wes},
  title = {Data Structures for Statistical Computing in {Python}},
  booktitle = {Proceedings of the 9th Python in Science Conference},
  pages = {56--61},
  year = {2010}
}""",
}


def cited(methods: str) -> list[str]:
    """The entries that the paragraph asks for, each once."""
    return list(dict.fromkeys(entry for word, entry in CITED.items() if word in methods))


def methods_tex(methods: str) -> str:
    """The paragraph, each work cited where it is first named."""
    parts, seen = [], set()
    for paragraph in paragraphs(methods):
        texts = []
        for text in paragraph:
            escaped = latex_text(text)
            for word, entry in CITED.items():
                if word in text and entry not in seen:
                    seen.add(entry)
                    escaped = escaped.replace(latex_text(word), rf"{latex_text(word)}~\cite{{{entry}}}", 1)
            texts.append(escaped)
        if len(texts) == 1:
            parts.append(texts[0])
        else:
            parts.append("\n".join([r"\begin{itemize}", *(rf"  \item {text}" for text in texts), r"\end{itemize}"]))
    return with_note_on_letters("\n\n".join(parts) + "\n")


def references_bib(methods: str, report: Report) -> str:
    """Those entries, and the software itself by its version."""
    own = f"""@software{{touchstone,
  title = {{Touchstone}},
  version = {{{report.versions["touchstone"]}}}
}}"""
    return "\n\n".join([*(ENTRIES[entry] for entry in cited(methods)), own]) + "\n"
