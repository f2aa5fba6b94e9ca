"""The library under two names in the repository: one copy of each module, whichever name imports it first."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
NO_FILE_TWICE = """
import collections, sys
modules = {id(module): module for module in list(sys.modules.values())}.values()
files = collections.Counter(getattr(module, "__file__", None) for module in modules)
ours = [file for file in files if '/agreement/' in str(file)]
assert ours and max(files[file] for file in ours) == 1, files.most_common(3)
"""


@pytest.mark.parametrize(
    "code",
    [
        "import touchstone_annotation.errors, agreement.errors",
        "import agreement.errors; from touchstone_annotation import errors",
        "import touchstone_annotation.errors as one, agreement.errors as two; assert one is two",
        "import touchstone_annotation as t; from agreement.errors import Refused; assert Refused is t.Refused",
        "import touchstone_annotation.client.problems; import agreement; assert agreement.__spec__.name == 'agreement'",
        "import importlib; importlib.import_module('touchstone_annotation.files.table'); import agreement.files.table",
        "import touchstone_annotation.errors, agreement; assert agreement.errors.__spec__.name == 'agreement.errors'",
        "import pickle, touchstone_annotation as t; assert pickle.loads(pickle.dumps(t.Refused)) is t.Refused",
        "import touchstone_annotation as t; assert t.analyse.__module__ == 'agreement.frames.analyse_frame', dir(t)",
    ],
)
def test_no_module_is_loaded_twice(code: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}\n{NO_FILE_TWICE}"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr


def test_what_is_not_there_is_not_there_by_either_name(tmp_path: Path) -> None:
    code = """
import touchstone_annotation
try:
    import touchstone_annotation.nothing
except ModuleNotFoundError as missing:
    print(missing.name)
"""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.stdout.strip() == "agreement.nothing", done.stderr


def test_no_module_twice_with_the_site_running(tmp_path: Path) -> None:
    code = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
import django
django.setup()
import config.urls, annotation.tasks
import pandas as pd
from touchstone_annotation import analyse
from agreement.frames.analyse_frame import analyse as same
assert analyse is same
rows = [(w, i, x) for w in "abc" for i, x in zip("pqr", (10, 50, 90))]
analyse(pd.DataFrame(rows, columns=["worker_id", "item_id", "value"]), kind="slider", scale=(0, 100), replicates=5)
"""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}\n{NO_FILE_TWICE}"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
