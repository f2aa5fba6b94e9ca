"""The examples against a running site: the script from its command line, the notebook cell by cell."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.place import free_port

ROOT = Path(__file__).parents[4]
NEW_TOKEN = """
import datetime as dt
from annotation.accounts.researcher_accounts import create_token
from annotation.models import Scope, User
scopes = [Scope.READ, Scope.WRITE, Scope.LINKS]
_, text = create_token(user=User.objects.get(), name="examples", scopes=scopes, lives=dt.timedelta(days=1))
print("TOKEN", text)
"""
# As a notebook does: the cells in order, in one namespace, the last line's value shown as HTML where it has such.
RUN_CELLS = """
import ast, json, sys
namespace = {"__name__": "__main__"}
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    if cell["cell_type"] == "code":
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, cell["id"], "exec"), namespace)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), cell["id"], "eval"), namespace)
            shown = value._repr_html_() if hasattr(value, "_repr_html_") else repr(value)
            print(cell["id"], shown)
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of somebody who has a site on this machine and a token for it."""
    ours = ("DJANGO", "TOUCHSTONE", "PORT", "ONCE")
    env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    env |= {"PYTHONPATH": str(ROOT), "TOUCHSTONE_VAR": str(tmp_path_factory.mktemp("site")), "PYTHONUNBUFFERED": "1"}
    command, port = [sys.executable, "-m", "touchstone_annotation"], free_port()
    process = subprocess.Popen(
        [*command, "run", "--port", str(port)],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        assert any(line.startswith("Ready at") for line in iter(process.stdout.readline, ""))
        made = run([*command, "shell", "-c", NEW_TOKEN], env, ROOT)
        token = next(line for line in made.splitlines() if line.startswith("TOKEN")).split()[1]
        yield {**env, "TOUCHSTONE_SITE": f"http://127.0.0.1:{port}", "TOUCHSTONE_TOKEN": token}
    finally:
        process.terminate()
        process.communicate(timeout=60)


def run(command: list[str], env: dict[str, str], cwd: Path) -> str:
    done = subprocess.run(command, env=env, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_script(site: dict[str, str], tmp_path: Path) -> None:
    script = str(ROOT / "docs" / "examples" / "typicality.py")

    said = run([sys.executable, script, "typicality", "--simulate", "40", "--out", "."], site, tmp_path)

    assert "28 items are in." in said
    assert "workers are kept." in said
    assert "a language model" in said.partition("By ")[2]
    assert [path.name for path in tmp_path.iterdir()] == ["typicality-release-1-bundle.zip"]


def test_the_notebook(site: dict[str, str], tmp_path: Path) -> None:
    for name in ("typicality.ipynb", "items.csv", "outputs.csv"):
        shutil.copy(ROOT / "docs" / "examples" / name, tmp_path)

    said = run([sys.executable, "-c", RUN_CELLS, "typicality.ipynb"], site, tmp_path)

    assert "a language model" in said
    assert (tmp_path / "typicality-notebook-release-1-bundle.zip").exists()


def test_the_notebook_is_stored_without_output() -> None:
    cells = json.loads((ROOT / "docs" / "examples" / "typicality.ipynb").read_text())["cells"]

    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells if cell["cell_type"] == "code")
