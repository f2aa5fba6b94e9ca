"""Numbers in sentences for researchers."""


def counted(count: int, one: str, several: str = "") -> str:
    """A number with what it counts.

    >>> counted(1, "item"), counted(2_000, "item"), counted(0, "person", "people")
    ('1 item', '2,000 items', '0 people')
    """
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"


def percent(share: float) -> str:
    r"""A share in per cent, with as many digits as say something.

    >>> [percent(share).replace("\u00a0", " ") for share in (0.0004, 0.0123, 0.5, 1, 0.00000001)]
    ['0.04 %', '1.2 %', '50 %', '100 %', 'less than 0.001 %']
    """
    if 0 < share < 1e-5:
        return "less than 0.001\u00a0%"
    return f"{100 * share:.2g}\u00a0%" if share < 0.1 else f"{100 * share:.0f}\u00a0%"
