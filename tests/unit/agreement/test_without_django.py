"""The library in a Python that has neither Django nor the site: every module imports, and a frame is analysed."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
CODE = """
import importlib, pkgutil, sys
from importlib.abc import MetaPathFinder

class Blocked(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("django", "rest_framework", "celery", "annotation", "config", "studies"):
            raise ModuleNotFoundError(f"{name} is not for the library", name=name)

sys.meta_path.insert(0, Blocked())
sys.path.insert(0, ROOT)
import agreement
names = [each.name for each in pkgutil.walk_packages(agreement.__path__, "agreement.")]
for name in names:
    if not name.endswith("__main__"):
        importlib.import_module(name)
assert len(names) > 200, len(names)

import pandas as pd
from touchstone_annotation import analyse
rows = [(w, i, x) for w in "abc" for i, x in zip("pqr", (10, 50, 90))]
frame = pd.DataFrame(rows, columns=["worker_id", "item_id", "value"])
analyse(frame, kind="slider", scale=(0, 100), replicates=5).save("out")
"""


def test_every_module_imports_and_a_report_is_written(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE.replace("ROOT", repr(str(ROOT)), 1)],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "report.html").exists()
