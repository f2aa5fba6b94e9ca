"""Arguments of commands that several of them read alike."""

from argparse import ArgumentTypeError

from tables.cell_texts import split_bars


def label_list(text: str) -> tuple[str, ...]:
    labels = tuple(split_bars(text))
    if "" in labels or len(set(labels)) < len(labels):
        raise ArgumentTypeError(f"{text!r} is not a list of different labels with | between them")
    return labels
