"""methods.tex and references.bib: the methods paragraph for LaTeX, and what a paper cites with it."""

from __future__ import annotations

from .figure_rows import paragraphs
from .paper_table import latex_text, with_note_on_letters
from .report import Report

# Which entry a word of the methods paragraph asks for.
CITED = {
    "Krippendorff's alpha": "krippendorff2011",
    "Fleiss' kappa": "fleiss1971",
    "ICC(1,1)": "shrout1979",
    "Holm": "holm1979",
    "Dawid and Skene": "dawid1979",
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
