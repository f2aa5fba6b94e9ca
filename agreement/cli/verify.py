"""`verify bundle.zip`: makes the files of a bundle again from the judgments in it, and says what differs."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .arguments import Progress
from .file_command import Done

HELP = "Makes every file of a bundle again from the judgments in it, and says what differs."
EXPECT = "of gold.csv or of SHA256SUMS, as a paper printed it"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("bundle", type=Path, metavar="bundle.zip")
    parser.add_argument("--expect", default="", metavar="SHA256", help=EXPECT)


def run(options: Namespace, _progress: Progress) -> Done:
    from .verifying import verify

    verified = verify(options.bundle, expect=options.expect)
    answer = {
        "bundle": str(options.bundle),
        "result": verified.words,
        "sha256": verified.sha256,
        "sums_sha256": verified.sums_sha256,
        "differences": verified.differences,
        "not_compared": verified.not_compared,
        "notes": verified.notes,
    }
    return Done(answer, lambda: _in_words(answer), is_refuted=bool(verified.differences))


def _in_words(answer: dict[str, Any]) -> str:
    lines = [f"{answer['bundle']}: {answer['result']}. SHA-256 of gold.csv: {answer['sha256']}"]
    if answer["sums_sha256"]:
        lines.append(f"SHA-256 of SHA256SUMS, which stands for the whole bundle: {answer['sums_sha256']}")
    lines += [f"  {one}" for one in answer["differences"]]
    if answer["not_compared"]:
        lines.append(f"Not compared: {', '.join(_by_folder(answer['not_compared']))}.")
    return "\n".join([*lines, *answer["notes"]])


def _by_folder(names: Sequence[str]) -> list[str]:
    """The names, with those in a folder counted.

    >>> _by_folder(["figures/a.png", "figures/b.png", "README.txt"])
    ['README.txt', 'figures/ (2 files)']
    """
    folders = Counter(name.partition("/")[0] for name in names if "/" in name)
    return [*(name for name in names if "/" not in name), *(f"{one}/ ({n} files)" for one, n in folders.items())]
