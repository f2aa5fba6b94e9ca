"""Variance and degrees of freedom where what is left out is shared: terms of pairs, objects, scenes."""

import numpy as np
import numpy.typing as npt

from agreement.gold.arrays import Floats


def variance_of_terms(v_terms: float, v_pairs: float, terms: int) -> float:
    """V = max(V_terms - (T - 2)/T V_pairs, (T - 2)/(2(T - 1)) V_terms), jackknife variances over terms and pairs.

    Each pair is left out with either of its terms, so that V_terms has the pairs' own noise twice; less V_pairs, once.
    Half of it is right where terms carry nothing, and is the least that V can be.

    >>> variance_of_terms(0.5, 0.125, terms=10), variance_of_terms(0.225, 0.125, terms=10)
    (0.4, 0.125)
    """
    return max(v_terms - (terms - 2) / terms * v_pairs, (terms - 2) / (2 * max(terms - 1, 1)) * v_terms)


def degrees_of_freedom(d: Floats) -> float:
    """min(U - 1, 2 / (1/nu - 1/U)) for U deviations d, nu = (sum d^2)^2 / sum d^4: fewer where a few units carry it.

    A sum of U squares of kurtosis k = U / nu has the relative variance (k - 1) / U, and 2 / df is that of chi square.

    >>> round(degrees_of_freedom(np.array([5.0, -1, -1, -1, -1, -1])), 2)
    3.75
    """
    size, largest = len(d), float(np.abs(d).max(initial=0.0))
    if not largest > 0:
        return float(size - 1)
    square = np.square(d / largest)
    nu = float(np.sum(square)) ** 2 / float(np.sum(square * square))
    return min(size - 1.0, 2 / (1 / nu - 1 / size)) if nu < size else size - 1.0


def fisher_z(r: npt.ArrayLike) -> Floats:
    """Fisher's z = artanh r; infinite where r is 1 or -1, NaN where rounding has taken it beyond."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.arctanh(r))
