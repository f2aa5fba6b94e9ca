"""The command `touchstone`: what it says where a part isn't installed, and which commands need no site."""

import os
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

import pytest
from django.core.management import load_command_class

from agreement import places
from agreement.cli import command, file_command

ROOT = Path(__file__).parents[4]


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "environ", {**os.environ, "TOUCHSTONE_VAR": str(tmp_path / "var")})
    monkeypatch.setattr(sys, "path", [*sys.path])


def touchstone(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO", "TOUCHSTONE"))}
    return subprocess.run(
        [sys.executable, "-m", "touchstone_annotation", *arguments],
        cwd=cwd,
        env={**env, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([]) == 0

    shown = capsys.readouterr().out
    for name in ({*command.on_files(), *command._of_sites()}) - {"analyse_file"}:
        assert name in shown


def test_commands_on_files_need_no_django(tmp_path: Path) -> None:
    loads = (
        "import sys; sys.modules['django'] = None\n"
        "from argparse import ArgumentParser\n"
        "from agreement.cli import command, file_command\n"
        "for module in command.on_files().values():\n"
        "    parser = ArgumentParser()\n"
        "    file_command.add_arguments(file_command.load(module), parser)\n"
        "    parser.format_help()"
    )
    env = {name: value for name, value in os.environ.items() if not name.startswith("DJANGO")}

    done = subprocess.run(
        [sys.executable, "-c", loads],
        cwd=tmp_path,
        env={**env, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize("name", sorted({*command.on_files()} - {"studies"}))
def test_each_command_on_files_is_a_command_of_manage_py_with_the_same_options(name: str) -> None:
    own = ArgumentParser()
    file_command.add_arguments(file_command.load(command.on_files()[name]), own)
    app = "annotation" if name in command.ON_FILES else "studies"
    parser = load_command_class(app, name).create_parser("manage.py", name)

    options = {option for action in parser._actions for option in action.option_strings}
    assert {option for action in own._actions for option in action.option_strings} <= options


def test_analyse_writes_beside_whoever_stands_there(tmp_path: Path) -> None:
    rows = ["worker_id,item_id,value", "a,x,90", "a,y,10", "b,x,80", "b,y,20"]
    (tmp_path / "mine.csv").write_text("\n".join(rows))
    (tmp_path / "tables.py").write_text("raise ImportError('not this one')")

    done = touchstone("analyse", "mine.csv", "--replicates", "10", "--no-report", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "mine-analysis" / "gold.csv").exists()


def test_without_the_site_a_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(places, "missing_of", lambda extra: ["granian"] if extra == "server" else [])

    codes = [command.main([name]) for name in ("run", "migrate", "analyse_study", "nonsense")]

    said = capsys.readouterr().err.splitlines()
    assert codes == [1, 1, 1, 2]
    assert (
        said[0] == "touchstone run needs the site, which isn't installed: pip install 'touchstone-annotation[server]'"
    )
    assert said[2].startswith("touchstone analyse_study works on a site")
    assert said[3] == "There is no command 'nonsense': touchstone --help lists them."


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--version"]) == 0
    assert capsys.readouterr().out == f"touchstone {places.version()}\n"


def test_extras_are_those_of_the_package() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert set(places.EXTRAS) == set(project["optional-dependencies"])
