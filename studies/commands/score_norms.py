"""`touchstone score_norms norms.csv --probe p.csv --out DIR`: models against property norms, without a crowd."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from agreement.cli.arguments import Progress, add_probe_arguments, probe_options
from agreement.files.cell_texts import split_bars

HELP = "Scores models' rankings against property norms (concept,relation,feature,type,pf), without a crowd."


def add_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("norms", type=Path, metavar="norms.csv", help="how many people (pf) named each feature of each concept")
    add("--probe", type=Path, nargs="+", action="extend", default=[], metavar="p.csv", help="models' outputs")
    add("--items", type=Path, metavar="items.csv", help="item_id, concept, relation (default: ids made of these)")
    add(
        "--relations",
        type=_parts,
        default=None,
        metavar="A|B",
        help="the relations that there are (default: has|has a|made of|is); any other is refused",
    )
    add("--types", type=_parts, default=(), metavar="A|B", help="the types of features that count (default: all)")
    add("--out", type=Path, required=True, metavar="DIR", help="the folder to write tables and figures to")
    add_probe_arguments(parser)


def run(options: Namespace, _progress: Progress) -> dict[str, object]:
    from agreement.scoring.norms import RELATIONS
    from studies.norms import NormsJob, run

    names = ("norms", "items", "types", "out")
    return run(
        NormsJob(
            **{name: getattr(options, name) for name in names},
            probes=tuple(options.probe),
            relations=options.relations or RELATIONS,
            options=probe_options(vars(options)),
        )
    )


def say(answer: dict[str, Any]) -> str:
    lines = [
        f"{answer['concepts']:,} concepts; entries by the least number of people who named them:",
        *(_line(row, "pf") for row in answer["entries"]),
    ]
    if answer["precision"]:
        lines.append("average precision by the least number of people (sd over templates; random order):")
    lines += [_score(row) for row in answer["precision"]]
    return "\n".join([*lines, *answer["notes"], f"written to {answer['out']}: {', '.join(answer['files'])}"])


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in split_bars(text) if part.strip())


def _line(row: dict[str, object], first: str) -> str:
    others = ", ".join(f"{name} {count:,}" for name, count in row.items() if name != first)
    return f"  {row[first]:>3}: {others}"


def _score(row: dict[str, object]) -> str:
    if row["average_precision"] is None:
        return f"  {row['probe']:<24} {row['pf']:>3}: no query has such a property"
    sd = "" if row["sd"] is None else f" (sd {row['sd']:.4f} over {row['templates']})"
    chance = "" if row["chance"] is None else f"; random {row['chance']:.4f}"
    return (
        f"  {row['probe']:<24} {row['pf']:>3}: {row['average_precision']:.4f}{sd}, {row['queries']:,} queries{chance}"
    )
