"""Arguments of commands that several of them read alike."""

from argparse import ArgumentTypeError

from annotation.errors import Refused
from tables.cell_texts import split_bars
from tables.numbers import parse_scale
from tables.scale import Scale


def label_list(text: str) -> tuple[str, ...]:
    labels = tuple(split_bars(text))
    if "" in labels or len(set(labels)) < len(labels):
        raise ArgumentTypeError(f"{text!r} is not a list of different labels with | between them")
    return labels


def scale(text: str) -> Scale:
    try:
        return parse_scale(text)
    except Refused as refused:
        raise ArgumentTypeError(str(refused)) from refused


ALT_TEST = "the alternative annotator test of each model at this epsilon: --also alt-test:EPSILON"


def alt_test(epsilon: str) -> str:
    """The further analysis that `--alt-test EPSILON` asks for."""
    return f"alt-test:{epsilon}"


def with_scale_joined(argv: list[str]) -> list[str]:
    """The arguments with `--scale A:B` as one.

    >>> with_scale_joined(["analyse_file", "j.csv", "--scale", "-5:5", "--out", "o"])
    ['analyse_file', 'j.csv', '--scale=-5:5', '--out', 'o']
    """
    joined = list(argv)
    if "--scale" in joined[:-1]:
        at = joined.index("--scale")
        joined[at : at + 2] = [f"--scale={joined[at + 1]}"]
    return joined
