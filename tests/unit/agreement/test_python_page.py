"""docs/python.md: what it shows is what happens, and it names every method of the client."""

import doctest
import re
from pathlib import Path

from touchstone_annotation import Client

PAGE = Path(__file__).parents[3] / "docs" / "python.md"
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def test_its_examples() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False, optionflags=FLAGS)

    assert found.attempted > 10
    assert not found.failed


def test_it_names_every_method() -> None:
    table = PAGE.read_text().partition("| method | does |")[2].partition("\n\n")[0]
    public = {name for name, each in vars(Client).items() if callable(each) and not name.startswith("_")}

    assert public - {"close"} <= set(re.findall(r"`(\w+)`", table))
