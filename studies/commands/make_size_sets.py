"""`touchstone make_size_sets sizes.csv --out DIR`: transitive and subtype sets of sizes, half of them smaller."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from agreement.cli.arguments import Progress, seed
from agreement.errors import Refused
from studies.relations.size_sets import (
    derived_from,
    draw,
    items_bytes,
    items_of,
    read_sizes,
    read_subtypes,
    with_subtypes,
)

HELP = "Makes items of sizes that follow from others, and of subtypes, each pair with its complement."


def add_arguments(parser: ArgumentParser) -> None:
    table = "a CSV with object, other, reference (smaller or larger)"
    parser.add_argument("sizes", type=Path, metavar="sizes.csv", help=table)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write")
    transitive = "how many of the pairs that follow (A > B > C) to draw; without it, all of them"
    parser.add_argument("--transitive", type=int, metavar="PAIRS", help=transitive)
    subtypes = "a CSV with object, subtype: also write the pairs whose things both have several, by subtypes"
    parser.add_argument("--subtypes", type=Path, metavar="subtypes.csv", help=subtypes)
    parser.add_argument("--seed", type=seed, default=0, metavar="S", help="decides what is drawn (default: 0)")


def run(options: Namespace, _progress: Progress) -> dict[str, Any]:
    known = read_sizes(options.sizes)
    subtypes = None if options.subtypes is None else read_subtypes(options.subtypes)
    derived, seed = derived_from(known), options.seed
    wanted = options.transitive
    drawn = list(derived.relations) if wanted is None else draw(derived, wanted, seed)
    sets = {"standard": known, "transitive": drawn}
    if subtypes is not None:
        sets["subtype"] = with_subtypes(known, subtypes, seed)
    rows = {name: items_of(relations, name) for name, relations in sets.items()}
    _write(options.out, {f"{name}.csv": items_bytes(made) for name, made in rows.items()})
    return {
        "relations": len(known),
        "chains": derived.chains,
        "contradicting": derived.contradicting,
        "pairs": len(derived.relations) + derived.both_ways,
        "both_ways": derived.both_ways,
        "items": {name: len(made) for name, made in rows.items()},
        "seed": seed,
    }


def say(answer: dict[str, Any]) -> str:
    items = ", ".join(f"{count:,} in {name}.csv" for name, count in answer["items"].items())
    dropped = f"{answer['contradicting']:,} of {answer['chains']:,} chains that contradict a relation"
    return "\n".join(
        [
            f"{answer['relations']:,} relations give {answer['pairs']:,} pairs that follow from two of them.",
            f"{answer['both_ways']:,} of these follow in both directions and were dropped, as were {dropped}.",
            f"Items, half of them smaller: {items} (seed {answer['seed']}).",
        ]
    )


def _write(out: Path, files: dict[str, bytes]) -> None:
    if there := [name for name in files if (out / name).exists()]:
        raise Refused(f"{out / there[0]} is there already: name another folder, or remove it.")
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (out / name).write_bytes(content)
    except OSError as error:
        raise Refused(f"--out {out}: it can't be written ({error.strerror})") from error
