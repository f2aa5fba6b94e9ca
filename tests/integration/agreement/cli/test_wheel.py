"""The wheel: one folder at the top of site-packages, nothing left out, nothing written there, and it works."""

import os
import shutil
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tools.place import free_port

ROOT = Path(__file__).parents[4]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
OF_THE_SITE = ("annotation", "config", "studies", "static", "templates")
VERSION = PROJECT["project"]["version"]
CALL = "import sys; from touchstone_annotation.cli.command import main; sys.exit(main())"

CROWD = """
import sys
import pandas as pd
from touchstone_annotation import analyse
values = {"x": (90, 90, 90), "y": (10, 10, 10), "z": (40, 40, 40), "v": (60, 65, 55)}
rows = [(who, item, each[at]) for item, each in values.items() for at, who in enumerate("abc")]
frame = pd.DataFrame(rows, columns=["worker_id", "item_id", "value"])
"""
TWICE = """
import collections
modules = {id(module): module for module in list(sys.modules.values())}.values()
files = collections.Counter(getattr(module, "__file__", None) for module in modules)
twice = [file for file, count in files.items() if count > 1 and file and "touchstone_annotation" in file]
assert not twice, twice
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as site-packages: a wheel of Python alone is installed by unpacking it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder / "dist")]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel] = (folder / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def installed(site: Path, home: Path) -> dict[str, str]:
    ours = ("DJANGO", "TOUCHSTONE", "PYTHON", "XDG", "PORT", "ONCE")
    env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**env, "HOME": str(home), "PYTHONPATH": str(site), "PYTHONSAFEPATH": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def files_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_one_folder_at_the_top(site: Path) -> None:
    assert {path.name for path in site.iterdir()} == {
        "touchstone_annotation",
        f"touchstone_annotation-{VERSION}.dist-info",
    }
    scripts = (site / f"touchstone_annotation-{VERSION}.dist-info" / "entry_points.txt").read_text()
    assert "touchstone = touchstone_annotation.cli.command:main" in scripts


@pytest.mark.parametrize("folder", ["agreement", *OF_THE_SITE])
def test_everything_is_in_it(site: Path, folder: str) -> None:
    listed = subprocess.run(["git", "ls-files", folder], cwd=ROOT, check=True, capture_output=True, text=True)
    tracked = {name for name in listed.stdout.splitlines() if not name.endswith((".po", "README.md"))}
    package = site / "touchstone_annotation"
    inside = {name: package / Path(name).relative_to("agreement") for name in tracked if folder == "agreement"}
    inside = inside or {name: package / "_site" / name for name in tracked}

    assert tracked
    assert {name for name in tracked if (ROOT / name).exists() and not inside[name].is_file()} == set()


def python(site: Path, home: Path, code: str, *others: Path) -> str:
    """What a script prints that runs where the package is installed, with other folders first on its path."""
    env = installed(site, home)
    env["PYTHONPATH"] = os.pathsep.join(map(str, [*others, site]))
    done = subprocess.run([sys.executable, "-c", code], cwd=home, env=env, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_notebook_gets_the_library_and_keeps_its_own_modules(site: Path, tmp_path: Path) -> None:
    others = tmp_path / "others"
    for name in ("agreement", "tables", "config", "studies"):
        (others / name).mkdir(parents=True)
        (others / name / "__init__.py").write_text(f"MINE = {name!r}")
    code = f"""{CROWD}
import agreement, config, tables, studies
result = analyse(frame, kind="slider", scale=(0, 100), replicates=10)
result.save("out", report=False)
assert [agreement.MINE, config.MINE, tables.MINE, studies.MINE] == ["agreement", "config", "tables", "studies"]
assert not [path for path in sys.path if "_site" in path]
assert not [name for name in sys.modules if name.split(".")[0] in ("django", "annotation")]
print(result)
"""
    shown = python(site, tmp_path, code, others)

    assert shown == "<Analysis of judgments: 3 of 3 workers and 12 of 12 judgments of 4 items kept>"
    assert (tmp_path / "out" / "gold.csv").exists()


@pytest.mark.parametrize("others", [True, False])
def test_no_module_twice_where_the_site_runs_and_analyses(site: Path, tmp_path: Path, *, others: bool) -> None:
    """As in the web process and the worker, whose path begins with the folder of the site."""
    (tmp_path / "others" / "agreement").mkdir(parents=True)
    (tmp_path / "others" / "agreement" / "__init__.py").write_text("raise ImportError('not this one')")
    code = f"""{CROWD}
