"""The command `touchstone`: analyses of files with the core alone, everything else where the server is installed."""

from __future__ import annotations

import importlib
import os
import sys
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING

from .. import places

if TYPE_CHECKING:
    from django.core.management.base import BaseCommand

# Names that the command line has for a command: `manage.py analyse` is of a study in the site's database.
RENAMED = {"analyse": "analyse_file", "analyse_study": "analyse"}
# Commands on files, which need no settings and no database.
ON_FILES = (
    "analyse_file",
    "score_file",
    "score_norms",
    "score_spans",
    "summarise_items",
    "term_vectors",
    "make_scenes",
    "label_scenes",
    "make_size_sets",
    "split_items",
)
HELP = """\
touchstone {version}: human judgments from crowds, cleaned by rules that anyone can check.

  touchstone analyse judgments.csv     clean a crowd's judgments, make gold, measure agreement; writes a folder
  touchstone run [--port N] [--once]   show the demonstration, then serve a site on this machine

On files:
  {on_files}

On a site of your own ({site}; its data is in {data}):
  {on_sites}

touchstone COMMAND --help says what a command takes. In Python: from touchstone_annotation import analyse
"""


def main(arguments: list[str] | None = None) -> int:
    """The exit code: 0 done, 1 refused or missing, 2 wrong usage."""
    given = sys.argv[1:] if arguments is None else arguments
    sys.path.insert(0, str(places.site_folder()))
    os.environ["PYTHONSAFEPATH"] = "1"  # what is started from here never takes modules from the folder it starts in
    os.environ["TOUCHSTONE_VAR"] = str(places.data_folder())
    os.environ["TOUCHSTONE_PROGRAM"] = "touchstone"
    match given:
        case [] | ["help"] | ["-h" | "--help", *_]:
            print(_help())
            return 0
        case ["--version" | "-V", *_]:
            print(f"touchstone {places.version()}")
            return 0
        case ["run", *options]:
            return _run(options)
        case [name, *options]:
            return _command(name, options)
    raise AssertionError(given)  # every list is one of these


def _help() -> str:
    has_site = not places.missing_of("server")
    others = sorted({*_commands(), "analyse_study"} - {*ON_FILES, "analyse"})
    return HELP.format(
        version=places.version(),
        on_files=_wrapped([name for name in ON_FILES if name != "analyse_file"]),
        on_sites=_wrapped(others),
        site="installed" if has_site else f"needs {places.install_hint('server')}",
        data=os.environ["TOUCHSTONE_VAR"],
    ).rstrip()


def _wrapped(names: list[str]) -> str:
    import textwrap

    return "\n  ".join(textwrap.wrap(", ".join(names), 100))


def _commands() -> dict[str, str]:
    """The module of each of our commands, by name."""
    return {
        path.stem: f"{app}.management.commands.{path.stem}"
        for app in ("annotation", "agreement")
        for path in sorted((places.site_folder() / app / "management" / "commands").glob("[!_]*.py"))
    }


def _command(name: str, options: list[str]) -> int:
    real = RENAMED.get(name, name)
    if real in ON_FILES:
        return _on_files(name, real, options)
    if places.missing_of("server"):
        known = real in _commands() or util.find_spec(f"django.core.management.commands.{real}") is not None
        if not known:
            return _fail(f"There is no command {name!r}: touchstone --help lists them.", 2)
        return _fail(f"touchstone {name} works on a site, which isn't installed: {places.install_hint('server')}")
    from django.core.management import execute_from_command_line

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    data = Path(os.environ["TOUCHSTONE_VAR"])
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    if (key := data / "secret-key").exists():  # of the site that `touchstone run` serves from this folder
        os.environ.setdefault("TOUCHSTONE_SECRET_KEY", key.read_text().strip())
    execute_from_command_line(["touchstone", real, *options])
    return 0


def _on_files(name: str, real: str, options: list[str]) -> int:
    from django.conf import settings

    settings.configure(USE_I18N=False)  # of Django these commands use the command line and templates alone
    try:
        command: BaseCommand = importlib.import_module(_commands()[real]).Command()
    except ModuleNotFoundError as missing:
        return _say_what_is_missing(name, missing)
    command.run_from_argv(["touchstone", name, *options])
    return 0


def _run(options: list[str]) -> int:
    if places.missing_of("server"):
        return _fail(f"touchstone run needs the site, which isn't installed: {places.install_hint('server')}")
    data = Path(os.environ["TOUCHSTONE_VAR"])
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.chdir(data)  # the processes of a site take no module and no file from the folder that somebody stood in
    os.environ["PYTHONPATH"] = places.environment()["PYTHONPATH"]
    launch = importlib.import_module("tools.launch")
    code: int = launch.main(options, program="touchstone run")
    return code


def _say_what_is_missing(name: str, missing: ModuleNotFoundError) -> int:
    for extra, modules in places.EXTRAS.items():
        if missing.name in modules:
            return _fail(f"touchstone {name} needs {missing.name}, which isn't installed: {places.install_hint(extra)}")
    raise missing


def _fail(sentence: str, code: int = 1) -> int:
    print(sentence, file=sys.stderr)
    return code
