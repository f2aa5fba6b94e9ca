"""Nobody else on the machine reads the file of answers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools import place

pytestmark = pytest.mark.sqlite


def run_command(var: Path, *arguments: str) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TOUCHSTONE_", "DJANGO_"))}
    env = {
        **kept,
        "TOUCHSTONE_VAR": str(var),
        "TOUCHSTONE_SECRET_KEY": "x" * 50,
        "TOUCHSTONE_ALLOWED_HOSTS": "localhost",
    }
    command = [sys.executable, "manage.py", *arguments]
    subprocess.run(command, cwd=place.ROOT, env=env, check=True, capture_output=True, umask=0o022)


def modes(var: Path) -> set[int]:
    return {file.stat().st_mode & 0o777 for file in var.glob("*.sqlite3*")}


def test_database_that_a_command_makes_is_its_owners_alone(tmp_path: Path) -> None:
    run_command(tmp_path, "migrate", "--verbosity", "0")
    assert modes(tmp_path) == {0o600}


def test_database_that_others_could_read_is_closed_to_them_and_a_groups_is_left_as_it_is(tmp_path: Path) -> None:
    run_command(tmp_path, "migrate", "--verbosity", "0")
    file = tmp_path / "touchstone.sqlite3"
    file.chmod(0o644)
    run_command(tmp_path, "showmigrations")
    assert modes(tmp_path) == {0o600}

    file.chmod(0o660)
    run_command(tmp_path, "showmigrations")
    assert modes(tmp_path) == {0o660}