import django
django.setup()
import annotation.tasks, config.urls, agreement.analysis.own_process
from agreement.errors import Refused
import touchstone_annotation
analyse(frame, kind="slider", scale=(0, 100), replicates=10)
assert touchstone_annotation.Refused is Refused
assert agreement.analysis.own_process.__name__ == "touchstone_annotation.analysis.own_process"
{TWICE}
print("once")
"""
    env = {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "TOUCHSTONE_SECRET_KEY": "of-a-test" * 6,
        "TOUCHSTONE_VAR": str(tmp_path),
        "TOUCHSTONE_ALLOWED_HOSTS": "localhost",
    }
    folders = [site / "touchstone_annotation" / "_site", *([tmp_path / "others"] if others else [])]
    settings = f"import os; os.environ |= {env!r}\n"

    assert python(site, tmp_path, settings + code, *folders) == "once"


def test_analyse_outside_of_the_repository(site: Path, tmp_path: Path) -> None:
    before = files_in(site)
    rows = [f"{who},{item},{value}" for who, shift in (("a", 0), ("b", 5), ("c", -5))
            for item, value in (("x", 90), ("y", 10), ("z", 40), ("v", 60 + shift))]  # fmt: skip
    (tmp_path / "mine.csv").write_text("\n".join(["worker_id,item_id,value", *rows]))

    done = subprocess.run(
        [sys.executable, "-c", CALL, "analyse", "mine.csv", "--replicates", "10"],
        cwd=tmp_path, env=installed(site, tmp_path), check=False, capture_output=True, text=True,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert "3 of 3 workers and 12 of 12 judgments of 4 items are kept" in " ".join(done.stdout.split())
    assert {path.name for path in tmp_path.iterdir()} == {"mine.csv", "mine-analysis"}
    assert f'"touchstone": "{VERSION}"' in (tmp_path / "mine-analysis" / "report.json").read_text()
    assert (tmp_path / "mine-analysis" / "report.html").exists()
    assert files_in(site) == before


@pytest.mark.prove
def test_a_founding_study_gives_its_page_without_a_clone(site: Path, tmp_path: Path) -> None:
    before = files_in(site)

    done = subprocess.run(
        [sys.executable, "-c", CALL, "studies", "001", "--out", "studies"],
        cwd=tmp_path, env=installed(site, tmp_path), check=False, capture_output=True, text=True,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    page = (tmp_path / "studies" / "001-precision-and-recall" / "page.md").read_text(encoding="utf-8")
    assert page == (ROOT / "tests" / "cases" / "studies" / "001.txt").read_text(encoding="utf-8")
    assert files_in(site) == before


@pytest.mark.slow
def test_run_serves_a_page_and_keeps_its_data_in_the_users_folder(site: Path, tmp_path: Path) -> None:
    before, port = files_in(site), free_port()
    (tmp_path / "config.py").write_text("raise ImportError('somebody else has a config too')")

    with running(site, tmp_path, port) as lines:
        address = next(line for line in lines if line.startswith("Ready at ")).split()[2]
        with urllib.request.urlopen(address) as reply:  # noqa: S310 - http, above
            page = reply.read().decode()

    assert address == f"http://127.0.0.1:{port}/"
    assert "Touchstone" in page
    data = tmp_path / ("Library/Application Support" if sys.platform == "darwin" else ".local/share") / "touchstone"
    assert (data / "touchstone.sqlite3").exists()
    assert files_in(site) == before


@contextmanager
def running(site: Path, home: Path, port: int) -> Iterator[Iterator[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", CALL, "run", "--port", str(port)],
        cwd=home, env=installed(site, home), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        yield iter(process.stdout.readline, "")
    finally:
        process.terminate()
        process.communicate(timeout=60)


# What looks at the files of the repository itself, or starts a child in its folder.
OF_THE_REPOSITORY = (
    "test_package_alias.py",
    "cli/test_command.py",
    "kinds/test_nobody_else_compares_kinds.py",
    "report/test_earlier_reports.py::test_stored_reports_are_read_through_the_steps_alone",
    "report/test_schema.py::test_the_schema_in_the_documentation_is_the_codes",
    "scoring/test_every_metric.py::test_no_other_module_decides_by_the_name_of_a_metric",
)


def run_in_the_wheel(site: Path, home: Path, *which: str) -> subprocess.CompletedProcess[str]:
    """The library's own unit tests, beside the installed package alone: nothing of the repository's code is there."""
    for name in ("tests", "tools", "docs"):
        shutil.copytree(ROOT / name, home / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", home)
    env = installed(site, home)
    del env["PYTHONSAFEPATH"]
    env["PYTHONPATH"] = os.pathsep.join([str(site), str(site / "touchstone_annotation" / "_site")])
    unit = "tests/unit/agreement"
    options = [f"--deselect={unit}/{name}" for name in OF_THE_REPOSITORY]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow and not prove", *options]
    return subprocess.run(
        [*command, *(f"{unit}/{name}" for name in which)],
        cwd=home,
        env=env,
        check=False,
        capture_output=True,
        text=True,
    )


def test_unit_tests_of_a_room_pass_in_the_wheel(site: Path, tmp_path: Path) -> None:
    done = run_in_the_wheel(site, tmp_path, "gold", "estimation")
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.prove
def test_all_unit_tests_of_the_library_pass_in_the_wheel(site: Path, tmp_path: Path) -> None:
    done = run_in_the_wheel(site, tmp_path, ".")
    print(done.stdout.splitlines()[-1])
    assert done.returncode == 0, done.stdout[-2000:]
