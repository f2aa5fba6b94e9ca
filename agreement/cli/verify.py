"""`verify bundle.zip`: computes every figure of a bundle again from the judgments in it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from .arguments import Progress
from .file_command import Done

HELP = "Computes every figure of a bundle again from the judgments in it, and says what differs."


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("bundle", type=Path, metavar="bundle.zip")
    parser.add_argument("--expect", default="", metavar="SHA256", help="of gold.csv, as a paper printed it")


def run(options: Namespace, _progress: Progress) -> Done:
    from .verifying import verify

    verified = verify(options.bundle, expect=options.expect)
    answer = {
        "bundle": str(options.bundle),
        "result": verified.words,
        "sha256": verified.sha256,
        "differences": verified.differences,
        "notes": verified.notes,
    }
    return Done(answer, lambda: _in_words(answer), is_refuted=bool(verified.differences))


def _in_words(answer: dict[str, Any]) -> str:
    lines = [f"{answer['bundle']}: {answer['result']}. SHA-256 of gold.csv: {answer['sha256']}"]
    return "\n".join([*lines, *(f"  {one}" for one in answer["differences"]), *answer["notes"]])
