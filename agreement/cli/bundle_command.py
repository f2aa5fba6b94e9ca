"""The command in a bundle's README.txt, as far as it is obeyed: a stranger wrote it."""

from __future__ import annotations

import re
import shlex
from argparse import ArgumentError, ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from ..errors import Refused
from ..scoring.probe_formats import OPTIONS
from . import analyse_file, file_command
from .arguments import with_scale_joined

README = "README.txt"
BEGINNING = ["python", "manage.py", "analyse_file", "judgments.csv"]
MOST_README_BYTES = 1 << 20
MOST_REPLICATES = 100_000  # the most that the site takes is far less
# Options that name a file, which must be the bundle's own, and options that only say something. No other is obeyed:
# --save-mapping writes where it is told to, --people and --mapping read what no bundle has.
_FILES = (
    "--items", "--rules", "--by-hand", "--coding", "--synonyms", "--groups", "--reference", "--answer-mapping",
    "--probe",
)  # fmt: skip
_WORDS = (
    "--question", "--kind", "--scale", "--labels", "--ordered", "--repeats", "--typical", "--also", "--alt-test",
    "--fixed-workers", "--seed", "--replicates",
)  # fmt: skip
FILES = (*_FILES, *(option.flag for option in OPTIONS.values() if option.is_words))
ALLOWED = frozenset({*FILES, *_WORDS, *(option.flag for option in OPTIONS.values())})
_NUMBER = re.compile(r"-\d+")


def options_of_bundle(folder: Path, out: Path) -> Namespace:
    """The command's options, with `out` as the folder to write; `Refused` if it asks for more than a bundle's may."""
    words = _words(folder / README)
    reasons = [f"{README}: its command has {word}, which no bundle's has" for word in _strange_options(words)]
    if reasons:
        raise Refused(reasons)
    parser = ArgumentParser(prog=f"{README}: its command", exit_on_error=False, allow_abbrev=False)
    file_command.add_arguments(analyse_file, parser)
    try:
        options = parser.parse_args([*with_scale_joined(words), "--no-report"])
    except (ArgumentError, SystemExit) as error:
        raise Refused(f"{README}: its command can't be read ({error})") from error
    if options.replicates > MOST_REPLICATES:
        raise Refused(f"{README}: its command asks for {options.replicates:,} replicates, and no bundle's does")
    _keep_to(folder, options)
    options.out = out
    return options


def files_read(folder: Path, options: Namespace) -> set[str]:
    """The names of the bundle's files that its command reads."""
    read = {str(options.judgments)}
    for flag in FILES:
        named = getattr(options, _attribute(flag))
        read |= set(map(str, named)) if isinstance(named, list) else {str(named)}
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if str(path) in read)
    return {README, *names}


def _attribute(flag: str) -> str:
    return flag.removeprefix("--").replace("-", "_")


def _words(readme: Path) -> list[str]:
    """The words of the command behind `analyse_file`, up to the folder that it writes."""
    if readme.stat().st_size > MOST_README_BYTES:
        raise Refused(f"{README}: it is longer than {MOST_README_BYTES >> 20} MiB")
    lines = readme.read_text(encoding="utf-8", errors="replace").splitlines()
    commands = [line for line in lines if " analyse_file judgments.csv " in line]
    if len(commands) != 1:
        raise Refused(f"{README}: it names no command that computes the figures")
    try:
        words = shlex.split(commands[0])
    except ValueError as error:
        raise Refused(f"{README}: its command can't be read ({error})") from error
    if words[: len(BEGINNING)] != BEGINNING:
        raise Refused(f"{README}: its command doesn't begin with {' '.join(BEGINNING)}")
    end = words.index("--out") if "--out" in words else len(words)
    return words[len(BEGINNING) - 1 : end]


def _strange_options(words: list[str]) -> Iterator[str]:
    """Whatever begins as an option does and isn't on the list, abbreviations too."""
    for word in words:
        if word.startswith("-") and not _NUMBER.fullmatch(word) and word.partition("=")[0] not in ALLOWED:
            yield word


def _keep_to(folder: Path, options: Namespace) -> None:
    """Makes the names of files those in the folder; `Refused` for any that isn't in it."""
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    strangers: list[str] = []

    def path_in_folder(name: str | Path) -> Path:
        if str(name) not in files:
            strangers.append(str(name))
        return folder / str(name)

    for flag in FILES:
        option = _attribute(flag)
        match getattr(options, option):
            case None | []:
                continue
            case list() as names:
                setattr(options, option, [path_in_folder(name) for name in names])
            case Path() as name:
                setattr(options, option, path_in_folder(name))
            case str() as name:
                setattr(options, option, str(path_in_folder(name)))
    options.judgments = path_in_folder(options.judgments)
    if strangers:
        raise Refused(f"{README}: its command reads {', '.join(strangers)}, which is not in the bundle")
