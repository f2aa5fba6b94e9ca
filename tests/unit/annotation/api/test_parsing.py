"""The body of a request as strict JSON."""

from collections.abc import Callable

import pytest
from rest_framework.exceptions import ParseError

from agreement.errors import Refused
from agreement.files.problems import Problems, refuse_if_any
from agreement.files.reading import _header
from annotation.api.parsing import _object_with_unique_names

NAMES = 2_000


class Counted(str):
    """A text that counts how often it is compared."""

    __slots__ = ()
    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return super().__eq__(other)

    def strip(self, _chars: str | None = None, /) -> "Counted":
        return self


def in_an_object(names: list[str]) -> None:
    _object_with_unique_names([(name, 1) for name in names])


def in_a_header(names: list[str]) -> None:
    problems = Problems("t.csv")
    _header(iter([names]), problems, NAMES)
    refuse_if_any(problems)


@pytest.mark.parametrize("read", [in_an_object, in_a_header])
def test_one_name_twice_is_found_without_comparing_each_with_all(read: Callable[[list[str]], None]) -> None:
    names: list[str] = [Counted(f"c{number}") for number in [*range(NAMES - 1), NAMES - 2]]
    Counted.compared = 0
    with pytest.raises((ParseError, Refused), match=f"c{NAMES - 2}' (twice|occurs twice)"):
        read(names)
    assert Counted.compared < 10 * NAMES
