"""Numbers as names: the ends of a scale, edges of bins and steps in digits that tell each from the next."""

import math


def in_digits(number: float) -> str:
    """The number in few digits, without an exponent and without changing it.

    >>> [in_digits(number) for number in (20.0, 0.1 + 0.2, 999999990.0, 1e9, 123456.7)]
    ['20', '0.3', '999999990', '1000000000', '123456.7']
    """
    short = f"{number:g}"
    return short if "e" not in short and math.isclose(float(short), number, rel_tol=1e-9) else f"{number:.15g}"
