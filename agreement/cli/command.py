"""The command `touchstone`: analyses of files with the core alone, everything else where the site is installed."""

from __future__ import annotations

import importlib
import os
import sys
import textwrap
from collections.abc import Mapping, Sequence
from importlib import util
from pathlib import Path

from .. import places
from ..plugins import import_function, load_plugins

# Names that the command line has for a command: `manage.py analyse` is of a study in the site's database.
RENAMED = {"analyse": "analyse_file", "analyse_study": "analyse"}
# Commands on files, which need no settings and no database, by their modules; plug-ins have more.
ON_FILES: Mapping[str, str] = {
    "analyse_file": "agreement.cli.analyse_file",
    "look": "agreement.cli.look",
    "map": "agreement.cli.map_answers",
    "plan": "agreement.cli.plan",
    "score_file": "agreement.cli.score_file",
    "verify": "agreement.cli.verify",
}
PLUGINS = ("studies",)
SITE_COMMANDS = "config.site_commands:run"  # where a site is installed
HELP = """\
touchstone {version}: human judgments from crowds, cleaned by rules that anyone can check.

  touchstone look judgments.csv        what a file has, as what it can be read, and what to type
  touchstone analyse judgments.csv     clean a crowd's judgments, make gold, measure agreement; writes a folder
  touchstone run [--port N] [--once]   show the demonstration, then serve a site on this machine

On files:
  {on_files}

On a site of your own ({site}; its data is in {data}):
  {on_sites}

touchstone COMMAND --help says what a command takes. In Python: from touchstone_annotation import analyse
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code: 0 done, 1 refused or missing, 2 wrong usage."""
    argv = list(sys.argv[1:] if arguments is None else arguments)
    sys.path.insert(0, str(places.site_folder()))  # for what this process runs of the site and of plug-ins
    os.environ["PYTHONSAFEPATH"] = "1"  # what is started from here never takes modules from the folder it starts in
    os.environ["TOUCHSTONE_VAR"] = str(places.data_folder())
    os.environ["TOUCHSTONE_PROGRAM"] = "touchstone"
    match argv:
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
    raise AssertionError(argv)  # every list is one of these


def on_files() -> dict[str, str]:
    """The module of each command on files, by its name."""
    plugged = {name: module for plugin in load_plugins(PLUGINS) for name, module in plugin.commands.items()}
    return {**ON_FILES, **plugged}


def _help() -> str:
    has_site = not places.missing_of("server")
    files = on_files()
    others = sorted({*_of_sites(), "analyse_study"} - {*files, "analyse"})
    return HELP.format(
        version=places.version(),
        on_files=_wrap_names([name for name in files if name not in {"analyse_file", "look"}]),
        on_sites=_wrap_names(others),
        site="installed" if has_site else f"needs {places.install_hint('server')}",
        data=os.environ["TOUCHSTONE_VAR"],
    ).rstrip()


def _wrap_names(names: list[str]) -> str:
    return "\n  ".join(textwrap.wrap(", ".join(names), 100))


def _of_sites() -> set[str]:
    """The names of our Django commands."""
    folders = [places.site_folder() / app / "management" / "commands" for app in ("annotation", *PLUGINS)]
    return {path.stem for folder in folders for path in folder.glob("[!_]*.py")}


def _command(name: str, options: list[str]) -> int:
    real = RENAMED.get(name, name)
    has_site = not places.missing_of("server")
    if (module := (ON_FILES if real in ON_FILES else on_files()).get(real)) and not (
        has_site and _is_of_a_study(real, options)
    ):
        return _on_files(name, module, options)
    if not has_site:
        if real not in _of_sites() and not _is_djangos(real):
            return _fail(f"There is no command {name!r}: touchstone --help lists them.", 2)
        return _fail(f"touchstone {name} works on a site, which isn't installed: {places.install_hint('server')}")
    import_function(SITE_COMMANDS)([real, *options], data=Path(os.environ["TOUCHSTONE_VAR"]))
    return 0


def _is_djangos(name: str) -> bool:
    try:
        return util.find_spec(f"django.core.management.commands.{name}") is not None
    except ModuleNotFoundError:  # Django isn't installed either
        return False


def _is_of_a_study(name: str, options: list[str]) -> bool:
    """`plan` and `map` take a file or a study of the site: then no word of their options, beside numbers, names a file,
    or of `map` no second one.
    """
    words = [word for word in options if Path(word).suffix[1:].isalpha()]
    return (name == "plan" and not words) or (name == "map" and options[1:2] != [] and options[1] not in words)


def _on_files(name: str, module: str, options: list[str]) -> int:
    from .. import blas_threads  # noqa: F401 - first, for it acts when numpy loads

    try:
        file_command = importlib.import_module(f"{__package__}.file_command")
        code: int = file_command.main(f"touchstone {name}", module, options)
    except ModuleNotFoundError as missing:
        return _say_what_is_missing(name, missing)
    return code


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
