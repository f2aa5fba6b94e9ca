"""Documents and comments name only files, `make` targets, commands and options that are there."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tokenize import COMMENT

import pytest
from django.core.management import get_commands, load_command_class

from tools import place

LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
FOLDERS = (
    *("agreement", "annotation", "config", "studies"),
    *("deploy", "docs", "static", "templates", "tests", "tools"),
)
NAMED = re.compile(rf"\b((?:{'|'.join(FOLDERS)})/[\w./-]+\.\w+)")
CODE = re.compile(r"```.*?\n(.*?)```|`([^`\n]+)`", re.DOTALL)
# What a page calls by its name alone; `<kind>` stands for any. Tables are the users' own files.
FILE = re.compile(r"(?<![\w/.@:<>-])[\w<>-][\w./<>-]*\.(?:py|js|html|css|toml|md|json|sh|conf|service)\b")
FOLDER = re.compile(r"^[\w<>-][\w./<>-]*/$")
MODULE = re.compile(r"-m ([\w.]+)")
MAKE = re.compile(r"\bmake ([a-z][a-z-]*)")
TARGET = re.compile(r"^([a-z][a-z-]*):", re.MULTILINE)
COMMAND = re.compile(r"\bmanage\.py ([a-z_]+)(.*)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
# Made by a run, or by the person who deploys.
NOT_THERE_YET = {
    "CARD.toml",
    "dist/",
    "deploy/touchstone.env",
    "judgments-analysis/",
    "methods.md",
    "methods-details.md",
    "docs/proofs.md",
    "DIR/003-size-adjectives/page.md",
    "studies/003-size-adjectives/page.md",
    "tests/a.py",
    "touchstone_annotation/",
    "report.json",
    "tables/",
    "var/",
}
OURS = {"annotation", "agreement"}


def texts(*endings: str) -> list[Path]:
    top = [path for path in place.ROOT.iterdir() if path.is_file()]
    below = [path for folder in FOLDERS for path in (place.ROOT / folder).rglob("*")]
    return sorted(path for path in [*top, *below] if path.suffix in endings and "migrations" not in path.parts)


def name_of(page: Path) -> str:
    return str(page.relative_to(place.ROOT))


PAGES = texts(".md")


def home(page: Path) -> Path:
    """The folder that a page's links start from. The words around the tables of docs/coverage.md wait elsewhere."""
    return place.ROOT / "docs" if page.name == "coverage_page.md" else page.parent


def code_of(page: Path) -> Iterator[str]:
    """What stands in a page as code, line by line."""
    for block, span in CODE.findall(page.read_text(encoding="utf-8")):
        yield from (block or span).splitlines()


@cache
def paths() -> tuple[list[str], list[str]]:
    """Of all files and of all folders, each with a / before it."""
    found = [place.ROOT / folder for folder in FOLDERS]
    found += [*place.ROOT.iterdir(), *(path for folder in found for path in folder.rglob("*"))]
    return (
        [f"/{name_of(path)}" for path in found if path.is_file()],
        [f"/{name_of(path)}/" for path in found if path.is_dir()],
    )


def is_there(named: str, page: Path) -> bool:
    """From the page's folder, from the top, or as the end of some path."""
    if named in NOT_THERE_YET or (home(page) / named).exists():
        return True
    end = re.compile("/" + re.sub(r"<\w+>", "[^/]+", named.replace(".", r"\.")) + "$")
    files, folders = paths()
    return any(end.search(path) for path in (folders if named.endswith("/") else files))


def test_no_page_is_left_out() -> None:
    hidden = {".venv", ".git", ".mypy_cache", ".pytest_cache", ".ruff_cache", "var", "node_modules"}
    tops = [path for path in place.ROOT.iterdir() if path.is_dir() and path.name not in hidden]

    assert {path for top in tops for path in top.rglob("*.md")} <= set(PAGES)


def test_links_lead_to_files_that_are_there(subtests: pytest.Subtests) -> None:
    kept = place.ROOT / "tests" / "cases"  # pages that a run of a study is held against; their figures aren't kept
    for page in (page for page in PAGES if not page.is_relative_to(kept)):
        with subtests.test(page=name_of(page)):
            missing = [
                link for link in LINK.findall(page.read_text(encoding="utf-8")) if not (home(page) / link).exists()
            ]

            assert missing == []


def test_files_and_folders_that_a_page_names_are_there(subtests: pytest.Subtests) -> None:
    for page in PAGES:
        with subtests.test(page=name_of(page)):
            code = list(code_of(page))
            named = [
                *(name for line in code for name in FILE.findall(line)),
                *(line for line in code if FOLDER.match(line)),
            ]

            assert [name for name in named if not is_there(name, page)] == []


def test_modules_and_make_targets_that_a_page_names_are_there(subtests: pytest.Subtests) -> None:
    for page in PAGES:
        with subtests.test(page=name_of(page)):
            code = "\n".join(code_of(page))
            targets = set(TARGET.findall((place.ROOT / "Makefile").read_text(encoding="utf-8")))
            modules = [name for name in MODULE.findall(code) if name.split(".")[0] in FOLDERS]

            assert [name for name in MAKE.findall(code) if name not in targets] == []
            files = [(f"{name.replace('.', '/')}.py", f"{name.replace('.', '/')}/__main__.py") for name in modules]
            assert [either for either in files if not any(is_there(file, page) for file in either)] == []


@cache
def options_of(command: str) -> frozenset[str]:
    parser = load_command_class(get_commands()[command], command).create_parser("manage.py", command)
    return frozenset(name for action in parser._actions for name in action.option_strings)


def test_commands_and_options_that_a_page_names_are_there(subtests: pytest.Subtests) -> None:
    for page in PAGES:
        with subtests.test(page=name_of(page)):
            ours = {name for name, app in get_commands().items() if app in OURS}
            wrong: list[str] = []
            for line in code_of(page):
                called = COMMAND.findall(line)
                if not called and (first := line.split(" ", 1)[0]) in ours:  # a row of a table of commands
                    called = [(first, line.removeprefix(first))]
                for command, given in called:
                    if command not in get_commands():
                        wrong.append(f"manage.py {command}")
                    else:
                        wrong += [f"{command} {option}" for option in set(OPTION.findall(given)) - options_of(command)]

            assert wrong == []


def test_every_command_has_its_row_in_the_table_of_commands() -> None:
    table = (place.ROOT / "docs" / "formats.md").read_text(encoding="utf-8")

    assert [name for name, app in get_commands().items() if app in OURS and f"| `{name}" not in table] == []


def test_files_that_are_named_are_there() -> None:
    missing = {
        f"{name_of(path)} names {name}"
        for path in texts(".md", ".py", ".html", ".toml")
        for name in NAMED.findall(path.read_text(encoding="utf-8"))
        if name not in NOT_THERE_YET
        and not any((place.ROOT / root / name).exists() for root in ("", "docs", "templates", "static", "tests/unit"))
    }

    assert missing == set()


def words_of(module: Path) -> Iterator[str]:
    """Its comments and docstrings."""
    text = module.read_text(encoding="utf-8")
    yield from (token.string for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type == COMMENT)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


def test_modules_that_comments_and_docstrings_name_are_there() -> None:
    missing = {
        f"{name_of(path)} names {name}"
        for path in texts(".py")
        for words in words_of(path)
        for name in FILE.findall(words)
        if name.endswith((".py", ".js", ".html", ".md")) and not is_there(name, path)
    }

    assert missing == set()
