"""What is known of one kind of question stands in its folder: nobody else compares the names of kinds."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from agreement.kinds.registry import QUESTION_KINDS

ROOT = Path(__file__).parents[4]
FOLDERS = ("agreement", "annotation", "config")
NAMES = frozenset(QUESTION_KINDS)
IN_A_TEMPLATE = re.compile(rf"""kind\b[^%}}]*(==|!=|\bin\b)\s*["']({"|".join(NAMES)})["']""")


def is_a_kinds_own(path: Path) -> bool:
    return "kinds" in path.parts and path.parent.name in NAMES


def is_name_of_kind(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and node.value in NAMES


def elements(node: ast.AST) -> list[ast.AST]:
    match node:
        case ast.Tuple(elts=found) | ast.List(elts=found) | ast.Set(elts=found):
            return [*found]
        case ast.Dict(keys=keys):
            return [key for key in keys if key is not None]
    return []


def compares(node: ast.AST) -> bool:
    """A comparison with a kind's name, a choice by it, a collection of several kinds, a query for one."""
    match node:
        case ast.Compare(left=left, comparators=others):
            sides = [left, *others]
            return any(is_name_of_kind(each) for side in sides for each in (side, *elements(side)))
        case ast.MatchValue(value=value):
            return is_name_of_kind(value)
        case ast.keyword(arg="kind" | "kind__in" | "kind__exact", value=value):
            return any(is_name_of_kind(each) for each in (value, *elements(value)))
        case ast.Subscript(slice=value):
            return is_name_of_kind(value) and "kind" in ast.unparse(node).lower()
    return sum(map(is_name_of_kind, elements(node))) > 1


def comparisons(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        if compares(node):
            yield getattr(node, "lineno", 0), ast.unparse(node)


def modules() -> list[Path]:
    found = [path.relative_to(ROOT) for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    return [path for path in sorted(found) if "migrations" not in path.parts and not is_a_kinds_own(path)]


def test_no_module_outside_its_folder_compares_the_names_of_kinds() -> None:
    walked = modules()
    assert len(walked) > 150
    found = [f"{path}:{line}: {what}" for path in walked for line, what in comparisons((ROOT / path).read_text())]
    assert found == []


def test_no_template_compares_the_names_of_kinds() -> None:
    templates = sorted((ROOT / "templates").rglob("*.html"))
    assert len(templates) > 50
    assert [str(path) for path in templates if IN_A_TEMPLATE.search(path.read_text())] == []


@pytest.mark.parametrize(
    "source",
    [
        'study.kind == "text"',
        'kind in ("slider", "sliders")',
        'if kind in {"list"}: pass',
        'match kind:\n    case "choice" | "verify": pass',
        'READERS = {"slider": 1, "text": 2}',
        'WITH_SCALE = ["slider", "sliders"]',
        'Study.objects.filter(kind="text")',
        'BY_KIND["slider"]',
    ],
)
def test_ways_to_compare_are_found(source: str) -> None:
    assert list(comparisons(source))


@pytest.mark.parametrize("source", ['fields.get("text")', 'ENABLED = ("heading", "list")', 'item.kind == "check"'])
def test_other_uses_of_the_words_are_left_alone(source: str) -> None:
    assert not list(comparisons(source))
