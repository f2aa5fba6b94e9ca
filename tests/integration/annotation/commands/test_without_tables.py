"""A command about a study says in a sentence that the site's database has no tables yet."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools import place


@pytest.mark.sqlite
@pytest.mark.parametrize("command", ["export mine gold --out gold.csv", "map a.jsonl mine --out m.csv"])
def test_database_without_tables_is_said_in_a_sentence(command: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"item_id": "i1", "text": "red"}\n')
    env = {**os.environ, "TOUCHSTONE_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    env["TOUCHSTONE_DATABASE_URL"] = f"sqlite:///{tmp_path / 'empty.sqlite3'}"
    done = subprocess.run(
        [sys.executable, str(place.ROOT / "manage.py"), *command.split()],
        cwd=tmp_path, env=env, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert "There is no study 'mine': this site's database has no tables" in done.stderr
    assert "Traceback" not in done.stderr
