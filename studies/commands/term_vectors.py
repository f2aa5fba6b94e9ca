"""`touchstone term_vectors FILE --out DIR`: a model's vectors of terms, made or read, as matrices and drawings."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any, get_args

from agreement.cli.arguments import Progress, add_probe_arguments, probe_options
from agreement.errors import Refused
from agreement.figures.similarity_matrix import Order
from agreement.scoring.probe_format import ProbeOptions
from agreement.scoring.probe_formats.log_probabilities import LOG_BASE, PERPLEXITY_FORM
from agreement.scoring.probe_formats.vectors import SIMILARITY, TRANSFORM

FIRST = ProbeOptions(transform="column-share")  # as its authors compare perplexities in contexts

HELP = (
    "Makes vectors of terms from log probabilities by term and context, or reads them, and writes them and the"
    " similarities of all terms as matrices and heat maps."
)


def add_arguments(parser: ArgumentParser) -> None:
    what = "sentence_id,token,logprob,term,context, or vectors: term,<context>,…"
    parser.add_argument("file", type=Path, metavar="FILE", help=what)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder to write")
    add_probe_arguments(parser, (LOG_BASE, PERPLEXITY_FORM, TRANSFORM, SIMILARITY), FIRST)
    order = "of terms and contexts in the drawing of the vectors (default: alphabetical)"
    parser.add_argument("--order", choices=get_args(Order), default="alphabetical", help=order)


def run(options: Namespace, _progress: Progress) -> dict[str, Any]:
    from agreement.figures.rendering import render
    from studies.term_vectors import described_vectors

    out: Path = options.out
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise Refused(f"--out {out}: it is there and holds something; name a new folder.")
    found = described_vectors(options.file, probe_options(vars(options), FIRST), options.order)
    out.mkdir(parents=True, exist_ok=True)
    warnings = render(found.figures, out / "figures")
    for name, content in found.files.items():
        (out / name).write_bytes(content)
    return {
        "terms": found.terms,
        "contexts": found.contexts,
        "notes": [*found.notes, *warnings],
        "out": str(out),
        "files": sorted([*found.files, *(f"figures/{figure.name}" for figure in found.figures)]),
    }


def say(answer: dict[str, Any]) -> str:
    first = f"{answer['out']}: {answer['terms']} terms in {answer['contexts']} contexts"
    return "\n".join([first, *answer["notes"], *(f"  {name}" for name in answer["files"])])
