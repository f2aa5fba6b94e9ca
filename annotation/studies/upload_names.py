"""The names of files that people send, as any disk holds them and any message quotes them."""

from pathlib import PurePath

LONGEST_ENDING = 20
MOST_BYTES = 200  # a disk takes 255, a temporary file begins with something of its own


def name_on_disk(given: str | None, otherwise: str) -> str:
    r"""Without folders and unprintable characters, shortened before its ending; `otherwise` where nothing is left.

    >>> [name_on_disk(each, "items.csv") for each in ("my items.csv", "../a\x00b.csv", "..", None)]
    ['my items.csv', 'ab.csv', 'items.csv', 'items.csv']
    >>> len(name_on_disk("é" * 300 + ".csv", "items.csv").encode())
    200
    """
    name = PurePath("".join(sign for sign in given or "" if sign.isprintable())).name
    if name in {"", ".", ".."}:
        return otherwise
    ending = PurePath(name).suffix.encode()
    if len(ending) > LONGEST_ENDING:
        ending = b""
    begin = name.encode().removesuffix(ending)[: MOST_BYTES - len(ending)]
    return begin.decode(errors="ignore") + ending.decode()
